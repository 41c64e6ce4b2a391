// The survivor policy as one comparison function over a chain of criteria and three fixed tie-breakers. Host and scheme
// priorities need string matching against lists, so they are computed once per page and passed along with the facts:
// rank() sorts n pages with n lookups rather than n log n.
#include "cluster/survivor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "http/url_host.h"

namespace paraprint::inline cluster {
namespace {

struct CriterionName {
  std::string_view name;
  SurvivorCriterion criterion;
};

// The names are stored as reasons of removals in result files: keep them stable.
constexpr std::array<CriterionName, 12> kCriterionNames{{
    {"longest", SurvivorCriterion::kLongest},
    {"shortest", SurvivorCriterion::kShortest},
    {"earliest", SurvivorCriterion::kEarliest},
    {"latest", SurvivorCriterion::kLatest},
    {"first", SurvivorCriterion::kFirst},
    {"last", SurvivorCriterion::kLast},
    {"shortest-url", SurvivorCriterion::kShortestUrl},
    {"https", SurvivorCriterion::kHttps},
    {"host", SurvivorCriterion::kHost},
    {"scheme", SurvivorCriterion::kScheme},
    {"original", SurvivorCriterion::kOriginal},
    {"canonical", SurvivorCriterion::kCanonical},
}};

// Written "score:FIELD:max" or "score:FIELD:min"; the reason of a removal is the first word, like that of the others.
constexpr std::string_view kScoreName = "score";
constexpr std::string_view kScoreForms = "score:FIELD:max, score:FIELD:min";

bool is_score(SurvivorCriterion criterion) {
  return criterion == SurvivorCriterion::kHighestScore || criterion == SurvivorCriterion::kLowestScore;
}

// The table has every other criterion, so the search always succeeds.
std::string_view criterion_name(SurvivorCriterion criterion) {
  if (is_score(criterion)) return kScoreName;
  return std::find_if(kCriterionNames.begin(), kCriterionNames.end(),
                      [&](const CriterionName& entry) { return entry.criterion == criterion; })
      ->name;
}

// ASCII only: host names and schemes have no other letters, and the result must not depend on the locale.
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view scheme_of(std::string_view url) {
  const std::size_t end = url.find("://");
  return end == std::string_view::npos ? std::string_view{} : url.substr(0, end);
}

// Without a trailing dot, which leads to the same host.
std::string host_of(std::string_view url) {
  std::string host = url_host(url);
  if (host.ends_with('.')) host.pop_back();
  return host;
}

// The byte before the suffix must be a dot, so that "*.example.org" does not match "badexample.org".
bool host_matches(std::string_view host, std::string_view pattern) {
  if (!pattern.starts_with("*.")) return equal_ignoring_case(host, pattern);
  const std::string_view base = pattern.substr(2);
  if (equal_ignoring_case(host, base)) return true;
  return host.size() > base.size() + 1 && equal_ignoring_case(host.substr(host.size() - base.size()), base) &&
         host[host.size() - base.size() - 1] == '.';
}

template <class Value>
int three_way(const Value& left, const Value& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

// An empty string means unknown and sorts last in either direction.
int three_way_unknown_last(std::string_view left, std::string_view right, bool descending) {
  if (left.empty() || right.empty()) return three_way(left.empty(), right.empty());
  return descending ? three_way(right, left) : three_way(left, right);
}

// The canonical rank is counted in units that are larger than every origin rank, which the offset makes positive.
constexpr double kCanonicalUnit = 1e8;
constexpr double kOriginOffset = 1e7;

// The part of a packed rank that the criterion compares; of scores, all of it.
double compared_part(SurvivorCriterion criterion, double score) {
  const double canonical = std::floor(score / kCanonicalUnit);
  if (criterion == SurvivorCriterion::kCanonical) return canonical;
  return criterion == SurvivorCriterion::kOriginal ? score - canonical * kCanonicalUnit : score;
}

bool contains(const std::vector<SurvivorCriterion>& criteria, SurvivorCriterion criterion) {
  return std::find(criteria.begin(), criteria.end(), criterion) != criteria.end();
}

}  // namespace

bool SurvivorCriteria::compares_statements() const {
  return contains(chain, SurvivorCriterion::kOriginal) || contains(chain, SurvivorCriterion::kCanonical);
}

double statement_rank(double canonical, double origin) {
  return canonical * kCanonicalUnit + kOriginOffset + origin;
}

std::string survivor_criterion_names() {
  std::string names;
  for (const CriterionName& known : kCriterionNames) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return fmt::format("{}, {}", names, kScoreForms);
}

namespace {

// The criterion of "score:FIELD:max" and its field; nothing for another text. A field may contain colons.
std::optional<std::pair<SurvivorCriterion, std::string>> parse_score(std::string_view text) {
  const std::size_t begin = kScoreName.size() + 1;
  const std::size_t end = text.rfind(':');
  if (!text.starts_with(kScoreName) || end == std::string_view::npos || end <= begin || text[begin - 1] != ':')
    return {};
  const std::string_view direction = text.substr(end + 1);
  if (direction != "max" && direction != "min") return {};
  return std::pair(direction == "max" ? SurvivorCriterion::kHighestScore : SurvivorCriterion::kLowestScore,
                   std::string(text.substr(begin, end - begin)));
}

}  // namespace

Result<SurvivorCriteria> parse_survivor_criteria(std::string_view text) {
  SurvivorCriteria criteria;
  // `<=`, so that an empty list and a trailing comma give an empty name, which is unknown.
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    begin = end + 1;
    if (std::optional<std::pair<SurvivorCriterion, std::string>> score = parse_score(name)) {
      if (!criteria.score_field.empty()) {
        return failure(ErrorCode::kInvalidArgument, fmt::format("'{}' is a second score; keep takes one", name));
      }
      criteria.chain.push_back(score->first);
      criteria.score_field = std::move(score->second);
      continue;
    }
    const auto known = std::find_if(kCriterionNames.begin(), kCriterionNames.end(),
                                    [&](const CriterionName& entry) { return entry.name == name; });
    if (known == kCriterionNames.end()) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("unknown survivor policy '{}'; expected {}", name, survivor_criterion_names()));
    }
    if (contains(criteria.chain, known->criterion)) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("duplicate survivor policy '{}'", name));
    }
    criteria.chain.push_back(known->criterion);
  }
  if (criteria.compares_statements() && !criteria.score_field.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   "keep takes either what pages state ('original', 'canonical') or a score, not both");
  }
  return criteria;
}

