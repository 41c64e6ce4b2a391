// How many hosts a domain gets, and which known addresses are queued again. What the frontier does with addresses
// otherwise is tested through the program.
#include "crawl/crawl_frontier.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

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

  void offer(const std::string& address, std::uint32_t depth = 1, std::uint32_t redirects = 0) {
    offer(CrawlOffer{parser_.parse(address).value(), "", QueueEntry::Kind::kPage, depth, redirects});
  }
  // As if a robots.txt or, with a depth, a sitemap index of the naming host had it.
  void offer_sitemap(const std::string& address, const std::string& naming_host, std::uint32_t depth = 0) {
    CrawlOffer offered{parser_.parse(address).value(), "", QueueEntry::Kind::kSitemap, depth, 0};
    offered.named_by_host = frontier_->host_number(naming_host);
    offer(std::move(offered));
  }
  void offer(CrawlOffer offered) {
    CrawlChanges changes;
    ASSERT_TRUE(frontier_->offer(changes, std::move(offered)));
    ASSERT_TRUE(frontier_->commit(changes));
  }

  // Settles the first address in the queue of the host.
  std::string settle_first(const std::string& host, UrlStatus status, CrawlReason reason) {
    CrawlChanges changes;
    const std::size_t number = frontier_->host_number(host);
    const CrawlState::Queued queued = frontier_->next_queued(number).value().value();
    UrlRecord record;
    record.status = status;
    record.reason = reason;
    record.depth = queued.entry.depth;
    EXPECT_TRUE(frontier_->settle(changes, number, queued, record, {}));
    EXPECT_TRUE(frontier_->commit(changes));
    return queued.entry.url;
  }
  // The queue of the host, in order.
  std::vector<QueueEntry> queue(const std::string& host) const {
    std::vector<QueueEntry> entries;
    for (QueuePlace from;;) {
      const auto next = frontier_->state().next_queued(host, from).value();
      if (!next) return entries;
      entries.push_back(next->entry);
      from = next->place;
      ++from.sequence;
    }
  }
  std::uint64_t count(CrawlReason reason) const {
    const HostRecord totals = frontier_->totals();
    const auto found = totals.reasons.find(reason);
    return found == totals.reasons.end() ? 0 : found->second;
  }

  std::set<std::string> hosts() const {
    std::set<std::string> names;
    for (const auto& host : frontier_->hosts()) names.insert(host->name);
    return names;
  }
  std::uint64_t skipped() const { return count(CrawlReason::kDomainHosts); }
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
    offer_sitemap(fmt::format("http://h{}.example.org/sitemap.xml", host), "www.example.org");
  }
  EXPECT_EQ(queued(), 5U);
  EXPECT_EQ(skipped(), 16U);
}

// The server, the network or the name server may have been in trouble.
TEST_F(CrawlFrontierTest, AddressesOfUnreachableHostsAreWantedInEveryRun) {
  options_.seeds.clear();
  const std::vector<CrawlReason> reasons = {CrawlReason::kRobotsUnreachable, CrawlReason::kNameResolution,
                                            CrawlReason::kPrivateAddress, CrawlReason::kRobots};
  for (std::size_t i = 0; i < reasons.size(); ++i) options_.seeds.push_back(fmt::format("http://h{}.example/", i));
  open();
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const std::string host = fmt::format("h{}.example", i);
    offer(fmt::format("http://{}/linked", host));
    settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
    settle_first(host, UrlStatus::kSkipped, reasons[i]);
  }
  options_.seeds.clear();
  EXPECT_EQ(queued(), 0U);
  open();
  EXPECT_EQ(queued(), 3U);
  for (const std::string host : {"h0.example", "h1.example", "h2.example"}) {
    ASSERT_EQ(queue(host).size(), 1U);
    EXPECT_EQ(queue(host).front().url, "http://" + host + "/linked");
    EXPECT_EQ(queue(host).front().depth, 1);
  }
  EXPECT_EQ(count(CrawlReason::kRobotsUnreachable) + count(CrawlReason::kNameResolution), 0U);
  EXPECT_EQ(count(CrawlReason::kRobots), 1U);
  // A page that could not be fetched is not one of them.
  settle_first("h1.example", UrlStatus::kFailed, CrawlReason::kNameResolution);
  open();
  EXPECT_EQ(queue("h1.example").size(), 0U);
  EXPECT_EQ(queued(), 2U);
}

