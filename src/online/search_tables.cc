#include "online/search_tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/start_thread.h"

namespace paraprint {
namespace {

// A segment smaller than this many times all younger ones is merged with them. At a million texts that is 1.8 segments
// on average, and a text is rewritten 9 times, 4 us each; with 3 it would be 2.5 segments and 5 times.
constexpr std::uint64_t kMergeRatio = 8;

// Sealed heads that wait to be written. More would mean that the disk refuses them.
constexpr std::size_t kSealedMaximum = 8;

// The counts of site templates are written again when so much of the texts has come since: they are one file, and
// votes since then are replayed from the database.
constexpr std::uint64_t kTemplatesShare = 10;

constexpr std::chrono::seconds kRetryAfter{1};
constexpr std::size_t kWarningsMaximum = 100;

}  // namespace

void SearchView::find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const {
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_exact(queries, collector);
  }
  for (const auto& one : sealed) one->find_exact(queries, collector);
  head->find_exact(queries, collector);
}

void SearchView::find_near(std::span<const NearQuery> queries, HitCollector& collector) const {
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_near(queries, collector);
  }
  for (const auto& one : sealed) one->find_near(queries, collector);
  head->find_near(queries, collector);
}

void SearchView::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_sketch(keys, collector);
  }
  for (const auto& one : sealed) one->find_sketch(keys, collector);
  head->find_sketch(keys, collector);
}

std::uint32_t SearchView::least_characters(std::uint64_t text) const {
  for (const auto& segment : segments) {
    if (text < segment->texts().end) return text < segment->texts().first ? 0 : segment->least_characters(text);
  }
  for (const auto& one : sealed) {
    if (text < one->texts().end) return one->least_characters(text);
  }
  return head->least_characters(text);
}

Result<std::unique_ptr<SearchTables>> SearchTables::open(const SearchTablesOptions& options, IndexDatabase& database,
                                                         const TextKeysReader& read_keys, SiteTemplates& templates,
                                                         std::mutex& writer_mutex,
                                                         std::atomic<std::uint64_t>& next_text) {
  std::unique_ptr<SearchTables> tables(
      new SearchTables(options, database, read_keys, templates, writer_mutex, next_text));
  if (Status recovered = tables->recover(); !recovered) return tl::unexpected<Error>(recovered.error());
  Result<std::thread> started = start_thread("writes search tables", [raw = tables.get()] { raw->run_background(); });
  if (!started) return tl::unexpected<Error>(started.error());
  tables->background_ = std::move(*started);
  return tables;
}

