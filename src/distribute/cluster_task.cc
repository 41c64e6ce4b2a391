// Clusters connected components with cluster_pages(). A star grows along links only, so it never leaves a component,
// and components can be clustered on different machines. Clustering may compare pairs that nothing has compared before;
// their profiles or fingerprints are fetched beforehand (component_tasks.cc).
//
// Pages and matches are sorted on disk and read component by component, and what clustering keeps of a component is on
// the task's budget, so a component may have more pages than fit in memory.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/fetched_pages.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

// Most components have two or three pages, and a call of cluster_pages() spends more time on setup than on clustering
// them. Components are therefore combined into calls of about this many pages.
constexpr std::size_t kPagesOfACall = 4096;

// A page, with the place of its URL and date.
struct MemberPage {
  std::uint32_t component = 0;
  std::uint32_t page = 0;
  std::uint32_t representative = 0;
  std::uint32_t content_characters = 0;
  std::uint64_t text_begin = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t date_bytes = 0;
  friend auto operator<=>(const MemberPage&, const MemberPage&) = default;
};
struct MemberPageTraits {
  static std::uint64_t key(const MemberPage& page) { return std::uint64_t{page.component} << 32 | page.page; }
  static bool combine(MemberPage&, const MemberPage&) { return false; }
};

struct MemberMatch {
  std::uint32_t component = 0;
  Match match;
  friend bool operator<(const MemberMatch& x, const MemberMatch& y) {
    const auto key = [](const MemberMatch& stored) {
      return std::tuple(stored.component, stored.match.page_a, stored.match.page_b);
    };
    return key(x) < key(y);
  }
};
struct MemberMatchTraits {
  static std::uint64_t key(const MemberMatch& stored) {
    return std::uint64_t{stored.component} << 32 | stored.match.page_a;
  }
  static bool combine(MemberMatch&, const MemberMatch&) { return false; }
};

class ClusterTask : public TaskBase {
 public:
  explicit ClusterTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        pages_(sort_options(0.5)),
        matches_(sort_options(0.5)),
        texts_(&budget_),
        fetched_(make_fetched_pages()),
        clusters_(add_box("clusters", 1)),
        extra_(add_box("extra", 1)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return fetched_->add_parcel(bytes);
    if (kind == "edges") {
      return for_each_record(bytes, "edges", read_component_match, [this](const ComponentMatch& edge) {
        return matches_.push({edge.component, edge.match});
      });
    }
    return for_each_record(bytes, "members", read_component_page, [this](const ComponentPage& page) -> Status {
      PARAPRINT_TRY(
          pages_.push({page.component, page.page, page.representative, page.content_characters, texts_.size(),
                       static_cast<std::uint32_t>(page.url.size()), static_cast<std::uint32_t>(page.date.size())}));
      PARAPRINT_TRY(texts_.append(page.url));
      return texts_.append(page.date);
    });
  }

  // Connected mode never asks for a comparison, and nothing is fetched then. A component is never split between two
  // calls.
  Status finish() override {
    count(counters_, "profiles_received", fetched_->size());
    PARAPRINT_TRY(fetched_->finish());
    PARAPRINT_TRY(pages_.finish());
    PARAPRINT_TRY(matches_.finish());
    PARAPRINT_ASSIGN(SurvivorPolicy policy, survivor_policy(options_.survivors));
    has_match_ = matches_.next(match_);
    Group group(&budget_);
    std::size_t first_of_component = 0;
    std::uint32_t component = 0;
    MemberPage page;
    while (pages_.next(page)) {
      if (page.component != component) {
        PARAPRINT_TRY(end_component(component, first_of_component, group));
        if (group.numbers.size() >= kPagesOfACall) {
          PARAPRINT_TRY(cluster(group, policy));
          group = Group(&budget_);
        }
        component = page.component;
        first_of_component = group.numbers.size();
      }
      if (group.numbers.size() > first_of_component && group.numbers.back() == page.page) return corrupt("members");
      PARAPRINT_TRY(add_page(page, first_of_component, group));
    }
    if (!pages_.status()) return pages_.status();
    PARAPRINT_TRY(end_component(component, first_of_component, group));
    if (!matches_.status()) return matches_.status();
    Status clustered = cluster(group, policy);
    end_boxes();
    return clustered;
  }

