// The table of calls. Those that need the loaded run are refused until it is there.
#include "view/view_service.h"

#include "view/view_routes.h"

namespace paraprint::inline explorer {
namespace {

bool needs_loaded_run(ViewCall call) {
  return call != ViewCall::kDocument && call != ViewCall::kAsset && call != ViewCall::kState;
}

}  // namespace

ViewService::ViewService(Explorer& explorer, const ViewOptions& options)
    : ExplorerFrame(kViewRoutes, options), explorer_(explorer) {}

// No default case: the compiler then warns when a call is added without an entry here.
Answer<HttpResponse> ViewService::dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  const auto call = static_cast<ViewCall>(target.route->number);
  if (needs_loaded_run(call) && !explorer_.is_ready()) {
    return refuse(Refusal::kBusy, "the run is still being read; try again in a moment");
  }
  switch (call) {
    case ViewCall::kDocument:
      return find_asset("index.html");
    case ViewCall::kAsset:
      return find_asset(target.id);
    case ViewCall::kState:
      return state();
    case ViewCall::kOverview:
      return overview();
    case ViewCall::kPages:
      return find_pages(target);
    case ViewCall::kTitles:
      return titles(target);
    case ViewCall::kCluster:
      return cluster(target);
    case ViewCall::kCopies:
      return copies(target);
    case ViewCall::kPairs:
      return find_pairs(target);
    case ViewCall::kPair:
      return pair(target);
    case ViewCall::kThresholds:
      return thresholds();
    case ViewCall::kThreshold:
      return threshold(target);
    case ViewCall::kRulings:
      return rulings();
    case ViewCall::kRule:
      return rule(head, body);
    case ViewCall::kJudging:
      return judging(target);
    case ViewCall::kDrawSample:
      return draw_sample(head, body);
    case ViewCall::kJudge:
      return judge(head, body);
  }
  return refuse(Refusal::kInternal, "internal error: unknown call");
}

}  // namespace paraprint::inline explorer
