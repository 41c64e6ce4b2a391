// The service's counters for GET /metrics, in the Prometheus text format.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "paraprint/index.h"
#include "serve/http_service.h"
#include "serve/refusal.h"
#include "serve/routes.h"

namespace paraprint::inline service {

// Thread-safe; counting is a few relaxed atomic additions.
class ServiceMetrics : public TransportGauges {
 public:
  void count_request(const RequestRecord& record);
  // Count one page, whether sent alone or in bulk.
  void count_lookup(Verdict verdict) { ++looked_up_[static_cast<std::size_t>(verdict)]; }
  void count_added(Verdict verdict, PageChange change) {
    ++added_[static_cast<std::size_t>(verdict)];
    ++changes_[static_cast<std::size_t>(change)];
  }
  void count_line_refused(Refusal refusal) { ++refused_[static_cast<std::size_t>(refusal)]; }

  std::string render(const IndexStatistics& statistics) const;

 private:
  using Counter = std::atomic<std::uint64_t>;
  static constexpr std::size_t kCalls = std::size(kRoutes) + 1;  // the last one: no such call
  static constexpr std::size_t kStatuses = 18;
  static constexpr std::size_t kVerdicts = static_cast<std::size_t>(Verdict::kOverlap) + 1;
  static constexpr std::size_t kChanges = static_cast<std::size_t>(PageChange::kChanged) + 1;
  static constexpr std::size_t kBuckets = 14;
  static const std::array<unsigned, kStatuses> kStatusValues;
  static const std::array<double, kBuckets> kBucketSeconds;

  void render_requests(std::string& out) const;
  void render_durations(std::string& out) const;
  void render_pages(std::string& out) const;

  std::array<std::array<Counter, kStatuses>, kCalls> requests_{};
  std::array<std::array<Counter, kBuckets + 1>, kCalls> durations_{};
  std::array<Counter, kCalls> duration_microseconds_{};
  std::array<Counter, kRefusals> refused_{};
  std::array<Counter, kVerdicts> looked_up_{};
  std::array<Counter, kVerdicts> added_{};
  std::array<Counter, kChanges> changes_{};
  Counter received_bytes_{0};
  Counter sent_bytes_{0};
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace paraprint::inline service
