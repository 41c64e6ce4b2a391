#include "engine/profile_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/byte_codec.h"

namespace paraprint {
namespace {

// Flags of a paragraph. Persisted.
constexpr std::uint8_t kRoleMask = 0x07;
constexpr std::uint8_t kAfterHeading = 0x08;
constexpr std::uint8_t kHasSimHash = 0x10;
constexpr std::uint8_t kInList = 0x20;

// Flag of a sketch. Persisted.
constexpr std::uint8_t kHasPairs = 0x01;

constexpr std::uint64_t kParagraphsLimit = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kOffsetLimit = std::numeric_limits<std::uint32_t>::max();

// The fewest bytes a paragraph and a sentence can take: bounds what a count may make us reserve.
constexpr std::size_t kSmallestParagraphBytes = 13;
constexpr std::size_t kSmallestSentenceBytes = 11;

void encode_span(TextSpan span, std::uint32_t& previous_begin, ByteWriter& writer) {
  PARAPRINT_ASSERT(span.begin_bytes >= previous_begin && span.end_bytes >= span.begin_bytes);
  writer.variable(span.begin_bytes - previous_begin);
  writer.variable(span.size_bytes());
  previous_begin = span.begin_bytes;
}

TextSpan decode_span(std::uint32_t& previous_begin, ByteReader& reader) {
  const std::uint64_t begin = previous_begin + reader.variable_below(kOffsetLimit);
  const std::uint64_t end = begin + reader.variable_below(kOffsetLimit);
  if (end >= kOffsetLimit) {
    reader.fail();
    return {};
  }
  previous_begin = static_cast<std::uint32_t>(begin);
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

void decode_paragraph(ByteReader& reader, std::uint32_t& previous_begin, ParagraphProfile& paragraph) {
  const auto flags = reader.fixed<std::uint8_t>();
  if ((flags & kRoleMask) > static_cast<std::uint8_t>(BlockRole::kTitle)) return reader.fail();
  paragraph.role = static_cast<BlockRole>(flags & kRoleMask);
  paragraph.after_heading = (flags & kAfterHeading) != 0;
  paragraph.has_simhash = (flags & kHasSimHash) != 0;
  if ((flags & kInList) != 0) paragraph.list_level = reader.fixed<std::uint8_t>();
  paragraph.hash = reader.fixed<std::uint64_t>();
  if (paragraph.has_simhash) {
    paragraph.simhash.high = reader.fixed<std::uint64_t>();
    paragraph.simhash.low = reader.fixed<std::uint64_t>();
  }
  paragraph.content_characters = static_cast<std::uint32_t>(reader.variable_below(kOffsetLimit));
  paragraph.span = decode_span(previous_begin, reader);
}

void decode_sentences(ByteReader& reader, std::uint16_t paragraph, std::uint32_t& previous_begin, Profile& profile) {
  const std::uint64_t count = reader.variable();
  if (count > reader.left_bytes() / kSmallestSentenceBytes) return reader.fail();
  for (std::uint64_t s = 0; s < count && reader.ok(); ++s) {
    SentenceProfile sentence;
    sentence.paragraph = paragraph;
    sentence.hash = reader.fixed<std::uint64_t>();
    const std::uint64_t characters_and_anchor = reader.variable_below(std::uint64_t{1} << 17);
    sentence.content_characters = static_cast<std::uint16_t>(characters_and_anchor >> 1);
    sentence.is_anchor = (characters_and_anchor & 1) != 0;
    sentence.span = decode_span(previous_begin, reader);
    profile.sentences.push_back(sentence);
  }
}

void encode_sketch(const PageSketch& sketch, ByteWriter& writer) {
  PARAPRINT_ASSERT(sketch.pair_hashes.empty() || sketch.pair_hashes.size() == PageSketch::kPairHashes);
  PARAPRINT_ASSERT(sketch.numbers.size() == std::min<std::size_t>(sketch.number_count, PageSketch::kNumbersKept));
  writer.fixed(static_cast<std::uint8_t>(sketch.pair_hashes.empty() ? 0 : kHasPairs));
  for (const std::uint8_t hash : sketch.pair_hashes) writer.fixed(hash);
  writer.variable(sketch.number_count);
  for (const std::uint32_t number : sketch.numbers) writer.fixed(number);
}

void decode_sketch(ByteReader& reader, PageSketch& sketch) {
  const auto flags = reader.fixed<std::uint8_t>();
  if (flags > kHasPairs) return reader.fail();
  if (flags == kHasPairs && reader.ok()) {
    for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) {
      sketch.pair_hashes.push_back(reader.fixed<std::uint8_t>());
    }
  }
  sketch.number_count = static_cast<std::uint32_t>(reader.variable_below(kOffsetLimit));
  const std::size_t kept = std::min<std::size_t>(sketch.number_count, PageSketch::kNumbersKept);
  for (std::size_t i = 0; i < kept; ++i) {
    const auto number = reader.fixed<std::uint32_t>();
    if (i > 0 && number <= sketch.numbers.back()) return reader.fail();  // they rise
    sketch.numbers.push_back(number);
  }
}

tl::unexpected<Error> no_profile(std::size_t size_bytes) {
  return failure(ErrorCode::kCorruptData,
                 fmt::format("{} bytes are no profile of format {}", size_bytes, kProfileFormatVersion));
}

Status decode_head(ByteReader& reader, std::size_t size_bytes, Profile& profile) {
  const auto version = reader.fixed<std::uint8_t>();
  if (reader.ok() && version != kProfileFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("profile of format {}; this build reads format {}", version, kProfileFormatVersion));
  }
  profile.text_hash[0] = reader.fixed<std::uint64_t>();
  profile.text_hash[1] = reader.fixed<std::uint64_t>();
  profile.content_characters = static_cast<std::uint32_t>(reader.variable_below(kOffsetLimit));
  if (reader.ok()) return {};
  profile = Profile{};
  return no_profile(size_bytes);
}

}  // namespace