TEST_F(CrawlFrontierTest, SkippedAddressesThatBecomeSeedsAreQueued) {
  open();
  settle_first("www.example.org", UrlStatus::kSkipped, CrawlReason::kRobots);
  offer("http://www.example.org/trap");
  settle_first("www.example.org", UrlStatus::kSkipped, CrawlReason::kBarrenShape);
  offer("http://www.example.org/stored");
  settle_first("www.example.org", UrlStatus::kStored, CrawlReason::kNone);
  open();
  EXPECT_EQ(queue("www.example.org").size(), 1U);  // of the first run
  options_.seeds = {"http://www.example.org/trap", "http://www.example.org/stored"};
  open();
  ASSERT_EQ(queue("www.example.org").size(), 2U);
  EXPECT_EQ(queue("www.example.org").back().url, "http://www.example.org/trap");
  EXPECT_EQ(queue("www.example.org").back().depth, 0);
  EXPECT_EQ(count(CrawlReason::kRobots) + count(CrawlReason::kBarrenShape), 0U);
}

// As a seed, a host is a domain of its own, but it was counted at the one above.
TEST_F(CrawlFrontierTest, HostsBeyondTheLimitMayBecomeSeeds) {
  open();
  for (int host = 0; host < kOffered; ++host) offer(fmt::format("http://h{}.example.org/", host));
  ASSERT_EQ(skipped(), 16U);
  options_.seeds = {"http://h19.example.org/"};
  open();
  EXPECT_EQ(skipped(), 15U);
  ASSERT_EQ(queue("h19.example.org").size(), 1U);
}

TEST_F(CrawlFrontierTest, QueuedAddressesThatBecomeSeedsAreFirst) {
  open();
  for (const char* path : {"a", "b", "c"}) offer(fmt::format("http://www.example.org/{}", path), 2);
  options_.seeds = {"http://www.example.org/c", "http://www.example.org/b"};
  open();
  std::vector<std::string> found;
  for (const QueueEntry& entry : queue("www.example.org"))
    found.push_back(fmt::format("{} {}", entry.depth, entry.url));
  EXPECT_EQ(found, (std::vector<std::string>{"0 http://www.example.org/", "0 http://www.example.org/c",
                                             "0 http://www.example.org/b", "2 http://www.example.org/a"}));
  EXPECT_EQ(queued(), 4U);
  EXPECT_EQ(frontier_->state().url("http://www.example.org/c").value()->depth, 0);
  open();
  EXPECT_EQ(queued(), 4U);
}

// By two names, a server would get twice the requests.
TEST_F(CrawlFrontierTest, HostsHaveOneName) {
  options_.seeds = {"http://www.example.org./"};
  open();
  offer("http://www.example.org/");
  offer("http://www.example.org./a");
  offer("http://www.example.org/a");
  offer("http://other.example.org./");
  offer_sitemap("http://www.example.org./map.xml", "www.example.org");
  EXPECT_EQ(hosts(), (std::set<std::string>{"www.example.org", "other.example.org"}));
  EXPECT_EQ(queued(), 4U);
  EXPECT_EQ(frontier_->seeds(), "http://www.example.org/\n");
  for (const QueueEntry& entry : queue("www.example.org")) EXPECT_EQ(entry.url.find("org."), std::string::npos);
  open();
  EXPECT_EQ(queued(), 4U);
}

// Otherwise one page could have all ports of somebody else's host asked.
TEST_F(CrawlFrontierTest, HostsHaveFewPorts) {
  options_.seeds = {"http://www.example.org:7000/"};
  open();
  for (int port = 8000; port < 8020; ++port) offer(fmt::format("http://www.example.org:{}/", port));
  offer_sitemap("http://www.example.org:9000/map.xml", "www.example.org");
  EXPECT_EQ(queued(), 1 + kPortsPerHost);
  EXPECT_EQ(count(CrawlReason::kHostPorts), 13U);
  offer("http://www.example.org:25/");
  offer_sitemap("http://www.example.org:6000/map.xml", "www.example.org");
  EXPECT_EQ(count(CrawlReason::kBadPort), 2U);
  // Another host has ports of its own, and the usual ones do not count.
  offer("http://other.example.org:8019/");
  for (const char* const url : {"http://www.example.org/", "https://www.example.org/", "http://www.example.org:443/",
                                "http://www.example.org:7000/a", "http://www.example.org:8007/a"}) {
    offer(url);
  }
  EXPECT_EQ(queued(), 7 + kPortsPerHost);
  open();
  offer("http://www.example.org:8008/a");
  EXPECT_EQ(count(CrawlReason::kHostPorts), 14U);
  // The caller may ask for any.
  options_.seeds = {"http://www.example.org:8009/a", "http://www.example.org:25/"};
  open();
  offer("http://www.example.org:8009/");
  offer("http://www.example.org:25/a");
  EXPECT_EQ(queued(), 11 + kPortsPerHost);
  EXPECT_EQ(count(CrawlReason::kHostPorts), 13U);
  EXPECT_EQ(count(CrawlReason::kBadPort), 1U);
}