SurvivorPolicy::SurvivorPolicy(std::vector<SurvivorCriterion> criteria, std::vector<std::string> hosts,
                               std::vector<std::string> schemes)
    : criteria_(std::move(criteria)), hosts_(std::move(hosts)), schemes_(std::move(schemes)) {
  // Hosts are inserted last and therefore come first: given both lists, the host decides before the scheme.
  if (!schemes_.empty() && !contains(criteria_, SurvivorCriterion::kScheme)) {
    criteria_.insert(criteria_.begin(), SurvivorCriterion::kScheme);
  }
  if (!hosts_.empty() && !contains(criteria_, SurvivorCriterion::kHost)) {
    criteria_.insert(criteria_.begin(), SurvivorCriterion::kHost);
  }
}

// Positions in the priority lists; pages that match no entry get the list's size and thus sort last.
SurvivorPolicy::Priorities SurvivorPolicy::priorities(const PageFacts& page) const {
  Priorities result;
  if (!hosts_.empty()) {
    const std::string host = host_of(page.url);
    const auto found = std::find_if(hosts_.begin(), hosts_.end(),
                                    [&](const std::string& pattern) { return host_matches(host, pattern); });
    result.host = static_cast<std::uint32_t>(found - hosts_.begin());
  }
  if (!schemes_.empty()) {
    const std::string_view scheme = scheme_of(page.url);
    const auto found = std::find_if(schemes_.begin(), schemes_.end(),
                                    [&](const std::string& name) { return equal_ignoring_case(scheme, name); });
    result.scheme = static_cast<std::uint32_t>(found - schemes_.begin());
  }
  return result;
}

