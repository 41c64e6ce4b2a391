// Counts the decisions per stratum and algorithm, and turns them into groups of pairs that are estimated together.
#include "lab/judge/judged_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace paraprint::inline lab::inline judge {
namespace {

constexpr std::size_t kDisputedMaximum = 1000;

// The decisions in one stratum, also per algorithm that found the pairs.
struct StratumCounts {
  std::uint64_t judged = 0;
  std::uint64_t copies = 0;
  std::vector<std::uint64_t> judged_found;
  std::vector<std::uint64_t> copies_found;
};

std::uint32_t distance_between(const Stratum& x, const Stratum& y, std::size_t algorithms) {
  const std::uint32_t bands = x.key.band > y.key.band ? x.key.band - y.key.band : y.key.band - x.key.band;
  // A stratum of various algorithms is as far from every other one.
  const auto differing = x.is_various != y.is_various
                             ? static_cast<std::uint32_t>(algorithms)
                             : static_cast<std::uint32_t>(std::popcount(x.key.found_by ^ y.key.found_by));
  return differing * kBands + bands;
}

std::vector<StratumCounts> count_decisions(const JudgedSample& sample, JudgedEvaluation& result) {
  const std::size_t algorithms = sample.frame.algorithms.size();
  std::vector<StratumCounts> counts(sample.frame.strata.size(), {0, 0, std::vector<std::uint64_t>(algorithms),
                                                                 std::vector<std::uint64_t>(algorithms)});
  for (const JudgedPair& judged : sample.pairs) {
    const Judgement decision = decision_of(judged.votes);
    if (decision == Judgement::kNone) continue;
    if (decision == Judgement::kUnsure) {
      ++result.undecided;
      continue;
    }
    ++result.decided;
    StratumCounts& own = counts[judged.pair.stratum];
    const std::uint64_t copy = decision == Judgement::kCopy ? 1 : 0;
    ++own.judged;
    own.copies += copy;
    for (std::size_t i = 0; i < algorithms; ++i) {
      if ((judged.pair.found_by >> i & 1) == 0) continue;
      ++own.judged_found[i];
      own.copies_found[i] += copy;
    }
  }
  return counts;
}

std::vector<JudgedSplit> split_by(std::size_t algorithm, const SampleFrame& frame,
                                  const std::vector<StratumCounts>& counts) {
  std::vector<JudgedSplit> splits;
  for (std::size_t h = 0; h < frame.strata.size(); ++h) {
    const JudgedPart inside{frame.strata[h].found[algorithm], counts[h].judged_found[algorithm],
                            counts[h].copies_found[algorithm]};
    splits.push_back(
        {inside,
         {frame.strata[h].pairs - inside.pairs, counts[h].judged - inside.judged, counts[h].copies - inside.copies}});
  }
  return splits;
}

JudgedAlgorithm figures_of(std::size_t number, const SampleFrame& frame, const std::vector<StratumCounts>& counts,
                           const std::vector<std::vector<std::uint32_t>>& distance, std::uint64_t& borrowed) {
  const SampledAlgorithm& algorithm = frame.algorithms[number];
  JudgedAlgorithm result;
  result.label = algorithm.label;
  result.canonical = algorithm.canonical;
  result.threshold = algorithm.range.threshold;
  result.pairs = algorithm.pairs;
  std::vector<JudgedSplit> splits = split_by(number, frame, counts);
  for (const JudgedSplit& split : splits) {
    result.judged_pairs += split.inside.judged;
    result.judged_copies += split.inside.copies;
  }
  const std::vector<JudgedGroup> all = groups_of(splits, distance, borrowed);
  result.precision = share_of_copies(all);
  result.recall = share_inside(all);
  // The pool of what is found: without the strata that no algorithm found.
  bool has_decision = false;
  for (std::size_t h = 0; h < splits.size(); ++h) {
    if (frame.strata[h].is_below()) splits[h] = {};
    has_decision = has_decision || splits[h].inside.judged + splits[h].outside.judged > 0;
  }
  std::uint64_t ignored = 0;
  if (has_decision) result.pooled_recall = share_inside(groups_of(splits, distance, ignored));
  return result;
}

JudgedStratum described(const SampleFrame& frame, const Stratum& stratum, const StratumCounts& counts) {
  JudgedStratum result;
  result.found_by = stratum_name(frame, stratum);
  result.band = band_name(stratum.key.band);
  result.pairs = stratum.pairs;
  result.sampled = stratum.sampled;
  result.judged = counts.judged;
  result.copies = counts.copies;
  return result;
}

void add_disputed(const JudgedSample& sample, JudgedEvaluation& result) {
  for (const JudgedPair& judged : sample.pairs) {
    const bool agrees = std::all_of(judged.votes.begin(), judged.votes.end(),
                                    [&](const Vote& vote) { return vote.judgement == judged.votes.front().judgement; });
    if (agrees) continue;
    ++result.disputed_pairs;
    if (result.disputed.size() == kDisputedMaximum) continue;
    DisputedPair disputed{judged.pair.number,
                          judged.pair.id_a,
                          judged.pair.id_b,
                          {},
                          std::string(judgement_text(decision_of(judged.votes)))};
    for (const Vote& vote : judged.votes) {
      disputed.votes.push_back(fmt::format("{}: {}", sample.judges[vote.judge].name, judgement_text(vote.judgement)));
    }
    result.disputed.push_back(std::move(disputed));
  }
}

}  // namespace

