// Group commit: threads that have written wait here until their writes are durable; one of them syncs for all.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "paraprint/result.h"

namespace paraprint {

class SyncGate {
 public:
  // `sync` makes everything written so far durable.
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
    is_syncing_ = true;
    const std::uint64_t covered = written_;
    lock.unlock();
    Status synced = sync_();
    lock.lock();
    is_syncing_ = false;
    if (synced) {
      durable_ = covered;
    } else {
      failed_ = synced.error();
    }
    done_.notify_all();
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
  std::function<Status()> sync_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::uint64_t written_ = 0;
  std::uint64_t durable_ = 0;
  bool is_syncing_ = false;
  std::optional<Error> failed_;
};

}  // namespace paraprint