void encode_profile(const Profile& profile, std::string& out) {
  PARAPRINT_ASSERT(profile.paragraphs.size() < kParagraphsLimit);
  ByteWriter writer(out);
  writer.fixed(kProfileFormatVersion);
  writer.fixed(profile.text_hash[0]);
  writer.fixed(profile.text_hash[1]);
  writer.variable(profile.content_characters);
  writer.variable(profile.paragraphs.size());
  std::uint32_t paragraph_begin = 0;
  std::uint32_t sentence_begin = 0;
  std::size_t next_sentence = 0;
  for (std::size_t p = 0; p < profile.paragraphs.size(); ++p) {
    const ParagraphProfile& paragraph = profile.paragraphs[p];
    const int flags = static_cast<int>(paragraph.role) | (paragraph.after_heading ? kAfterHeading : 0) |
                      (paragraph.has_simhash ? kHasSimHash : 0) | (paragraph.list_level > 0 ? kInList : 0);
    writer.fixed(static_cast<std::uint8_t>(flags));
    if (paragraph.list_level > 0) writer.fixed(paragraph.list_level);
    writer.fixed(paragraph.hash);
    if (paragraph.has_simhash) {
      writer.fixed(paragraph.simhash.high);
      writer.fixed(paragraph.simhash.low);
    }
    writer.variable(paragraph.content_characters);
    encode_span(paragraph.span, paragraph_begin, writer);
    std::size_t end = next_sentence;
    while (end < profile.sentences.size() && profile.sentences[end].paragraph == p) ++end;
    writer.variable(end - next_sentence);
    for (; next_sentence < end; ++next_sentence) {
      const SentenceProfile& sentence = profile.sentences[next_sentence];
      writer.fixed(sentence.hash);
      writer.variable(std::uint64_t{sentence.content_characters} << 1 | (sentence.is_anchor ? 1 : 0));
      encode_span(sentence.span, sentence_begin, writer);
    }
  }
  PARAPRINT_ASSERT(next_sentence == profile.sentences.size());
  encode_sketch(profile.sketch, writer);
}

Status decode_profile_head(std::string_view bytes, Profile& profile) {
  profile = Profile{};
  ByteReader reader(bytes);
  return decode_head(reader, bytes.size(), profile);
}

Status decode_profile(std::string_view bytes, Profile& profile) {
  // Memory of the last profile is used again.
  std::vector<ParagraphProfile> paragraphs = std::move(profile.paragraphs);
  std::vector<SentenceProfile> sentences = std::move(profile.sentences);
  paragraphs.clear();
  sentences.clear();
  profile = Profile{};
  profile.paragraphs = std::move(paragraphs);
  profile.sentences = std::move(sentences);
  ByteReader reader(bytes);
  if (Status head = decode_head(reader, bytes.size(), profile); !head) return head;
  const std::uint64_t count = reader.variable_below(kParagraphsLimit);
  if (count > reader.left_bytes() / kSmallestParagraphBytes) reader.fail();
  std::uint32_t paragraph_begin = 0;
  std::uint32_t sentence_begin = 0;
  for (std::uint64_t p = 0; p < count && reader.ok(); ++p) {
    ParagraphProfile paragraph;
    decode_paragraph(reader, paragraph_begin, paragraph);
    profile.paragraphs.push_back(paragraph);
    decode_sentences(reader, static_cast<std::uint16_t>(p), sentence_begin, profile);
  }
  decode_sketch(reader, profile.sketch);
  if (reader.ok() && reader.at_end()) return {};
  profile = Profile{};
  return no_profile(bytes.size());
}

}  // namespace paraprint
