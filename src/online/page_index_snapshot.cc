// Snapshots: how a process that changes an index publishes them, and how readers open and follow them.
//
// A snapshot is a backup inside the index folder. Its files are hard links, so it costs the disk space of what has
// changed since, and the search tables that two snapshots share are the same files, which a reader reads once.
// RocksDB's own followers (OpenAsSecondary) are no way out: they have no snapshots for reads that must agree with each
// other, and the process that writes removes files while they read (docs/decisions.md).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "online/index_format.h"
#include "online/page_index_state.h"

namespace paraprint {
namespace {

constexpr std::size_t kIndexWarningsMaximum = 100;

std::uint64_t unix_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

}  // namespace

// Distinct warnings only: a background task repeats the same one.
void PageIndex::Implementation::warn(std::string warning) {
  const std::lock_guard lock(warnings_mutex_);
  const bool is_known = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
  if (!is_known && warnings_.size() < kIndexWarningsMaximum) warnings_.push_back(std::move(warning));
}

std::vector<std::string> PageIndex::Implementation::warnings() const {
  std::vector<std::string> all = tables_->warnings();
  const std::lock_guard lock(warnings_mutex_);
  all.insert(all.end(), warnings_.begin(), warnings_.end());
  return all;
}

Status PageIndex::Implementation::check_changeable() const {
  if (!options_.read_only) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("the index {} is open for reading only", folder_));
}

std::optional<PublishedSnapshot> PageIndex::Implementation::snapshot() const {
  const std::lock_guard lock(snapshot_mutex_);
  return snapshot_;
}

bool PageIndex::Implementation::has_snapshots() const {
  return options_.snapshots > 0 || snapshot().has_value();
}

// Reads which snapshot was published last. One of changes that a power cut has undone is not the state of the index,
// even when the numbers of these changes have been used again.
Status PageIndex::Implementation::open_snapshots() {
  Result<std::optional<PublishedSnapshot>> published = read_published_snapshot(folder_);
  if (!published) {
    if (published.error().code != ErrorCode::kCorruptData) return tl::unexpected<Error>(published.error());
    published = PublishedSnapshot();  // there are snapshots, and the next one is due
  }
  snapshot_ = *published;
  if (snapshot_ && snapshot_->change > database_->last_change()) snapshot_->change = 0;
  return {};
}

// The number of the last change is read before the copy begins: what is changed meanwhile may be in the snapshot or
// not, and the next one is due. So it is if the last one has been removed, or if the index was migrated since, which
// need not change the database: readers of this build do not open a snapshot of an older format.
Status PageIndex::Implementation::publish_snapshot() {
  const std::lock_guard publishing(publishing_mutex_);
  PublishedSnapshot made;
  made.change = database_->last_change();
  const std::optional<PublishedSnapshot> last = snapshot();
  const Result<std::optional<PublishedSnapshot>> published = read_published_snapshot(folder_);
  const bool is_current = last && last->change == made.change && published && *published == last;
  if (is_current && check_index_format(snapshot_path(folder_, last->number))) return {};
  made.taken_seconds = unix_seconds();
  PARAPRINT_ASSIGN(made.number, next_snapshot_number(folder_));
  PARAPRINT_TRY(backup(snapshot_path(folder_, made.number)));
  PARAPRINT_TRY(online::publish_snapshot(folder_, made));
  const std::lock_guard lock(snapshot_mutex_);
  snapshot_ = made;
  return {};
}

// If there is no memory for the warning either, the next attempt may have it.
void PageIndex::Implementation::publish_in_background() noexcept {
  try {
    try {
      const Status published = publish_snapshot();
      if (!published) warn(fmt::format("no snapshot was published: {}", published.error().message));
    } catch (const std::bad_alloc&) {
      warn("no snapshot was published: out of memory");
    }
  } catch (const std::bad_alloc&) {
  }
}

// The writer publishes another snapshot, and may remove this one, between any two steps. A failure counts only if the
// published one is still the same.
Result<std::unique_ptr<PageIndex::Implementation>> PageIndex::Implementation::open_to_read(
    const std::string& folder, const IndexOptions& options, const RunControl& control, const Implementation* earlier) {
  for (;;) {
    PARAPRINT_ASSIGN(const std::optional<PublishedSnapshot> published, read_published_snapshot(folder));
    Result<std::unique_ptr<Implementation>> opened =
        published ? open_files_to_read(snapshot_path(folder, published->number), options, control, earlier)
                  : open_files_to_read(folder, options, control, earlier);
    if (opened) {
      (*opened)->index_folder_ = folder;
      (*opened)->snapshot_ = published;
      return opened;
    }
    PARAPRINT_ASSIGN(const std::optional<PublishedSnapshot> now, read_published_snapshot(folder));
    if (now == published) return opened;
  }
}

Result<std::unique_ptr<PageIndex::Implementation>> PageIndex::Implementation::open_files_to_read(
    const std::string& folder, const IndexOptions& options, const RunControl& control, const Implementation* earlier) {
  PARAPRINT_TRY(check_index_format(folder));
  std::unique_ptr<Implementation> index(new Implementation(folder, options));
  Result<FolderLock> lock = FolderLock::shared(folder);
  if (!lock && lock.error().code == ErrorCode::kInvalidArgument) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}. It can be read meanwhile if it publishes snapshots: start the process that changes "
                               "it with --snapshots",
                               lock.error().message));
  }
  if (!lock) return tl::unexpected<Error>(lock.error());
  index->lock_ = std::move(*lock);
  PARAPRINT_ASSIGN(index->database_, IndexDatabase::open(folder + "/database", DatabaseAccess::kRead));
  PARAPRINT_TRY(index->open_settings());
  PARAPRINT_TRY(index->open_tables(control, earlier != nullptr ? earlier->tables_->view() : nullptr));
  return index;
}

// A folder without snapshots cannot have changed, because this process holds its lock. An index that has been made anew
// with other settings is refused like any other.
Result<std::shared_ptr<PageIndex::Implementation>> PageIndex::Implementation::open_newer(
    const RunControl& control) const {
  if (!options_.read_only) {
    return failure(ErrorCode::kInvalidArgument, "only an index that is open for reading is opened again");
  }
  PARAPRINT_ASSIGN(const std::optional<PublishedSnapshot> published, read_published_snapshot(index_folder_));
  if (!published || published == snapshot()) return std::shared_ptr<Implementation>();
  IndexOptions options = options_;
  options.identity = identity_;
  options.algorithm = algorithm_name_;
  PARAPRINT_ASSIGN(std::unique_ptr<Implementation> opened, open_to_read(index_folder_, options, control, this));
  return std::shared_ptr<Implementation>(std::move(opened));
}

}  // namespace paraprint
