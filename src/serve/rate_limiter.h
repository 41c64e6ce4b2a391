// How many pages a client may send: a bucket of tokens for each address, filled at a steady rate.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace paraprint {

// Not thread-safe: the transport's thread asks.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  // `per_second` 0: everything is allowed.
  RateLimiter(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // Takes a token if there is one. Else answers how long to wait for it, and takes nothing.
  Clock::duration take(std::string_view client, Clock::time_point now);

  // Takes `count` tokens, there or not, and answers how long to wait until nothing is owed.
  Clock::duration charge(std::string_view client, double count, Clock::time_point now);

  std::size_t clients() const { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens = 0;
    Clock::time_point filled;
  };
  // Clients known at once. Beyond it those with a full bucket are forgotten, which changes nothing for them, and if
  // there are none, newcomers share one bucket.
  static constexpr std::size_t kClientsMaximum = 65'536;

  Bucket& bucket_of(std::string_view client, Clock::time_point now);
  void fill(Bucket& bucket, Clock::time_point now) const;
  Clock::duration time_for(double tokens) const;

  double per_second_;
  double burst_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace paraprint
