// Reads judgement files and joins them: the pairs of a sample with what every judge says of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "lab/judge/judgement_format.h"
#include "paraprint/judged_samples.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline judge {

// Of all files together: a hundred judges of the largest sample.
inline constexpr std::uint64_t kJudgementLinesMaximum = 1'000'000;
inline constexpr std::size_t kJudgesMaximum = 100;

struct Vote {
  std::uint32_t judge = 0;
  Judgement judgement = Judgement::kUnsure;  // never kNone
};

struct JudgedPair {
  SampledPair pair;
  std::vector<Vote> votes;  // at most one per judge, in the order of judges
};

struct JudgedSample {
  SampleFrame frame;
  std::vector<JudgedPair> pairs;     // by number
  std::vector<JudgeFigures> judges;  // by name
  std::uint64_t unusable_lines = 0;
};

// The majority of those who said y or n; kUnsure for a tie or if nobody did, kNone without a vote.
Judgement decision_of(const std::vector<Vote>& votes);

// At least one file has the head of a sample in its first line, and all of them that of the same sample. A judge is who
// the field "judge" of a line names, otherwise the file by its name. If a judge judged a pair repeatedly, the last line
// counts, of files in the order of their paths. Warnings name file and line. Errors: kInvalidArgument for files of
// different samples or without a head, kLimitExceeded for too many lines, those of reading; kCancelled.
Result<JudgedSample> read_judgements(const std::vector<std::string>& files, ProgressReporter& progress);

// Cohen's kappa and plain agreement of every two judges with pairs in common, in the order of names. O(judges^2 pairs).
std::vector<JudgeAgreement> agreement_of(const JudgedSample& sample);

}  // namespace paraprint::inline lab::inline judge
