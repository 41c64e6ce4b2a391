// The judge that uses the index of known pages (paraprint/index.h). The id of a page is its URL, so judging a page
// again replaces its earlier version.
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "crawl/page_judge.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"

namespace paraprint::inline crawler {
namespace {

class IndexJudge final : public PageJudge {
 public:
  IndexJudge(std::unique_ptr<PageIndex> index, std::uint32_t characters_minimum)
      : index_(std::move(index)), characters_minimum_(characters_minimum) {}

  Result<PageJudgement> judge(const PreparedPage& page, bool is_noindex, std::int64_t now_seconds) override {
    const Profile& profile = page.profile;
    PageJudgement judgement;
    judgement.content_characters = profile.content_characters;
    judgement.is_short = profile.content_characters < characters_minimum_;
    judgement.cluster_url = page.url;
    IndexPageInput input;
    input.id = page.url;
    input.url = page.url;
    input.date = page.date;
    input.seen_at_seconds = static_cast<std::uint64_t>(now_seconds);
    input.profile = &profile;
    input.fingerprint = &page.fingerprint;
    AddOptions add;
    add.lookup.matches = 1;
    // Removed first: the page must not match its own earlier version.
    if (is_noindex) {
      judgement.is_noindex = true;
      PARAPRINT_TRY(index_->remove(input.id));
      PARAPRINT_ASSIGN(const LookupOutcome found, index_->lookup(input, add.lookup));
      fill_in(found, judgement);
      return judgement;
    }
    const Result<AddOutcome> answer = index_->lookup_or_add(input, add);
    // What is known of the address is not its text any more.
    if (!answer && index_->is_about_page(answer.error())) {
      judgement.is_too_large = true;
      PARAPRINT_TRY(index_->remove(input.id));
      return judgement;
    }
    PARAPRINT_TRY(answer);
    judgement.is_known = answer->change != PageChange::kNew;
    judgement.has_changed = answer->change == PageChange::kChanged;
    fill_in(answer->lookup, judgement);
    return judgement;
  }

  Status remove(const std::string& url) override {
    PARAPRINT_TRY(index_->remove(url));
    return {};
  }

  Status sync() override { return index_->sync(); }

  // Candidates are the pages last seen in that period; is_lost() then asks the state of the crawl about each.
  Status forget(const LostTime& judged, const std::function<Result<bool>(const std::string& url)>& is_lost) override {
    std::vector<std::string> recent;
    PARAPRINT_TRY(index_->for_each_page(false, [&](const IndexedPage& page, const Profile*) -> Status {
      const auto seen = static_cast<std::int64_t>(page.last_seen_seconds);
      if (seen >= judged.since_seconds && seen < judged.until_seconds) recent.push_back(page.id);
      return {};
    }));
    for (const std::string& url : recent) {
      PARAPRINT_ASSIGN(const bool lost, is_lost(url));
      if (!lost) continue;
      PARAPRINT_TRY(index_->remove(url));
    }
    return {};
  }

 private:
  static void fill_in(const LookupOutcome& found, PageJudgement& judgement) {
    judgement.verdict = found.verdict;
    if (found.matches.empty()) return;
    const IndexMatch& best = found.matches.front();
    judgement.known_url = best.page.url;
    judgement.resemblance = best.resemblance;
    judgement.containment = best.containment_asked;
    judgement.containment_known = best.containment_known;
    judgement.cluster_url = best.page.cluster;
  }

  std::unique_ptr<PageIndex> index_;
  std::uint32_t characters_minimum_;
};

}  // namespace

Result<std::unique_ptr<PageJudge>> make_page_judge(const CrawlOptions& options, const std::string& index_folder,
                                                   const RunControl& control) {
  PARAPRINT_ASSIGN(const Profiler profiler, Profiler::create(options.profile));
  IndexOptions index_options;
  index_options.identity = profiler.settings_identity();
  index_options.algorithm = options.profile.algorithm;
  index_options.match = options.match;
  index_options.sync = SyncMode::kNone;  // CrawlRun::sync() syncs it before the state refers to it
  // Without the stop flag: a crawl that is asked to stop ends with success.
  RunControl opening;
  opening.warning = control.warning;
  PARAPRINT_ASSIGN(std::unique_ptr<PageIndex> index, PageIndex::open(index_folder, index_options, opening));
  return std::unique_ptr<PageJudge>(std::make_unique<IndexJudge>(std::move(index), options.match.min_characters));
}

}  // namespace paraprint::inline crawler
