// How a long sitemap is read. What becomes of its addresses is tested in the simulation and through the program.
#include "crawl/sitemap_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace paraprint {
namespace {

// The addresses of 50,000 pages in one batch would take hundreds of megabytes.
TEST(SitemapFiles, LongSitemapsAreReadInBatches) {
  const TemporaryFolder folder;
  constexpr std::size_t kPages = 2300;
  const std::string sitemap = "http://a.example/sitemap.txt";
  CrawlOptions options;
  options.out = folder / "crawl";
  options.seeds = {"http://a.example/"};
  const std::unique_ptr<CrawlFrontier> frontier = CrawlFrontier::open(options).value();
  UrlParser parser;
  CrawlChanges changes;
  ASSERT_TRUE(frontier->add_seeds(parser, changes));
  ASSERT_TRUE(frontier->offer(changes, {parser.parse(sitemap).value(), "", QueueEntry::Kind::kSitemap, 0, 0}));
  ASSERT_TRUE(frontier->commit(changes));

  HostPacing pacing(options, *frontier);
  std::vector<std::uint64_t> queued;  // at each moment when everything so far is committed
  SitemapFiles files(options, *frontier, pacing, parser, [&]() -> Status {
    queued.push_back(frontier->totals().queued);
    // Until all is read, it is not settled: after a kill it is read again.
    EXPECT_EQ(frontier->state().url(sitemap, UrlKind::kSitemap).value()->status, UrlStatus::kQueued);
    const std::string last = fmt::format("http://a.example/{}", queued.back() - 3);
    EXPECT_TRUE(frontier->state().url(last).value().has_value()) << last;
    return frontier->sync();
  });

  PendingRequest pending;
  pending.host = frontier->host_number("a.example");
  pending.queued = frontier->next_queued(pending.host).value();
  ASSERT_EQ(pending.queued->entry.url, sitemap);
  FetchResult fetch;
  fetch.request.url = sitemap;
  fetch.http_status = 200;
  fetch.response_header = "HTTP/1.1 200 OK\r\n\r\n";
  for (std::size_t i = 0; i < kPages; ++i) fetch.body += fmt::format("http://a.example/{}\n", i);
  ASSERT_TRUE(files.handle(pending, fetch));
  EXPECT_EQ(queued, (std::vector<std::uint64_t>{502, 1002, 1502, 2002}));
  EXPECT_EQ(frontier->totals().queued, kPages + 1);
  EXPECT_EQ(frontier->state().url(sitemap, UrlKind::kSitemap).value()->status, UrlStatus::kStored);
}

}  // namespace
}  // namespace paraprint
