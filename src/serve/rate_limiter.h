// Limits how many pages a client may send: one token bucket per client, refilled at a constant rate. A client is an
// IPv4 address, or the /64 network of an IPv6 address: a single machine has all addresses of its network.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "memory/seeded_hash.h"

namespace paraprint::inline service {

// The name of the client with this address: the address itself, or the network of one of IPv6. Equal for all addresses
// of a client.
std::string client_network(std::string_view address);

// Not thread-safe: used by the transport's I/O thread only.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  // `per_second` 0: everything is allowed.
  RateLimiter(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // Takes a token and returns 0 if there is one; otherwise returns the time until there is one and takes nothing.
  Clock::duration take(std::string_view client, Clock::time_point now);

  // Takes `count` tokens even if that leaves a debt; returns the time until the debt is paid.
  Clock::duration charge(std::string_view client, double count, Clock::time_point now);

  std::size_t clients() const { return buckets_.size(); }
  // Buckets looked at to find those that can be forgotten, since the beginning.
  std::uint64_t buckets_swept() const { return buckets_swept_; }

 private:
  struct Bucket {
    double tokens = 0;
    Clock::time_point filled;
  };
  // Maximum number of buckets. Beyond it, full buckets are forgotten, which changes nothing for their clients; if there
  // are none, all new clients share one bucket.
  static constexpr std::size_t kClientsMaximum = 65'536;
  // A full table is swept at most this often, so that new clients cost no more than others.
  static constexpr std::chrono::seconds kSweepInterval{1};

  void sweep(Clock::time_point now);
  Bucket& bucket_of(std::string_view client, Clock::time_point now);
  void fill(Bucket& bucket, Clock::time_point now) const;
  Clock::duration time_for(double tokens) const;

  double per_second_;
  double burst_;
  std::unordered_map<std::string, Bucket, SeededHash> buckets_;
  Clock::time_point next_sweep_ = Clock::time_point::min();
  std::uint64_t buckets_swept_ = 0;
};

}  // namespace paraprint::inline service
