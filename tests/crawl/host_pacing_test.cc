// Pauses that only an unusual option gives. The others are tested in the simulation.
#include "crawl/host_pacing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "temporary_folder.h"

namespace paraprint {
namespace {

// A pause that the clock cannot count must not become one in the past.
TEST(HostPacing, EndlessPausesAreLong) {
  const TemporaryFolder folder;
  CrawlOptions options;
  options.out = folder / "crawl";
  options.pages_per_hour = 1e-7;
  const std::unique_ptr<CrawlFrontier> frontier = CrawlFrontier::open(options).value();
  HostPacing pacing(options, *frontier);
  const std::size_t host = frontier->host_number("a.example");
  pacing.release(host, {}, false);
  EXPECT_GT(frontier->host(host).due - frontier->system().now(), std::chrono::hours(24));
}

}  // namespace
}  // namespace paraprint