int SurvivorPolicy::compare_by(SurvivorCriterion criterion, const PageFacts& left, Priorities left_priorities,
                               const PageFacts& right, Priorities right_priorities) {
  switch (criterion) {
    case SurvivorCriterion::kLongest:
      return three_way(right.content_characters, left.content_characters);
    case SurvivorCriterion::kShortest:
      return three_way(left.content_characters, right.content_characters);
    case SurvivorCriterion::kEarliest:
      return three_way_unknown_last(left.date, right.date, false);
    case SurvivorCriterion::kLatest:
      return three_way_unknown_last(left.date, right.date, true);
    case SurvivorCriterion::kFirst:
      return three_way(left.order, right.order);
    case SurvivorCriterion::kLast:
      return three_way(right.order, left.order);
    case SurvivorCriterion::kShortestUrl:
      // An unknown URL has the shortest length of all but must come last.
      return left.url.empty() || right.url.empty() ? three_way(left.url.empty(), right.url.empty())
                                                   : three_way(left.url.size(), right.url.size());
    case SurvivorCriterion::kHttps:
      return three_way(!equal_ignoring_case(scheme_of(left.url), "https"),
                       !equal_ignoring_case(scheme_of(right.url), "https"));
    case SurvivorCriterion::kHost:
      return three_way(left_priorities.host, right_priorities.host);
    case SurvivorCriterion::kScheme:
      return three_way(left_priorities.scheme, right_priorities.scheme);
    case SurvivorCriterion::kHighestScore:
    case SurvivorCriterion::kLowestScore:
    case SurvivorCriterion::kOriginal:
    case SurvivorCriterion::kCanonical:
      if (!left.score || !right.score) return three_way(!left.score, !right.score);
      return criterion == SurvivorCriterion::kHighestScore
                 ? three_way(*right.score, *left.score)
                 : three_way(compared_part(criterion, *left.score), compared_part(criterion, *right.score));
  }
  return 0;
}

// The chain first, then the tie-breakers. `order` differs between any two pages, so the last one always decides.
SurvivorPolicy::Decision SurvivorPolicy::compare(const PageFacts& left, Priorities left_priorities,
                                                 const PageFacts& right, Priorities right_priorities) const {
  for (const SurvivorCriterion criterion : criteria_) {
    const int order = compare_by(criterion, left, left_priorities, right, right_priorities);
    if (order != 0) return {order, criterion_name(criterion)};
  }
  if (const int order = three_way_unknown_last(left.date, right.date, false); order != 0) {
    return {order, "tie-earliest"};
  }
  if (const int order = three_way_unknown_last(left.url, right.url, false); order != 0) return {order, "tie-url"};
  return {three_way(left.order, right.order), "tie-place"};
}

bool SurvivorPolicy::prefers(const PageFacts& left, const PageFacts& right) const {
  return compare(left, priorities(left), right, priorities(right)).order < 0;
}

std::string_view SurvivorPolicy::reason(const PageFacts& kept, const PageFacts& other) const {
  return compare(kept, priorities(kept), other, priorities(other)).reason;
}

Result<SpillArray<std::uint32_t>> SurvivorPolicy::rank(std::span<const PageFacts> pages, MemoryBudget* budget) const {
  SpillArray<Priorities> page_priorities(budget);
  SpillArray<std::uint32_t> order(budget);
  Status status;
  for (std::uint32_t page = 0; page < pages.size() && status; ++page) {
    status = page_priorities.push_back(priorities(pages[page]));
    if (status) status = order.push_back(page);
  }
  if (!status) return tl::unexpected<Error>(status.error());
  const auto is_before = [&](std::uint32_t left, std::uint32_t right) {
    tick(budget);
    // A total order, so the result does not depend on the sort being stable.
    return compare(pages[left], page_priorities[left], pages[right], page_priorities[right]).order < 0;
  };
  // Pages often come in the order that is wanted: the first one first, or the earliest.
  if (!std::is_sorted(order.begin(), order.end(), is_before)) std::sort(order.begin(), order.end(), is_before);
  return order;
}

}  // namespace paraprint::inline cluster
