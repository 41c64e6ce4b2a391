// One pointer, written before the program starts threads and only read afterwards, hence without a lock.
#include "profile/semantics.h"

#include <fmt/format.h>

namespace paraprint::inline profile {
namespace {

const Semantics* registered = nullptr;

}  // namespace

void register_semantics(const Semantics* semantics) {
  registered = semantics;
}

Result<const Semantics*> semantics_for(std::string_view option) {
  if (registered != nullptr) return registered;
  return failure(ErrorCode::kUnsupported,
                 fmt::format("{} needs the semantics library, which this program was built without or did not enable "
                             "(enable_semantics() in paraprint/extensions.h)",
                             option));
}

}  // namespace paraprint::inline profile