 private:
  // Several components concatenated. Their pages have places, in which matches and representatives are expressed.
  struct Group {
    explicit Group(MemoryBudget* budget) : numbers(budget), facts(budget), representatives(budget), matches(budget) {}
    SpillArray<std::uint32_t> numbers;  // of the pages, ascending in a component
    SpillArray<PageFacts> facts;
    SpillArray<std::uint32_t> representatives;
    SpillArray<Match> matches;
  };

  // The first page of a text has the smallest number, so it came before.
  Status add_page(const MemberPage& page, std::size_t first_of_component, Group& group) {
    const std::string_view url(texts_.data() + page.text_begin, page.url_bytes);
    const std::string_view date(texts_.data() + page.text_begin + page.url_bytes, page.date_bytes);
    PARAPRINT_TRY(group.numbers.push_back(page.page));
    PARAPRINT_TRY(group.facts.push_back({url, date, page.content_characters, page.page}));
    const std::optional<std::uint32_t> first = place_of(page.representative, first_of_component, group);
    return first ? group.representatives.push_back(*first) : corrupt("members");
  }

  static std::optional<std::uint32_t> place_of(std::uint32_t page, std::size_t first_of_component, const Group& group) {
    const std::uint32_t* const begin = group.numbers.begin() + first_of_component;
    const std::uint32_t* const found = std::lower_bound(begin, group.numbers.end(), page);
    if (found == group.numbers.end() || *found != page) return std::nullopt;
    return static_cast<std::uint32_t>(found - group.numbers.begin());
  }

  // Adds the matches of the component; those that lead out of it are no links and are left out.
  Status end_component(std::uint32_t component, std::size_t first_of_component, Group& group) {
    for (; has_match_ && match_.component <= component; has_match_ = matches_.next(match_)) {
      Match match = match_.match;
      const std::optional<std::uint32_t> a = place_of(match.page_a, first_of_component, group);
      const std::optional<std::uint32_t> b = place_of(match.page_b, first_of_component, group);
      if (match_.component != component || !a) return corrupt("edges");
      if (!b) continue;
      match.page_a = *a;
      match.page_b = *b;
      PARAPRINT_TRY(group.matches.push_back(match));
    }
    return {};
  }

  // Places become page numbers again in the output. An error of the scorer cannot leave the callback, so it is kept and
  // returned afterwards; the result of the call is then discarded.
  Status cluster(const Group& group, const SurvivorPolicy& policy) {
    Status verified;
    const SpillArray<std::uint32_t>& numbers = group.numbers;
    const Result<Clustering> clustering = cluster_pages(
        {group.facts.begin(), group.facts.end()}, {group.representatives.begin(), group.representatives.end()},
        {group.matches.begin(), group.matches.end()}, policy, clustering_options(options_.survivors, &budget_),
        [&](std::uint32_t a, std::uint32_t b) {
          Result<Match> match = fetched_->score(numbers[a], numbers[b]);
          if (!match && verified) verified = tl::unexpected<Error>(match.error());
          Match result = match ? *match : Match{};
          result.page_a = a;
          result.page_b = b;
          return result;
        });
    if (!verified) return verified;
    if (!clustering) return tl::unexpected<Error>(clustering.error());
    for (std::uint32_t place = 0; place < numbers.size(); ++place) {
      PageCluster page = clustering->pages[place];
      page.kept_page = numbers[page.kept_page];
      ByteWriter out(clusters_.record_for(0));
      write_clustered_page({numbers[place], page}, out);
    }
    for (Match match : clustering->extra_matches) {
      match.page_a = numbers[match.page_a];
      match.page_b = numbers[match.page_b];
      ByteWriter out(extra_.record_for(0));
      write_match(match, out);
    }
    count(counters_, "extra_checks", clustering->statistics.extra_checks);
    count(counters_, "extra_matches", clustering->statistics.extra_matches);
    count(counters_, "checks_not_made", clustering->statistics.checks_not_made);
    return {};
  }

  ExternalSorter<MemberPage, MemberPageTraits> pages_;
  ExternalSorter<MemberMatch, MemberMatchTraits> matches_;
  SpillArray<char> texts_;  // URLs and dates
  MemberMatch match_;       // the next one
  bool has_match_ = false;
  std::unique_ptr<FetchedPages> fetched_;
  ParcelBox& clusters_;
  ParcelBox& extra_;
};

}  // namespace

std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input) {
  return std::make_unique<ClusterTask>(std::move(input));
}

}  // namespace paraprint::distribute
