// Labels bound to the pages of a run, and the pages divided into groups that belong together: the truth that
// algorithms are scored against.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/label_file.h"
#include "paraprint/evaluate.h"
#include "paraprint/result.h"

namespace paraprint {

struct TruthPair {
  std::uint32_t page_a = 0;  // page_a < page_b
  std::uint32_t page_b = 0;
  TruthLabel label = TruthLabel::kDifferent;
  std::uint32_t edits = 0;  // in LabelledSet::edit_lists
};

// Pairs that labels of the form `id, cluster` may stand for: 1.6 GB.
inline constexpr std::uint64_t kTruthPairsMaximum = 100'000'000;

inline constexpr std::uint32_t kNoCluster = 0xFFFFFFFF;

struct LabelledSet {
  std::uint32_t pages = 0;
  bool is_closed = false;
  std::vector<TruthPair> pairs;  // sorted by (page_a, page_b), each once
  LabelCounts counts;
  bool has_clusters = false;
  std::vector<std::uint32_t> cluster_of_page;  // kNoCluster: not named; empty without clusters

  // Pages linked by anything but `diff`, and pages of one truth cluster, are one unit: what the halves and the
  // bootstrap move as a whole. Numbered from 0 in the order of their first pages.
  std::vector<std::uint32_t> unit_of_page;
  std::uint32_t units = 0;
  std::vector<std::uint8_t> is_test_unit;

  // By TruthPair::edits; the first has none.
  std::vector<std::vector<std::uint32_t>> edit_lists;  // edits and kinds, each once: in edit_names
  std::vector<std::uint32_t> edit_counts;              // edits of both pages together, without kinds
  std::vector<std::string> edit_names;
  std::vector<std::uint16_t> language_of_page;  // in language_names
  std::vector<std::string> language_names;

  // A pair belongs to one half whole. Copies share a unit; a pair across units goes with one of its two units, chosen
  // by a coin that the two units decide.
  std::uint32_t unit_of_pair(std::uint32_t page_a, std::uint32_t page_b) const;
};

// `number_of` gives the page of an id. `world`: "open", "closed", or empty for the set's own (open). Languages are left
// to the caller. Errors: kInvalidArgument for ids that are no page, kLimitExceeded for kTruthPairsMaximum.
Result<LabelledSet> bind_labels(const LabelFile& file, std::uint32_t pages, std::string_view world, std::uint64_t seed,
                                const std::function<std::optional<std::uint32_t>(std::string_view id)>& number_of);

}  // namespace paraprint
