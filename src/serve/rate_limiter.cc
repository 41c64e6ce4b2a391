// Token buckets are refilled lazily, when a client is seen again, so an idle client costs nothing. Requests take one
// token or are refused; bulk requests may run into debt and wait, because part of their pages are already stored.
#include "serve/rate_limiter.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace paraprint::inline service {

// Addresses come from the system in their shortest form, so IPv4 needs no conversion.
std::string client_network(std::string_view address) {
  constexpr std::size_t kNetworkBytes = 8;
  std::string text(address);
  in6_addr bytes{};
  if (::inet_pton(AF_INET6, text.c_str(), &bytes) != 1 || IN6_IS_ADDR_V4MAPPED(&bytes)) return text;
  return "/64 " + std::string(reinterpret_cast<const char*>(bytes.s6_addr), kNetworkBytes);
}

// A bucket never holds more than the burst, however long its client was idle.
void RateLimiter::fill(Bucket& bucket, Clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.tokens = std::min(burst_, bucket.tokens + std::max(0.0, seconds) * per_second_);
  bucket.filled = now;
}

// The sweep over all buckets runs only when the table is full. If every bucket in it is in use, or a sweep was made
// just now, new clients get the bucket of the empty name: memory and work stay bounded however many addresses an
// attacker has.
RateLimiter::Bucket& RateLimiter::bucket_of(std::string_view client, Clock::time_point now) {
  std::string name = client_network(client);
  if (const auto found = buckets_.find(name); found != buckets_.end()) {
    fill(found->second, now);
    return found->second;
  }
  if (buckets_.size() >= kClientsMaximum) {
    if (now >= next_sweep_) sweep(now);
    if (buckets_.size() >= kClientsMaximum) name.clear();
  }
  const auto [place, is_new] = buckets_.try_emplace(std::move(name), Bucket{burst_, now});
  if (!is_new) fill(place->second, now);
  return place->second;
}

// Full buckets are as good as new ones.
void RateLimiter::sweep(Clock::time_point now) {
  next_sweep_ = now + kSweepInterval;
  buckets_swept_ += buckets_.size();
  for (auto entry = buckets_.begin(); entry != buckets_.end();) {
    fill(entry->second, now);
    entry = entry->second.tokens >= burst_ ? buckets_.erase(entry) : std::next(entry);
  }
}

RateLimiter::Clock::duration RateLimiter::time_for(double tokens) const {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(tokens / per_second_));
}

// Refused attempts cost no token: a client that retries too early does not lock itself out.
RateLimiter::Clock::duration RateLimiter::take(std::string_view client, Clock::time_point now) {
  if (per_second_ <= 0) return {};
  Bucket& bucket = bucket_of(client, now);
  if (bucket.tokens < 1) return time_for(1 - bucket.tokens);
  bucket.tokens -= 1;
  return {};
}

// The caller waits before it charges again, so the debt of a connection is bounded by one batch.
RateLimiter::Clock::duration RateLimiter::charge(std::string_view client, double count, Clock::time_point now) {
  if (per_second_ <= 0) return {};
  Bucket& bucket = bucket_of(client, now);
  bucket.tokens -= count;
  return bucket.tokens < 0 ? time_for(-bucket.tokens) : Clock::duration{};
}

}  // namespace paraprint::inline service
