// Group commit: threads that have written wait here until the disk has it; one of them syncs for all.
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

  // After a write, in the order of writes (under the writers' lock): the ticket to wait with.
  std::uint64_t written() {
    const std::lock_guard lock(mutex_);
    return ++written_;
  }

  // Returns when the write of `ticket` is durable, or with the error of a sync that should have made it so. After an
  // error every later call has the same error: what the disk holds is unknown then.
  Status wait(std::uint64_t ticket) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failed_) return tl::unexpected<Error>(*failed_);
      if (durable_ >= ticket) return {};
      if (!is_syncing_) break;
      done_.wait(lock);
    }
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