// The robots.txt of any site may call it a sitemap, and its pages may link to it.
TEST_F(CrawlFrontierTest, AddressesCanBePagesAndSitemaps) {
  const std::string host = "www.example.org";
  const std::vector<std::string> addresses = {"http://www.example.org/1", "http://www.example.org/2",
                                              "http://www.example.org/3"};
  open();
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  // As a page while it is queued, after it was read, and before it is named.
  offer_sitemap(addresses[0], host);
  offer_sitemap(addresses[1], host);
  offer(addresses[0]);
  settle_first(host, UrlStatus::kFailed, CrawlReason::kTimeout);
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  offer(addresses[1]);
  offer(addresses[2]);
  offer_sitemap(addresses[2], host);
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  for (const std::string& address : addresses) {
    offer(address);
    offer_sitemap(address, host);
  }
  std::vector<std::string> found;
  for (const QueueEntry& entry : queue(host)) {
    EXPECT_EQ(entry.kind, QueueEntry::Kind::kPage);
    found.push_back(entry.url);
  }
  EXPECT_EQ(found, addresses);
  for (std::size_t i = 0; i < addresses.size(); ++i) settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  EXPECT_EQ(frontier_->totals().stored, 4U);
  EXPECT_EQ(frontier_->totals().sitemaps, 3U);
  EXPECT_EQ(count(CrawlReason::kTimeout), 1U);
  EXPECT_EQ(frontier_->state().url(addresses[0], UrlKind::kSitemap).value()->status, UrlStatus::kFailed);
  EXPECT_EQ(frontier_->state().url(addresses[0]).value()->status, UrlStatus::kStored);
  // Each of them is fetched again as what it is.
  ASSERT_TRUE(frontier_->sync());
  ASSERT_TRUE(frontier_->offer_again(1));
  EXPECT_EQ(queued(), 7U);
}

// Other sites can make any number of redirects that end here, at an address that redirects once more.
TEST_F(CrawlFrontierTest, AddressesBehindTooManyRedirectsAreWantedOnAnotherWay) {
  open();
  settle_first("www.example.org", UrlStatus::kStored, CrawlReason::kNone);
  offer("http://www.example.org/article", 1, kRedirectsMaximum);
  settle_first("www.example.org", UrlStatus::kRefused, CrawlReason::kRedirectLimit);
  EXPECT_EQ(count(CrawlReason::kRedirectLimit), 1U);
  offer("http://www.example.org/article", 2, kRedirectsMaximum);
  EXPECT_EQ(queued(), 0U);
  offer("http://www.example.org/article", 2, 1);
  EXPECT_EQ(count(CrawlReason::kRedirectLimit), 0U);
  ASSERT_EQ(queue("www.example.org").size(), 1U);
  EXPECT_EQ(queue("www.example.org").front().redirects, 1U);
  settle_first("www.example.org", UrlStatus::kRedirect, CrawlReason::kNone);
  offer("http://www.example.org/article", 2);
  EXPECT_EQ(queued(), 0U);
}

// Another site, which answers faster, may have linked to a page from far away, where its links are beyond the depth.
TEST_F(CrawlFrontierTest, AQueuedPageIsFetchedOnTheShortestWay) {
  const std::string host = "www.example.org";
  const std::string section = "http://www.example.org/section";
  open();
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  offer(section, 3);
  offer(section, 3);
  offer(section, 1);
  offer(section, 2);
  offer("http://www.example.org/other", 2);
  EXPECT_EQ(queued(), 2U);
  const std::size_t number = frontier_->host_number(host);
  const CrawlState::Queued first = frontier_->next_queued(number).value().value();
  EXPECT_EQ(first.entry.url, section);
  EXPECT_EQ(first.entry.depth, 1);
  EXPECT_FALSE(frontier_->is_superseded(first).value());
  // Also before that one has been settled, which takes the time of a request.
  EXPECT_TRUE(frontier_->is_superseded({first.place, queue(host).back()}).value());
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  EXPECT_EQ(queued(), 0U);
  const CrawlState::Queued left = frontier_->next_queued(number).value().value();
  EXPECT_EQ(left.entry.url, section);
  EXPECT_EQ(left.entry.depth, 3);
  ASSERT_TRUE(frontier_->is_superseded(left).value());
  CrawlChanges changes;
  frontier_->drop(changes, number, left);
  ASSERT_TRUE(frontier_->commit(changes));
  EXPECT_EQ(queued(), 0U);
  EXPECT_EQ(frontier_->totals().stored, 3U);
  EXPECT_EQ(frontier_->state().url(section).value()->depth, 1);
  open();
  EXPECT_EQ(queued(), 0U);
}

