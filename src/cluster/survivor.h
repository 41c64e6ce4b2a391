// Chooses the page of a cluster that is kept, by a chain of criteria: the first one that distinguishes two pages
// decides.
//
//   --keep longest,earliest,shortest-url        --keep host --prefer-host example.org,*.gov
//   --keep score:quality:max,longest            a number that the records have in a field of this name
//   --keep original,longest                     what the pages say of their publication (corpus/origin_rank.h)
//   --keep canonical,longest                    the address that they name as canonical (likewise)
//
// The chain always ends with the earliest date, then the bytewise smallest URL, then the page's position in the input
// (docs/algorithms/clustering.md). That makes it a total order, so the same pages give the same survivor in every run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint::inline cluster {

// The properties of a page that a policy can use. The views must outlive this object.
struct PageFacts {
  std::string_view url;                  // empty if unknown
  std::string_view date;                 // ISO 8601 UTC, compared as bytes; empty if unknown, which sorts last
  std::uint32_t content_characters = 0;  // of the main content
  std::uint64_t order = 0;               // position in the input: by file, then by record; unique per page
  std::optional<double> score = {};      // of the record, or its statement_rank(); sorts last if it is unknown
};

enum class SurvivorCriterion : std::uint8_t {
  kLongest,       // most content characters
  kShortest,      // fewest
  kEarliest,      // smallest date
  kLatest,        // largest date; pages without a date come last
  kFirst,         // first in the input
  kLast,          // last in the input
  kShortestUrl,   // fewest bytes, empty URLs last
  kHttps,         // https before every other scheme
  kHost,          // position in the host priority list, unlisted hosts last
  kScheme,        // position in the scheme priority list, unlisted schemes last
  kHighestScore,  // largest score of the record
  kLowestScore,   // smallest
  kOriginal,      // smallest origin rank, which takes the place of the score with the next one
  kCanonical,     // smallest canonical rank
};

// Both ranks in one number. `origin` is above -10^7 and below 9 * 10^7, `canonical` is a small whole number.
double statement_rank(double canonical, double origin);

struct SurvivorCriteria {
  std::vector<SurvivorCriterion> chain;
  std::string score_field;  // of the records, that a score criterion compares; empty: there is none

  bool compares_statements() const;  // whether "original" or "canonical" is among them
};

// Parses a list such as "longest,earliest" or "score:FIELD:max". kInvalidArgument for unknown or repeated names, for a
// second score, for "original" or "canonical" beside a score, and for an empty list; for an unknown name the message
// lists the known ones.
Result<SurvivorCriteria> parse_survivor_criteria(std::string_view text);

// All criteria as "longest, shortest, earliest, ...", for help texts.
std::string survivor_criterion_names();

class SurvivorPolicy {
 public:
  // `hosts` by descending priority: "example.org" matches that host alone, "*.example.org" also its subdomains.
  // `schemes` likewise, e.g. "https". Both ignore case. A non-empty list puts its criterion at the front of the chain
  // unless the chain already names it.
  explicit SurvivorPolicy(std::vector<SurvivorCriterion> criteria = {SurvivorCriterion::kLongest},
                          std::vector<std::string> hosts = {}, std::vector<std::string> schemes = {});

  // True if `left` should be kept rather than `right`. A strict total order over pages with different `order`.
  bool prefers(const PageFacts& left, const PageFacts& right) const;

  // Why `kept` is preferred to `other`: the name of the deciding criterion, or of the tie-breaker: "tie-earliest",
  // "tie-url" or "tie-place".
  std::string_view reason(const PageFacts& kept, const PageFacts& other) const;

  // Page numbers 0 to n-1, the most preferred page first. Cost: n log n comparisons; hosts are looked up once per page.
  // Memory: 12 bytes per page, on the budget. Errors: disk errors of the budget.
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

}  // namespace paraprint::inline cluster
