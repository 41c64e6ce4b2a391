// Labels bound to the pages of a run, and the pages divided into units that belong together: the ground truth that
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

namespace paraprint::inline lab::inline evaluation {

struct TruthPair {
  std::uint32_t page_a = 0;  // page_a < page_b
  std::uint32_t page_b = 0;
  TruthLabel label = TruthLabel::kDifferent;
  std::uint32_t edits = 0;  // in LabelledSet::edit_lists
};

// Maximum number of pairs that labels of the form `id, cluster` may expand to: 1.6 GB.
inline constexpr std::uint64_t kTruthPairsMaximum = 100'000'000;

inline constexpr std::uint32_t kNoCluster = 0xFFFFFFFF;

struct LabelledSet {
  std::uint32_t pages = 0;
  bool is_closed = false;
  std::vector<TruthPair> pairs;  // sorted by (page_a, page_b), each once
  LabelCounts counts;
  bool has_clusters = false;
  std::vector<std::uint32_t> cluster_of_page;  // kNoCluster if unlabelled; empty without clusters

  // Pages linked by any label but `diff`, and pages of one true cluster, form a unit. The train and test halves and the
  // bootstrap move units as a whole. Numbered from 0 by first page.
  std::vector<std::uint32_t> unit_of_page;
  std::uint32_t units = 0;
  std::vector<std::uint8_t> is_test_unit;

  // Indexed by TruthPair::edits; entry 0 has no edits.
  std::vector<std::vector<std::uint32_t>> edit_lists;  // edits and kinds, each once; indices into edit_names
  std::vector<std::uint32_t> edit_counts;              // edits of both pages together, not kinds
  std::vector<std::string> edit_names;
  std::vector<std::uint32_t> language_of_page;  // index into language_names
  std::vector<std::string> language_names;
  // Empty if no page has a type.
  std::vector<std::uint32_t> page_type_of_page;  // index into page_type_names
  std::vector<std::string> page_type_names;

  // The unit that a pair belongs to, so that every pair is in exactly one half. Copies share a unit; a pair across
  // units goes with one of the two, chosen by a hash of both.
  std::uint32_t unit_of_pair(std::uint32_t page_a, std::uint32_t page_b) const;
};

// `number_of` maps an id to its page. `world`: "open", "closed", or empty for the set's own (open by default). The
// caller sets the languages and page types. Errors: kInvalidArgument for ids without a page, kLimitExceeded for more
// than kTruthPairsMaximum pairs.
Result<LabelledSet> bind_labels(const LabelFile& file, std::uint32_t pages, std::string_view world, std::uint64_t seed,
                                const std::function<std::optional<std::uint32_t>(std::string_view id)>& number_of);

}  // namespace paraprint::inline lab::inline evaluation
