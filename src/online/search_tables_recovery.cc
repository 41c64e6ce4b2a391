// Opening the search tables: files that are intact are used, missing or damaged ones are rebuilt from the database, and
// texts added since the last file are replayed into heads.
//
// Everything here is derived data, so damage to it is repaired with a warning and is an error only if the file is of a
// newer version. The exception is a database that has fewer texts than the tables: then the database lost data.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/file_stamp.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "online/search_tables.h"
#include "profile/profile_codec.h"

namespace paraprint::inline online {
namespace {

constexpr std::string_view kRebuildingStage = "search tables";  // of Progress

}  // namespace

Status SearchTables::recover() {
  auto view = std::make_shared<SearchView>();
  const std::uint64_t counted_texts = next_text_;
  PARAPRINT_ASSIGN(IndexManifest manifest, read_manifest());
  PARAPRINT_TRY(check_is_whole(manifest.end_text(), counted_texts));
  PARAPRINT_TRY(open_segments(manifest, *view));
  manifest_ = manifest;
  // Whatever is the greatest: a number that anything refers to must not be assigned again.
  std::uint64_t last = 0;
  PARAPRINT_ASSIGN(const bool has_texts, database_.last_text(last));
  next_text_ = std::max({next_text_.load(), manifest.end_text(), has_texts ? last + 1 : 0});
  PARAPRINT_TRY(recover_templates(manifest));
  PARAPRINT_TRY(check_is_whole(templates_covered_text_, counted_texts));
  PARAPRINT_TRY(replay(*view));
  publish(view);
  if (options_.is_read_only) return {};
  PARAPRINT_TRY(remove_unknown_files(manifest_));
  PARAPRINT_ASSIGN(const bool has_manifest, path_exists(path_of("manifest")));
  if (!has_manifest) {
    PARAPRINT_TRY(replace_manifest(manifest_));
  }
  return {};
}

// Table files are written only after the texts they cover are durable in the database. If RocksDB's list of files is
// damaged, RocksDB may silently open an earlier state of itself; that is noticed here.
Status SearchTables::check_is_whole(std::uint64_t covered_texts, std::uint64_t counted_texts) const {
  if (covered_texts <= counted_texts) return {};
  return failure(
      ErrorCode::kCorruptData,
      fmt::format("the index database next to {} has lost changes: it counts {} texts, but the search tables cover {}",
                  options_.folder, counted_texts, covered_texts));
}

// Without a usable manifest everything is rebuilt, under file numbers that no remaining file has.
Result<IndexManifest> SearchTables::read_manifest() {
  std::uint64_t last = 0;
  const Result<bool> has_texts = database_.last_text(last);
  const Result<std::string> bytes = read_whole_file(path_of("manifest"));
  if (bytes) {
    Result<IndexManifest> manifest = decode_manifest(*bytes);
    if (manifest) return manifest;
    PARAPRINT_TRY(check_repairable(fmt::format("{}: {}", path_of("manifest"), manifest.error().message)));
    warn(fmt::format("{}: {}; rebuilding all search tables", path_of("manifest"), manifest.error().message));
  } else if (has_texts && *has_texts) {  // a new index gets its manifest before its first text
    PARAPRINT_TRY(check_repairable(bytes.error().message));
    warn(fmt::format("{}; rebuilding all search tables", bytes.error().message));
  }
  IndexManifest empty;
  // Continue after the greatest number in use; remove_unknown_files() deletes the old files only at the end.
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(options_.folder));
  for (const std::string& name : names) {
    std::uint64_t file = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), file);
    if (read.ec == std::errc()) empty.next_file = std::max<std::uint64_t>(empty.next_file, file + 1);
  }
  return empty;
}

// Why an intact segment cannot be used; empty if it can.
std::string SearchTables::misfit(const SearchSegment& segment, const ManifestSegment& listed) const {
  const bool covers = segment.texts().first == listed.texts.first && segment.texts().end == listed.texts.end;
  if (!covers) return segment.path() + ": covers other texts";
  if (!options_.has_near_keys && segment.table(0).size() > 0) {
    return fmt::format("{}: search tables of fingerprints, in place of keys", segment.path());
  }
  if (segment.has_summaries() == options_.has_summaries) return {};
  return fmt::format("{}: search tables {} summaries of texts", segment.path(),
                     segment.has_summaries() ? "with" : "in an older format, without");
}

