// A pool of profilers with the same options, for use from any thread. Each profiler holds a parser and scratch memory,
// so they are reused.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/options.h"

namespace paraprint::python {

class ProfilerPool {
 public:
  explicit ProfilerPool(ProfileOptions options) : options_(std::move(options)) {}

  // Returns the profiler to the pool on destruction.
  class Lease {
   public:
    Lease(ProfilerPool& pool, Profiler profiler) : pool_(&pool), profiler_(std::move(profiler)) {}
    Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), profiler_(std::move(other.profiler_)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (pool_ != nullptr) pool_->give_back(std::move(profiler_));
    }
    Profiler* operator->() { return &profiler_; }
    Profiler& operator*() { return profiler_; }

   private:
    ProfilerPool* pool_;
    Profiler profiler_;
  };

  // Thread-safe. kInvalidArgument for invalid options.
  Result<Lease> borrow() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!idle_.empty()) {
        Profiler profiler = std::move(idle_.back());
        idle_.pop_back();
        return Lease(*this, std::move(profiler));
      }
    }
    Result<Profiler> made = Profiler::create(options_, {.markdown = true, .metadata = true, .provenance = true});
    if (!made) return tl::unexpected<Error>(made.error());
    return Lease(*this, std::move(*made));
  }

  const ProfileOptions& options() const { return options_; }

 private:
  void give_back(Profiler&& profiler) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(profiler));
  }

  ProfileOptions options_;
  std::mutex mutex_;
  std::vector<Profiler> idle_;
};

}  // namespace paraprint::python
