// The lines of judgement files (docs/formats/judgements.md): the head of a sample, its pairs, and what judges say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/judge/sample_strata.h"
#include "paraprint/judged_samples.h"
#include "paraprint/result.h"
#include "report/json_writer.h"

namespace paraprint::inline lab::inline judge {

inline constexpr std::uint64_t kSampleFormatVersion = 1;  // persisted
// A pair has two texts of kSampledTextBytesMaximum, each byte of which may be escaped; the head has a line per stratum.
inline constexpr std::uint64_t kJudgementLineBytesMaximum = std::uint64_t{4} << 20;
inline constexpr std::size_t kPageIdBytesMaximum = std::size_t{64} << 10;
inline constexpr std::size_t kJudgeNameBytesMaximum = 100;
inline constexpr std::size_t kStrataReadMaximum = 1000;

struct SampledAlgorithm {
  std::string label;
  std::string canonical;
  ScoreRange range;
  std::uint64_t pairs = 0;  // that it found
};

// What the estimates need besides the judged pairs.
struct SampleFrame {
  std::string sample;  // identity: 16 hexadecimal digits
  std::uint64_t seed = 0;
  std::uint64_t pages = 0;
  std::uint64_t equal_texts = 0;
  std::vector<SampledAlgorithm> algorithms;
  std::vector<Stratum> strata;
};

// "paragraph + minhash", "various" or "none".
std::string stratum_name(const SampleFrame& frame, const Stratum& stratum);

struct SampledPage {
  std::string id;
  std::string url;
  std::string title;
  std::string text;
  bool is_cut = false;
};

struct SampledPair {
  std::uint64_t number = 0;  // from 1
  std::string id_a;
  std::string id_b;
  std::uint32_t stratum = 0;   // from 0
  std::uint64_t found_by = 0;  // bits
};

struct NamedScore {
  std::string_view algorithm;
  double score = 0;
};

enum class Judgement : std::uint8_t { kNone, kCopy, kDifferent, kUnsure };
std::string_view judgement_text(Judgement judgement);  // "", "y", "n", "?"

// One line each, without a line feed.
void write_head(const SampleFrame& frame, JsonWriter& json);
void write_pair(const SampleFrame& frame, const SampledPair& pair, const SampledPage& a, const SampledPage& b,
                const std::vector<NamedScore>& scores, JsonWriter& json);

// What a line says of its pair.
struct JudgementLine {
  std::string id_a;
  std::string id_b;
  std::string sample;  // that it belongs to; may be empty
  std::string judge;   // may be empty
  Judgement judgement = Judgement::kNone;
  bool has_judgement = false;  // the field is there, even if empty
};

// Threads: one at a time.
class JudgementParser {
 public:
  JudgementParser();
  ~JudgementParser();
  JudgementParser(const JudgementParser&) = delete;
  JudgementParser& operator=(const JudgementParser&) = delete;

  // Parses a line; the other functions refer to the last one. kInvalidArgument if it is not a JSON object.
  Status parse(std::string_view line);
  bool is_head() const;
  // kInvalidArgument for missing fields and for counts that contradict each other; kUnsupported for another version.
  Result<SampleFrame> head() const;
  // kInvalidArgument, with the field's name, for ids that are missing or too long and for unknown judgements.
  Result<JudgementLine> judgement() const;
  // A pair of the sample of `frame`; nullopt if the line only judges one. kInvalidArgument for values that contradict
  // the frame.
  Result<std::optional<SampledPair>> pair(const SampleFrame& frame) const;

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

}  // namespace paraprint::inline lab::inline judge
