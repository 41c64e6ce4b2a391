// Which page of a cluster is kept: a chain of criteria, the first that tells two pages apart decides.
//
//   --keep longest,earliest,shortest-url        --keep host --prefer-host example.org,*.gov
//
// The chain is always completed with earliest, then the smallest URL bytes, then the page's place in the input
// (algorithms.md 0.6), so it is a total order and the same pages give the same survivor in every run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint {

// What a policy may look at. The views have to outlive the use.
struct PageFacts {
  std::string_view url;   // empty if unknown
  std::string_view date;  // ISO 8601 UTC, compared as bytes; empty if unknown, which is later than any date
  std::uint32_t content_characters = 0;  // of the main content
  std::uint64_t order = 0;               // place in the input: file order, then record order; different for each page
};

enum class SurvivorCriterion : std::uint8_t {
  kLongest,      // most content characters
  kShortest,     // fewest
  kEarliest,     // smallest date
  kLatest,       // largest date; pages without a date come last
  kFirst,        // first in the input
  kLast,         // last in the input
  kShortestUrl,  // fewest bytes, empty URLs last
  kHttps,        // https before everything else
  kHost,         // position in the host priority list, unlisted hosts last
  kScheme,       // position in the scheme priority list, unlisted schemes last
};

// Reads "longest,earliest". Unknown or repeated names and an empty list are kInvalidArgument; the message lists what is
// known.
Result<std::vector<SurvivorCriterion>> parse_survivor_criteria(std::string_view text);

// "longest, shortest, earliest, ...": for help texts.
std::string survivor_criterion_names();

class SurvivorPolicy {
 public:
  // `hosts` in falling priority: "example.org" is that host alone, "*.example.org" it and all below it. Upper and lower
  // case are equal. `schemes` like "https". A list that is not empty puts its criterion in front of the chain, unless
  // the chain names it.
  explicit SurvivorPolicy(std::vector<SurvivorCriterion> criteria = {SurvivorCriterion::kLongest},
                          std::vector<std::string> hosts = {}, std::vector<std::string> schemes = {});

  // True if `left` is to be kept rather than `right`. A strict total order for pages of different `order`.
  bool prefers(const PageFacts& left, const PageFacts& right) const;

  // Why `kept` is preferred to `other`: the name of the criterion of the chain that decided, or what broke the tie:
  // "tie-earliest", "tie-url", "tie-place".
  std::string_view reason(const PageFacts& kept, const PageFacts& other) const;

  // Page numbers 0 to n-1, the most worth keeping first. Cost: n log n comparisons; hosts are looked up once a page.
  // Memory: 12 bytes a page, on the budget, whose disk is what errors come from.
  Result<SpillArray<std::uint32_t>> rank(std::span<const PageFacts> pages, MemoryBudget* budget = nullptr) const;

 private:
  struct Priorities {
    std::uint32_t host = 0;
    std::uint32_t scheme = 0;
  };
  Priorities priorities(const PageFacts& page) const;
  struct Decision {
    int order = 0;  // negative: left is preferred
    std::string_view reason;
  };
  Decision compare(const PageFacts& left, Priorities left_priorities, const PageFacts& right,
                   Priorities right_priorities) const;
  static int compare_by(SurvivorCriterion criterion, const PageFacts& left, Priorities left_priorities,
                        const PageFacts& right, Priorities right_priorities);

  std::vector<SurvivorCriterion> criteria_;
  std::vector<std::string> hosts_;
  std::vector<std::string> schemes_;
};

}  // namespace paraprint
