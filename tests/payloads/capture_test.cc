// Keys and names of captures.
#include "payloads/capture.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "payloads/streamed_payload.h"

namespace paraprint {
namespace {

RawRecord response(std::string_view body, std::string_view coding = "") {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.id = "urn:test:1";
  record.url = "http://a.example/";
  record.date = "2024-05-01T10:00:00Z";
  record.is_http = true;
  record.payload = "HTTP/1.1 200 OK\r\n";
  if (!coding.empty()) record.payload.append("Content-Encoding: ").append(coding).append("\r\n");
  record.payload.append("\r\n").append(body);
  return record;
}

PayloadKey key_of(const RawRecord& record, PayloadDigest digest = PayloadDigest::kSha1) {
  return payload_key(record, target_of(record), digest);
}

TEST(PayloadKey, IsEqualForEqualPayloadsWithEqualCodings) {
  RawRecord other = response("body", "GZIP");
  other.url = "http://b.example/";
  other.payload.insert(other.payload.find("Content"), "Server: b\r\n");
  for (const PayloadDigest digest : {PayloadDigest::kSha1, PayloadDigest::kSha256}) {
    EXPECT_EQ(key_of(response("body", "gzip"), digest), key_of(other, digest));
    EXPECT_NE(key_of(response("body"), digest), key_of(response("Body"), digest));
    EXPECT_NE(key_of(response("body"), digest), key_of(other, digest));
    EXPECT_TRUE(key_of(response("body"), digest).has_digest_of(key_of(other, digest)));
  }
}

TEST(PayloadKey, DiffersForDifferentPayloadsOfOneSha1) {
  const RawRecord first = response("one");
  const RawRecord second = response("two");
  RevisitTarget forged = target_of(second);
  forged.payload_sha1 = target_of(first).payload_sha1;
  const PayloadKey key = payload_key(second, forged, PayloadDigest::kSha1);
  EXPECT_TRUE(key.has_digest_of(key_of(first)));
  EXPECT_NE(key, key_of(first));
}

TEST(PayloadKey, IsThatOfTheSamePayloadInPieces) {
  const std::string body(100'000, 'b');
  const RawRecord record = response(body);
  for (const PayloadDigest digest : {PayloadDigest::kSha1, PayloadDigest::kSha256}) {
    StreamedPayload streamed(digest);
    for (const std::size_t piece_bytes : {body.size(), std::size_t{1}, std::size_t{4097}}) {
      streamed.begin();
      streamed.add("cut off");  // a payload that did not lead to a record
      streamed.begin();
      for (std::size_t at = 0; at < body.size(); at += piece_bytes) streamed.add(body.substr(at, piece_bytes));
      EXPECT_EQ(streamed.size_bytes(), body.size());
      EXPECT_EQ(streamed.key(target_of(record)), key_of(record, digest));
    }
  }
}

TEST(PayloadKey, OfAListPrecedesThoseOfPayloadsWithItsDigest) {
  const RawRecord record = response("body");
  const std::array<std::uint8_t, 32> sha256_bytes = sha256("body");
  const std::string_view long_digest(reinterpret_cast<const char*>(sha256_bytes.data()), sha256_bytes.size());
  for (const auto& [digest, bytes] : {std::pair{PayloadDigest::kSha1, target_of(record).payload_sha1},
                                      std::pair{PayloadDigest::kSha256, std::string(long_digest)}}) {
    EXPECT_TRUE(listed_key(bytes).has_digest_of(key_of(record, digest)));
    EXPECT_LT(listed_key(bytes), key_of(record, digest));
  }
}

TEST(SecondsOf, CountsFrom1970) {
  EXPECT_EQ(seconds_of("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds_of("2024-02-29T12:34:56Z"), 1709210096);
  EXPECT_EQ(seconds_of("1969-12-31T23:59:59Z"), -1);
  for (const char* text :
       {"", "2024-02-30T00:00:00Z", "2024-02-29 12:34:56Z", "2024-02-29T12:34:56", "2024-0a-29T12:34:56Z"}) {
    EXPECT_FALSE(seconds_of(text)) << text;
  }
}

TEST(CaptureText, IsReadBackFromAnyPlace) {
  std::string bytes = "x";
  CaptureText{"http://a.example/", "target", 70'000}.append_to(bytes);
  const std::size_t second = bytes.size();
  CaptureText{"", "", 0}.append_to(bytes);
  const CaptureText first = CaptureText::decode(std::string_view(bytes).substr(1));
  EXPECT_EQ(first.url, "http://a.example/");
  EXPECT_EQ(first.target, "target");
  EXPECT_EQ(first.offset_bytes, 70'000U);
  EXPECT_EQ(CaptureText::decode(std::string_view(bytes).substr(second)).url, "");
}

TEST(NamesStatedBy, AreThoseThatPlayersLookUp) {
  RawRecord revisit;
  revisit.kind = RecordKind::kRevisit;
  revisit.url = "http://b.example/";
  revisit.payload_digest = "sha1:A";
  EXPECT_EQ(names_stated_by(revisit)[0], 0U);
  EXPECT_EQ(names_stated_by(revisit)[1], 0U);
  EXPECT_EQ(names_stated_by(revisit)[2], names_of("", "http://b.example/", "", "sha1:A")[2]);
  revisit.refers_to = "urn:test:1";
  revisit.refers_to_url = "http://a.example/";
  revisit.refers_to_date = "2024-05-01T10:00:00Z";
  const auto names = names_of("urn:test:1", "http://a.example/", "2024-05-01T10:00:00Z", "sha1:B");
  EXPECT_EQ(names_stated_by(revisit)[0], names[0]);
  EXPECT_EQ(names_stated_by(revisit)[1], names[1]);
  EXPECT_NE(names_stated_by(revisit)[2], names[2]);
}

}  // namespace
}  // namespace paraprint
