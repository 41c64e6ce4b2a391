// A journal of the state changes that are not durable yet. Syncing state, archive, log and index for every page would
// cost more than the page itself, so they are synced together at intervals; until then changes are in memory and here.
//
// After a kill the journal is complete, because written data belongs to the operating system: the next run replays it
// and requests nothing twice. After a crash of the system (recognised by another boot id) any part of archive, log and
// journal may be missing: the journal is then ignored, and the crawl resumes from the last sync.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "crawl/crawl_system.h"
#include "memory/appending_file.h"
#include "paraprint/result.h"

namespace paraprint::inline crawler {

// A period (Unix time) in which changes may have been lost.
struct LostTime {
  std::int64_t since_seconds = 0;
  std::int64_t until_seconds = INT64_MAX;
};

// Used by one thread. Errors: those of AppendingFile and of `replay`.
class CrawlJournal {
 public:
  // Passes the batches of a process killed on this boot to `replay`, oldest first; they stay in the journal. A batch
  // that was only partly written is cut off.
  static Result<CrawlJournal> open(const std::string& path, const Boot& boot,
                                   const std::function<Status(std::string_view batch)>& replay);

  // If a journal of another boot was found: from its creation until this boot.
  const std::optional<LostTime>& lost() const { return lost_; }

  // When the journal of this boot was started (Unix time); 0 before the first clear() of a new one.
  std::int64_t begun_at_seconds() const { return begun_at_seconds_; }

  // Adds a batch. Does nothing before the first clear() unless a journal of this boot was found.
  Status append(std::string_view batch);
  // Empties the journal, once everything in it is durable elsewhere. The first call replaces a journal of another boot
  // by one that is started at `now_seconds` (Unix time).
  Status clear(std::int64_t now_seconds);
  // Deletes the file, once everything in it is durable elsewhere and nothing follows.
  Status remove();
  // Size of the batches.
  std::uint64_t size_bytes() const { return file_ ? file_->size_bytes() - header_bytes_ : 0; }

 private:
  CrawlJournal(std::string path, std::string boot_id) : path_(std::move(path)), boot_id_(std::move(boot_id)) {}

  std::string path_;
  std::string boot_id_;
  std::optional<AppendingFile> file_;
  std::uint64_t header_bytes_ = 0;
  std::int64_t begun_at_seconds_ = 0;
  std::optional<LostTime> lost_;
};

}  // namespace paraprint::inline crawler
