// Sets are numbered by ascending norm, so the set that looks up is always the larger one. Three steps: WeightTable
// computes what each element can add and how often it would be looked up; IndexedParts chooses which elements each set
// leaves out of the lists, and builds the lists; Prober looks up one set at a time, on all threads.
#include "lab/joins/relative_frequency_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "lab/joins/close_counts.h"

namespace paraprint::inline lab::inline joins {
namespace {

// Pairs are kept down to this share below the minimum: far above the rounding errors of sums and of float scores.
constexpr double kSlackShare = 1e-6;
// The share of its allowance that a set actually leaves out. A smaller share makes lists longer, but more pairs can be
// rejected by the sum over the lists alone.
constexpr double kLeftOutShare = 0.6;
// Sets probed between two deliveries: few enough to balance threads although larger sets cost more.
constexpr std::uint32_t kSetsPerPiece = 64;

// All weights of each element over all sets, ascending.
class WeightTable {
 public:
  explicit WeightTable(const RankedSets& sets) : begins_(std::size_t{sets.rank_count} + 1) {
    for (const RankedElement& element : sets.elements) ++begins_[element.rank + 1];
    for (std::size_t rank = 0; rank < sets.rank_count; ++rank) begins_[rank + 1] += begins_[rank];
    weights_.resize(sets.elements.size());
    std::vector<std::uint64_t> ends(begins_.begin(), begins_.end() - 1);
    for (const RankedElement& element : sets.elements) weights_[ends[element.rank]++] = element.weight;
    for (std::size_t rank = 0; rank < sets.rank_count; ++rank) {
      std::sort(weights_.begin() + static_cast<std::ptrdiff_t>(begins_[rank]),
                weights_.begin() + static_cast<std::ptrdiff_t>(begins_[rank + 1]));
    }
  }

  // The weights of the element that are close to its weight in this set, as a range: closeness is monotonic on either
  // side of it. Includes that weight itself unless it is 0.
  std::span<const float> close_to(const RankedElement& element, double limit) const {
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(begins_[element.rank]);
    const auto end = weights_.begin() + static_cast<std::ptrdiff_t>(begins_[element.rank + 1]);
    const auto own = std::lower_bound(begin, end, element.weight);
    const auto is_close = [&](float weight) { return are_close_counts(element.weight, weight, limit); };
    return {std::partition_point(begin, own, [&](float weight) { return !is_close(weight); }),
            std::partition_point(own, end, is_close)};
  }