std::vector<JudgedGroup> groups_of(const std::vector<JudgedSplit>& splits,
                                   const std::vector<std::vector<std::uint32_t>>& distance, std::uint64_t& borrowed) {
  std::vector<JudgedGroup> groups;
  struct Places {
    std::optional<std::size_t> inside;
    std::optional<std::size_t> outside;
  };
  std::vector<Places> places(splits.size());
  for (std::size_t h = 0; h < splits.size(); ++h) {
    if (splits[h].inside.judged > 0) {
      places[h].inside = groups.size();
      groups.push_back({0, 0, splits[h].inside.judged, splits[h].inside.copies});
    }
    if (splits[h].outside.judged > 0) {
      places[h].outside = groups.size();
      groups.push_back({0, 0, splits[h].outside.judged, splits[h].outside.copies});
    }
  }
  borrowed = 0;
  for (std::size_t h = 0; h < splits.size(); ++h) {
    std::size_t lender = h;
    if (!places[h].inside && !places[h].outside) {
      borrowed += splits[h].inside.pairs + splits[h].outside.pairs;
      for (std::size_t other = 0; other < splits.size(); ++other) {
        const bool has_decision = places[other].inside || places[other].outside;
        if (has_decision && (lender == h || distance[h][other] < distance[h][lender])) lender = other;
      }
    }
    const Places& from = places[lender];
    if (splits[h].inside.pairs > 0) groups[from.inside ? *from.inside : *from.outside].inside += splits[h].inside.pairs;
    if (splits[h].outside.pairs > 0) {
      groups[from.outside ? *from.outside : *from.inside].outside += splits[h].outside.pairs;
    }
  }
  return groups;
}

Result<JudgedEvaluation> judged_figures(const JudgedSample& sample) {
  const SampleFrame& frame = sample.frame;
  JudgedEvaluation result;
  result.sample = frame.sample;
  result.pages = frame.pages;
  result.equal_texts = frame.equal_texts;
  result.unusable_lines = sample.unusable_lines;
  const std::vector<StratumCounts> counts = count_decisions(sample, result);
  if (result.decided == 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("no pair of the sample is judged y or n, of {} in the files", sample.pairs.size()));
  }
  std::vector<std::vector<std::uint32_t>> distance;
  for (std::size_t h = 0; h < frame.strata.size(); ++h) {
    result.pooled_pairs += frame.strata[h].pairs;
    result.sampled += frame.strata[h].sampled;
    result.strata.push_back(described(frame, frame.strata[h], counts[h]));
    std::vector<std::uint32_t>& row = distance.emplace_back();
    for (const Stratum& other : frame.strata) {
      row.push_back(distance_between(frame.strata[h], other, frame.algorithms.size()));
    }
  }
  result.missing = result.sampled - sample.pairs.size();
  result.unjudged = result.sampled - result.decided - result.undecided;
  for (std::size_t i = 0; i < frame.algorithms.size(); ++i) {
    result.algorithms.push_back(figures_of(i, frame, counts, distance, result.pairs_borrowed));
  }
  result.judges = sample.judges;
  result.agreement = agreement_of(sample);
  add_disputed(sample, result);
  return result;
}

}  // namespace paraprint::inline lab::inline judge
