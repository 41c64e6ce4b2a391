// Group commit: threads that have written wait here until their writes are durable; one of them syncs for all.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "base/scheduled.h"
#include "paraprint/result.h"

namespace paraprint::inline online {

class SyncGate {
 public:
  // `sync` makes everything written so far durable. If it throws, nothing is known to be durable, and the next call
  // tries again.
  explicit SyncGate(std::function<Status()> sync) : sync_(std::move(sync)) {}

  // Returns the ticket to pass to wait(). Call it after the write and under the writers' lock, so that tickets have the
  // order of the writes.
  std::uint64_t written() {
    const std::lock_guard lock(mutex_);
    return ++written_;
  }

  // Returns when the write of `ticket` is durable, or the error of the sync that should have made it so. Once a sync
  // has failed, every later call returns that error, because the contents of the disk are unknown from then on.
  Status wait(std::uint64_t ticket) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failed_) return tl::unexpected<Error>(*failed_);
      if (durable_ >= ticket) return {};
      if (!is_syncing_) break;
      done_.wait(lock);
    }
    // This thread syncs. Its sync covers every write so far, including those of threads that are about to wait.
    const Turn turn(*this, lock);
    const std::uint64_t covered = written_;
    lock.unlock();
    Status synced = sync_();
    lock.lock();
    if (synced) {
      durable_ = covered;
    } else {
      failed_ = synced.error();
    }
    return synced;
  }

  Status wait_for_all() {
    std::uint64_t ticket = 0;
    {
      const std::lock_guard lock(mutex_);
      ticket = written_;
    }
    return wait(ticket);
  }

 private:
  // The time in which this thread syncs for all, from the lock of the constructor on. An exception ends it, too:
  // otherwise the waiting threads would wait for ever.
  class Turn {
   public:
    Turn(SyncGate& gate, std::unique_lock<ScheduledMutex>& lock) : gate_(gate), lock_(lock) {
      gate_.is_syncing_ = true;
    }
    ~Turn() {
      if (!lock_.owns_lock()) lock_.lock();
      gate_.is_syncing_ = false;
      gate_.done_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    SyncGate& gate_;
    std::unique_lock<ScheduledMutex>& lock_;
  };

  std::function<Status()> sync_;
  ScheduledMutex mutex_;
  ScheduledCondition done_;
  std::uint64_t written_ = 0;
  std::uint64_t durable_ = 0;
  bool is_syncing_ = false;
  std::optional<Error> failed_;
};

}  // namespace paraprint::inline online
