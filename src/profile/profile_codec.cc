// Profiles dominate the page log, so the form is dense: what follows from the sentences is left out, positions are
// stored as gaps, and sizes as differences from what the number of characters lets expect. In CJK text a character is
// close to three bytes and in English a little over one, so a page's average predicts most sentences within 15 bytes.
//
// Every profile has exactly one byte form. Readers enforce that, so bytes can be compared and hashed in place of
// values.
#include "profile/profile_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"

namespace paraprint::inline profile {
namespace {

// Flags of a paragraph. Persisted.
constexpr std::uint8_t kRoleMask = 0x07;
constexpr std::uint8_t kAfterHeading = 0x08;
constexpr std::uint8_t kHasSimHash = 0x10;
constexpr std::uint8_t kInList = 0x20;
constexpr std::uint8_t kFollowsFromSentences = 0x40;  // span and size are those of the sentences: not stored
constexpr std::uint8_t kIsOneSentence = 0x80;         // one sentence, with the hash of the paragraph

// The first byte of a sentence after its hash: anchor, gap, size. Persisted.
constexpr std::uint8_t kAnchor = 0x01;
constexpr unsigned kGapShift = 1;
constexpr std::uint32_t kGapMask = 3;  // this value: the rest of a longer gap follows
constexpr unsigned kExcessShift = 3;
constexpr std::int64_t kExcessMaximum = 15;      // largest difference, either way, that fits the shape byte
constexpr std::uint8_t kOtherExcess = 31;        // a larger difference follows
constexpr std::uint64_t kFirstOtherExcess = 31;  // the smallest of these, folded

// Bytes per character are stored in units of 1/32, at most 255 of them: nearly eight bytes per character.
constexpr std::uint64_t kBytesParts = 32;
constexpr std::uint64_t kBytesPartsMaximum = 255;

constexpr std::uint64_t kParagraphsLimit = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kOffsetLimit = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kSentenceCharactersLimit = std::uint64_t{1} << 16;

// The fewest bytes that a paragraph and a sentence can take. A count that the remaining bytes cannot hold is rejected
// before anything is allocated for it.
constexpr std::size_t kSmallestParagraphBytes = 11;
constexpr std::size_t kSmallestSentenceBytes = 10;

using Sentences = std::span<const SentenceProfile>;

// Average bytes per content character over the sentences of a page; sizes are stored as differences from what it
// predicts. Integers only, so that writer and reader predict the same on every machine.
class BytesOfCharacters {
 public:
  BytesOfCharacters() = default;
  explicit BytesOfCharacters(std::uint8_t parts) : parts_(parts) {}
  explicit BytesOfCharacters(Sentences sentences) {
    std::uint64_t bytes = 0;
    std::uint64_t characters = 0;
    for (const SentenceProfile& sentence : sentences) {
      bytes += sentence.span.size_bytes();
      characters += sentence.content_characters;
    }
    if (characters == 0) return;
    parts_ =
        static_cast<std::uint8_t>(std::min(kBytesPartsMaximum, (bytes * kBytesParts + characters / 2) / characters));
  }
  std::uint8_t parts() const { return parts_; }
  std::int64_t expected_bytes(std::uint64_t characters) const {
    return static_cast<std::int64_t>(characters * parts_ / kBytesParts);
  }

