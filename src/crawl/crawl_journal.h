// The changes of a crawl's state that the disk may not have yet. Syncing state, archive, log and index for every page
// would cost more than the page; so they are synced together now and then, and until then the state is in memory and
// here. A killed process leaves the journal whole, for what was written is the system's: the next run takes the changes
// from it, and nothing is asked for twice. A system that went down (the boot is another one) may have kept any part of
// archive, log and journal: then the journal counts for nothing, and the crawl goes on from the last sync.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "crawl/appending_file.h"
#include "paraprint/result.h"

namespace paraprint {

// The time since the system was started.
struct Boot {
  std::string id;                     // empty where the system does not say
  std::int64_t began_at_seconds = 0;  // Unix time
};
Boot current_boot();

// Between these times (Unix) a crawl may have done what the disk does not show.
struct LostTime {
  std::int64_t since_seconds = 0;
  std::int64_t until_seconds = INT64_MAX;
};

// Used by one thread. Errors: those of AppendingFile and of `replay`.
class CrawlJournal {
 public:
  // Hands the batches of a killed process on this boot to `replay`, oldest first; they stay in the journal. What was
  // written only in part is cut off.
  static Result<CrawlJournal> open(const std::string& path, const Boot& boot,
                                   const std::function<Status(std::string_view batch)>& replay);

  // If there was a journal of another boot: from when it was begun until this boot.
  const std::optional<LostTime>& lost() const { return lost_; }

  // Keeps a batch. Does nothing before the first clear(), unless batches of this boot were found.
  Status append(std::string_view batch);
  // All is durable elsewhere. The journal of another boot is there until then.
  Status clear();
  // The same, and nothing follows.
  Status remove();
  // Of batches.
  std::uint64_t size_bytes() const { return file_ ? file_->size_bytes() - header_bytes_ : 0; }

 private:
  CrawlJournal(std::string path, std::string boot_id) : path_(std::move(path)), boot_id_(std::move(boot_id)) {}

  std::string path_;
  std::string boot_id_;
  std::optional<AppendingFile> file_;
  std::uint64_t header_bytes_ = 0;
  std::optional<LostTime> lost_;
};

}  // namespace paraprint