// Links from other hosts lead here at any depth, and each page that is found so would have the queue searched.
TEST_F(CrawlFrontierTest, PlacesOfRemovedEntriesAreRemembered) {
  const std::string host = "www.example.org";
  constexpr std::uint64_t kPages = 500;
  open();
  settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  for (std::uint64_t page = 0; page <= kPages; ++page) {
    offer(fmt::format("http://www.example.org/{}", page), 2);
    offer(fmt::format("http://www.example.org/deep/{}", page), 3);
  }
  for (std::uint64_t page = 0; page < 2 * kPages; ++page) settle_first(host, UrlStatus::kStored, CrawlReason::kNone);
  ASSERT_TRUE(frontier_->sync());
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  rocksdb::get_perf_context()->Reset();
  std::vector<std::string> found;
  for (const std::uint32_t depth : {1U, 2U, 3U}) {
    offer(fmt::format("http://www.example.org/of-depth/{}", depth), depth);
    found.push_back(settle_first(host, UrlStatus::kStored, CrawlReason::kNone));
  }
  while (queued() > 0) found.push_back(settle_first(host, UrlStatus::kStored, CrawlReason::kNone));
  EXPECT_LT(rocksdb::get_perf_context()->internal_delete_skipped_count, kPages / 10);
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  EXPECT_EQ(found, (std::vector<std::string>{"http://www.example.org/of-depth/1", "http://www.example.org/of-depth/2",
                                             "http://www.example.org/deep/499", "http://www.example.org/deep/500",
                                             "http://www.example.org/of-depth/3"}));
}

// The nearer way may have used up all redirects.
TEST_F(CrawlFrontierTest, AShorterWayTakesNoRedirects) {
  open();
  settle_first("www.example.org", UrlStatus::kStored, CrawlReason::kNone);
  offer("http://www.example.org/article", 3);
  offer("http://www.example.org/article", 1, kRedirectsMaximum);
  EXPECT_EQ(queue("www.example.org").front().depth, 1);
  EXPECT_EQ(queue("www.example.org").front().redirects, 0);
}

// Otherwise one site could use up the number of another one.
TEST_F(CrawlFrontierTest, SitemapsAreCountedAtTheHostThatNamesThem) {
  options_.seeds = {"http://a.example/", "http://b.example/"};
  open();
  for (std::uint64_t i = 0; i <= kSitemapsPerHost; ++i) {
    offer_sitemap(fmt::format("http://b.example/no{}", i), "a.example");
  }
  offer_sitemap("http://b.example/deep", "a.example", kSitemapDepthMaximum + 1);
  EXPECT_EQ(count(CrawlReason::kSitemapLimit), 2U);
  EXPECT_EQ(queue("b.example").size(), kSitemapsPerHost + 1);
  offer_sitemap(fmt::format("http://b.example/no{}", kSitemapsPerHost), "b.example");
  offer_sitemap("http://b.example/deep", "b.example");
  offer_sitemap("http://b.example/index.xml", "b.example");
  EXPECT_EQ(count(CrawlReason::kSitemapLimit), 0U);
  EXPECT_EQ(queue("b.example").size(), kSitemapsPerHost + 4);
  EXPECT_EQ(frontier_->host(frontier_->host_number("a.example")).record.sitemaps, kSitemapsPerHost);
  EXPECT_EQ(frontier_->host(frontier_->host_number("b.example")).record.sitemaps, 3U);
}

// Otherwise another site could use up the number, by naming addresses that redirect.
TEST_F(CrawlFrontierTest, SitemapsBehindRedirectsDoNotCount) {
  open();
  for (std::uint64_t i = 0; i < kSitemapsPerHost; ++i) {
    offer_sitemap(fmt::format("http://www.example.org/{}.xml", i), "www.example.org");
  }
  offer(CrawlOffer{parser_.parse("https://www.example.org/moved.xml").value(), "", QueueEntry::Kind::kSitemap, 0, 1});
  EXPECT_EQ(count(CrawlReason::kSitemapLimit), 0U);
  EXPECT_EQ(queue("www.example.org").size(), kSitemapsPerHost + 2);
  EXPECT_EQ(frontier_->totals().sitemaps, kSitemapsPerHost);
}

TEST_F(CrawlFrontierTest, SitemapsAreReadAgainAsSitemaps) {
  open();
  offer_sitemap("http://www.example.org/sitemap.xml", "www.example.org");
  CrawlChanges changes;
  const std::size_t host = frontier_->host_number("www.example.org");
  const CrawlState::Queued queued = frontier_->next_queued(host).value().value();
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
