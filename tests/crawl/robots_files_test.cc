// What of an answer counts as the robots.txt of an origin. When files are asked for is tested in the simulation.
#include "crawl/robots_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compressed.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

// Keeps the requests and answers none.
class SilentFetcher final : public Fetcher {
 public:
  void start(FetchRequest request) override { requests.push_back(std::move(request)); }
  std::size_t in_flight() const override { return requests.size(); }
  std::vector<FetchResult> wait(std::chrono::milliseconds) override { return {}; }
  void wake() override {}
  void cancel_all() override {}
  std::vector<FetchRequest> requests;
};

class RobotsFilesTest : public testing::Test {
 protected:
  RobotsFilesTest() {
    options_.out = folder_ / "crawl";
    options_.seeds = {"http://a.example/"};
    options_.retries = 0;
    open();
  }

  // As a run does.
  void open() {
    if (frontier_) {
      ASSERT_TRUE(frontier_->sync());
      ASSERT_TRUE(frontier_->close());
      frontier_.reset();
    }
    frontier_ = CrawlFrontier::open(options_).value();
    CrawlChanges changes;
    ASSERT_TRUE(frontier_->add_seeds(parser_, changes));
    ASSERT_TRUE(frontier_->commit(changes));
    requests_.emplace(fetcher_, *frontier_);
    pacing_.emplace(options_, *frontier_);
    sitemaps_.emplace(options_, *frontier_, *pacing_, parser_, [] { return Status{}; });
    files_.emplace(options_, "paraprint", *frontier_, *requests_, *pacing_, *sitemaps_, parser_);
  }

  static FetchResult answer(std::string body, const std::string& fields = {}) {
    FetchResult fetch;
    fetch.http_status = 200;
    fetch.response_header = "HTTP/1.1 200 OK\r\n" + fields + "\r\n";
    fetch.body = std::move(body);
    return fetch;
  }

  // Asks for the file of the origin and gives this answer.
  void give(const std::string& origin, FetchResult fetch) {
    const std::size_t host = frontier_->host_number("a.example");
    files_->request(host, origin);
    fetch.request = fetcher_.requests.back();
    ASSERT_TRUE(files_->handle(requests_->take(fetch), fetch));
  }
  HostRobots& rules(const std::string& origin) {
    return *files_->find(frontier_->host(frontier_->host_number("a.example")), origin).value();
  }

  const TemporaryFolder folder_;
  CrawlOptions options_;
  UrlParser parser_;
  SilentFetcher fetcher_;
  std::unique_ptr<CrawlFrontier> frontier_;
  std::optional<PendingRequests> requests_;
  std::optional<HostPacing> pacing_;
  std::optional<SitemapFiles> sitemaps_;
  std::optional<RobotsFiles> files_;
};

constexpr const char* kOrigin = "http://a.example";

// A rule that the limit cuts off may allow what the whole one does not, or the reverse.
TEST_F(RobotsFilesTest, HalfALineDoesNotCount) {
  const std::string begin = "User-agent: *\nDisallow: /closed\n#";
  std::string file = begin + std::string(kRobotsBytesMaximum - begin.size() - 13, 'x') + "\nDisallow: /a/only-here\n";
  ASSERT_EQ(file.substr(0, kRobotsBytesMaximum).substr(kRobotsBytesMaximum - 12), "Disallow: /a");
  // As a whole, and as the fetcher cuts it.
  FetchResult cut = answer(file.substr(0, kRobotsBytesMaximum));
  cut.is_cut = true;
  for (const FetchResult& fetch : {answer(file), cut}) {
    give(kOrigin, fetch);
    EXPECT_TRUE(rules(kOrigin).rules.allows("/a/other"));
    EXPECT_FALSE(rules(kOrigin).rules.allows("/closed"));
    const std::string stored = frontier_->state().robots(kOrigin).value()->body;
    EXPECT_EQ(stored.size(), kRobotsBytesMaximum - 12);
    EXPECT_TRUE(stored.ends_with("x\n"));
  }
  // A file that ends without a line end is whole.
  give(kOrigin, answer("User-agent: *\nDisallow: /a"));
  EXPECT_FALSE(rules(kOrigin).rules.allows("/a/other"));
}

