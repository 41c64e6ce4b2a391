// The public call: opens the index, serves it, and reads its pages meanwhile.
#include <memory>

#include "base/propagate.h"
#include "paraprint/view.h"
#include "view/known/known_explorer.h"
#include "view/known/known_service.h"
#include "view/loading.h"

namespace paraprint {

Status view_index(const std::string& folder, const ViewOptions& options, const RunControl& control,
                  const ViewEvents& events) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const std::unique_ptr<KnownExplorer> explorer, KnownExplorer::open(folder, options, control));
  KnownService service(*explorer, options);
  return serve_while_loading(service, options, control, events,
                             [&](const RunControl& watched) { return explorer->load(watched); });
}

}  // namespace paraprint
