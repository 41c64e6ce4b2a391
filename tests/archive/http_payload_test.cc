// From a stored HTTP message to a page: status lines, filters, encodings, limits, and bodies that contradict their
// header.
#include "archive/http_payload.h"

#include "archive_testing.h"

namespace paraprint {
namespace {

RawRecord http_record(std::string payload) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.id = "a";
  record.is_http = true;
  record.payload = std::move(payload);
  record.location.offset_bytes = 77;
  return record;
}

DecodedRecord decode(std::string payload, const ReadOptions& options = {}) {
  return decode_page(http_record(std::move(payload)), options, "f.warc");
}

std::string outcome(const DecodedRecord& decoded) {
  std::string text(page_outcome_name(decoded.outcome));
  for (const Defect& defect : decoded.defects) text += " " + std::string(defect_name(defect.kind));
  return text;
}

TEST(HttpPayload, DecodesAPage) {
  const DecodedRecord decoded = decode(http_response("<p>x"));
  EXPECT_EQ(outcome(decoded), "accepted");
  EXPECT_EQ(decoded.page.id, "a");
  EXPECT_EQ(decoded.page.body, "<p>x");
  EXPECT_EQ(decoded.page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(decoded.page.format, PageFormat::kHtml);
  EXPECT_EQ(decoded.page.location.offset_bytes, 77U);
}

TEST(HttpPayload, ReadsStatusLinesOfAllVersions) {
  for (const char* line : {"HTTP/1.0 200 OK\r\n", "HTTP/1.1 200\r\n", "HTTP/2 200 \r\n", "HTTP/3 200 x y z\n",
                           "\r\n\r\nHTTP/1.1  200 OK\n"}) {
    EXPECT_EQ(outcome(decode(std::string(line) + "Content-Type: text/html\r\n\r\n<p>")), "accepted") << line;
  }
  for (const char* line :
       {"HTTP/1.1\r\n", "HTTP/1.1 OK\r\n", "HTTPX/1.1 200 OK\r\n", "<html>\r\n", "", "HTTP/1.1 99999 x\r\n"}) {
    EXPECT_EQ(outcome(decode(std::string(line) + "Content-Type: text/html\r\n\r\n<p>")), "broken bad-http-header")
        << line;
  }
}

TEST(HttpPayload, FiltersByStatusAndType) {
  EXPECT_EQ(outcome(decode("HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n<p>")), "status-filtered");
  EXPECT_EQ(outcome(decode("HTTP/1.1 302 \r\nLocation: x")), "status-filtered");
  EXPECT_EQ(outcome(decode("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx")), "type-filtered");
  EXPECT_EQ(outcome(decode("HTTP/1.1 200 OK\r\nContent-Type: TEXT/HTML;charset=x\r\n\r\n<p>")), "accepted");
  ReadOptions options;
  options.status = {{200, 299}, {404, 404}};
  options.content_type = {"image/png"};
  EXPECT_EQ(outcome(decode("HTTP/1.1 404 No\r\nContent-Type: image/png\r\n\r\nx", options)), "accepted");
  EXPECT_EQ(outcome(decode("HTTP/1.1 204 No\r\nContent-Type: text/html\r\n\r\nx", options)), "type-filtered");
}

TEST(HttpPayload, SniffsMissingType) {
  const auto sniff = [](std::string_view body) { return decode("HTTP/1.1 200 OK\r\n\r\n" + std::string(body)); };
  EXPECT_EQ(sniff("  <!DOCTYPE html><p>").page.format, PageFormat::kHtml);
  EXPECT_EQ(outcome(sniff("just text")), "accepted");
  EXPECT_EQ(sniff("just text").page.format, PageFormat::kPlainText);
  EXPECT_EQ(outcome(sniff("%PDF-1.4")), "type-filtered");
  EXPECT_EQ(outcome(sniff("<?xml version='1.0'?><rss>")), "type-filtered");
  EXPECT_EQ(outcome(sniff(std::string_view("\x89PNG\r\n\x1a\n\0\0\0", 11))), "type-filtered");
}

// Feeds and sitemaps are not pages, whatever of generic XML they are sent as.
TEST(HttpPayload, TellsDocumentsFromListings) {
  const auto sent_as = [](std::string_view type, std::string_view body) {
    ReadOptions options;
    options.content_type = {"text/html", "text/xml", "application/xml", "application/rss+xml"};
    return outcome(
        decode("HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) + "\r\n\r\n" + std::string(body), options));
  };
  EXPECT_EQ(sent_as("text/xml", "<article><p>Text.</p></article>"), "accepted");
  EXPECT_EQ(sent_as("application/xml; charset=utf-8", "<?xml version='1.0'?><html>"), "accepted");
  EXPECT_EQ(sent_as("text/xml", "no markup"), "accepted");
  EXPECT_EQ(sent_as("text/xml", "<rss version='2.0'>"), "type-filtered");
  EXPECT_EQ(sent_as("application/xml", "<?xml version='1.0'?>\n<s:urlset>"), "type-filtered");
  EXPECT_EQ(sent_as("application/rss+xml", "<rss version='2.0'>"), "accepted");  // listed by its own type
  EXPECT_EQ(sent_as("text/html", "<?xml version='1.0'?><rss>"), "accepted");
  EXPECT_EQ(outcome(decode("HTTP/1.1 200 OK\r\n\r\n<?xml version='1.0'?><article><p>Text.</p></article>")), "accepted");
  EXPECT_EQ(outcome(decode("HTTP/1.1 200 OK\r\n\r\n<?xml version='1.0'?><rss><channel><title>A")), "type-filtered");
}

TEST(HttpPayload, RecognisesEmptyBodies) {
  EXPECT_EQ(outcome(decode(http_response(""))), "empty-body");
  EXPECT_EQ(outcome(decode(http_response(" \r\n\t "))), "empty-body");
  EXPECT_EQ(outcome(decode("HTTP/1.1 200 OK\r\nContent-Type: text/html")), "empty-body");
  EXPECT_EQ(outcome(decode(http_response("x"))), "accepted");
}

TEST(HttpPayload, DecodesStackedEncodings) {
  const std::string page = "<p>the page";
  const std::string inner = gzip(page);
  const auto chunked = [](const std::string& body) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", body.size());
    return size + body + "\r\n0\r\n\r\n";
  };
  EXPECT_EQ(decode(http_response(chunked(page), "Transfer-Encoding: chunked\r\n")).page.body, page);
  EXPECT_EQ(decode(http_response(inner, "Content-Encoding: gzip\r\n")).page.body, page);
  EXPECT_EQ(decode(http_response(chunked(inner), "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")).page.body,
            page);
  EXPECT_EQ(decode(http_response(chunked(inner), "Transfer-Encoding: gzip, chunked\r\n")).page.body, page);
  EXPECT_EQ(decode(http_response(zstd(inner), "Content-Encoding: gzip\r\nContent-Encoding: zstd\r\n")).page.body, page);
  EXPECT_EQ(decode(http_response(zstd(inner), "Content-Encoding: gzip, zstd\r\n")).page.body, page);
}

TEST(HttpPayload, AcceptsBodiesThatContradictTheirHeader) {
  const std::string page = "<p>the page";
  DecodedRecord decoded = decode(http_response(page, "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(outcome(decoded), "accepted broken-content-encoding");
  EXPECT_EQ(decoded.page.body, page);
  decoded = decode(http_response(page, "Transfer-Encoding: chunked\r\n"));
  EXPECT_EQ(outcome(decoded), "accepted broken-chunks");
  EXPECT_EQ(decoded.page.body, page);
  decoded = decode(http_response(page, "Content-Length: 500\r\n"));
  EXPECT_EQ(outcome(decoded), "accepted wrong-http-content-length");
  EXPECT_EQ(decoded.defects[0].offset_bytes, 77U);
  EXPECT_EQ(decoded.defects[0].file, "f.warc");
  EXPECT_EQ(outcome(decode(http_response(page, "Content-Length: 2\r\n"))), "accepted");
  EXPECT_EQ(outcome(decode(http_response(page, "Content-Encoding: secret\r\n"))), "accepted unknown-content-encoding");
  EXPECT_EQ(outcome(decode(http_response(std::string("\0\1\2", 3), "Content-Encoding: secret\r\n"))),
            "broken unknown-content-encoding");
  EXPECT_EQ(outcome(decode(http_response(std::string("\x1f\x8b\x08\0\0", 5), "Content-Encoding: gzip\r\n"))),
            "broken broken-content-encoding");
  RawRecord record = http_record(http_response(page, "Content-Length: 500\r\n"));
  record.is_truncated = true;  // already declared by the archive
  EXPECT_EQ(outcome(decode_page(std::move(record), {}, "")), "accepted");
}

// A body that contradicts its header is whole all the same.
TEST(HttpPayload, SaysWhichBodiesAreInPart) {
  std::string page = "<p>";
  for (int i = 0; i < 1000; ++i) page += std::to_string(i * 7919);
  const std::string packed = gzip(page);
  EXPECT_FALSE(decode(http_response(packed, "Content-Encoding: gzip\r\n")).is_partial);
  EXPECT_FALSE(decode(http_response(page, "Content-Encoding: gzip\r\n")).is_partial);
  EXPECT_FALSE(decode(http_response(page, "Transfer-Encoding: chunked\r\n")).is_partial);
  const DecodedRecord half = decode(http_response(packed.substr(0, packed.size() / 2), "Content-Encoding: gzip\r\n"));
  EXPECT_TRUE(half.is_partial);
  EXPECT_EQ(half.page.body, page.substr(0, half.page.body.size()));
  EXPECT_TRUE(decode(http_response("5\r\n<p>th\r\n5\r\ne p", "Transfer-Encoding: chunked\r\n")).is_partial);
}

TEST(HttpPayload, EnforcesLimits) {
  ReadOptions options;
  options.max_body_bytes = 1000;
  options.max_http_header_bytes = 500;
  EXPECT_EQ(outcome(decode(http_response(gzip(std::string(100'000, 'x')), "Content-Encoding: gzip\r\n"), options)),
            "too-large body-too-large");
  EXPECT_EQ(outcome(decode(http_response(std::string(2000, 'x')), options)), "too-large body-too-large");
  EXPECT_EQ(outcome(decode(http_response("x", "X: " + std::string(1000, 'x') + "\r\n"), options)),
            "broken bad-http-header");
  std::string stacked = "Content-Encoding: gzip";
  for (int i = 0; i < 50; ++i) stacked += ", gzip";
  EXPECT_EQ(outcome(decode(http_response("x", stacked + "\r\n"))), "broken broken-content-encoding");
  RawRecord record = http_record(http_response("x"));
  record.is_oversized = true;
  EXPECT_EQ(outcome(decode_page(std::move(record), options, "")), "too-large");
}

TEST(HttpPayload, OtherRecordKindsAreNotPages) {
  RawRecord record = http_record(http_response("<p>"));
  record.kind = RecordKind::kRevisit;
  EXPECT_EQ(outcome(decode_page(std::move(record), {}, "")), "not-a-page");
}

}  // namespace
}  // namespace paraprint
