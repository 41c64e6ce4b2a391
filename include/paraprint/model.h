// The values passed from stage to stage. Plain data, independent of stages, files and settings.
//
//   RawRecord --decode--> Page --extract--> MainContent --segment--> Paragraphs --feature, fingerprint--> Profile
//   Profile x Profile --verify--> Match --cluster--> Cluster
//
// All text is UTF-8. All offsets and lengths are bytes unless a name says otherwise.
//
// Example:
//
//   Page page;
//   page.id = "a";
//   page.url = "https://example.org/";
//   page.body = "<p>The river rose through the night.</p>";
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paraprint {

// ---------------------------------------------------------------------------------------------------------------------
// Input

// The location of a record in the input.
struct RecordLocation {
  std::uint32_t file_index = 0;    // of the input file, in order of path
  std::uint64_t ordinal = 0;       // number of records before it in the file
  std::uint64_t offset_bytes = 0;  // of the stored record: in the compressed file if each record is its own member
  std::uint64_t length_bytes = 0;  // of the stored record; 0 if it cannot be addressed alone (a single-member stream)
};

enum class PageFormat : std::uint8_t { kHtml, kPlainText };

// A fetched document with transfer and content encodings removed. `body` is still in the page's own charset.
struct Page {
  std::string id;            // unique in a run
  std::string url;           // empty if unknown
  std::string date;          // "2024-05-01T10:00:00Z"; empty if unknown
  std::string made_from;     // of a WARC conversion record: the id of the record that it was made from
  std::string content_type;  // as given by the server or data set, with charset; empty if unknown
  PageFormat format = PageFormat::kHtml;
  bool body_is_utf8 = false;     // the container guarantees it (JSON, WET): charset detection is skipped
  bool has_id_of_place = false;  // it states no id: `id` says where it is, where pages of other inputs may be, too
  std::string body;
  RecordLocation location;
  std::optional<double> score = {};  // what the record says of its worth (ReadOptions::score_field); finite
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

// One block of main content. Its text has no newline except in code, and no leading or trailing white space.
struct TextBlock {
  TextSpan span;  // in MainContent::text
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t heading_level = 0;  // 1 to 6 for headings
  std::uint8_t list_level = 0;     // depth of list nesting, 0 outside lists
};

// The main content of a page, without navigation and boilerplate: blocks in document order, each followed by one
// newline in `text`.
struct MainContent {
  std::string title;  // <title> or the first heading; not part of the text
  std::string text;
  std::vector<TextBlock> blocks;
  void clear() {
    title.clear();
    text.clear();
    blocks.clear();
  }
};

// What a page says of itself (docs/extraction.md). Clean text of at most 512 bytes each; empty if unknown.
struct PageMetadata {
  std::string language;           // of the main content, by its text: "en"; "und" if it cannot be told
  std::string declared_language;  // by the page: its <html lang>
  std::string title;              // of the article; MainContent::title is that of the page
  std::string author;             // several are separated by ", "
  std::string site_name;
  std::string date_published;  // "2024-05-01" or "2024-05-01T10:00:00Z"
  std::string date_modified;   // likewise
  std::string source_name;     // of the text, as the page states it: "新华网"
  std::string source_url;      // absolute; of the source's page, or of its site
  std::string canonical_url;   // absolute, http or https
  std::string licence_url;     // likewise
};

// A unit of comparison: one or several blocks, or part of one (docs/algorithms/paragraph-segmentation.md).
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
  std::uint64_t high = 0;  // bit 1 of a fingerprint is the top bit of `high`
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
  bool has_simhash = false;  // whether there are enough distinct words for a meaningful distance
};

// A sketch of a page's whole text, independent of paragraphs: it still finds texts in which every sentence was edited.
struct PageSketch {
  static constexpr std::size_t kPairHashes = 128;
  static constexpr std::size_t kNumbersKept = 24;

  // Lowest bytes of the min-hashes of all ordered pairs of words one or two places apart (b-bit MinHash). The share of
  // equal bytes estimates the Jaccard similarity of the pairs. Has kPairHashes elements, or none if there are too few
  // words for a meaningful estimate.
  std::vector<std::uint8_t> pair_hashes;
  // Hashes of the numbers in the text: the smallest kNumbersKept, ascending.
  std::vector<std::uint32_t> numbers;
  std::uint32_t number_count = 0;  // distinct numbers, kept or not

  friend bool operator==(const PageSketch&, const PageSketch&) = default;
};

// The data kept of a page for comparison. docs/formats/profile.md describes its serialised form.
struct Profile {
  std::array<std::uint64_t, 2> text_hash{};  // of all content characters; equal hashes mean verdict `same`
  std::uint32_t content_characters = 0;      // 0: the page is empty and never compared
  std::vector<ParagraphProfile> paragraphs;
  std::vector<SentenceProfile> sentences;  // in text order
  PageSketch sketch;
};

// ---------------------------------------------------------------------------------------------------------------------
// Answers

enum class Verdict : std::uint8_t {  // persisted: never renumber. Reads "a is ... b"
  kDistinct = 0,
  kSame = 1,
  kNear = 2,
  kContained = 3,
  kContains = 4,
  kOverlap = 5,
};

// A span of page a that matches a span of page b. `distance_bits` is 0 for equal text.
struct MatchedSpan {
  TextSpan a;
  TextSpan b;
  std::uint16_t paragraph_a = 0;
  std::uint16_t paragraph_b = 0;
  std::uint8_t distance_bits = 0;
  bool is_sentence = false;  // a sentence within paragraphs that do not match as a whole
};

// A verified pair with its scores in [0, 1].
struct Match {
  std::uint32_t page_a = 0;  // page_a < page_b
  std::uint32_t page_b = 0;
  Verdict verdict = Verdict::kDistinct;
  float resemblance = 0;
  float containment_a = 0;  // share of a that is in b
  float containment_b = 0;  // share of b that is in a
  float matched_characters = 0;
};

}  // namespace paraprint
