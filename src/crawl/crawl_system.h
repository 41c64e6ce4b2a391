// What a crawl asks of the operating system: the time, the current boot, and a random name. A test can answer instead.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace paraprint::inline crawler {

// Identifies one uptime of the operating system.
struct Boot {
  std::string id;                     // empty if the system does not provide one
  std::int64_t began_at_seconds = 0;  // Unix time
};

class CrawlSystem {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~CrawlSystem() = default;
  // Unix time. It may be set back.
  virtual std::int64_t unix_milliseconds() const;
  std::int64_t unix_seconds() const { return unix_milliseconds() / 1000; }
  // Never goes back, and means nothing to another process.
  virtual Time now() const;
  virtual Boot boot() const;
  // Different from any other, in hexadecimal digits.
  virtual std::string random_id() const;
  // Of this machine; empty if it has none.
  virtual std::string host_name() const;

  // The operating system itself.
  static const CrawlSystem& real();
};

}  // namespace paraprint::inline crawler
