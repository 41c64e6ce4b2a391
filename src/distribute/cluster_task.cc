// Clusters connected components with cluster_pages(). A star grows along links only, so it never leaves a component,
// and components can be clustered on different machines. Clustering may compare pairs that nothing has compared before;
// their profiles or fingerprints are fetched beforehand (component_tasks.cc).
//
// The task knows all pages of its components with their ids, so it gives the rows of clusters, and those of matches
// that clustering has found, to the ranges of ids.
//
// Pages and matches are sorted on disk and read component by component, and what clustering keeps of a component is on
// the task's budget, so a component may have more pages than fit in memory.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/propagate.h"
#include "cluster/clustering.h"
#include "cluster/page_groups.h"
#include "distribute/fetched_pages.h"
#include "distribute/tables/removal_records.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"
#include "engine/output_stage.h"
#include "engine/surviving_records.h"
#include "memory/spill_array.h"
#include "report/json_lines.h"
#include "report/verdict_text.h"

namespace paraprint::distribute {
namespace {

// Most components have two or three pages, and a call of cluster_pages() spends more time on setup than on clustering
// them. Components are therefore combined into calls of about this many pages.
constexpr std::size_t kPagesOfACall = 4096;

// A page, with the place of its id, URL and date.
struct MemberPage {
  std::uint32_t component = 0;
  std::uint32_t page = 0;
  std::uint32_t representative = 0;
  std::uint32_t content_characters = 0;
  std::uint64_t text_begin = 0;
  std::uint32_t id_bytes = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t date_bytes = 0;
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t known_begin = 0;  // of its KnownPage among the texts, plus one; 0: none
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
        page_rows_(add_box("page-rows", settings_.partitions), add_box("cluster-sums", settings_.partitions),
                   settings_.first_ids),
        match_rows_(add_box("match-rows", settings_.partitions), settings_.first_ids),
        removals_(add_box(options_.output.revisits ? "removals" : "removed-pages", settings_.partitions)),
        addresses_(add_box("addresses", settings_.partitions), settings_.partitions),
        gone_(add_box("gone-pages", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return fetched_->add_parcel(bytes);
    if (kind == "edges") {
      return for_each_record(bytes, "edges", read_component_match, [this](const ComponentMatch& edge) {
        return matches_.push({edge.component, edge.match});
      });
    }
    return for_each_record(bytes, "members", read_component_page, [this](const ComponentPage& page) -> Status {
      if (!is_page(page.page)) return corrupt("members");
      const auto size_of = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
      MemberPage member{page.component, page.page,        page.representative, page.content_characters,
                        texts_.size(),  size_of(page.id), size_of(page.url),   size_of(page.date),
                        page.file,      page.ordinal,     page.offset_bytes};
      for (const std::string_view text : {page.id, page.url, page.date}) PARAPRINT_TRY(texts_.append(text));
      if (page.known) {
        member.known_begin = texts_.size() + 1;
        known_record_.clear();
        ByteWriter out(known_record_);
        write_known_page(*page.known, out);
        PARAPRINT_TRY(texts_.append(std::span<const char>(known_record_)));
      }
      return pages_.push(member);
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
        if (group.members.size() >= kPagesOfACall) {
          PARAPRINT_TRY(cluster(group, policy));
          group = Group(&budget_);
        }
        component = page.component;
        first_of_component = group.members.size();
      }
      if (group.members.size() > first_of_component && group.members.back().page == page.page)
        return corrupt("members");
      PARAPRINT_TRY(add_page(page, first_of_component, group));
    }
    if (!pages_.status()) return pages_.status();
    PARAPRINT_TRY(end_component(component, first_of_component, group));
    if (!matches_.status()) return matches_.status();
    Status clustered = cluster(group, policy);
    page_rows_.give_sums();
    end_boxes();
    return clustered;
  }

 private:
  // Several components concatenated. Their pages have places, in which matches and representatives are expressed.
  struct Group {
    explicit Group(MemoryBudget* budget) : members(budget), facts(budget), representatives(budget), matches(budget) {}
    SpillArray<MemberPage> members;  // in the order of their pages in a component
    SpillArray<PageFacts> facts;
    SpillArray<std::uint32_t> representatives;
    SpillArray<Match> matches;
  };

  // The first page of a text has the smallest number, so it came before.
  Status add_page(const MemberPage& page, std::size_t first_of_component, Group& group) {
    PARAPRINT_TRY(group.members.push_back(page));
    PARAPRINT_TRY(group.facts.push_back({url_of(page), date_of(page), page.content_characters, page.page}));
    const std::optional<std::uint32_t> first = place_of(page.representative, first_of_component, group);
    return first ? group.representatives.push_back(*first) : corrupt("members");
  }

  static std::optional<std::uint32_t> place_of(std::uint32_t page, std::size_t first_of_component, const Group& group) {
    const MemberPage* const begin = group.members.begin() + first_of_component;
    const MemberPage* const found =
        std::lower_bound(begin, group.members.end(), page,
                         [](const MemberPage& member, std::uint32_t wanted) { return member.page < wanted; });
    if (found == group.members.end() || found->page != page) return std::nullopt;
    return static_cast<std::uint32_t>(found - group.members.begin());
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
    const SpillArray<MemberPage>& members = group.members;
    const Result<Clustering> clustering = cluster_pages(
        {group.facts.begin(), group.facts.end()}, {group.representatives.begin(), group.representatives.end()},
        {group.matches.begin(), group.matches.end()}, policy, clustering_options(options_.survivors, &budget_),
        [&](std::uint32_t a, std::uint32_t b) {
          Result<Match> match = fetched_->score(members[a].page, members[b].page);
          if (!match && verified) verified = tl::unexpected<Error>(match.error());
          Match result = match ? *match : Match{};
          result.page_a = a;
          result.page_b = b;
          return result;
        });
    if (!verified) return verified;
    if (!clustering) return tl::unexpected<Error>(clustering.error());
    PARAPRINT_TRY(give_page_rows(group, clustering->pages, policy));
    if (!clustering->extra_matches.empty()) PARAPRINT_TRY(give_match_rows(group, clustering->extra_matches));
    count(counters_, "extra_checks", clustering->statistics.extra_checks);
    count(counters_, "extra_matches", clustering->statistics.extra_matches);
    count(counters_, "checks_not_made", clustering->statistics.checks_not_made);
    return {};
  }

  // A row for each page, with the first id of its cluster.
  Status give_page_rows(const Group& group, const SpillArray<PageCluster>& pages, const SurvivorPolicy& policy) {
    const SpillArray<MemberPage>& members = group.members;
    struct ClusterPages {
      std::uint32_t first = 0;  // place of the page with the first id
      std::uint32_t count = 0;
    };
    SpillArray<ClusterPages> clusters(&budget_);  // by the place of the kept page
    PARAPRINT_TRY(clusters.assign(members.size(), {}));
    for (std::uint32_t place = 0; place < members.size(); ++place) {
      tick(&budget_);  // lets the budget move pages of the arrays to disk, as below
      ClusterPages& cluster = clusters[pages[place].kept_page];
      if (cluster.count++ == 0 || id_of(members[place]) < id_of(members[cluster.first])) cluster.first = place;
    }
    for (std::uint32_t place = 0; place < members.size(); ++place) {
      tick(&budget_);
      const MemberPage& member = members[place];
      const PageCluster& page = pages[place];
      const MemberPage& kept = members[page.kept_page];
      const ClusterPages& cluster = clusters[page.kept_page];
      const std::optional<KnownPage> known = known_of(member);
      tables::TablePage row{.id = id_of(member),
                            .url = url_of(member),
                            .file = member.file,
                            .ordinal = member.ordinal,
                            .kept_page = kept.page,
                            .is_kept = page.kept_page == place && !known,
                            .is_first = cluster.first == place,
                            .is_alone = cluster.count == 1};
      if (!row.is_kept) {
        row.offset_bytes = member.offset_bytes;
        row.date = date_of(member);
        if (settings_.is_remembered) ByteWriter(gone_.record_for(owner_of(member.page))).variable(member.page);
      }
      if (known) {
        // An earlier run has precedence over what this one finds.
        row.verdict = known->verdict;
        row.resemblance = known->resemblance;
        row.containment = known->containment;
        row.containment_kept = known->containment_known;
        row.reason = kReasonKnown;
        row.kept_id = known->id;
        row.kept_url = known->url;
      } else if (!row.is_kept) {
        row.verdict = page.verdict;
        row.resemblance = page.resemblance;
        row.containment = page.containment;
        row.containment_kept = page.containment_kept;
        row.reason = policy.reason(group.facts[page.kept_page], group.facts[place]);
        row.kept_id = id_of(kept);
        row.kept_url = url_of(kept);
        row.kept_date = date_of(kept);
      }
      page_rows_.give(row, id_of(members[cluster.first]));
      if (options_.output.records) give_removal(member, kept, row, cluster.count > 1);
    }
    return {};
  }

  // What the archives need: the page that goes, with revisit records also the one that they refer to and, of all pages,
  // the address that players know them by.
  void give_removal(const MemberPage& member, const MemberPage& kept, const tables::TablePage& row, bool has_copies) {
    if (options_.output.revisits) {
      using enum tables::AddressRole;
      const tables::AddressRole role = !row.is_kept ? kRemoved : has_copies ? kKeptWithCopies : kKept;
      addresses_.give(hash_of_address(url_of(member), date_of(member)),
                      {member.page, member.file, member.ordinal, role});
    }
    if (row.is_kept) return;
    tables::Removal removal{member.page, member.file, kept.page, {.ordinal = member.ordinal}};
    removal.removed.relation.verdict = verdict_name(row.verdict);
    removal.removed.relation.reason = row.reason == kReasonKnown ? kReasonKnown : std::string_view();
    if (options_.output.revisits) {
      removal.removed.relation = {verdict_name(row.verdict),
                                  row.resemblance,
                                  row.containment,
                                  row.containment_kept,
                                  row.reason,
                                  row.kept_id,
                                  row.kept_url,
                                  row.kept_date};
    }
    ByteWriter out(removals_.record_for(owner_of(options_.output.revisits ? kept.page : member.page)));
    tables::write_removal(removal, out);
  }

  // The pairs that clustering compared in addition: like all matches, they stand for the pages with the same texts,
  // which are in the component, too.
  Status give_match_rows(const Group& group, const SpillArray<Match>& matches) {
    const SpillArray<std::uint32_t>& representatives = group.representatives;
    const auto count = static_cast<std::uint32_t>(group.members.size());
    SpillArray<std::uint32_t> places(&budget_);
    for (std::uint32_t place = 0; place < count; ++place) PARAPRINT_TRY(places.push_back(place));
    PageGroups texts(&budget_);
    PARAPRINT_TRY(texts.build(count, places, [&](std::uint32_t place) { return representatives[place]; }));
    const auto paired = [&](std::uint32_t place) {
      const MemberPage& member = group.members[place];
      return tables::PairedPage{id_of(member), member.page, representatives[place] == place};
    };
    for (const Match& match : matches) {
      const std::span<const std::uint32_t> pages_a = texts.of(representatives[match.page_a]);
      const std::span<const std::uint32_t> pages_b = texts.of(representatives[match.page_b]);
      for (const std::uint32_t place_a : pages_a) {
        for (const std::uint32_t place_b : pages_b) {
          tick(&budget_);
          const tables::PairedPage a = paired(place_a);
          const tables::PairedPage b = paired(place_b);
          if (has_pair_row(pages_a.size(), pages_b.size(), a.is_first, b.is_first)) match_rows_.give(a, b, match);
        }
      }
    }
    return {};
  }

  std::optional<KnownPage> known_of(const MemberPage& page) const {
    if (page.known_begin == 0) return std::nullopt;
    ByteReader in(std::string_view(texts_.data() + page.known_begin - 1, texts_.size() - page.known_begin + 1));
    return read_known_page(in);
  }
  std::string_view id_of(const MemberPage& page) const { return {texts_.data() + page.text_begin, page.id_bytes}; }
  std::string_view url_of(const MemberPage& page) const {
    return {texts_.data() + page.text_begin + page.id_bytes, page.url_bytes};
  }
  std::string_view date_of(const MemberPage& page) const {
    return {texts_.data() + page.text_begin + page.id_bytes + page.url_bytes, page.date_bytes};
  }

  ExternalSorter<MemberPage, MemberPageTraits> pages_;
  ExternalSorter<MemberMatch, MemberMatchTraits> matches_;
  SpillArray<char> texts_;  // ids, URLs and dates
  MemberMatch match_;       // the next one
  bool has_match_ = false;
  std::unique_ptr<FetchedPages> fetched_;
  tables::PageRowBox page_rows_;
  tables::MatchRowBox match_rows_;
  ParcelBox& removals_;
  tables::AddressBox addresses_;
  ParcelBox& gone_;  // own pages of other tasks that do not stay
  std::string known_record_;
};

}  // namespace

std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input) {
  return std::make_unique<ClusterTask>(std::move(input));
}

}  // namespace paraprint::distribute
