// Clusters connected components with cluster_pages(). A star grows along links only, so it never leaves a component,
// and components can be clustered on different machines. Clustering may compare pairs that nothing has compared before;
// their profiles or fingerprints are fetched beforehand (pages_to_compare() in component.h).
#include <deque>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/component.h"
#include "distribute/fetched_pages.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"

namespace paraprint::distribute {
namespace {

// Most components have two or three pages, and a call of cluster_pages() spends more time on setup than on clustering
// them. Components are therefore combined into calls of about this many pages.
constexpr std::size_t kPagesOfACall = 4096;

class ClusterTask : public TaskBase {
 public:
  explicit ClusterTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        fetched_(make_fetched_pages()),
        clusters_(add_box("clusters", 1)),
        extra_(add_box("extra", 1)) {}

  // Places in a component are checked here, because cluster_pages() takes them as indexes.
  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return fetched_->add_parcel(bytes);
    ByteReader in(bytes);
    while (!in.at_end()) {
      Component component = read_component(in);
      if (!in.ok()) return corrupt("components");
      for (const Match& match : component.matches) {
        if (match.page_a >= match.page_b || match.page_b >= component.pages.size()) return corrupt("components");
      }
      components_.push_back(std::move(component));
    }
    return in.ok() ? Status{} : corrupt("components");
  }

  // Connected mode never asks for a comparison, and nothing is fetched then.
  Status finish() override {
    PARAPRINT_TRY(fetched_->finish());
    PARAPRINT_ASSIGN(SurvivorPolicy policy, survivor_policy(options_.survivors));
    // A component is never split between two calls.
    Group group;
    for (const Component& component : components_) {
      group.add(component);
      if (group.numbers.size() < kPagesOfACall) continue;
      PARAPRINT_TRY(cluster(std::exchange(group, {}), policy));
    }
    Status clustered = cluster(group, policy);
    end_boxes();
    return clustered;
  }

 private:
  // Several components concatenated, their places renumbered.
  struct Group {
    std::vector<std::uint32_t> numbers;  // of the pages
    std::vector<PageFacts> facts;
    std::vector<std::uint32_t> representatives;
    std::vector<Match> matches;

    void add(const Component& component) {
      const auto first = static_cast<std::uint32_t>(numbers.size());
      for (const ComponentPage& page : component.pages) {
        numbers.push_back(page.page);
        facts.push_back({page.url, page.date, page.content_characters, page.page});
        representatives.push_back(first + page.representative);
      }
      for (Match match : component.matches) {
        match.page_a += first;
        match.page_b += first;
        matches.push_back(match);
      }
    }
  };

  // Places become page numbers again in the output. An error of the scorer cannot leave the callback, so it is kept and
  // returned afterwards; the result of the call is then discarded.
  Status cluster(const Group& group, const SurvivorPolicy& policy) {
    Status verified;
    const std::vector<std::uint32_t>& numbers = group.numbers;
    const Result<Clustering> clustering =
        cluster_pages(group.facts, group.representatives, group.matches, policy,
                      clustering_options(options_.survivors, &budget_), [&](std::uint32_t a, std::uint32_t b) {
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

  std::deque<Component> components_;
  std::unique_ptr<FetchedPages> fetched_;
  ParcelBox& clusters_;
  ParcelBox& extra_;
};

}  // namespace

std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input) {
  return std::make_unique<ClusterTask>(std::move(input));
}

}  // namespace paraprint::distribute