Status SearchTables::check_repairable(const std::string& damage) const {
  if (!options_.is_read_only) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("{}; opening the index once for writing rebuilds its search "
                                                      "tables (for example 'paraprint index stats')",
                                                      damage));
}

// Segments never change, so one with the stamp of an opened file has the same bytes, whatever its folder.
std::shared_ptr<const SearchSegment> SearchTables::find_opened(const ManifestSegment& listed) const {
  if (!options_.earlier) return nullptr;
  const std::string stamp = file_stamp(path_of_segment(listed.file));
  for (const auto& segment : options_.earlier->segments) {
    if (!stamp.empty() && segment->stamp() == stamp) return segment;
  }
  return nullptr;
}

// Opens the listed segments in order and rebuilds each damaged one in its place, possibly as several smaller ones.
Status SearchTables::open_segments(IndexManifest& manifest, SearchView& view) {
  std::vector<ManifestSegment> segments;
  bool is_changed = false;
  for (const ManifestSegment& listed : manifest.segments) {
    Result<std::shared_ptr<const SearchSegment>> segment = find_opened(listed);
    if (*segment == nullptr) {
      segment = SearchSegment::open(path_of_segment(listed.file), SegmentMemory::kReadIfSmall);
    }
    const std::string reason = segment ? misfit(**segment, listed) : segment.error().message;
    if (reason.empty()) {
      view.segments.push_back(*segment);
      segments.push_back(listed);
      continue;
    }
    if (!segment && segment.error().code == ErrorCode::kUnsupported) return tl::unexpected<Error>(segment.error());
    PARAPRINT_TRY(check_repairable(reason));
    warn(fmt::format("{}; rebuilding it from the stored profiles", reason));
    // make_segments_again() takes its file numbers from manifest_.
    manifest_ = manifest;
    PARAPRINT_TRY(make_segments_again(listed.texts, segments, view));
    manifest.next_file = manifest_.next_file;
    is_changed = true;
  }
  manifest.segments = segments;
  return is_changed ? replace_manifest(manifest) : Status{};
}

// Collects the texts of the range in a head, as add() does, and writes it whenever it is full: memory is that of one
// head, however large the lost segment was. The background merges the pieces.
Status SearchTables::make_segments_again(const TextRange& texts, std::vector<ManifestSegment>& made, SearchView& view) {
  auto head = std::make_unique<SearchHead>(texts.first, options_.head_pages, options_.has_summaries);
  TextKeys keys;
  ProgressReporter progress(options_.control);
  progress.begin(kRebuildingStage, texts.size(), "texts");
  const auto write = [&](std::uint64_t end) -> Status {
    const ManifestSegment segment{manifest_.next_file++, {head->texts().first, end}};
    PARAPRINT_ASSIGN(std::shared_ptr<const SearchSegment> opened, write_segment(*head, segment));
    made.push_back(segment);
    view.segments.push_back(opened);
    return {};
  };
  const auto add = [&](std::uint64_t text, std::string_view record) -> Status {
    PARAPRINT_TRY(read_keys_(record, keys));
    if (!head->has_room(keys) && text > head->texts().first) {
      PARAPRINT_TRY(write(text));
      head = std::make_unique<SearchHead>(text, options_.head_pages, options_.has_summaries);
    }
    head->add(text, keys);
    progress.update(text + 1 - texts.first);
    return {};
  };
  PARAPRINT_TRY(database_.for_each_text(texts.first, texts.end, add));
  progress.update(texts.size());
  progress.end();
  return write(texts.end);
}

