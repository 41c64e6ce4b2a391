// Runs the threads of a test one at a time, in an order that a seed decides. Threads take turns where they lock, wait
// or pass a schedule_point() (base/scheduled.h), so that the same seed gives the same interleaving.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "base/scheduled.h"

namespace paraprint {

// Takes the thread that creates it as the first one. Threads that ScheduledThread starts join; all others are ignored.
// Of these threads, all but the first must have ended when it is destroyed.
class SeededScheduler final : public ThreadScheduler {
 public:
  // At a point, the turn passes on once in `points_per_turn`.
  SeededScheduler(std::uint64_t seed, std::uint64_t points_per_turn)
      : random_(seed), points_per_turn_(points_per_turn) {
    members_.push_back(std::make_unique<Member>());
    own_ = members_.front().get();
    install(this);
  }
  ~SeededScheduler() override {
    install(nullptr);
    own_ = nullptr;
  }
  SeededScheduler(const SeededScheduler&) = delete;
  SeededScheduler& operator=(const SeededScheduler&) = delete;

  // Whether the calling thread is one of those that take turns.
  static bool has_this_thread() { return own_ != nullptr; }

  // The number of points so far: a clock that ticks with what the threads do.
  std::uint64_t points() const { return points_; }

  // Instead of the seed, `wanted` decides at each point, on the thread that reached it, whether the turn passes on: to
  // the thread created last, if it can run.
  void decide_by(std::function<bool()> wanted) { wanted_ = std::move(wanted); }

  // Called by each thread that ScheduledThread starts, when it begins.
  void at_begin(std::function<void()> action) { at_begin_ = std::move(action); }

  void pass() override {
    if (own_ == nullptr) return;
    ++points_;
    const bool passes_on = wanted_ ? wanted_() : random_() % points_per_turn_ == 0;
    if (passes_on) give_turn_to(choose(wanted_ ? own_ : nullptr));
  }
  void wait(const void* resource, Wait how) override {
    if (own_ == nullptr) return;
    ++points_;
    own_->waits_for = resource;
    own_->is_timed = how == Wait::kForSomeTime;
    give_turn_to(choose(nullptr));
    own_->waits_for = nullptr;
  }
  void release(const void* resource) override {
    if (own_ == nullptr) return;
    for (const auto& member : members_) {
      if (member->waits_for == resource) member->waits_for = nullptr;
    }
  }

  void thread_is_created() override {
    while (unclaimed_.load() != nullptr) std::this_thread::yield();
    members_.push_back(std::make_unique<Member>());
    choice_.reserve(members_.size());
    unclaimed_ = members_.back().get();
  }
  void thread_is_not_created() override {
    unclaimed_ = nullptr;
    members_.pop_back();
  }
  void thread_begins() override {
    own_ = unclaimed_.exchange(nullptr);
    own_->turn.acquire();
    if (at_begin_) at_begin_();
  }
  void thread_ends(const void* resource) override {
    release(resource);
    own_->has_ended = true;
    Member* const next = choose(nullptr);
    own_ = nullptr;
    next->turn.release();
  }

 private:
  // The turn of one thread. std::binary_semaphore would spin while another thread needs the processor.
  class Turn {
   public:
    void release() {
      const std::lock_guard lock(mutex_);
      is_released_ = true;
      condition_.notify_one();
    }
    void acquire() {
      std::unique_lock lock(mutex_);
      condition_.wait(lock, [this] { return is_released_; });
      is_released_ = false;
    }

   private:
    std::mutex mutex_;
    std::condition_variable condition_;
    bool is_released_ = false;
  };
  struct Member {
    Turn turn;
    const void* waits_for = nullptr;
    bool is_timed = false;
    bool has_ended = false;
  };

  // Time passes seldom while threads can run, and at once if none can.
  Member* choose(const Member* not_this) {
    const bool time_passes = random_() % kPointsPerTime == 0;
    for (const bool takes_timed : {time_passes, true}) {
      choice_.clear();
      for (const auto& member : members_) {
        if (member->has_ended || member.get() == not_this) continue;
        if (member->waits_for == nullptr || (takes_timed && member->is_timed)) choice_.push_back(member.get());
      }
      if (not_this != nullptr && !choice_.empty()) return choice_.back();
      if (!choice_.empty()) return choice_[random_() % choice_.size()];
    }
    if (not_this != nullptr) return own_;
    std::fputs("all threads wait for each other\n", stderr);
    std::abort();
  }
  void give_turn_to(Member* next) {
    Member* const own = own_;
    if (next == own) return;
    next->turn.release();
    own->turn.acquire();
  }

  static constexpr std::uint64_t kPointsPerTime = 64;
  static inline thread_local Member* own_ = nullptr;

  std::mt19937_64 random_;
  std::uint64_t points_per_turn_;
  std::uint64_t points_ = 0;
  std::function<bool()> wanted_;
  std::function<void()> at_begin_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Member*> choice_;
  std::atomic<Member*> unclaimed_{nullptr};
};

}  // namespace paraprint
