// Decoders for HTTP bodies. Compressed input is made by zlib and libzstd, Brotli's by hand.
#include "http/content_coding.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "../compressed.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kLimit = 1 << 20;

TEST(Chunked, JoinsChunks) {
  EXPECT_EQ(decode_chunked("5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n").bytes, "hello world");
  EXPECT_EQ(decode_chunked("5\nhello\n 6 \n world\n0\n").bytes, "hello world");
  EXPECT_EQ(decode_chunked("A\r\n0123456789\r\n000\r\nTrailer: x\r\n\r\n").bytes, "0123456789");
  EXPECT_EQ(decode_chunked("0\r\n\r\n").state, Decoded::Outcome::kComplete);
}

TEST(Chunked, KeepsReadablePartOfBrokenChunks) {
  const auto check = [](std::string_view body, std::string_view bytes) {
    const Decoded decoded = decode_chunked(body);
    EXPECT_EQ(decoded.state, Decoded::Outcome::kDamaged) << body;
    EXPECT_EQ(decoded.bytes, bytes) << body;
  };
  check("<html>not chunked", "");
  check("", "");
  check("5\r\nhel", "hel");
  check("5\r\nhello\r\nrest is plain", "hellorest is plain");
  check("5\r\nhello", "hello");
  check("ffffffffffffffffff\r\nx", "");
  check("7fffffffffffffff", "");
}

TEST(ContentCoding, RecognisesNames) {
  EXPECT_EQ(content_coding("GZIP"), ContentCoding::kGzip);
  EXPECT_EQ(content_coding(" x-gzip "), ContentCoding::kGzip);
  EXPECT_EQ(content_coding("br"), ContentCoding::kBrotli);
  EXPECT_EQ(content_coding(""), ContentCoding::kIdentity);
  EXPECT_EQ(content_coding("UTF-8"), ContentCoding::kIdentity);
  EXPECT_EQ(content_coding("compress"), ContentCoding::kUnknown);
}

TEST(ContentCoding, DecodesGzipDeflateAndZstd) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(decode_content(ContentCoding::kGzip, gzip(text), kLimit).bytes, text);
  EXPECT_EQ(decode_content(ContentCoding::kGzip, gzip(text) + gzip("more"), kLimit).bytes, text + "more");
  EXPECT_EQ(decode_content(ContentCoding::kGzip, gzip(text) + "junk", kLimit).bytes, text);
  EXPECT_EQ(decode_content(ContentCoding::kZstd, zstd(text) + zstd("more"), kLimit).bytes, text + "more");
  const std::string member = gzip(text);
  const std::string raw = member.substr(10, member.size() - 18);
  EXPECT_EQ(decode_content(ContentCoding::kDeflate, raw, kLimit).bytes, text);
  std::string zlib(::compressBound(100'000), '\0');
  uLongf size = zlib.size();
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(zlib.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                       text.size()),
            Z_OK);
  zlib.resize(size);
  EXPECT_EQ(decode_content(ContentCoding::kDeflate, zlib, kLimit).bytes, text);
}

TEST(ContentCoding, DecodesBrotli) {
  // "brotli" as one uncompressed meta-block: window bits 16, length 6.
  const std::string stored = std::string("\x0b\x02\x80", 3) + "hello" + "\x03";
  const Decoded decoded = decode_content(ContentCoding::kBrotli, stored, kLimit);
  EXPECT_EQ(decoded.state, Decoded::Outcome::kComplete);
  EXPECT_EQ(decoded.bytes, "hello");
  EXPECT_EQ(decode_content(ContentCoding::kBrotli, stored.substr(0, 4), kLimit).state, Decoded::Outcome::kDamaged);
}

TEST(ContentCoding, ReturnsContentBeforeDamage) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919);
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    const std::string stored = coding == ContentCoding::kGzip ? gzip(text) : zstd(text);
    const Decoded decoded = decode_content(coding, stored.substr(0, stored.size() - 20), kLimit);
    EXPECT_EQ(decoded.state, Decoded::Outcome::kDamaged);
    EXPECT_EQ(decoded.bytes, text.substr(0, decoded.bytes.size()));
    EXPECT_TRUE(coding == ContentCoding::kZstd || decoded.bytes.size() > text.size() / 2);
  }
  EXPECT_EQ(decode_content(ContentCoding::kGzip, "<html>", kLimit).state, Decoded::Outcome::kDamaged);
}

TEST(ContentCoding, StopsAtTheLimit) {
  const std::string text(3 * kLimit, 'x');
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    const std::string stored = coding == ContentCoding::kGzip ? gzip(text) : zstd(text);
    const Decoded decoded = decode_content(coding, stored, kLimit);
    EXPECT_EQ(decoded.state, Decoded::Outcome::kTooLarge);
    EXPECT_EQ(decoded.bytes, text.substr(0, kLimit));
  }
}

}  // namespace
}  // namespace paraprint
