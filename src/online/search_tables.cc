// Adding to the tables, and the background thread that writes and merges them.
//
// Lookups take a shared_ptr to an immutable SearchView; every change publishes a new one, so lookups are never blocked
// by a merge. On disk, a new file is complete and synced before the manifest names it, and an old file is removed only
// after the manifest stopped naming it: a kill at any point leaves a consistent set plus files that opening removes.
#include "online/search_tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline online {
namespace {

// A segment is merged with all younger ones if it is smaller than this many times their total. At a million texts that
// gives 1.8 segments on average and rewrites a text 9 times, 4 us each; a ratio of 3 would give 2.5 segments and 5
// rewrites. Lookups search every segment, so fewer of them are worth the rewriting.
constexpr std::uint64_t kMergeRatio = 8;

// The counts of site templates are one file and are rewritten when a 10th of all texts was added since the last time.
// Votes after that are replayed from the database.
constexpr std::uint64_t kTemplatesShare = 10;

constexpr std::chrono::seconds kRetryAfter{1};
constexpr std::chrono::milliseconds kLookForStopAfter{100};
constexpr std::size_t kWarningsMaximum = 100;

}  // namespace

// The three functions search every level. Segments that only hold texts before first_text are skipped; the heads hold
// the youngest texts and are always searched.
void SearchView::find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const {
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_exact(queries, collector);
  }
  for (const auto& one : sealed) one->find_exact(queries, collector);
  head->find_exact(queries, collector);
}

void SearchView::find_near(std::span<const NearQuery> queries, HitCollector& collector) const {
  collector.begin_near_keys(queries.size());
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_near(queries, collector);
  }
  for (const auto& one : sealed) one->find_near(queries, collector);
  head->find_near(queries, collector);
  collector.end_near_keys();
}

void SearchView::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  for (const auto& segment : segments) {
    if (segment->texts().end > collector.first_text) segment->find_sketch(keys, collector);
  }
  for (const auto& one : sealed) one->find_sketch(keys, collector);
  head->find_sketch(keys, collector);
}

// The levels cover adjoining, ascending ranges, so the first one that ends after the text contains it.
std::uint32_t SearchView::least_characters(std::uint64_t text) const {
  for (const auto& segment : segments) {
    if (text < segment->texts().end) return text < segment->texts().first ? 0 : segment->least_characters(text);
  }
  for (const auto& one : sealed) {
    if (text < one->texts().end) return one->least_characters(text);
  }
  return head->least_characters(text);
}

std::optional<Fingerprint128> SearchView::summary(std::uint64_t text) const {
  for (const auto& segment : segments) {
    if (text < segment->texts().end) return text < segment->texts().first ? std::nullopt : segment->summary(text);
  }
  for (const auto& one : sealed) {
    if (text < one->texts().end) return one->summary(text);
  }
  return head->summary(text);
}

void SearchView::prefetch_summary(std::uint64_t text) const {
  for (const auto& segment : segments) {
    if (text >= segment->texts().end) continue;
    if (text >= segment->texts().first) segment->prefetch_summary(text);
    return;
  }
}

Result<std::unique_ptr<SearchTables>> SearchTables::open(const SearchTablesOptions& options, IndexDatabase& database,
                                                         const TextKeysReader& read_keys, SiteTemplates& templates,
                                                         ScheduledMutex& writer_mutex,
                                                         std::atomic<std::uint64_t>& next_text) {
  std::unique_ptr<SearchTables> tables(
      new SearchTables(options, database, read_keys, templates, writer_mutex, next_text));
  // Recovery comes before the thread is started, so it needs no maintenance lock.
  PARAPRINT_TRY(tables->recover());
  tables->options_.earlier.reset();
  tables->options_.control = {};
  if (options.is_read_only) return tables;
  PARAPRINT_ASSIGN(ScheduledThread started,
                   ScheduledThread::start("writes search tables", [raw = tables.get()] { raw->run_background(); }));
  tables->background_ = std::move(started);
  return tables;
}

