// A page is looked up as the service would look it up, by its stored profile.
#include "view/known/known_explorer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "memory/scratch_folder.h"

namespace paraprint::inline explorer::inline known {

KnownExplorer::KnownExplorer(std::string folder, const ViewOptions& options)
    : folder_(std::move(folder)), budget_(options.memory, temporary_folder(options.tmp)) {}

Result<std::unique_ptr<KnownExplorer>> KnownExplorer::open(const std::string& folder, const ViewOptions& options,
                                                           const RunControl& control) {
  std::unique_ptr<KnownExplorer> explorer(new KnownExplorer(folder, options));
  IndexOptions index;
  index.read_only = true;
  index.match = explorer->match_;
  PARAPRINT_ASSIGN(explorer->index_, PageIndex::open(folder, index, control));
  PARAPRINT_ASSIGN(explorer->statistics_, explorer->index_->statistics());
  return explorer;
}

Status KnownExplorer::load(const RunControl& control) {
  const StopScope scope(control.stop);
  const RunControl watched = loading_.watched(control);
  ProgressReporter reporter(watched);
  PARAPRINT_ASSIGN(catalogue_, IndexCatalogue::create(*index_, budget_, reporter));
  is_ready_.store(true, std::memory_order_release);
  loading_.set_step({});
  return {};
}

Result<LookupOutcome> KnownExplorer::matches_of(std::uint32_t page, std::uint32_t matches, bool evidence) const {
  IndexPageInput input;
  input.id = catalogue_->id(page);
  input.url = catalogue_->url(page);
  PARAPRINT_ASSIGN(const Profile profile, index_->get_profile(input.id));
  input.profile = &profile;
  PageFingerprint fingerprint;
  if (index_->algorithm() != "paragraph") {
    PARAPRINT_ASSIGN(fingerprint, index_->get_fingerprint(input.id));
    input.fingerprint = &fingerprint;
  }
  LookupOptions options;
  options.evidence = evidence;
  options.all = true;
  options.matches = matches + 1;
  PARAPRINT_ASSIGN(LookupOutcome outcome, index_->lookup(input, options));
  // The index names the first page of a text. If that is the one asked for, another page with this text takes its
  // place.
  const std::span<const std::uint32_t> same_text = catalogue_->text_pages(page);
  const auto other =
      std::find_if(same_text.begin(), same_text.end(), [page](std::uint32_t each) { return each != page; });
  for (IndexMatch& match : outcome.matches) {
    if (match.page.id != input.id || other == same_text.end()) continue;
    PARAPRINT_ASSIGN(match.page, index_->get(catalogue_->id(*other)));
  }
  std::erase_if(outcome.matches, [&](const IndexMatch& match) { return match.page.id == input.id; });
  if (outcome.matches.size() > matches) outcome.matches.resize(matches);
  outcome.verdict = outcome.matches.empty() ? Verdict::kDistinct : outcome.matches.front().verdict;
  return outcome;
}

}  // namespace paraprint::inline explorer::inline known
