// Evidence of a pair is a sum of log odds that one page is the source of the other one, not the reverse. How a copy is
// tied to one of several possible sources is a second sum, of what likens it to each of them. The tree maximises both.
#include "provenance/trace_copies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/assert.h"
#include "provenance/arborescence.h"
#include "provenance/stated_dates.h"
#include "provenance/stated_sources.h"
#include "provenance/text_relations.h"

namespace paraprint::inline provenance {
namespace {

// Fixed point, so that sums do not depend on their order.
constexpr double kWeightUnit = 1e6;
// What closeness of texts counts compared with direction, when one of several sources is chosen.
constexpr double kClosenessWeight = 3;
// Of pages with equal text, the one that was first is copied most. The same for which of them is taken for the source.
constexpr double kFirstOfTextWeight = 0.5;
// Log odds that a page which names a source is a copy of one that names none, whatever the source is.
constexpr double kNamesSourceLean = 1;
// Share of the sources named with certainty that are one; most of the others are copies of a page that is not in the
// cluster, like the page itself (docs/provenance.md#confidence).
constexpr double kSourcePresentShare = 0.93;
// Below this, a sign is not called a reason.
constexpr double kReasonLeanMinimum = 0.25;
// Of the shorter text, the share that the longer one must have to contain it; and of the longer one that is alone
// there.
constexpr double kContainedShare = 0.9;
constexpr double kLongerShare = 0.1;

double probability(double log_odds) {
  return 1 / (1 + std::exp(-log_odds));
}

// Evidence for one ordered pair, by reason: log odds that `source` is the source.
struct PairEvidence {
  std::array<double, kReasonCount> leans{};
  double closeness = 1;
  double parent = 0;  // what speaks for this page rather than another one that was there earlier too
  double names_source = 0;
  bool is_alternate = false;  // versions of one page