// Adds the texts after the last segment to heads. After a kill these fill at most a few heads; if the manifest was
// lost, they are all texts, so full heads beyond two are written at once to bound memory. A reader writes none, and
// does not open an index without its manifest.
//
// Between two texts, or before the next one to be added, any number may have been deleted. A head ends before the range
// that it is for is larger than a segment may be.
Status SearchTables::replay(SearchView& view) {
  const std::uint64_t first = manifest_.end_text();
  auto head = std::make_shared<SearchHead>(first, options_.head_pages, options_.has_summaries);
  std::vector<std::shared_ptr<SearchHead>> full;
  TextKeys keys;
  constexpr std::size_t kHeadsInMemory = 2;
  // As write_sealed_head(), but into a view that is not published yet. The manifest is replaced each time, so a kill
  // during a long replay loses no segment.
  const auto write_oldest = [&]() -> Status {
    IndexManifest manifest = manifest_;
    const std::uint64_t end = full.size() > 1 ? full[1]->texts().first : head->texts().first;
    const ManifestSegment segment{manifest.next_file++, {full.front()->texts().first, end}};
    PARAPRINT_ASSIGN(std::shared_ptr<const SearchSegment> opened, write_segment(*full.front(), segment));
    manifest.segments.push_back(segment);
    PARAPRINT_TRY(replace_manifest(manifest));
    view.segments.push_back(opened);
    full.erase(full.begin());
    return {};
  };
  const auto begin_head = [&](std::uint64_t first_text) -> Status {
    full.push_back(head);
    head = std::make_shared<SearchHead>(first_text, options_.head_pages, options_.has_summaries);
    return full.size() > kHeadsInMemory && !options_.is_read_only ? write_oldest() : Status{};
  };
  const auto reach = [&](std::uint64_t text) -> Status {
    const std::uint64_t range = options_.segment_entries_maximum;
    while (text - head->texts().first >= range) PARAPRINT_TRY(begin_head(head->texts().first + range));
    return {};
  };
  const auto add = [&](std::uint64_t text, std::string_view record) -> Status {
    PARAPRINT_TRY(read_keys_(record, keys));
    PARAPRINT_TRY(reach(text));
    if (!head->has_room(keys) && text > head->texts().first) PARAPRINT_TRY(begin_head(text));
    head->add(text, keys);
    return {};
  };
  PARAPRINT_TRY(database_.for_each_text(first, next_text_.load(), add));
  PARAPRINT_TRY(reach(next_text_.load()));
  view.sealed.assign(full.begin(), full.end());
  view.head = std::move(head);
  return {};
}

// Reads the counts of site templates and adds the votes of the texts after them. Votes of deleted pages cannot be
// recovered if the file is lost; paragraphs then become template a little later.
Status SearchTables::recover_templates(const IndexManifest& manifest) {
  std::uint64_t covered = 0;
  if (manifest.templates_file != 0) {
    const std::string path = path_of(templates_file_name(manifest.templates_file));
    const Result<std::string> bytes = read_whole_file(path);
    Status decoded;
    if (bytes) decoded = templates_.decode(*bytes, covered);
    if (!bytes || !decoded) {
      if (!decoded && decoded.error().code == ErrorCode::kUnsupported) return decoded;
      const std::string reason = fmt::format("{}: {}", path, bytes ? decoded.error().message : bytes.error().message);
      PARAPRINT_TRY(check_repairable(reason));
      warn(reason + "; recounting from the stored profiles");
      covered = 0;
    }
  }
  templates_covered_text_ = covered;
  Profile profile;
  TextRecord record;
  return database_.for_each_text(covered, next_text_.load(), [&](std::uint64_t text, std::string_view bytes) -> Status {
    Status decoded = decode_text_record(bytes, record);
    if (decoded && record.is_voter && record.site != 0) {
      decoded = decode_profile(record.profile, profile);
      if (decoded) templates_.add_votes(record.site, profile);
    }
    if (decoded) return {};
    return failure(decoded.error().code, fmt::format("text {}: {}", text, decoded.error().message));
  });
}

// Removes files that a kill left behind: partial ones, and complete ones that the manifest does not name (yet or any
// more). Files with other extensions are not ours and stay.
Status SearchTables::remove_unknown_files(const IndexManifest& manifest) const {
  std::vector<std::string> known = {"manifest"};
  for (const ManifestSegment& segment : manifest.segments) known.push_back(segment_file_name(segment.file));
  if (manifest.templates_file != 0) known.push_back(templates_file_name(manifest.templates_file));
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(options_.folder));
  for (const std::string& name : names) {
    const bool is_ours = name.ends_with(".tables") || name.ends_with(".templates") || name.ends_with(".partial");
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (is_ours && !is_known) ::unlink(path_of(name).c_str());
  }
  return {};
}

}  // namespace paraprint::inline online
