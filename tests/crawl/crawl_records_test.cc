// Encoding and decoding of the crawl's records, and refusal of everything that is not exactly one record.
#include "crawl/crawl_records.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

UrlRecord sample_url() {
  UrlRecord record;
  record.status = UrlStatus::kCopy;
  record.reason = CrawlReason::kServerError;
  record.depth = 7;
  record.fetched_at_seconds = 1'700'000'000;
  record.etag = "\"v1\"";
  record.last_modified = "yesterday";
  record.payload_digest = "sha1:X";
  record.record_id = "urn:uuid:1";
  record.date = "2024-05-01T10:00:00Z";
  record.body_digest = "sha1:Y";
  record.kind = UrlKind::kSitemap;
  return record;
}

HostRecord sample_host() {
  HostRecord record;
  record.requests = 300;
  record.received_bytes = std::uint64_t{1} << 40;
  record.stored = 1;
  record.copies = 2;
  record.unchanged = 3;
  record.queued = 9;
  record.crawl_delay_seconds = 2.5;
  record.reasons = {{CrawlReason::kRobots, 4}, {CrawlReason::kServerError, 500}};
  record.ports = {8080, 65535};
  return record;
}

// Expects that every prefix of the encoded record, and the record with an additional byte, are refused.
template <class Record>
void expect_only_whole_values(const Record& record) {
  const std::string bytes = record.encode();
  ASSERT_TRUE(Record::decode(bytes));
  EXPECT_EQ(Record::decode(bytes)->encode(), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(Record::decode(bytes.substr(0, size))) << size;
  EXPECT_FALSE(Record::decode(bytes + '\0'));
  std::string other_version = bytes;
  ++other_version[0];
  EXPECT_FALSE(Record::decode(other_version));
}

// Numbers without a meaning come from a later build or from damage.
TEST(CrawlRecords, UnknownNumbersAreRefused) {
  UrlRecord url = sample_url();
  url.status = static_cast<UrlStatus>(kUrlStatusCount);
  EXPECT_FALSE(UrlRecord::decode(url.encode()));
  url = sample_url();
  url.reason = static_cast<CrawlReason>(19);
  EXPECT_FALSE(UrlRecord::decode(url.encode()));
  HostRecord host = sample_host();
  host.reasons[static_cast<CrawlReason>(250)] = 1;
  EXPECT_FALSE(HostRecord::decode(host.encode()));
  ProbeRecord probe;
  probe.answer = static_cast<ProbeAnswer>(6);
  EXPECT_FALSE(ProbeRecord::decode(probe.encode()));
  probe.answer = ProbeAnswer::kPage;
  EXPECT_TRUE(ProbeRecord::decode(probe.encode()));
  probe.standing = static_cast<ProbeStanding>(3);
  EXPECT_FALSE(ProbeRecord::decode(probe.encode()));
  QueueEntry entry;
  entry.kind = static_cast<QueueEntry::Kind>(2);
  EXPECT_FALSE(QueueEntry::decode(entry.encode()));
  std::string deep = QueueEntry{}.encode();  // ends with depth, redirects and attempts, one byte each
  deep.replace(deep.size() - 3, 1, "\xAC\x02");
  EXPECT_FALSE(QueueEntry::decode(deep)) << "300 as a depth";
}

TEST(CrawlRecords, SurviveEncodingAndDecoding) {
  const UrlRecord url = *UrlRecord::decode(sample_url().encode());
  EXPECT_EQ(url.status, UrlStatus::kCopy);
  EXPECT_EQ(url.reason, CrawlReason::kServerError);
  EXPECT_EQ(url.depth, 7);
  EXPECT_EQ(url.fetched_at_seconds, 1'700'000'000);
  EXPECT_EQ(url.etag, "\"v1\"");
  EXPECT_EQ(url.record_id, "urn:uuid:1");
  EXPECT_EQ(url.date, "2024-05-01T10:00:00Z");
  const HostRecord host = *HostRecord::decode(sample_host().encode());
  EXPECT_EQ(host.received_bytes, std::uint64_t{1} << 40);
  EXPECT_EQ(host.pages(), 6u);
  EXPECT_DOUBLE_EQ(host.crawl_delay_seconds, 2.5);
  EXPECT_EQ(host.reasons, sample_host().reasons);
  EXPECT_EQ(host.ports, sample_host().ports);
  const QueueEntry entry =
      *QueueEntry::decode(QueueEntry{QueueEntry::Kind::kSitemap, "http://a/", "http://b/", 1, 2, 3}.encode());
  EXPECT_EQ(entry.kind, QueueEntry::Kind::kSitemap);
  EXPECT_EQ(entry.url, "http://a/");
  EXPECT_EQ(entry.referrer, "http://b/");
  EXPECT_EQ(entry.depth + 10 * entry.redirects + 100 * entry.attempts, 321);
}

TEST(CrawlRecords, RefuseOtherBytes) {
  expect_only_whole_values(sample_url());
  expect_only_whole_values(sample_host());
  expect_only_whole_values(QueueEntry{QueueEntry::Kind::kPage, "http://a/", "", 1, 0, 0});
  RobotsRecord robots;
  robots.body = "User-agent: *\n";
  expect_only_whole_values(robots);
  ProbeRecord probe;
  probe.answer = ProbeAnswer::kPage;
  probe.standing = ProbeStanding::kDiffers;
  probe.fetched_at_seconds = 1'700'000'000;
  probe.redirect_target = "http://a/sorry";
  probe.profile = std::string("\0bytes", 6);
  probe.bare_text_hash = UINT64_MAX;
  probe.archived_url = "http://a/gone";
  expect_only_whole_values(probe);
  ClusterRecord cluster;
  cluster.verdicts = {{Verdict::kNear, 3}};
  cluster.examples = "http://a/\n";
  expect_only_whole_values(cluster);
  CrawlPosition position;
  position.warc_bytes = 12345;
  position.warc_name = "crawl-20240501100000123-00000.warc.gz";
  expect_only_whole_values(position);
}

// In layout 1, URL records had no digest of the stored body.
TEST(CrawlRecords, UrlsOfLayout1AreRead) {
  const std::string bytes("\x01\x01\x00\x02\x03\x01\x65\x01\x6D\x01p\x01r\x01\x64", 15);
  const std::optional<UrlRecord> url = UrlRecord::decode(bytes);
  ASSERT_TRUE(url);
  EXPECT_EQ(url->status, UrlStatus::kStored);
  EXPECT_EQ(url->depth, 2u);
  EXPECT_EQ(url->record_id, "r");
  EXPECT_EQ(url->date, "d");
  EXPECT_EQ(url->body_digest, "");
  EXPECT_EQ(url->kind, UrlKind::kPage);
  EXPECT_FALSE(UrlRecord::decode(bytes.substr(0, bytes.size() - 1)));
}

// Layout 2 had no kind. A stored page has a digest, a sitemap has none.
TEST(CrawlRecords, UrlsOfLayout2AreRead) {
  const std::string page("\x02\x01\x00\x02\x03\x01\x65\x01\x6D\x01p\x01r\x01\x64\x01s", 17);
  ASSERT_TRUE(UrlRecord::decode(page));
  EXPECT_EQ(UrlRecord::decode(page)->body_digest, "s");
  EXPECT_EQ(UrlRecord::decode(page)->kind, UrlKind::kPage);
  const std::string sitemap("\x02\x01\x00\x02\x03\x00\x00\x00\x00\x00\x00", 11);
  ASSERT_TRUE(UrlRecord::decode(sitemap));
  EXPECT_EQ(UrlRecord::decode(sitemap)->kind, UrlKind::kSitemap);
  EXPECT_FALSE(UrlRecord::decode(sitemap + '\0'));
}

// In layout 1, host records had no ports.
TEST(CrawlRecords, HostsOfLayout1AreRead) {
  std::string bytes("\x01\x02\x03\x01\x00\x00\x00\x00\x00\x04", 10);
  bytes += std::string("\x00\x00\x00\x00\x00\x00\x04\x40", 8);  // 2.5
  bytes += "\x01\x14\x07";
  const std::optional<HostRecord> host = HostRecord::decode(bytes);
  ASSERT_TRUE(host);
  EXPECT_EQ(host->requests, 2U);
  EXPECT_EQ(host->queued, 4U);
  EXPECT_DOUBLE_EQ(host->crawl_delay_seconds, 2.5);
  EXPECT_EQ(host->reasons.at(CrawlReason::kHttpStatus), 7U);
  EXPECT_TRUE(host->ports.empty());
  EXPECT_FALSE(HostRecord::decode(bytes + '\0'));
}

// In layout 1, positions contained the seeds.
TEST(CrawlRecords, PositionsOfLayout1AreRead) {
  const std::string bytes("\x01\x05\x06\x01\x07\x08\x02id\x03\x04\x0Ahttp://a/\n\x02\x09", 24);
  const std::optional<CrawlPosition> position = CrawlPosition::decode(bytes);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->next_sequence, 5u);
  EXPECT_EQ(position->crawl_id, "id");
  EXPECT_EQ(position->seeds, "http://a/\n");
  EXPECT_EQ(position->depth, 2u);
  EXPECT_EQ(position->pages_per_host, 9u);
  EXPECT_FALSE(CrawlPosition::decode(bytes.substr(0, bytes.size() - 1)));
}

// Layout 2 had no number of hosts.
TEST(CrawlRecords, PositionsOfLayout2AreRead) {
  const std::string bytes("\x02\x05\x06\x01\x07\x08\x02id\x03\x04\x02\x09", 13);
  const std::optional<CrawlPosition> position = CrawlPosition::decode(bytes);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->crawl_id, "id");
  EXPECT_EQ(position->links_unusable, 4u);
  EXPECT_EQ(position->pages_per_host, 9u);
  EXPECT_EQ(position->hosts_per_domain, 0u);
  EXPECT_FALSE(CrawlPosition::decode(bytes.substr(0, bytes.size() - 1)));
}

// Until layout 3, the name of the archive file followed from its number.
TEST(CrawlRecords, PositionsOfLayout3AreRead) {
  const std::string bytes("\x03\x05\x06\x01\x07\x08\x02id\x03\x04\x02\x09\x0A", 14);
  const std::optional<CrawlPosition> position = CrawlPosition::decode(bytes);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->hosts_per_domain, 10u);
  EXPECT_EQ(position->warc_name, "crawl-00001.warc.gz");
  EXPECT_EQ(CrawlPosition::decode(position->encode())->warc_name, "crawl-00001.warc.gz");
  EXPECT_FALSE(CrawlPosition::decode(bytes.substr(0, bytes.size() - 1)));
}

TEST(CrawlRecords, HostCountsAddUp) {
  HostRecord sum = sample_host();
  sum.add(sample_host());
  EXPECT_EQ(sum.requests, 600u);
  EXPECT_EQ(sum.pages(), 12u);
  EXPECT_EQ(sum.reasons[CrawlReason::kRobots], 8u);
}

}  // namespace
}  // namespace paraprint
