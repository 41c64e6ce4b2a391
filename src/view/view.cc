// The public call: opens the run, serves it, and loads the rest meanwhile.
#include "paraprint/view.h"

#include <fmt/format.h>

#include <memory>

#include "base/propagate.h"
#include "options/command_tables.h"
#include "serve/client_admission.h"
#include "view/explorer.h"
#include "view/loading.h"
#include "view/view_service.h"

namespace paraprint {
namespace {

// Shorter tokens could be guessed.
constexpr std::size_t kViewTokenBytesMinimum = 16;

}  // namespace

Status ViewOptions::validate() const {
  if (!token.empty() && token.size() < kViewTokenBytesMinimum) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("a token must have at least {} characters", kViewTokenBytesMinimum));
  }
  if (token.find_first_of(" \t\r\n") != std::string::npos) {
    return failure(ErrorCode::kInvalidArgument, "a token must not contain white space");
  }
  if (!is_loopback_address(address) && token.empty()) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{} can be reached from other machines: set a token (token_file or PARAPRINT_TOKEN)", address));
  }
  return check_options(view_option_rows(), *this);
}

Status view(const DedupOptions& run, const ViewOptions& options, const RunControl& control, const ViewEvents& events) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const std::unique_ptr<Explorer> explorer, Explorer::open(run, options));
  ViewService service(*explorer, options);
  return serve_while_loading(service, options, control, events,
                             [&](const RunControl& watched) { return explorer->load(watched); });
}

}  // namespace paraprint