  double lean() const {
    double sum = names_source;
    for (const double each : leans) sum += each;
    return sum;
  }
  double& of(Reason reason) { return leans[static_cast<std::size_t>(reason)]; }
  double of(Reason reason) const { return leans[static_cast<std::size_t>(reason)]; }
  // Logarithm of how likely `source` is the direct source of the copy.
  double weight() const { return std::log(probability(lean())) + kClosenessWeight * std::log(closeness) + parent; }
};

class Tracer {
 public:
  Tracer(std::span<const TracedPage> pages, StopCheck& stop)
      : pages_(pages), stop_(stop), problems_(pages.size()), text_of_(pages.size(), kNoText), texts_(choose_texts()) {
    dates_.reserve(pages.size());
    for (std::size_t page = 0; page < pages.size(); ++page)
      dates_.push_back(usable_dates(pages[page], problems_[page]));
    sources_ = resolve_sources(pages, problems_);
    for (std::vector<std::uint32_t>& group : groups_) {
      std::sort(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
    }
  }

  // Nothing is said of the pages once it is stopped.
  std::vector<TracedOrigin> trace() {
    std::vector<TracedOrigin> nothing(pages_.size());
    if (stop_.is_stopped()) return nothing;
    choose_pairs();
    if (stop_.is_stopped() || !compare_texts()) return nothing;
    std::vector<DirectedEdge> edges;
    edges.reserve(pairs_.size());
    for (const auto& [source, copy] : pairs_) {
      const double weight = evidence(source, copy).weight();
      edges.push_back({source, copy, static_cast<std::int64_t>(std::llround(weight * kWeightUnit))});
      if (stop_.after(StopCheck::kUnitsPerNode)) return nothing;
    }
    const std::vector<std::int64_t> root_weights(pages_.size(), 0);
    const std::vector<std::uint32_t> parents =
        maximum_arborescence(static_cast<std::uint32_t>(pages_.size()), edges, root_weights);
    return describe(parents);
  }

 private:
  static constexpr std::uint32_t kNoText = 0xFFFFFFFF;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // source, copy

  // Of two texts, the first with the smaller number: what the evidence of their pages needs.
  struct ComparedTexts {
    Pair texts;
    double lean = 0;              // that the first one is the source
    double closeness_first = 0;   // of the first one to the second as its source
    double closeness_second = 0;  // and the reverse
    bool is_containment = false;
  };

  // Numbers the texts and gives every page that of the page with an equal one. Of equal texts, one page has sentences.
  TextRelations choose_texts() {
    std::map<std::array<std::uint64_t, 2>, std::uint32_t> numbers;
    std::vector<std::uint32_t> with_text;
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page].sentences.empty() || with_text.size() >= kTextsCompared) continue;
      const auto number = static_cast<std::uint32_t>(with_text.size());
      if (numbers.emplace(pages_[page].text_hash, number).second) with_text.push_back(page);
    }
    groups_.resize(with_text.size());
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      const auto found = numbers.find(pages_[page].text_hash);
      if (found == numbers.end()) continue;
      text_of_[page] = found->second;
      groups_[found->second].push_back(page);
    }
    return {pages_, with_text, stop_};
  }

  // By day of publication, pages without one last; then pages that name no source; then by place.
  bool is_before(std::uint32_t a, std::uint32_t b) const {
    const auto key = [&](std::uint32_t page) {
      const std::optional<std::int64_t> day = dates_[page].published_day();
      return std::tuple(!day.has_value(), day.value_or(0), bool{sources_.names_source[page]}, page);
    };
    return key(a) < key(b);
  }

  void choose_pairs() {
    const auto count = static_cast<std::uint32_t>(pages_.size());
    if (count <= kPagesInFull) {
      for (std::uint32_t source = 0; source < count; ++source) {
        for (std::uint32_t copy = 0; copy < count; ++copy) {
          if (source != copy) pairs_.emplace_back(source, copy);
        }
      }
      return;
    }
    // Pages that every page is weighed against, so that the tree can reach all from one.
    std::vector<std::uint32_t> hubs = {earliest_page()};
    if (!groups_.empty()) hubs.push_back(groups_[most_central_text()].front());
    for (std::uint32_t page = 0; page < count && !stop_.is_stopped(); ++page) add_pairs_of(page, hubs);
    for (const SourceStatement& each : sources_.statements) add_both(each.source, each.page);
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }

  std::uint32_t earliest_page() const {
    std::uint32_t earliest = 0;
    for (std::uint32_t page = 1; page < pages_.size(); ++page) {
      if (is_before(page, earliest)) earliest = page;
    }
    return earliest;
  }

  std::uint32_t most_central_text() const {
    std::uint32_t central = 0;
    for (std::uint32_t text = 1; text < groups_.size(); ++text) {
      if (texts_.centrality(text) > texts_.centrality(central)) central = text;
    }
    return central;
  }

  // Those of a page in a large cluster: hubs, the first page and the one before it of its own text, and the same of the
  // texts that are nearest.
  void add_pairs_of(std::uint32_t page, std::span<const std::uint32_t> hubs) {
    for (const std::uint32_t hub : hubs) add_both(hub, page);
    if (text_of_[page] == kNoText) return;
    add_pages_of_text(page, text_of_[page]);
    for (const std::uint32_t text : nearest_texts(text_of_[page])) add_pages_of_text(page, text);
  }

  const std::vector<std::uint32_t>& nearest_texts(std::uint32_t text) {
    constexpr std::size_t kHubs = 2;
    constexpr std::size_t kPagesPerText = 2;  // add_pages_of_text()
    const auto [found, is_new] = nearest_.try_emplace(text);
    if (is_new) {
      found->second = texts_.nearest(text, (kCandidateSources - kHubs) / kPagesPerText - 1);
      stop_.after(texts_.sentences(text));
    }
    return found->second;
  }

  void add_pages_of_text(std::uint32_t page, std::uint32_t text) {
    const std::vector<std::uint32_t>& group = groups_[text];
    add_both(group.front(), page);
    const auto after = std::lower_bound(group.begin(), group.end(), page,
                                        [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
    if (after != group.begin()) add_both(*(after - 1), page);
  }

  void add_both(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    pairs_.emplace_back(a, b);
    pairs_.emplace_back(b, a);
  }

  // Each pair of texts that pairs of pages have, once. False if it was stopped.
  bool compare_texts() {
    std::vector<Pair> wanted;
    for (const auto& [source, copy] : pairs_) {
      const std::uint32_t text_a = text_of_[source];
      const std::uint32_t text_b = text_of_[copy];
      if (text_a != kNoText && text_b != kNoText && text_a != text_b) wanted.emplace_back(std::minmax(text_a, text_b));
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    leave_out_longest(wanted);
    compared_.reserve(wanted.size());
    for (const Pair& texts : wanted) {
      const auto& [first, second] = texts;
      const TextRelation relation = texts_.relate(first, second);
      // The relation of the second text to the first differs in nothing but its sign and these two.
      TextRelation reverse = relation;
      std::swap(reverse.only_a_characters, reverse.only_b_characters);
      compared_.push_back(
          {texts, text_lean(relation.signs), text_closeness(reverse), text_closeness(relation), containing(relation)});
      if (stop_.after(texts_.sentences(first) + texts_.sentences(second))) return false;
    }
    return true;
  }

  // Keeps the pairs of as many texts, from the shortest on, as there can be within kSentencesVisited.
  void leave_out_longest(std::vector<Pair>& wanted) const {
    std::vector<std::uint32_t> by_length(groups_.size());
    std::iota(by_length.begin(), by_length.end(), 0U);
    std::stable_sort(by_length.begin(), by_length.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return texts_.sentences(a) < texts_.sentences(b); });
    std::vector<std::uint32_t> ranks(groups_.size());
    for (std::uint32_t rank = 0; rank < by_length.size(); ++rank) ranks[by_length[rank]] = rank;
    const auto rank_of = [&](const Pair& texts) { return std::max(ranks[texts.first], ranks[texts.second]); };
    // What each text adds to the shorter ones.
    std::vector<std::uint64_t> visits(groups_.size());
    for (const Pair& texts : wanted) {
      visits[rank_of(texts)] += texts_.sentences(texts.first) + texts_.sentences(texts.second);
    }
    std::uint32_t kept = 0;
    for (std::uint64_t sum = 0; kept < visits.size() && sum + visits[kept] <= kSentencesVisited; ++kept) {
      sum += visits[kept];
    }
    std::erase_if(wanted, [&](const Pair& texts) { return rank_of(texts) >= kept; });
  }

  // Null if they were not compared.
  const ComparedTexts* find_compared(std::uint32_t text_a, std::uint32_t text_b) const {
    const Pair wanted = std::minmax(text_a, text_b);
    const auto found =
        std::lower_bound(compared_.begin(), compared_.end(), wanted,
                         [](const ComparedTexts& each, const Pair& texts) { return each.texts < texts; });
    return found != compared_.end() && found->texts == wanted ? &*found : nullptr;
  }

  PairEvidence evidence(std::uint32_t source, std::uint32_t copy) const {
    PairEvidence found;
    found.of(Reason::kDate) = date_lean(dates_[source], dates_[copy]);
    add_statements(source, copy, 1, found);
    add_statements(copy, source, -1, found);
    if (sources_.names_source[copy] != sources_.names_source[source]) {
      found.names_source = sources_.names_source[copy] ? kNamesSourceLean : -kNamesSourceLean;
    }
    const std::uint32_t text_a = text_of_[source];
    const std::uint32_t text_b = text_of_[copy];
    if (text_a != kNoText && groups_[text_a].front() == source) found.parent += kFirstOfTextWeight;
    if (const ComparedTexts* const compared = find_compared(text_a, text_b)) {
      const bool is_first_source = compared->texts.first == text_a;
      found.closeness = is_first_source ? compared->closeness_second : compared->closeness_first;
      found.of(compared->is_containment ? Reason::kContainment : Reason::kText) =
          is_first_source ? compared->lean : -compared->lean;
    }
    return found;
  }

  // Whether one of two texts is the other one with more.
  static bool containing(const TextRelation& relation) {
    const double shorter =
        relation.shared_characters + std::min(relation.only_a_characters, relation.only_b_characters);
    const double more = std::max(relation.only_a_characters, relation.only_b_characters);
    return shorter > 0 && relation.shared_characters >= kContainedShare * shorter &&
           more >= kLongerShare * (relation.shared_characters + more);
  }

  void add_statements(std::uint32_t source, std::uint32_t copy, int sign, PairEvidence& found) const {
    const auto begin = std::lower_bound(
        sources_.statements.begin(), sources_.statements.end(), Pair(copy, source),
        [](const SourceStatement& each, const Pair& wanted) { return Pair(each.page, each.source) < wanted; });
    for (auto at = begin; at != sources_.statements.end() && at->page == copy && at->source == source; ++at) {
      found.of(at->reason) += sign * at->lean;
      if (at->reason == Reason::kAlternate) {
        if (!found.is_alternate) found.parent += at->parent;  // once, whichever names the other
        found.is_alternate = true;
      } else if (sign > 0) {
        found.parent += at->parent;
      }
    }
  }

  std::vector<TracedOrigin> describe(const std::vector<std::uint32_t>& parents) {
    std::vector<TracedOrigin> origins(pages_.size());
    note_contradictions();
    std::vector<std::uint32_t> roots;
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      // Both dates of a page can be odd in the same way.
      std::vector<StatementProblem>& problems = problems_[page];
      std::sort(problems.begin(), problems.end());
      problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
      origins[page].problems = std::move(problems);
      if (parents[page] == kNoParent) {
        roots.push_back(page);
      } else {
        describe_copy(parents[page], page, origins[page]);
      }
    }
    PARAPRINT_ASSERT(!roots.empty());
    origins[roots.front()].is_first = true;
    origins[roots.front()].first_confidence = first_confidence(roots.front());
    return origins;
  }

  void describe_copy(std::uint32_t source, std::uint32_t copy, TracedOrigin& origin) const {
    const PairEvidence found = evidence(source, copy);
    origin.copied_from = source;
    origin.confidence = kSourcePresentShare * probability(found.lean());
    for (std::size_t reason = 0; reason < kReasonCount; ++reason) {
      if (found.leans[reason] >= kReasonLeanMinimum) origin.reasons.push_back(static_cast<Reason>(reason));
      if (found.leans[reason] <= -kReasonLeanMinimum) origin.against.push_back(static_cast<Reason>(reason));
    }
    if (found.is_alternate) origin.reasons.push_back(Reason::kAlternate);
  }

  // That the page was before each page that it was weighed against, as the least certain of these says.
  double first_confidence(std::uint32_t first) const {
    double least = 1;
    const auto begin = std::lower_bound(pairs_.begin(), pairs_.end(), Pair(first, 0));
    for (auto at = begin; at != pairs_.end() && at->first == first; ++at) {
      least = std::min(least, probability(evidence(first, at->second).lean()));
    }
    return least;
  }

  // Statements against dates, and those that lead back to the page that makes them.
  void note_contradictions() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> named;
    for (const SourceStatement& each : sources_.statements) {
      if (each.reason != Reason::kStatedSource && each.reason != Reason::kCanonical) continue;
      named[each.page].push_back(each.source);
      if (date_lean(dates_[each.source], dates_[each.page]) < 0)
        problems_[each.page].push_back(StatementProblem::kSourceIsLater);
    }
    for (const auto& [page, first] : named) {
      if (leads_back(page, named)) problems_[page].push_back(StatementProblem::kSourcesInCircle);
    }
  }

  // Follows the first source of each page: bounded, and enough for circles of pages that name one each.
  static bool leads_back(std::uint32_t page, const std::map<std::uint32_t, std::vector<std::uint32_t>>& named) {
    constexpr int kStepsMaximum = 32;
    std::uint32_t at = page;
    for (int step = 0; step < kStepsMaximum; ++step) {
      const auto found = named.find(at);
      if (found == named.end()) return false;
      if (std::find(found->second.begin(), found->second.end(), page) != found->second.end()) return true;
      at = found->second.front();
    }
    return false;
  }

  std::span<const TracedPage> pages_;
  StopCheck& stop_;
  std::vector<std::vector<StatementProblem>> problems_;
  std::vector<std::uint32_t> text_of_;
  std::vector<std::vector<std::uint32_t>> groups_;  // pages by text
  TextRelations texts_;
  std::vector<UsableDates> dates_;
  StatedSources sources_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> nearest_;  // by text
  std::vector<Pair> pairs_;                                      // ascending
  std::vector<ComparedTexts> compared_;                          // ascending
};

}  // namespace