// The rules that are lost may be those that matter.
TEST_F(RobotsFilesTest, AFileThatIsDecodedInPartCannotBeFetched) {
  std::string file = "User-agent: *\nDisallow: /a\n";
  for (int i = 0; i < 1000; ++i) file += "# " + std::to_string(i * 7919) + "\n";
  file += "Disallow: /b\n";
  const std::string packed = gzip(file);
  const std::string half = packed.substr(0, packed.size() / 2);
  const std::string fields = "Content-Encoding: gzip\r\n";
  give(kOrigin, answer(half, fields));
  EXPECT_EQ(rules(kOrigin).unreachable, CrawlReason::kRobotsUnreachable);
  EXPECT_FALSE(rules(kOrigin).rules.allows("/c"));
  const std::string chunks = "Transfer-Encoding: chunked\r\n";
  give(kOrigin, answer("1a\r\nUser-agent: *\nDisallow: /", chunks));
  EXPECT_EQ(rules(kOrigin).unreachable, CrawlReason::kRobotsUnreachable);
  // Of one that is too large, the beginning counts.
  FetchResult cut = answer(half, fields);
  cut.is_cut = true;
  give(kOrigin, cut);
  EXPECT_EQ(rules(kOrigin).unreachable, CrawlReason::kNone);
  EXPECT_FALSE(rules(kOrigin).rules.allows("/a"));
  EXPECT_TRUE(rules(kOrigin).rules.allows("/b"));
  // The last answer counts while there is no new one.
  give(kOrigin, answer(packed, fields));
  give(kOrigin, answer(half, fields));
  EXPECT_EQ(rules(kOrigin).unreachable, CrawlReason::kNone);
  EXPECT_FALSE(rules(kOrigin).rules.allows("/b"));
  // Declared, but not compressed.
  give(kOrigin, answer("User-agent: *\nDisallow: /d\n", fields));
  EXPECT_FALSE(rules(kOrigin).rules.allows("/d"));
  EXPECT_TRUE(rules(kOrigin).rules.allows("/a"));
}

// One of a file that was replaced does not hold any more, not even in a later run.
TEST_F(RobotsFilesTest, CrawlDelaysAreThoseOfTheFilesThatCount) {
  const auto delay_seconds = [this] {
    return frontier_->host(frontier_->host_number("a.example")).record.crawl_delay_seconds;
  };
  constexpr const char* kSecure = "https://a.example";
  give(kOrigin, answer("User-agent: *\nCrawl-delay: 86400\n"));
  EXPECT_EQ(delay_seconds(), 86400);
  give(kSecure, answer("User-agent: *\nCrawl-delay: 20\n"));
  EXPECT_EQ(delay_seconds(), 86400);
  open();
  EXPECT_EQ(delay_seconds(), 86400);
  rules(kSecure);
  EXPECT_EQ(delay_seconds(), 20);
  rules(kOrigin);
  EXPECT_EQ(delay_seconds(), 86400);
  give(kOrigin, answer("User-agent: *\nCrawl-delay: 5\n"));
  EXPECT_EQ(delay_seconds(), 20);
  give(kSecure, answer(""));
  EXPECT_EQ(delay_seconds(), 5);
  give(kOrigin, answer(""));
  EXPECT_LT(delay_seconds(), 0);
}

// Files of any number of hosts may redirect to the ports of one.
TEST_F(RobotsFilesTest, RedirectsLeadToNoFurtherPorts) {
  const auto redirect = [](const std::string& target) {
    FetchResult fetch;
    fetch.http_status = 301;
    fetch.response_header = "HTTP/1.1 301 Moved\r\nLocation: " + target + "\r\n\r\n";
    return fetch;
  };
  const auto last_asked = [&] { return fetcher_.requests.back().url; };
  for (const char* const target : {"http://b.example:8080/robots.txt", "http://a.example:25/robots.txt"}) {
    give(kOrigin, redirect(target));
    EXPECT_EQ(last_asked(), "http://a.example/robots.txt");
    EXPECT_EQ(rules(kOrigin).unreachable, CrawlReason::kRobotsUnreachable);
  }
  for (const std::string target : {"http://b.example/robots.txt", "https://c.example/", "http://a.example:8080/r"}) {
    give(kOrigin, redirect(target));
    EXPECT_EQ(last_asked(), target);
  }
}

}  // namespace
}  // namespace paraprint