SearchTables::~SearchTables() {
  if (!background_.joinable()) return;
  {
    const std::lock_guard lock(view_mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  background_.join();
  // Votes of pages that were deleted since the last write exist only in memory. Failing here, also for lack of memory,
  // loses just those: the rest is recounted from the database.
  try {
    static_cast<void>(renew_templates());
  } catch (const std::bad_alloc&) {
  }
}

std::shared_ptr<const SearchView> SearchTables::view() const {
  const std::lock_guard lock(view_mutex_);
  return view_;
}

void SearchTables::publish(const std::shared_ptr<const SearchView>& view) {
  const std::lock_guard lock(view_mutex_);
  view_ = view;
  sealed_heads_ = view->sealed.size();
}

// Distinct warnings only: the background retries every second and would repeat the same one.
void SearchTables::warn(std::string warning) {
  const std::lock_guard lock(warnings_mutex_);
  const bool is_known = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
  if (!is_known && warnings_.size() < kWarningsMaximum) warnings_.push_back(std::move(warning));
}

std::vector<std::string> SearchTables::warnings() const {
  const std::lock_guard lock(warnings_mutex_);
  return warnings_;
}

// Counts a call of lock_to_add() that waits, until it ends.
class SearchTables::WaitingAdd {
 public:
  explicit WaitingAdd(std::atomic<std::uint32_t>& count) : count_(count), others_(count.fetch_add(1)) {}
  ~WaitingAdd() { --count_; }
  WaitingAdd(const WaitingAdd&) = delete;
  WaitingAdd& operator=(const WaitingAdd&) = delete;

  std::uint32_t others() const { return others_; }  // that waited before

 private:
  std::atomic<std::uint32_t>& count_;
  const std::uint32_t others_;
};

// A large merge may take longer than eight heads take to fill, and a backup to a slow disk as well. A call that waits
// keeps its place until it ends: woken in between, it does not have to ask for another one.
Result<std::unique_lock<ScheduledMutex>> SearchTables::lock_to_add() {
  std::optional<WaitingAdd> waiting;
  for (;;) {
    std::unique_lock writers(writer_mutex_);
    if (!is_full() || has_failed_) return writers;
    writers.unlock();
    PARAPRINT_TRY(check_stop());
    if (!waiting && waiting.emplace(waiting_adds_).others() >= options_.waiting_maximum) {
      return failure(ErrorCode::kNoSpace,
                     fmt::format("{}: search tables are being merged or copied; try again later", options_.folder));
    }
    std::unique_lock lock(view_mutex_);
    if (is_full() && !has_failed_) room_.wait_for(lock, kLookForStopAfter);
  }
}

Status SearchTables::check_room() const {
  if (view()->sealed.size() < kSealedMaximum || !has_failed_) return {};
  const std::vector<std::string> all = warnings();
  return failure(ErrorCode::kNoSpace,
                 fmt::format("{}: search tables cannot be written ({}); free disk space and try again", options_.folder,
                             all.empty() ? "out of memory" : all.back()));
}

void SearchTables::add(std::uint64_t text, const TextKeys& keys) {
  const std::shared_ptr<const SearchView> now = view();
  if (now->head->has_room(keys)) {
    now->head->add(text, keys);
    return;
  }
  // The full head becomes sealed and is never added to again. The new one has its text before it is published, so the
  // view's ranges never have a gap.
  auto head = std::make_shared<SearchHead>(text, options_.head_pages, options_.has_summaries);
  head->add(text, keys);
  {
    // Copy the current view, not `now`: the background may have published another one. The head is the same, because
    // only callers of add() change it.
    const std::lock_guard lock(view_mutex_);
    auto next = std::make_shared<SearchView>(*view_);
    next->sealed.push_back(next->head);
    next->head = std::move(head);
    view_ = std::move(next);
    ++sealed_heads_;
  }
  wake_.notify_all();
}

void SearchTables::run_background() {
  bool is_first = true;  // tables rebuilt at opening may be many small files: merge them before the first head is full
  for (;;) {
    {
      std::unique_lock lock(view_mutex_);
      while (!is_stopping_ && !is_first && view_->sealed.empty()) wake_.wait(lock);
      if (is_stopping_) return;
    }
    is_first = false;
    if (maintain()) continue;
    has_failed_ = sealed_heads_ > 0;
    room_.notify_all();
    std::unique_lock lock(view_mutex_);
    if (!is_stopping_) wake_.wait_for(lock, kRetryAfter);
  }
}

// Nothing can catch an exception of the background thread. Out of memory is retried like a full disk; if there is none
// for the warning either, check_room() still tells that tables are not written.
bool SearchTables::maintain() noexcept {
  const std::lock_guard maintenance(maintenance_mutex_);
  try {
    try {
      Status done = write_sealed_head();
      if (done) done = merge_where_due();
      if (!done) warn(done.error().message);
      return done.has_value();
    } catch (const std::bad_alloc&) {
      warn("cannot write search tables: out of memory");
    }
  } catch (const std::bad_alloc&) {
  }
  return false;
}

Status SearchTables::replace_manifest(IndexManifest manifest) {
  PARAPRINT_TRY(write_file_atomically(path_of("manifest"), encode_manifest(manifest)));
  manifest_ = std::move(manifest);
  return {};
}

std::shared_ptr<SearchView> SearchTables::view_of(std::vector<std::shared_ptr<const SearchSegment>> segments) {
  auto next = std::make_shared<SearchView>();
  next->segments = std::move(segments);
  next->sealed.reserve(kSealedMaximum);
  return next;
}

void SearchTables::publish_segments(std::shared_ptr<SearchView> next, std::size_t written_heads) noexcept {
  const std::lock_guard lock(view_mutex_);
  const auto first = view_->sealed.begin() + static_cast<std::ptrdiff_t>(written_heads);
  next->sealed.assign(first, view_->sealed.end());
  next->head = view_->head;
  view_ = std::move(next);
  sealed_heads_ -= written_heads;
  if (written_heads == 0) return;
  has_failed_ = false;
  room_.notify_all();
}

Result<std::shared_ptr<const SearchSegment>> SearchTables::write_segment(const SearchHead& head,
                                                                         const ManifestSegment& segment) const {
  const std::string path = path_of_segment(segment.file);
  PARAPRINT_TRY(head.write_segment(path, segment.texts.end));
  return SearchSegment::open(path, SegmentMemory::kReadIfSmall);
}

Status SearchTables::write_sealed_head() {
  const std::shared_ptr<const SearchView> before = view();
  if (before->sealed.empty()) return {};
  const std::shared_ptr<const SearchHead>& head = before->sealed.front();
  const std::uint64_t end = before->sealed.size() > 1 ? before->sealed[1]->texts().first : before->head->texts().first;
  IndexManifest manifest = manifest_;
  const ManifestSegment made{manifest.next_file++, {head->texts().first, end}};
  PARAPRINT_ASSERT(made.texts.first == manifest_.end_text());
  // A text number in a segment must never be assigned to another text, not even if a power cut loses the text itself.
  PARAPRINT_TRY(database_.sync());
  PARAPRINT_ASSIGN(std::shared_ptr<const SearchSegment> segment, write_segment(*head, made));
  std::vector<std::shared_ptr<const SearchSegment>> segments = before->segments;
  segments.push_back(std::move(segment));
  std::shared_ptr<SearchView> next = view_of(std::move(segments));
  manifest.segments.push_back(made);
  const std::uint64_t old_templates = manifest.templates_file;
  std::uint64_t covered = templates_covered_text_;
  PARAPRINT_TRY(write_templates_if_due(manifest, covered));
  PARAPRINT_TRY(replace_manifest(std::move(manifest)));
  templates_covered_text_ = covered;
  // One step from head to segment: no lookup sees the texts twice or misses them.
  publish_segments(std::move(next), 1);
  if (old_templates != 0 && old_templates != manifest_.templates_file) {
    ::unlink(path_of(templates_file_name(old_templates)).c_str());
  }
  return {};
}

Status SearchTables::write_templates_if_due(IndexManifest& manifest, std::uint64_t& covered) {
  const std::uint64_t end = manifest.end_text();
  const bool is_due =
      manifest.templates_file == 0 || end - std::min(end, templates_covered_text_) >= end / kTemplatesShare;
  return is_due ? write_templates(manifest, covered) : Status{};
}

// The counts and the number of the first text they do not cover must be of one moment, hence the writer lock. As with
// segments, the texts they cover are synced first. As long as no manifest names the file, templates_covered_text_ stays
// that of the one before: votes of deleted texts are only in these files.
Status SearchTables::write_templates(IndexManifest& manifest, std::uint64_t& covered) {
  std::string bytes;
  {
    const std::lock_guard writers(writer_mutex_);
    covered = next_text_.load();
    bytes = templates_.encode(covered);
  }
  PARAPRINT_TRY(database_.sync());
  const std::uint64_t file = manifest.next_file++;
  PARAPRINT_TRY(write_file_atomically(path_of(templates_file_name(file)), bytes));
  manifest.templates_file = file;
  return {};
}

Status SearchTables::renew_templates() {
  if (next_text_.load() == templates_covered_text_) return {};
  IndexManifest manifest = manifest_;
  const std::uint64_t old_templates = manifest.templates_file;
  std::uint64_t covered = 0;
  PARAPRINT_TRY(write_templates(manifest, covered));
  PARAPRINT_TRY(replace_manifest(std::move(manifest)));
  templates_covered_text_ = covered;
  if (old_templates != 0) ::unlink(path_of(templates_file_name(old_templates)).c_str());
  return {};
}

// From the youngest segment on, takes in older ones as long as they are too small compared with what was taken so far,
// and as one segment can hold all. Heads that were filled during a merge come before the next one: no text can be added
// while eight of them wait.
Status SearchTables::merge_where_due() {
  for (;;) {
    while (sealed_heads_ > 0) PARAPRINT_TRY(write_sealed_head());
    const std::vector<ManifestSegment>& segments = manifest_.segments;
    std::uint64_t younger = segments.empty() ? 0 : segments.back().texts.size();
    std::size_t first = segments.empty() ? 0 : segments.size() - 1;
    while (first > 0 && segments[first - 1].texts.size() < kMergeRatio * younger) {
      --first;
      younger += segments[first].texts.size();
    }
    if (segments.size() - first < 2) return {};
    const std::shared_ptr<const SearchView> before = view();
    while (segments.size() - first > 1 && !fit_one_segment(*before, first, segments.size())) ++first;
    if (segments.size() - first < 2) return {};
    PARAPRINT_TRY(merge(*before, first, segments.size() - first));
  }
}

bool SearchTables::fit_one_segment(const SearchView& now, std::size_t first_segment, std::size_t end_segment) const {
  return may_merge(std::span(now.segments).subspan(first_segment, end_segment - first_segment),
                   options_.segment_entries_maximum);
}

Status SearchTables::merge(const SearchView& before, std::size_t first_segment, std::size_t count) {
  const std::vector<std::shared_ptr<const SearchSegment>> merged(
      before.segments.begin() + static_cast<std::ptrdiff_t>(first_segment),
      before.segments.begin() + static_cast<std::ptrdiff_t>(first_segment + count));
  const TextRange texts{merged.front()->texts().first, merged.back()->texts().end};
  // Merging is where deleted texts leave the tables. One deleted after this walk stays until the next merge.
  std::vector<bool> is_alive(texts.size(), false);
  PARAPRINT_TRY(database_.for_each_text(texts.first, texts.end, [&](std::uint64_t text, std::string_view) -> Status {
    is_alive[text - texts.first] = true;
    return {};
  }));
  // A power cut may undo deletions that were not synced: their texts would be in the database again, but in no table.
  PARAPRINT_TRY(database_.sync());
  IndexManifest manifest = manifest_;
  const ManifestSegment made{manifest.next_file++, texts};
  const std::string path = path_of_segment(made.file);
  PARAPRINT_TRY(merge_search_segments(path, merged, [&](std::uint64_t text) { return is_alive[text - texts.first]; }));
  PARAPRINT_ASSIGN(std::shared_ptr<const SearchSegment> segment,
                   SearchSegment::open(path, SegmentMemory::kReadIfSmall));
  const auto begin = manifest.segments.begin() + static_cast<std::ptrdiff_t>(first_segment);
  manifest.segments.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  manifest.segments[first_segment] = made;
  std::vector<std::shared_ptr<const SearchSegment>> segments = before.segments;
  const auto from = segments.begin() + static_cast<std::ptrdiff_t>(first_segment);
  segments.erase(from + 1, from + static_cast<std::ptrdiff_t>(count));
  segments[first_segment] = std::move(segment);
  std::shared_ptr<SearchView> next = view_of(std::move(segments));
  PARAPRINT_TRY(replace_manifest(std::move(manifest)));
  publish_segments(std::move(next), 0);
  // Lookups that still use an old view keep the unlinked files mapped.
  for (const auto& old : merged) ::unlink(old->path().c_str());
  merges_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

// Texts in the current head stay there: it is not sealed before it is full.
Status SearchTables::compact() {
  const std::lock_guard maintenance(maintenance_mutex_);
  while (!view()->sealed.empty()) {
    PARAPRINT_TRY(write_sealed_head());
  }
  for (std::size_t first = 0; first < manifest_.segments.size(); ++first) {
    const std::shared_ptr<const SearchView> before = view();
    std::size_t end = first + 1;
    while (end < manifest_.segments.size() && fit_one_segment(*before, first, end + 1)) ++end;
    PARAPRINT_TRY(merge(*before, first, end - first));
  }
  return {};
}

Status SearchTables::with_files(const std::function<Status(const std::vector<std::string>& names)>& copy) {
  const std::lock_guard maintenance(maintenance_mutex_);
  PARAPRINT_TRY(renew_templates());
  // The lock keeps the background from replacing files while they are copied; it waits for the end of the copy.
  std::vector<std::string> names;
  for (const ManifestSegment& segment : manifest_.segments) names.push_back(segment_file_name(segment.file));
  if (manifest_.templates_file != 0) names.push_back(templates_file_name(manifest_.templates_file));
  names.emplace_back("manifest");
  return copy(names);
}

}  // namespace paraprint::inline online
