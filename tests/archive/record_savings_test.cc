// The tally of what was saved: names of hosts and media types, and sums.
#include "archive/record_savings.h"

#include <gtest/gtest.h>

#include "http/header_block.h"
#include "paraprint/read_options.h"

namespace paraprint {
namespace {

RawRecord response(const std::string& url, const std::string& type) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.url = url;
  record.is_http = true;
  record.payload = "HTTP/1.1 200 OK\r\n" + (type.empty() ? "" : "content-TYPE: " + type + "\r\n") + "\r\nbody";
  record.content_length_bytes = 100;
  return record;
}

TEST(RecordSavings, TakesTheStatedMediaType) {
  EXPECT_EQ(savings_media_type(response("", " Image/PNG ; q=1")), "image/png");
  EXPECT_EQ(savings_media_type(response("", "")), "");
  RawRecord cut = response("", "");
  cut.payload = "HTTP/1.1 200 OK\r\nContent-Type: text/css";  // an oversized record with a part of its header
  EXPECT_EQ(savings_media_type(cut), "text/css");
  RawRecord request;
  request.kind = RecordKind::kRequest;
  request.is_http = true;
  EXPECT_EQ(savings_media_type(request), "application/http");
  RawRecord resource;
  resource.kind = RecordKind::kPage;
  resource.content_type = "Text/Plain;charset=x";
  EXPECT_EQ(savings_media_type(resource), "text/plain");
}

TEST(RecordSavings, LooksForTheTypeInHeadersOfOrdinarySize) {
  EXPECT_EQ(kParsedHeaderBytesMaximum, ReadOptions{}.max_http_header_bytes);
  std::string fields;
  while (fields.size() < kParsedHeaderBytesMaximum) fields += "a:\r\n";
  RawRecord record = response("", "text/css");
  record.payload.insert(record.payload.find("\r\n") + 2, fields);
  EXPECT_EQ(savings_media_type(record), "");
  record.payload.erase(record.payload.find(fields), 4 * 20);  // the type begins below the limit now
  EXPECT_EQ(savings_media_type(record), "text/css");
}

TEST(RecordSavings, CountsByHost) {
  RecordSavings savings;
  for (const char* url : {"http://me@News.Example:8080/a", "https://NEWS.example?b", "http://news.example\\c"}) {
    savings.add(SavingsClass::kKept, response(url, "text/html"), 100);
  }
  savings.add(SavingsClass::kKept, response("http://[2001:DB8::1]:80/", "text/html"), 100);
  for (const std::string& url : {std::string("dns:news.example"), std::string(), std::string("http:///a"),
                                 "http://" + std::string(kSavingsNameBytesMaximum + 1, 'a') + "/"}) {
    savings.add(SavingsClass::kKept, response(url, "text/html"), 100);
  }
  ASSERT_EQ(savings.by_host().size(), 3U);
  const auto kept = static_cast<std::size_t>(SavingsClass::kKept);
  EXPECT_EQ(savings.by_host().at("news.example")[kept].records, 3U);
  EXPECT_EQ(savings.by_host().at("[2001:db8::1]")[kept].records, 1U);
  EXPECT_EQ(savings.by_host().at("")[kept].records, 4U);
}

TEST(RecordSavings, TalliesOfInputsAddUp) {
  RecordSavings first;
  first.add(SavingsClass::kEqualPayload, response("http://a/", "image/png"), 30);
  first.add(SavingsClass::kCompanion, response("http://b/", "x/y"), 0);
  RecordSavings second;
  second.add(SavingsClass::kEqualPayload, response("http://a/", "image/png"), 130);
  second.add(first);
  const auto equal = static_cast<std::size_t>(SavingsClass::kEqualPayload);
  const auto companion = static_cast<std::size_t>(SavingsClass::kCompanion);
  for (const SavingsByClass& sums :
       {second.totals(), second.by_host().at("a"), second.by_media_type().at("image/png")}) {
    EXPECT_EQ(sums[equal].records, 2U);
    EXPECT_EQ(sums[equal].bytes_before, 200U);
    EXPECT_EQ(sums[equal].bytes_after, 160U);
  }
  EXPECT_EQ(second.totals()[companion].bytes_before, 100U);
  EXPECT_EQ(second.by_host().at("a")[companion].records, 0U);
  EXPECT_EQ(second.by_host().at("b")[companion].bytes_after, 0U);
}

TEST(RecordSavings, TravelsAsBytes) {
  RecordSavings savings;
  savings.add(SavingsClass::kEqualPayload, response("http://a/", "image/png"), 30);
  savings.add(SavingsClass::kKept, response("http://b/", "x/y"), 100);
  std::string bytes;
  ByteWriter out(bytes);
  savings.encode(out);
  ByteReader in(bytes);
  const RecordSavings read = RecordSavings::decode(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  ASSERT_EQ(read.by_host().size(), 2U);
  EXPECT_EQ(read.by_media_type().at("x/y")[static_cast<std::size_t>(SavingsClass::kKept)].bytes_before, 100U);
  std::string again;
  ByteWriter out_again(again);
  read.encode(out_again);
  EXPECT_EQ(again, bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader cut(std::string_view(bytes).substr(0, size));
    RecordSavings::decode(cut);
    EXPECT_FALSE(cut.ok()) << size;
  }
  std::string many(3 * kSavingsClassCount, '\0');
  many += "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01";  // rows
  ByteReader in_many(many);
  RecordSavings::decode(in_many);
  EXPECT_FALSE(in_many.ok());
}

}  // namespace
}  // namespace paraprint