SearchTables::~SearchTables() {
  {
    const std::lock_guard lock(view_mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  if (background_.joinable()) background_.join();
  if (next_text_.load() == templates_covered_text_) return;
  // Votes of pages that were deleted since are nowhere else. Without this file they are counted again without those.
  IndexManifest manifest = manifest_;
  const std::uint64_t old_templates = manifest.templates_file;
  if (write_templates(manifest) && replace_manifest(manifest) && old_templates != 0) {
    ::unlink(path_of(templates_file_name(old_templates)).c_str());
  }
}

std::shared_ptr<const SearchView> SearchTables::view() const {
  const std::lock_guard lock(view_mutex_);
  return view_;
}

void SearchTables::publish(const std::shared_ptr<const SearchView>& view) {
  const std::lock_guard lock(view_mutex_);
  view_ = view;
}

void SearchTables::warn(std::string warning) {
  const std::lock_guard lock(warnings_mutex_);
  const bool is_known = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
  if (!is_known && warnings_.size() < kWarningsMaximum) warnings_.push_back(std::move(warning));
}

std::vector<std::string> SearchTables::warnings() const {
  const std::lock_guard lock(warnings_mutex_);
  return warnings_;
}

Status SearchTables::check_room() const {
  if (view()->sealed.size() < kSealedMaximum) return {};
  const std::vector<std::string> all = warnings();
  return failure(ErrorCode::kNoSpace, fmt::format("{}: search tables cannot be written ({}); make room and try again",
                                                  options_.folder, all.empty() ? "still at it" : all.back()));
}

void SearchTables::add(std::uint64_t text, const TextKeys& keys) {
  const std::shared_ptr<const SearchView> now = view();
  if (now->head->has_room(keys)) {
    now->head->add(text, keys);
    return;
  }
  auto head = std::make_shared<SearchHead>(text, options_.head_pages);
  head->add(text, keys);
  {
    // The background may have published another view meanwhile; only this thread changes the head.
    const std::lock_guard lock(view_mutex_);
    auto next = std::make_shared<SearchView>(*view_);
    next->sealed.push_back(next->head);
    next->head = std::move(head);
    view_ = std::move(next);
  }
  wake_.notify_all();
}

void SearchTables::run_background() {
  bool is_first = true;  // files made again at opening are many and small
  const auto has_work = [&] { return is_stopping_ || is_first || !view_->sealed.empty(); };
  for (;;) {
    {
      std::unique_lock lock(view_mutex_);
      wake_.wait(lock, has_work);
      if (is_stopping_) return;
    }
    is_first = false;
    Status done;
    {
      const std::lock_guard maintenance(maintenance_mutex_);
      try {
        done = write_sealed_head();
        if (done) done = merge_where_due();
      } catch (const std::bad_alloc&) {
        done = failure(ErrorCode::kLimitExceeded, "search tables are not written: out of memory");
      }
    }
    if (done) continue;
    warn(done.error().message);
    std::unique_lock lock(view_mutex_);
    wake_.wait_for(lock, kRetryAfter, [this] { return is_stopping_; });
  }
}

Status SearchTables::replace_manifest(const IndexManifest& manifest) {
  if (Status written = write_file_atomically(path_of("manifest"), encode_manifest(manifest)); !written) return written;
  manifest_ = manifest;
  return {};
}

Status SearchTables::write_sealed_head() {
  const std::shared_ptr<const SearchView> before = view();
  if (before->sealed.empty()) return {};
  const std::shared_ptr<const SearchHead>& head = before->sealed.front();
  const std::uint64_t end = before->sealed.size() > 1 ? before->sealed[1]->texts().first : before->head->texts().first;
  IndexManifest manifest = manifest_;
  const ManifestSegment made{manifest.next_file++, {head->texts().first, end}};
  PARAPRINT_ASSERT(made.texts.first == manifest_.end_text());
  // Text numbers that a segment holds must never be given again, also after a power cut.
  if (Status synced = database_.sync(); !synced) return synced;
  const std::string path = path_of_segment(made.file);
  if (Status written = head->write_segment(path, end); !written) return written;
  Result<std::shared_ptr<const SearchSegment>> segment = SearchSegment::open(path, SegmentMemory::kReadIfSmall);
  if (!segment) return tl::unexpected<Error>(segment.error());
  manifest.segments.push_back(made);
  const std::uint64_t old_templates = manifest.templates_file;
  if (Status written = write_templates_if_due(manifest); !written) return written;
  if (Status replaced = replace_manifest(manifest); !replaced) return replaced;
  if (old_templates != 0 && old_templates != manifest.templates_file) {
    ::unlink(path_of(templates_file_name(old_templates)).c_str());
  }
  const std::lock_guard lock(view_mutex_);
  auto next = std::make_shared<SearchView>(*view_);
  next->segments.push_back(*segment);
  next->sealed.erase(next->sealed.begin());
  view_ = std::move(next);
  return {};
}

Status SearchTables::write_templates_if_due(IndexManifest& manifest) {
  const std::uint64_t end = manifest.end_text();
  const bool is_due =
      manifest.templates_file == 0 || end - std::min(end, templates_covered_text_) >= end / kTemplatesShare;
  return is_due ? write_templates(manifest) : Status{};
}

Status SearchTables::write_templates(IndexManifest& manifest) {
  std::string bytes;
  std::uint64_t covered = 0;
  {
    const std::lock_guard writers(writer_mutex_);
    covered = next_text_.load();
    bytes = templates_.encode(covered);
  }
  if (Status synced = database_.sync(); !synced) return synced;
  const std::uint64_t file = manifest.next_file++;
  if (Status written = write_file_atomically(path_of(templates_file_name(file)), bytes); !written) return written;
  manifest.templates_file = file;
  templates_covered_text_ = covered;
  return {};
}

Status SearchTables::merge_where_due() {
  for (;;) {
    const std::vector<ManifestSegment>& segments = manifest_.segments;
    std::uint64_t younger = segments.empty() ? 0 : segments.back().texts.size();
    std::size_t first = segments.empty() ? 0 : segments.size() - 1;
    while (first > 0 && segments[first - 1].texts.size() < kMergeRatio * younger) {
      --first;
      younger += segments[first].texts.size();
    }
    const std::size_t count = segments.size() - first;
    if (count < 2) return {};
    if (Status merged = merge(first, count); !merged) return merged;
  }
}

Status SearchTables::merge(std::size_t first_segment, std::size_t count) {
  const std::shared_ptr<const SearchView> before = view();
  const std::vector<std::shared_ptr<const SearchSegment>> merged(
      before->segments.begin() + static_cast<std::ptrdiff_t>(first_segment),
      before->segments.begin() + static_cast<std::ptrdiff_t>(first_segment + count));
  const TextRange texts{merged.front()->texts().first, merged.back()->texts().end};
  std::vector<bool> is_alive(texts.size(), false);
  Status walked = database_.for_each_text(texts.first, texts.end, [&](std::uint64_t text, std::string_view) -> Status {
    is_alive[text - texts.first] = true;
    return {};
  });
  if (!walked) return walked;
  IndexManifest manifest = manifest_;
  const ManifestSegment made{manifest.next_file++, texts};
  const std::string path = path_of_segment(made.file);
  Status written =
      merge_search_segments(path, merged, [&](std::uint64_t text) { return is_alive[text - texts.first]; });
  if (!written) return written;
  Result<std::shared_ptr<const SearchSegment>> segment = SearchSegment::open(path, SegmentMemory::kReadIfSmall);
  if (!segment) return tl::unexpected<Error>(segment.error());
  const auto begin = manifest.segments.begin() + static_cast<std::ptrdiff_t>(first_segment);
  manifest.segments.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  manifest.segments[first_segment] = made;
  if (Status replaced = replace_manifest(manifest); !replaced) return replaced;
  {
    const std::lock_guard lock(view_mutex_);
    auto next = std::make_shared<SearchView>(*view_);
    const auto from = next->segments.begin() + static_cast<std::ptrdiff_t>(first_segment);
    next->segments.erase(from + 1, from + static_cast<std::ptrdiff_t>(count));
    next->segments[first_segment] = *segment;
    view_ = std::move(next);
  }
  // Look-ups that still use the old files keep them mapped.
  for (const auto& old : merged) ::unlink(old->path().c_str());
  merges_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Status SearchTables::compact() {
  const std::lock_guard maintenance(maintenance_mutex_);
  while (!view()->sealed.empty()) {
    if (Status written = write_sealed_head(); !written) return written;
  }
  if (manifest_.segments.empty()) return {};
  return merge(0, manifest_.segments.size());
}

Status SearchTables::with_files(const std::function<Status(const std::vector<std::string>& names)>& copy) const {
  const std::lock_guard maintenance(maintenance_mutex_);
  std::vector<std::string> names;
  for (const ManifestSegment& segment : manifest_.segments) names.push_back(segment_file_name(segment.file));
  if (manifest_.templates_file != 0) names.push_back(templates_file_name(manifest_.templates_file));
  names.emplace_back("manifest");
  return copy(names);
}

}  // namespace paraprint
