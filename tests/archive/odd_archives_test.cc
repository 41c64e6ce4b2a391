// Real odd and broken archives from the test suites of other tools (not part of the repository). The numbers of WARC
// records agree with an independent scan of the files that counts version lines, except that two files with a header
// but no body contain no record. For ARC and JSON the expected numbers are this reader's own, checked by hand.
#include <cstdlib>

#include "archive_testing.h"

namespace paraprint {
namespace {

struct Expected {
  const char* file;
  std::size_t records;
  std::size_t page_records;
  std::size_t accepted;
  Counts defects;  // of reading and decoding
};

const std::vector<Expected> kExpected = {
    {"cc_net__sample.warc.txt", 4, 3, 3, {{"wrong-content-length", 4}}},
    {"dolma__sample-0000.warc.gz", 48, 22, 22, {}},
    {"dolma__sample-0001.warc.gz", 34, 15, 15, {}},
    {"http-framing.warc.gz", 49, 48, 48, {}},
    {"jwarc__cc.warc.gz", 1, 1, 1, {}},
    {"jwarc__fold.warc", 0, 0, 0, {{"truncated-record", 1}}},
    {"jwarc__gzip_extra_sl.warc.gz", 1, 0, 0, {}},
    {"jwarc__utf8field.warc", 0, 0, 0, {{"truncated-record", 1}}},
    {"openwayback__sopa-wikipedia-homepage.warc.gz", 164, 74, 3, {}},
    {"openwayback__testdata1.arc", 75, 56, 25, {}},
    {"pywb__dupes.warc.gz", 25, 3, 1, {}},
    {"pywb__example-extra.warc", 6, 2, 1, {{"bad-http-header", 1}}},
    {"pywb__example-url-agnostic-orig.warc.gz", 2, 1, 1, {}},
    {"pywb__example-url-agnostic-revisit.warc.gz", 2, 0, 0, {}},
    {"pywb__example-wget-1-14.warc.gz", 6, 1, 1, {}},
    {"pywb__example-wpull.warc.gz", 4, 1, 1, {}},
    {"pywb__example.warc", 6, 2, 1, {{"wrong-content-length", 1}}},
    {"pywb__example.warc.gz", 6, 2, 1, {}},
    {"pywb__example2.warc.gz", 3, 1, 1, {}},
    {"pywb__httpbin-resource.warc.gz", 1, 1, 0, {}},
    {"pywb__iana.warc.gz", 343, 48, 16, {{"broken-chunks", 16}}},
    {"pywb__missing-status-text.warc", 1, 1, 0, {}},
    {"warcio__bad.arc", 1, 1, 0, {{"bad-record-header", 3}}},
    {"warcio__example-bad-non-chunked.warc.gz", 6, 1, 1, {}},
    {"warcio__example-bad.warc.gz.bad", 6, 2, 1, {}},
    {"warcio__example-digest-bad.warc", 4, 0, 0, {}},
    {"warcio__example-iana.org-chunked.warc", 3, 1, 1, {}},
    {"warcio__example-resource.warc.gz", 3, 1, 1, {}},
    {"warcio__example-space-in-target-uri.warc.gz", 2, 1, 0, {}},
    {"warcio__example-space-in-url.arc", 2, 1, 1, {{"truncated-record", 1}}},
    {"warcio__example-trunc.warc", 4, 1, 1, {{"wrong-content-length", 1}}},
    {"warcio__example-wget-bad-target-uri.warc.gz", 6, 1, 1, {}},
    {"warcio__example-wrong-chunks.warc.gz", 2, 1, 1, {{"wrong-http-content-length", 1}}},
    {"warcio__example.arc", 2, 1, 1, {}},
    {"warcio__example.arc.gz", 2, 1, 1, {}},
    {"warcio__example.warc", 6, 1, 1, {}},
    {"warcio__example.warc.gz", 6, 1, 1, {}},
    {"warcio__post-test.warc.gz", 6, 3, 0, {}},
    {"warcio__space-in-url.arc", 3, 2, 1, {{"truncated-record", 1}}},
    {"warcio__standard-torture-missing.warc", 1, 0, 0, {}},
    {"warcio__standard-torture-validate-field.warc", 3, 0, 0, {{"garbage", 1}}},
    {"warcio__standard-torture-validate-record.warc", 17, 2, 0, {{"missing-url", 1}, {"unjoined-segments", 2}}},
    {"webarchive-commons__137542-153-20111129020925-00316-kb-prod-har-003.kb.dk_truncated.arc", 4, 3, 2, {}},
    {"webarchive-commons__IAH-20080430204825-00000-blackbook-truncated.arc", 9, 7, 3, {}},
    {"webarchive-commons__IAH-urls-wget.warc", 36, 16, 3, {}},
    {"webarchive-commons__IAH-urls-wget.warc.gz", 36, 16, 3, {}},
    {"webarchive-commons__link-extraction-test.warc",
     8,
     7,
     7,
     {{"missing-record-id", 7}, {"missing-url", 1}, {"wrong-http-content-length", 1}}},
    {"webarchive-commons__mutliple-headers.warc", 1, 1, 1, {}},
};

TEST(OddArchives, ReadsRecordsAndReportsDefects) {
  const char* data = std::getenv("PARAPRINT_DATA_DIR");
  const std::filesystem::path folder = std::filesystem::path(data ? data : "../data") / "corpus" / "odd-warcs";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "test data not found; set PARAPRINT_DATA_DIR";
  for (const Expected& expected : kExpected) {
    Reading reading = read_archive((folder / expected.file).string());
    std::size_t pages = 0;
    std::size_t accepted = 0;
    Counts defects = reading.defect_counts();
    EXPECT_EQ(reading.records.size(), expected.records) << expected.file;
    for (RawRecord& record : reading.records) {
      if (record.kind != RecordKind::kPage) continue;
      ++pages;
      const DecodedRecord decoded = decode_page(std::move(record), {}, expected.file);
      accepted += decoded.outcome == PageOutcome::kAccepted;
      for (const Defect& defect : decoded.defects) ++defects[std::string(defect_name(defect.kind))];
    }
    EXPECT_EQ(pages, expected.page_records) << expected.file;
    EXPECT_EQ(accepted, expected.accepted) << expected.file;
    EXPECT_EQ(defects, expected.defects) << expected.file;
  }
}

}  // namespace
}  // namespace paraprint
