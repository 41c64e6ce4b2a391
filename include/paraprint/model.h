// The values that travel from stage to stage. Plain data: no stage, no file and no setting lives here.
//
//   RawRecord --decode--> Page --extract--> MainContent --segment--> Paragraphs --feature, fingerprint--> Profile
//   Profile x Profile --verify--> Match --cluster--> Cluster
//
// All text is UTF-8. All offsets and lengths are bytes unless a name says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace paraprint {

// ---------------------------------------------------------------------------------------------------------------------
// Input

// Where a record stands in the input. `file_index` counts the run's input files in the order of their paths.
struct RecordLocation {
  std::uint32_t file_index = 0;
  std::uint64_t ordinal = 0;       // records of the same file before this one
  std::uint64_t offset_bytes = 0;  // of the stored record: in the compressed file when each record is its own member
  std::uint64_t length_bytes = 0;  // of the stored record, 0 when it can't be addressed alone (a stream of one member)
};

enum class PageFormat : std::uint8_t { kHtml, kPlainText };

// A fetched document after transfer and content encodings are undone. `body` still has the page's own charset.
struct Page {
  std::string id;            // unique in a run
  std::string url;           // empty if unknown
  std::string date;          // "2024-05-01T10:00:00Z", empty if unknown
  std::string content_type;  // as the server or the data set said it, with charset; empty if unknown
  PageFormat format = PageFormat::kHtml;
  bool body_is_utf8 = false;  // the container guarantees it (JSON, WET): charset detection is skipped
  std::string body;
  RecordLocation location;
};

// ---------------------------------------------------------------------------------------------------------------------
// Content

enum class BlockRole : std::uint8_t {  // persisted in profiles: never renumber
  kParagraph = 0,
  kHeading = 1,
  kListItem = 2,
  kTableRow = 3,
  kQuote = 4,
  kCode = 5,
  kTitle = 6,
};

struct TextSpan {
  std::uint32_t begin_bytes = 0;
  std::uint32_t end_bytes = 0;
  std::uint32_t size_bytes() const { return end_bytes - begin_bytes; }
};

// One block of main content. Its text has no line end except in code, and no leading or trailing white space.
struct TextBlock {
  TextSpan span;  // in MainContent::text
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t heading_level = 0;  // 1 to 6 for headings
  std::uint8_t list_level = 0;     // depth of list nesting, 0 outside lists
};

// What a reader came for: blocks in document order, each followed by one line end in `text`.
struct MainContent {
  std::string title;  // <title> or the first heading, for reports; not part of the text
  std::string text;
  std::vector<TextBlock> blocks;
  void clear() {
    title.clear();
    text.clear();
    blocks.clear();
  }
};

// A unit of comparison: one or several blocks, or a part of one (algorithms.md 19).
struct Paragraph {
  TextSpan span;  // in MainContent::text
  BlockRole role = BlockRole::kParagraph;
  bool after_heading = false;
  std::uint8_t list_level = 0;
  std::uint32_t content_characters = 0;  // letters and digits
};

// ---------------------------------------------------------------------------------------------------------------------
// Fingerprints

struct Fingerprint128 {
  std::uint64_t high = 0;  // bit 1 of the definition is the top bit of `high`
  std::uint64_t low = 0;
  friend bool operator==(const Fingerprint128&, const Fingerprint128&) = default;
  friend auto operator<=>(const Fingerprint128&, const Fingerprint128&) = default;
};

struct SentenceProfile {
  std::uint64_t hash = 0;                // of the sentence's content characters; equal text means equal hash
  TextSpan span;                         // in the extracted text, for evidence
  std::uint16_t content_characters = 0;  // saturating
  std::uint16_t paragraph = 0;           // index into Profile::paragraphs
  bool is_anchor = false;                // among the heaviest sentences of its paragraph: used to find candidates
};

struct ParagraphProfile {
  Fingerprint128 simhash;  // meaningless when !has_simhash
  std::uint64_t hash = 0;  // of the paragraph's content characters
  std::uint32_t content_characters = 0;
  TextSpan span;  // in the extracted text, for evidence
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t list_level = 0;
  bool after_heading = false;
  bool has_simhash = false;  // enough distinct words for a distance to mean something
};

// A page's text as a whole, whatever its paragraphs: what two texts still share when every sentence of them was
// touched.
struct PageSketch {
  static constexpr std::size_t kPairHashes = 128;
  static constexpr std::size_t kNumbersKept = 24;

  // Lowest bytes of the min-hashes of all ordered pairs of words one or two places apart (b-bit MinHash): the share of
  // equal ones estimates the Jaccard similarity of the pairs. Empty when there are too few words to mean something,
  // else kPairHashes long.
  std::vector<std::uint8_t> pair_hashes;
  // The numbers that the text names, as hashes: the smallest kNumbersKept of them, rising.
  std::vector<std::uint32_t> numbers;
  std::uint32_t number_count = 0;  // distinct ones, kept or not

  friend bool operator==(const PageSketch&, const PageSketch&) = default;
};

// Everything kept of one page for comparison. docs/formats/profile.md gives its byte form.
struct Profile {
  std::array<std::uint64_t, 2> text_hash{};  // of all content characters: equal means verdict `same`
  std::uint32_t content_characters = 0;      // 0: EMPTY, never compared
  std::vector<ParagraphProfile> paragraphs;
  std::vector<SentenceProfile> sentences;  // in text order
  PageSketch sketch;
};

// ---------------------------------------------------------------------------------------------------------------------
// Answers

enum class Verdict : std::uint8_t {  // persisted: never renumber. Read "a is ... b".
  kDistinct = 0,
  kSame = 1,
  kNear = 2,
  kContained = 3,
  kContains = 4,
  kOverlap = 5,
};

// A stretch of a that stands in b. `distance_bits` is 0 for equal text.
struct MatchedSpan {
  TextSpan a;
  TextSpan b;
  std::uint16_t paragraph_a = 0;
  std::uint16_t paragraph_b = 0;
  std::uint8_t distance_bits = 0;
  bool is_sentence = false;  // a sentence of paragraphs that do not match as a whole
};

// A verified pair with its scores in [0, 1].
struct Match {
  std::uint32_t page_a = 0;  // page_a < page_b
  std::uint32_t page_b = 0;
  Verdict verdict = Verdict::kDistinct;
  float resemblance = 0;
  float containment_a = 0;  // share of a that stands in b
  float containment_b = 0;
  float matched_characters = 0;
};

}  // namespace paraprint