 private:
  std::vector<std::uint64_t> begins_;  // by rank
  std::vector<float> weights_;
};

struct LeftOutElement {
  RankedElement element;
  float rest = 0;  // maximum that this and all following elements of the set can add; rounded up
};

// One list: the sets that have an element with a certain weight, ascending.
struct WeightRun {
  float weight = 0;
  std::uint64_t begin = 0;  // of the sets; they end where the next run begins
};

// The inverted lists, in three levels of flat arrays: rank -> runs of equal weight -> members (sets, ascending); and
// what each set left out of them.
class IndexedParts {
 public:
  IndexedParts(const RankedSets& sets, const std::vector<double>& squares, const RelativeFrequencyOptions& options)
      : left_out_begins_(1) {
    const WeightTable weights(sets);
    std::vector<Entry> entries;
    for (std::uint32_t set = 0; set < squares.size(); ++set) {
      add_set(sets.set(set), set, kLeftOutShare * options.similarity_minimum * squares[set], weights,
              options.closeness_limit, entries);
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.rank, a.weight, a.set) < std::tie(b.rank, b.weight, b.set);
    });
    run_begins_.assign(std::size_t{sets.rank_count} + 1, 0);
    members_.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool is_new =
          i == 0 || entries[i].rank != entries[i - 1].rank || entries[i].weight != entries[i - 1].weight;
      if (is_new) {
        runs_.push_back({entries[i].weight, i});
        ++run_begins_[entries[i].rank + 1];
      }
      members_.push_back(entries[i].set);
    }
    // A sentinel: each run ends where the next one begins.
    runs_.push_back({0, members_.size()});
    for (std::size_t rank = 0; rank < sets.rank_count; ++rank) run_begins_[rank + 1] += run_begins_[rank];
  }

  std::uint64_t postings() const { return members_.size(); }

  std::span<const LeftOutElement> left_out(std::uint32_t set) const {
    return std::span(left_out_).subspan(left_out_begins_[set], left_out_begins_[set + 1] - left_out_begins_[set]);
  }

  // Calls visit(weight, sets) for each list of the element whose weight is close.
  template <class Visit>
  void for_each_close_list(const RankedElement& element, double limit, Visit&& visit) const {
    for (std::uint64_t run = run_begins_[element.rank]; run < run_begins_[element.rank + 1]; ++run) {
      if (!are_close_counts(element.weight, runs_[run].weight, limit)) continue;
      visit(runs_[run].weight, std::span(members_).subspan(runs_[run].begin, runs_[run + 1].begin - runs_[run].begin));
    }
  }

 private:
  struct Entry {
    std::uint32_t rank = 0;
    float weight = 0;
    std::uint32_t set = 0;
  };
  struct Choice {
    RankedElement element;
    double addition = 0;     // m(e)
    double lookup_cost = 0;  // number of sets that would read the posting, per unit of m(e)
  };

  // Splits the elements of one set into indexed and left-out ones: greedily by descending lookup cost, while the sum of
  // m(e) stays below `allowance`.
  void add_set(std::span<const RankedElement> elements, std::uint32_t set, double allowance, const WeightTable& weights,
               double limit, std::vector<Entry>& entries) {
    choices_.clear();
    for (const RankedElement& element : elements) {
      const std::span<const float> close = weights.close_to(element, limit);
      if (close.empty()) continue;  // a weight of 0: adds nothing, so it is neither indexed nor left out
      const double addition = static_cast<double>(element.weight) * close.back();
      choices_.push_back({element, addition, static_cast<double>(close.size()) / addition});
    }
    std::sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) {
      return a.lookup_cost != b.lookup_cost ? a.lookup_cost > b.lookup_cost : a.element.rank < b.element.rank;
    });
    double sum = 0;
    out_.clear();
    for (const Choice& choice : choices_) {
      if (sum + choice.addition < allowance) {
        sum += choice.addition;
        out_.push_back(choice);
      } else {
        entries.push_back({choice.element.rank, choice.element.weight, set});
      }
    }
    // Largest additions first, because they decide a pair soonest.
    std::sort(out_.begin(), out_.end(), [](const Choice& a, const Choice& b) {
      return a.addition != b.addition ? a.addition > b.addition : a.element.rank < b.element.rank;
    });
    const std::size_t first = left_out_.size();
    left_out_.resize(first + out_.size());
    // Suffix sums from the back. Rounding up keeps `rest` an upper bound when it is stored as a float.
    double rest = 0;
    for (std::size_t i = out_.size(); i-- > 0;) {
      rest += out_[i].addition;
      left_out_[first + i] = {out_[i].element, static_cast<float>(rest * (1 + kSlackShare))};
    }
    left_out_begins_.push_back(left_out_.size());
  }

  std::vector<Choice> choices_;  // of the set being added
  std::vector<Choice> out_;      // those that are left out
  std::vector<LeftOutElement> left_out_;
  std::vector<std::uint64_t> left_out_begins_;  // by set
  std::vector<std::uint64_t> run_begins_;       // by rank
  std::vector<WeightRun> runs_;
  std::vector<std::uint32_t> members_;
};

// A pair in the numbering by norm, y before x.
struct FoundPair {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

struct ProbedPiece {
  std::vector<FoundPair> pairs;
  std::uint64_t postings_read = 0;
  std::uint64_t postings_not_read = 0;
  std::uint64_t comparisons = 0;
};

// Looks sets up. Holds scratch memory as large as the collection: one instance per thread.
class Prober {
 public:
  Prober(const RankedSets& sets, const IndexedParts& parts, const std::vector<double>& squares,
         const RelativeFrequencyOptions& options)
      : sets_(sets),
        parts_(parts),
        squares_(squares),
        options_(options),
        sums_(squares.size()),
        weight_of_rank_(sets.rank_count) {}

  // Appends all sets before x that match it. Sums and weights are reset element by element, so that a probe costs what
  // it reads rather than the size of the collection.
  void probe(std::uint32_t x, ProbedPiece& piece) {
    const std::span<const RankedElement> elements = sets_.set(x);
    for (const RankedElement& element : elements) {
      weight_of_rank_[element.rank] = element.weight;
      parts_.for_each_close_list(element, options_.closeness_limit, [&](float weight, auto members) {
        add_products(x, static_cast<double>(element.weight) * weight, members, piece);
      });
    }
    for (const std::uint32_t y : met_) {
      if (matches(y, piece)) piece.pairs.push_back({x, y});
      sums_[y] = 0;
    }
    met_.clear();
    for (const RankedElement& element : elements) weight_of_rank_[element.rank] = 0;
  }