std::string_view reason_name(Reason reason) {
  constexpr std::array<std::string_view, kReasonCount> kNames = {"date",        "stated-source", "canonical", "link",
                                                                 "containment", "text",          "alternate"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string_view problem_name(StatementProblem problem) {
  constexpr std::array<std::string_view, kStatementProblemCount> kNames = {
      "date-in-future",    "date-before-web", "modified-before-published", "names-itself", "source-elsewhere",
      "sources-in-circle", "source-is-later"};
  return kNames[static_cast<std::size_t>(problem)];
}

// Pages are traced in the order of their ids, so that of two sources that are equally likely the same one is chosen
// whatever the order of the pages.
std::vector<TracedOrigin> trace_copies(std::span<const TracedPage> pages, StopCheck& stop) {
  PARAPRINT_ASSERT(pages.size() <= kTracedPagesMaximum);
  if (pages.empty()) return {};
  const auto is_before = [](const TracedPage& a, const TracedPage& b) { return a.id < b.id; };
  if (std::is_sorted(pages.begin(), pages.end(), is_before)) return Tracer(pages, stop).trace();
  std::vector<std::uint32_t> order(pages.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return pages[a].id < pages[b].id; });
  std::vector<TracedPage> ordered;
  ordered.reserve(pages.size());
  for (const std::uint32_t page : order) ordered.push_back(pages[page]);
  std::vector<TracedOrigin> traced = Tracer(ordered, stop).trace();
  std::vector<TracedOrigin> origins(pages.size());
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (traced[at].copied_from) traced[at].copied_from = order[*traced[at].copied_from];
    origins[order[at]] = std::move(traced[at]);
  }
  return origins;
}

}  // namespace paraprint::inline provenance