 private:
  std::uint8_t parts_ = 0;
};

// Maps 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ... (zigzag), so that small differences of either sign take one byte.
std::uint64_t folded(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t unfolded(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// The two predicates decide what encoding leaves out. Decoding asks them again about its result, to reject a profile
// that stores what could have been left out.
bool follows_from_sentences(const ParagraphProfile& paragraph, Sentences sentences) {
  if (sentences.empty()) return false;
  std::uint64_t characters = 0;
  for (const SentenceProfile& sentence : sentences) characters += sentence.content_characters;
  return characters == paragraph.content_characters &&
         paragraph.span.begin_bytes == sentences.front().span.begin_bytes &&
         paragraph.span.end_bytes == sentences.back().span.end_bytes;
}

// Its hash equals that of the paragraph, so one of the two is not stored.
bool is_one_sentence(const ParagraphProfile& paragraph, Sentences sentences) {
  return sentences.size() == 1 && sentences.front().hash == paragraph.hash;
}

// `at` is the end of what came before: of the previous sentence, or of where the paragraph begins.
void encode_sentence(const SentenceProfile& sentence, bool with_hash, const BytesOfCharacters& usual, std::uint32_t& at,
                     ByteWriter& writer) {
  PARAPRINT_ASSERT(sentence.span.begin_bytes >= at && sentence.span.end_bytes >= sentence.span.begin_bytes);
  if (with_hash) writer.fixed(sentence.hash);
  const std::uint32_t gap = sentence.span.begin_bytes - at;
  const std::int64_t excess =
      std::int64_t{sentence.span.size_bytes()} - usual.expected_bytes(sentence.content_characters);
  const bool is_usual = excess >= -kExcessMaximum && excess <= kExcessMaximum;
  const auto excess_bits = is_usual ? static_cast<std::uint32_t>(excess + kExcessMaximum) : kOtherExcess;
  writer.fixed(static_cast<std::uint8_t>((sentence.is_anchor ? kAnchor : 0) | std::min(gap, kGapMask) << kGapShift |
                                         excess_bits << kExcessShift));
  writer.variable(sentence.content_characters);
  if (gap >= kGapMask) writer.variable(gap - kGapMask);
  if (!is_usual) writer.variable(folded(excess) - kFirstOtherExcess);
  at = sentence.span.end_bytes;
}

// `at` is the end of the previous paragraph on entry, and the end of this one on return.
void encode_paragraph(const ParagraphProfile& paragraph, Sentences sentences, const BytesOfCharacters& usual,
                      std::uint32_t& at, ByteWriter& writer) {
  const bool follows = follows_from_sentences(paragraph, sentences);
  const bool is_one = is_one_sentence(paragraph, sentences);
  const int flags = static_cast<int>(paragraph.role) | (paragraph.after_heading ? kAfterHeading : 0) |
                    (paragraph.has_simhash ? kHasSimHash : 0) | (paragraph.list_level > 0 ? kInList : 0) |
                    (follows ? kFollowsFromSentences : 0) | (is_one ? kIsOneSentence : 0);
  writer.fixed(static_cast<std::uint8_t>(flags));
  if (paragraph.list_level > 0) writer.fixed(paragraph.list_level);
  writer.fixed(paragraph.hash);
  if (paragraph.has_simhash) {
    writer.fixed(paragraph.simhash.high);
    writer.fixed(paragraph.simhash.low);
  }
  if (!follows) {
    PARAPRINT_ASSERT(paragraph.span.begin_bytes >= at && paragraph.span.end_bytes >= paragraph.span.begin_bytes);
    writer.variable(paragraph.content_characters);
    writer.variable(paragraph.span.begin_bytes - at);
    writer.variable(paragraph.span.size_bytes());
    at = paragraph.span.begin_bytes;
  }
  if (!is_one) writer.variable(sentences.size());
  for (const SentenceProfile& sentence : sentences) encode_sentence(sentence, !is_one, usual, at, writer);
  PARAPRINT_ASSERT(at <= paragraph.span.end_bytes);
  at = paragraph.span.end_bytes;
}

// Arithmetic is in 64 bits and checked against kOffsetLimit before it is narrowed: every field may be hostile.
SentenceProfile decode_sentence(std::uint64_t hash, const BytesOfCharacters& usual, std::uint32_t& at,
                                ByteReader& reader) {
  SentenceProfile sentence;
  sentence.hash = hash;
  const auto shape = reader.fixed<std::uint8_t>();
  sentence.is_anchor = (shape & kAnchor) != 0;
  const std::uint64_t characters = reader.variable_below(kSentenceCharactersLimit);
  sentence.content_characters = static_cast<std::uint16_t>(characters);
  std::uint64_t gap = shape >> kGapShift & kGapMask;
  if (gap == kGapMask) gap += reader.variable_below(kOffsetLimit);
  std::int64_t excess = std::int64_t{shape >> kExcessShift} - kExcessMaximum;
  if (shape >> kExcessShift == kOtherExcess) {
    excess = unfolded(reader.variable_below(2 * kOffsetLimit) + kFirstOtherExcess);
  }
  const std::int64_t size = usual.expected_bytes(characters) + excess;
  const std::uint64_t begin = at + gap;
  if (size < 0 || begin + static_cast<std::uint64_t>(size) >= kOffsetLimit) {
    reader.fail();
    return {};
  }
  at = static_cast<std::uint32_t>(begin + static_cast<std::uint64_t>(size));
  sentence.span = {static_cast<std::uint32_t>(begin), at};
  return sentence;
}

// Appends the sentences of the last paragraph of `profile`.
void decode_sentences(bool is_one, const BytesOfCharacters& usual, std::uint32_t& at, ByteReader& reader,
                      Profile& profile) {
  const auto paragraph = static_cast<std::uint16_t>(profile.paragraphs.size() - 1);
  const std::uint64_t count = is_one ? 1 : reader.variable();
  if (!is_one && count > reader.left_bytes() / kSmallestSentenceBytes) return reader.fail();
  for (std::uint64_t s = 0; s < count && reader.ok(); ++s) {
    const std::uint64_t hash = is_one ? profile.paragraphs.back().hash : reader.fixed<std::uint64_t>();
    profile.sentences.push_back(decode_sentence(hash, usual, at, reader));
    profile.sentences.back().paragraph = paragraph;
  }
}

// Mirrors encode_paragraph(). Every early return marks the reader as failed, which decode_profile() reports.
void decode_paragraph(const BytesOfCharacters& usual, std::uint32_t& at, ByteReader& reader, Profile& profile) {
  const auto flags = reader.fixed<std::uint8_t>();
  if ((flags & kRoleMask) > static_cast<std::uint8_t>(BlockRole::kTitle)) return reader.fail();
  ParagraphProfile& paragraph = profile.paragraphs.emplace_back();
  paragraph.role = static_cast<BlockRole>(flags & kRoleMask);
  paragraph.after_heading = (flags & kAfterHeading) != 0;
  paragraph.has_simhash = (flags & kHasSimHash) != 0;
  if ((flags & kInList) != 0) {
    paragraph.list_level = reader.fixed<std::uint8_t>();
    if (paragraph.list_level == 0) return reader.fail();
  }
  paragraph.hash = reader.fixed<std::uint64_t>();
  if (paragraph.has_simhash) {
    paragraph.simhash.high = reader.fixed<std::uint64_t>();
    paragraph.simhash.low = reader.fixed<std::uint64_t>();
  }
  const bool follows = (flags & kFollowsFromSentences) != 0;
  if (!follows) {
    paragraph.content_characters = static_cast<std::uint32_t>(reader.variable_below(kOffsetLimit));
    const std::uint64_t begin = at + reader.variable_below(kOffsetLimit);
    const std::uint64_t end = begin + reader.variable_below(kOffsetLimit);
    if (end >= kOffsetLimit) return reader.fail();
    paragraph.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    at = paragraph.span.begin_bytes;
  }
  const std::size_t first = profile.sentences.size();
  const bool is_one = (flags & kIsOneSentence) != 0;
  decode_sentences(is_one, usual, at, reader, profile);
  const Sentences sentences = Sentences(profile.sentences).subspan(first);
  if (!reader.ok() || (follows && sentences.empty())) return reader.fail();
  if (follows) {
    std::uint64_t characters = 0;
    for (const SentenceProfile& sentence : sentences) characters += sentence.content_characters;
    if (characters >= kOffsetLimit) return reader.fail();
    paragraph.content_characters = static_cast<std::uint32_t>(characters);
    paragraph.span = {sentences.front().span.begin_bytes, at};
  }
  // Each profile has only one form: what follows from the sentences must not be stored.
  const bool is_shortest =
      follows == follows_from_sentences(paragraph, sentences) && is_one == is_one_sentence(paragraph, sentences);
  if (!is_shortest || at > paragraph.span.end_bytes) return reader.fail();
  at = paragraph.span.end_bytes;
}

// The presence of pair hashes shares a number with the count of numbers.
void encode_sketch(const PageSketch& sketch, ByteWriter& writer) {
  PARAPRINT_ASSERT(sketch.pair_hashes.empty() || sketch.pair_hashes.size() == PageSketch::kPairHashes);
  PARAPRINT_ASSERT(sketch.numbers.size() == std::min<std::size_t>(sketch.number_count, PageSketch::kNumbersKept));
  writer.variable(std::uint64_t{sketch.number_count} << 1 | (sketch.pair_hashes.empty() ? 0 : 1));
  for (const std::uint8_t hash : sketch.pair_hashes) writer.fixed(hash);
  for (const std::uint32_t number : sketch.numbers) writer.fixed(number);
}

// The number of stored numbers follows from the count; they must ascend strictly, like those of a sketch.
void decode_sketch(ByteReader& reader, PageSketch& sketch) {
  const std::uint64_t count_and_pairs = reader.variable_below(2 * kOffsetLimit);
  sketch.number_count = static_cast<std::uint32_t>(count_and_pairs >> 1);
  if ((count_and_pairs & 1) != 0) {
    const std::string_view hashes = reader.bytes(PageSketch::kPairHashes);
    sketch.pair_hashes.assign(hashes.begin(), hashes.end());
  }
  const std::size_t kept = std::min<std::size_t>(sketch.number_count, PageSketch::kNumbersKept);
  for (std::size_t i = 0; i < kept; ++i) {
    const auto number = reader.fixed<std::uint32_t>();
    if (i > 0 && number <= sketch.numbers.back()) return reader.fail();
    sketch.numbers.push_back(number);
  }
}

tl::unexpected<Error> no_profile(std::size_t size_bytes) {
  return failure(ErrorCode::kCorruptData,
                 fmt::format("{} bytes are not a profile of format {}", size_bytes, kProfileFormatVersion));
}

// The version is read first and alone decides whether the rest can be understood.
Status decode_head(ByteReader& reader, std::size_t size_bytes, Profile& profile) {
  const auto version = reader.fixed<std::uint8_t>();
  if (reader.ok() && version != kProfileFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("profile of format {}; this build reads format {}: make the profile again from its page",
                               version, kProfileFormatVersion));
  }
  profile.text_hash[0] = reader.fixed<std::uint64_t>();
  profile.text_hash[1] = reader.fixed<std::uint64_t>();
  profile.content_characters = static_cast<std::uint32_t>(reader.variable_below(kOffsetLimit));
  if (reader.ok()) return {};
  profile = Profile{};
  return no_profile(size_bytes);
}

}  // namespace

// Sentences are in one array, sorted by paragraph; one pass hands each paragraph its share. The final assertion catches
// sentences that belong to no paragraph, which would otherwise be lost silently.
void encode_profile(const Profile& profile, std::string& out) {
  PARAPRINT_ASSERT(profile.paragraphs.size() < kParagraphsLimit);
  ByteWriter writer(out);
  writer.fixed(kProfileFormatVersion);
  writer.fixed(profile.text_hash[0]);
  writer.fixed(profile.text_hash[1]);
  writer.variable(profile.content_characters);
  writer.variable(profile.paragraphs.size());
  const BytesOfCharacters usual((Sentences(profile.sentences)));
  writer.fixed(usual.parts());
  std::uint32_t at = 0;
  std::size_t next_sentence = 0;
  for (std::size_t p = 0; p < profile.paragraphs.size(); ++p) {
    const std::size_t first = next_sentence;
    while (next_sentence < profile.sentences.size() && profile.sentences[next_sentence].paragraph == p) ++next_sentence;
    const Sentences sentences = Sentences(profile.sentences).subspan(first, next_sentence - first);
    encode_paragraph(profile.paragraphs[p], sentences, usual, at, writer);
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
  // Keep the vectors' memory: passes over the log decode millions of profiles into one object.
  std::vector<ParagraphProfile> paragraphs = std::move(profile.paragraphs);
  std::vector<SentenceProfile> sentences = std::move(profile.sentences);
  paragraphs.clear();
  sentences.clear();
  profile = Profile{};
  profile.paragraphs = std::move(paragraphs);
  profile.sentences = std::move(sentences);
  ByteReader reader(bytes);
  PARAPRINT_TRY(decode_head(reader, bytes.size(), profile));
  const std::uint64_t count = reader.variable_below(kParagraphsLimit);
  if (count > reader.left_bytes() / kSmallestParagraphBytes) reader.fail();
  const BytesOfCharacters usual(reader.fixed<std::uint8_t>());
  std::uint32_t at = 0;
  for (std::uint64_t p = 0; p < count && reader.ok(); ++p) decode_paragraph(usual, at, reader, profile);
  // The average follows from the sentences too: another value would be a second form of the same profile.
  if (BytesOfCharacters(Sentences(profile.sentences)).parts() != usual.parts()) reader.fail();
  decode_sketch(reader, profile.sketch);
  if (reader.ok() && reader.at_end()) return {};
  profile = Profile{};
  return no_profile(bytes.size());
}

}  // namespace paraprint::inline profile
