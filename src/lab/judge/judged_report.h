// The outputs of a judged sample: the table for a terminal, results.json, results.csv and report/index.html; and the
// pages on which the pairs of a sample are read. docs/evaluation.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/judge/judgement_format.h"
#include "paraprint/judged_samples.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline judge {

std::string judged_table(const JudgedEvaluation& evaluation, std::uint32_t shown_pairs);
std::string judged_json(const JudgedEvaluation& evaluation);
std::string judged_csv(const JudgedEvaluation& evaluation);
std::string judged_page(const JudgedEvaluation& evaluation);

// "0.912" or "-" if unknown, and "0.871-0.943".
std::string share_text(const JudgedShare& share);
std::string interval_text(const JudgedShare& share);

// Writes all files below `folder`, which is created if missing; index.html last. Errors: as AtomicFile.
Status write_judged(const std::string& folder, const JudgedEvaluation& evaluation);

// A pair with its texts, for reading.
struct ShownPair {
  std::uint64_t number = 0;
  const SampledPage* a = nullptr;
  const SampledPage* b = nullptr;
};
// Texts of more pairs would make a page slow.
inline constexpr std::size_t kPairsPerPage = 50;

// The page `number` (from 1) of `pages`. Lines that both texts have are dimmed. What the algorithms say of a pair is
// not shown, so that it cannot sway anyone.
std::string pairs_page(const std::vector<ShownPair>& pairs, std::size_t number, std::size_t pages);

}  // namespace paraprint::inline lab::inline judge