 private:
  void add_products(std::uint32_t x, double product, std::span<const std::uint32_t> members, ProbedPiece& piece) {
    members =
        members.first(static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), x) - members.begin()));
    // Sets are numbered by norm, so the last ones before x are the nearest in norm.
    if (options_.posting_cap != 0 && members.size() > options_.posting_cap) {
      piece.postings_not_read += members.size() - options_.posting_cap;
      members = members.last(options_.posting_cap);
    }
    piece.postings_read += members.size();
    // Products are positive, so a sum of 0 means that y was not met before.
    for (const std::uint32_t y : members) {
      if (sums_[y] == 0) met_.push_back(y);
      sums_[y] += product;
    }
  }

  // Decides a pair. The sum over the lists often suffices; otherwise the left-out elements are added one by one until
  // the rest can no longer change the answer.
  bool matches(std::uint32_t y, ProbedPiece& piece) const {
    const double required = options_.similarity_minimum * squares_[y] * (1 - kSlackShare);
    const std::span<const LeftOutElement> left_out = parts_.left_out(y);
    double sum = sums_[y];
    if (left_out.empty() || sum + left_out.front().rest < required) return sum >= required;
    ++piece.comparisons;
    for (const LeftOutElement& candidate : left_out) {
      if (sum >= required) return true;
      if (sum + candidate.rest < required) return false;
      const double weight = weight_of_rank_[candidate.element.rank];
      if (are_close_counts(candidate.element.weight, weight, options_.closeness_limit)) {
        sum += candidate.element.weight * weight;
      }
    }
    return sum >= required;
  }

  const RankedSets& sets_;
  const IndexedParts& parts_;
  const std::vector<double>& squares_;
  const RelativeFrequencyOptions& options_;
  std::vector<double> sums_;           // by set met: close products so far
  std::vector<std::uint32_t> met_;     // sets with a sum
  std::vector<float> weight_of_rank_;  // of the set looked up; 0: not in it
};

Status check_options(const SetCollection& sets, const RelativeFrequencyOptions& options) {
  if (!(options.similarity_minimum > 0 && options.similarity_minimum <= 1)) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("similarity minimum is {}; it must be above 0 and at most 1", options.similarity_minimum));
  }
  // a / b + b / a is at least 2: with a lower limit not even equal weights would be close.
  if (!(options.closeness_limit > 2)) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("closeness limit is {}; it must be above 2", options.closeness_limit));
  }
  if (sets.weights.size() != sets.values.size()) {
    return failure(ErrorCode::kInvalidArgument, "the relative frequency model requires weights");
  }
  return check_sets(sets);
}

double squared_norm(std::span<const float> weights) {
  double square = 0;
  for (const float weight : weights) square += static_cast<double>(weight) * weight;
  return square;
}

// The indices of the distinct sets by ascending norm; fills in their squared norms. Ties by index.
std::vector<std::uint32_t> by_rising_norm(const SetCollection& sets, const EqualSetsCallback& on_equal,
                                          std::vector<double>& squares) {
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const std::uint32_t index : distinct_sets(sets, on_equal)) {
    order.emplace_back(squared_norm(sets.weights[index]), index);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> chosen;
  for (const auto& [square, index] : order) {
    squares.push_back(square);
    chosen.push_back(index);
  }
  return chosen;
}

}  // namespace

Result<RelativeFrequencyStatistics> relative_frequency_join(const SetCollection& sets,
                                                            const RelativeFrequencyOptions& options,
                                                            const OverlapPairCallback& on_pair,
                                                            const EqualSetsCallback& on_equal) {
  PARAPRINT_TRY(check_options(sets, options));
  std::vector<double> squares;
  const std::vector<std::uint32_t> chosen = by_rising_norm(sets, on_equal, squares);
  PARAPRINT_ASSIGN(RankedSets ranked, rank_elements(sets, chosen));
  const IndexedParts parts(ranked, squares, options);

  RelativeFrequencyStatistics statistics;
  statistics.distinct_sets = chosen.size();
  statistics.postings = parts.postings();
  const unsigned threads = std::max(1U, options.threads);
  std::vector<Prober> probers(threads, Prober(ranked, parts, squares, options));
  std::uint32_t next = 0;
  const auto set_count = static_cast<std::uint32_t>(chosen.size());
  // Pieces of sets are probed in parallel and delivered in order, so callbacks are serial and their order is fixed.
  PARAPRINT_TRY(run_in_order<std::uint32_t, ProbedPiece>(
      threads,
      [&]() -> Result<std::optional<std::uint32_t>> {
        if (next >= set_count) return std::optional<std::uint32_t>{};
        return std::optional<std::uint32_t>(std::exchange(next, next + kSetsPerPiece));
      },
      [&](unsigned worker, std::uint32_t first) {
        ProbedPiece piece;
        const std::uint32_t end = std::min(set_count, first + kSetsPerPiece);
        for (std::uint32_t x = first; x < end; ++x) probers[worker].probe(x, piece);
        return piece;
      },
      [&](ProbedPiece&& piece) -> Status {
        statistics.postings_read += piece.postings_read;
        statistics.postings_not_read += piece.postings_not_read;
        statistics.comparisons += piece.comparisons;
        statistics.pairs += piece.pairs.size();
        for (const auto& [x, y] : piece.pairs) on_pair(std::min(chosen[x], chosen[y]), std::max(chosen[x], chosen[y]));
        return {};
      }));
  return statistics;
}

}  // namespace paraprint::inline lab::inline joins
