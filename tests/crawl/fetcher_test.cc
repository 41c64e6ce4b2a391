// Requests whose names the system does not resolve in time. How answers are read is tested through the program.
#include "crawl/fetcher.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "simulation/slow_names.h"
#include "web/curl_library.h"

namespace paraprint {
namespace {

// One thread drives all requests: while it waits for a name, no other host is asked, and no request to stop noticed.
TEST(Fetcher, DoesNotWaitForSlowNames) {
  const Result<const CurlLibrary*> curl = curl_library();
  ASSERT_TRUE(curl);
  if ((*curl)->version_info(CURLVERSION_NOW)->version_num < 0x075700) GTEST_SKIP() << "libcurl before 7.87 waits";
  CrawlOptions options;
  const auto start = [](Fetcher& fetcher) {
    FetchRequest request;
    request.url = fmt::format("http://{}/", SlowNames::kHost);
    fetcher.start(std::move(request));
  };
  options.connect_timeout = 0.1;
  const std::unique_ptr<Fetcher> hasty = make_fetcher(options, AddressGuard()).value();
  start(*hasty);
  std::vector<FetchResult> results;
  while (results.empty()) results = hasty->wait(std::chrono::milliseconds(100));
  EXPECT_EQ(results.front().failure, CrawlReason::kTimeout);
  SlowNames::wait_until_waiting(1);
  EXPECT_EQ(SlowNames::waiting(), 1);

  options.connect_timeout = 300;
  const std::unique_ptr<Fetcher> patient = make_fetcher(options, AddressGuard()).value();
  start(*patient);
  EXPECT_TRUE(patient->wait(std::chrono::milliseconds(0)).empty());
  SlowNames::wait_until_waiting(2);
  patient->cancel_all();
  EXPECT_EQ(patient->in_flight(), 0U);
  EXPECT_EQ(SlowNames::waiting(), 2);
  SlowNames::release();
  SlowNames::wait_until_waiting(0);
}

}  // namespace
}  // namespace paraprint
