// The JSON Lines outputs removed.jsonl and matches.jsonl (docs/output.md). Rows are streamed; none are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "report/json_writer.h"

namespace paraprint::inline report {

// RemovedRow::reason of a page that an earlier crawl had.
inline constexpr std::string_view kReasonKnown = "known";
// Of a page in a language that the run was not to keep.
inline constexpr std::string_view kReasonLanguage = "language";

// A removed page and the page kept instead. Scores read "the removed page is <verdict> the kept page". Views must
// remain valid during the call only.
struct RemovedRow {
  std::string_view id;
  std::string_view url;
  std::string_view date;  // "2024-05-01T10:00:00Z"; empty if unknown
  Verdict verdict = Verdict::kSame;
  std::string_view kept_id;
  std::string_view kept_url;
  std::string_view kept_date;  // likewise
  double resemblance = 0;
  double containment_removed = 0;   // share of the removed page found in the kept one
  double containment_kept = 0;      // share of the kept page found in the removed one
  std::string_view reason;          // the deciding criterion: "longest", "host", "tie-earliest"
  std::string_view other_language;  // of a page removed for it, which no page is kept instead of; otherwise empty
  std::uint64_t cluster = 0;        // as in clusters.tsv
  std::string_view file;            // input file of the removed record; empty if unknown
  std::uint64_t offset_bytes = 0;   // offset of its record in that file
  std::string_view canonical;       // "kept", "removed" or "same"; empty: nothing is stated, or known
};

// Rows must be in ascending byte order of id; a row out of order is kInvalidArgument. Errors: as AtomicFile.
class RemovedWriter {
 public:
  static Result<RemovedWriter> create(std::string path);
  Status add(const RemovedRow& row);
  Status finish();
  std::uint64_t rows() const { return rows_; }

 private:
  explicit RemovedWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  JsonWriter json_;
  std::string last_id_;
  std::uint64_t rows_ = 0;
};

// A match with its evidence. Offsets in `spans` are bytes of the extracted UTF-8
// texts, as `paraprint extract` prints them.
struct EvidenceRow {
  std::string_view id_a;
  std::string_view id_b;
  Match match;  // page_a and page_b are ignored
  std::span<const MatchedSpan> spans;
  std::optional<float> word_resemblance = std::nullopt;  // for pairs whose words were aligned
  std::string_view canonical = {};                       // "a", "b" or "same"; empty: nothing is stated, or known
};

// Rows must be in ascending order of (id_a, id_b), with id_a < id_b; a row out of order is
// kInvalidArgument. Errors: as AtomicFile.
class EvidenceWriter {
 public:
  static Result<EvidenceWriter> create(std::string path);
  Status add(const EvidenceRow& row);
  Status finish();
  std::uint64_t rows() const { return rows_; }

 private:
  explicit EvidenceWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  JsonWriter json_;
  std::string last_id_a_;
  std::string last_id_b_;
  std::uint64_t rows_ = 0;
};

// A passage that was taken out of a page that stays, and where it stands.
struct TrimmedRow {
  std::string_view id;
  std::string_view kind;  // "paragraph", "near-paragraph", "sentences"
  TextSpan span;          // in the extracted text of the page
  std::string_view kept_id;
  TextSpan kept_span;
  std::uint32_t content_characters = 0;
  std::uint32_t distance_bits = 0;
  std::uint32_t places = 0;
};
void write_trimmed(JsonWriter& json, const TrimmedRow& row);

// One row without a line feed, for `--json` on the terminal and for tests.
void write_removed(JsonWriter& json, const RemovedRow& row);
void write_evidence(JsonWriter& json, const EvidenceRow& row);
// A member with begin and end in bytes: "span_a":[12,40].
void write_span(JsonWriter& json, std::string_view name, TextSpan span);
void write_spans(JsonWriter& json, std::span<const MatchedSpan> spans);

// Matched characters are weighted, so they are fractional; one decimal is written.
inline constexpr int kCharactersDecimals = 1;

}  // namespace paraprint::inline report
