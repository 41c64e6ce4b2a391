// Which host gets the next request: hosts are taken in the order of their due times, each at most once at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace paraprint::inline crawler {

class HostSchedule {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `host` must not be waiting already.
  void add(std::size_t host, Time due) { waiting_.push({due, sequence_++, host}); }

  // Removes and returns the host that has been due longest; of hosts due at the same time, the one added first.
  std::optional<std::size_t> take(Time now) {
    if (waiting_.empty() || waiting_.top().due > now) return std::nullopt;
    const std::size_t host = waiting_.top().host;
    waiting_.pop();
    return host;
  }

  bool is_empty() const { return waiting_.empty(); }
  // When take() will return the next host. Requires that the schedule is not empty.
  Time next_due() const { return waiting_.top().due; }

 private:
  struct Waiting {
    Time due;
    std::uint64_t sequence = 0;
    std::size_t host = 0;
    bool operator>(const Waiting& other) const {
      return due != other.due ? due > other.due : sequence > other.sequence;
    }
  };
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::uint64_t sequence_ = 0;
};

}  // namespace paraprint::inline crawler
