// How many hosts a domain gets. What the frontier does with addresses otherwise is tested through the program.
#include "crawl/crawl_frontier.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr int kOffered = 20;

class CrawlFrontierTest : public testing::Test {
 protected:
  CrawlFrontierTest() {
    options_.out = folder_ / "crawl";
    options_.seeds = {"http://www.example.org/"};
    options_.scope = HostScope::kDomain;
    options_.max_hosts_per_domain = 5;
  }

  // Closes the frontier, if there is one, and opens it as a crawl does.
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
    ASSERT_TRUE(frontier_->offer_again(0));
  }

  void offer(const std::string& address, std::uint32_t depth = 1) {
    CrawlChanges changes;
    ASSERT_TRUE(frontier_->offer(changes, {parser_.parse(address).value(), "", QueueEntry::Kind::kPage, depth, 0}));
    ASSERT_TRUE(frontier_->commit(changes));
  }

  std::set<std::string> hosts() const {
    std::set<std::string> names;
    for (const auto& host : frontier_->hosts()) names.insert(host->name);
    return names;
  }
  std::uint64_t skipped() const {
    const HostRecord totals = frontier_->totals();
    const auto found = totals.reasons.find(CrawlReason::kDomainHosts);
    return found == totals.reasons.end() ? 0 : found->second;
  }
  std::uint64_t queued() const { return frontier_->totals().queued; }

  const TemporaryFolder folder_;
  CrawlOptions options_;
  UrlParser parser_;
  std::unique_ptr<CrawlFrontier> frontier_;
};

TEST_F(CrawlFrontierTest, AdmitsTheFirstHostsOfADomainAlsoAfterARestart) {
  open();
  for (int host = 0; host < kOffered; ++host) offer(fmt::format("http://h{}.example.org/", host));
  // The seed's host, four others, and the domain, at which the rest is counted.
  const std::set<std::string> admitted = {"www.example.org", "h0.example.org", "h1.example.org",
                                          "h2.example.org",  "h3.example.org", "example.org"};
  EXPECT_EQ(hosts(), admitted);
  EXPECT_EQ(queued(), 5U);
  EXPECT_EQ(skipped(), 16U);
  open();
  EXPECT_EQ(hosts(), admitted);
  for (int host = kOffered; host-- > 0;) offer(fmt::format("http://h{}.example.org/second", host));
  EXPECT_EQ(hosts(), admitted);
  EXPECT_EQ(queued(), 9U);
  EXPECT_EQ(skipped(), 32U);
}

TEST_F(CrawlFrontierTest, OffersSkippedAddressesAgainWhenTheLimitIsRaised) {
  open();
  for (int host = 0; host < kOffered; ++host) offer(fmt::format("http://h{}.example.org/", host));
  options_.max_hosts_per_domain = 9;
  open();
  EXPECT_EQ(hosts().size(), 9U);
  EXPECT_EQ(queued(), 8U);
  EXPECT_EQ(skipped(), 13U);
  options_.max_hosts_per_domain = 0;
  open();
  EXPECT_EQ(hosts().size(), 22U);
  EXPECT_EQ(queued(), 21U);
  EXPECT_EQ(skipped(), 0U);
}

TEST_F(CrawlFrontierTest, SeedsAndOtherDomainsAreNotInTheCount) {
  options_.seeds.emplace_back("http://other.example/");
  open();
  for (int host = 0; host < kOffered; ++host) offer(fmt::format("http://h{}.example.org/", host));
  offer("http://a.other.example/");
  offer("http://seed.example.org/", 0);
  EXPECT_TRUE(hosts().contains("a.other.example"));
  EXPECT_TRUE(hosts().contains("seed.example.org"));
  EXPECT_EQ(skipped(), 16U);
  options_.scope = HostScope::kAny;
  open();
  for (int host = 0; host < kOffered; ++host) offer(fmt::format("http://any{}.example.org/", host));
  EXPECT_EQ(skipped(), 16U);
}

// Any robots.txt may name sitemaps on any number of hosts.
TEST_F(CrawlFrontierTest, SitemapsDoNotAddHostsBeyondTheLimit) {
  open();
  for (int host = 0; host < kOffered; ++host) {
    CrawlChanges changes;
    const Url url = parser_.parse(fmt::format("http://h{}.example.org/sitemap.xml", host)).value();
    ASSERT_TRUE(frontier_->offer(changes, {url, "", QueueEntry::Kind::kSitemap, 0, 0}));
    ASSERT_TRUE(frontier_->commit(changes));
  }
  EXPECT_EQ(queued(), 5U);
  EXPECT_EQ(skipped(), 16U);
}

TEST_F(CrawlFrontierTest, SitemapsAreReadAgainAsSitemaps) {
  options_.seeds = {"http://www.example.org/sitemap.xml"};
  open();
  CrawlChanges changes;
  const std::size_t host = frontier_->host_number("www.example.org");
  CrawlState::Queued queued = frontier_->next_queued(host).value().value();
  queued.entry.kind = QueueEntry::Kind::kSitemap;
  UrlRecord record;
  record.status = UrlStatus::kStored;
  record.fetched_at_seconds = 1000;
  ASSERT_TRUE(frontier_->settle(changes, host, queued, record, {}));
  ASSERT_TRUE(frontier_->commit(changes));
  ASSERT_TRUE(frontier_->sync());
  EXPECT_EQ(frontier_->totals().stored, 0U);
  ASSERT_TRUE(frontier_->offer_again(2000));
  EXPECT_EQ(frontier_->next_queued(host).value().value().entry.kind, QueueEntry::Kind::kSitemap);
}

}  // namespace
}  // namespace paraprint
