// The public entry point: validates the options and runs the crawl. Everything that can be wrong with the options is
// refused here, before the folder is created or a request is sent.
#include "paraprint/crawl.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/propagate.h"
#include "crawl/crawl_run.h"
#include "options/command_tables.h"
#include "web/address_guard.h"
#include "web/robots.h"

namespace paraprint {
namespace {

tl::unexpected<Error> refused(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

}  // namespace

Status CrawlOptions::validate() const {
  if (out.empty()) return refused("a crawl needs an output folder (out)");
  PARAPRINT_TRY(check_options(crawl_option_rows(), *this));
  // A line break would let the option add header fields of its own.
  if (product_token(user_agent).empty() || user_agent.find_first_of("\r\n") != std::string::npos) {
    return refused(
        fmt::format("user_agent is '{}'; it must begin with the crawler's name (letters, '-' and '_'), "
                    "to which robots.txt files refer",
                    user_agent));
  }
  if (content_type.empty()) return refused("content_type is empty; no answer would be accepted as a page");
  if (Result<AddressGuard> guard = AddressGuard::create(allow_address); !guard) {
    return refused("allow_address: " + guard.error().message);
  }
  if (profile.algorithm != ProfileOptions().algorithm) {
    return refused(
        fmt::format("algorithm is '{}'; a crawl recognises copies by the paragraph method only", profile.algorithm));
  }
  PARAPRINT_TRY(profile.validate());
  return match.validate();
}

Result<CrawlOutcome> crawl(const CrawlOptions& options, const RunControl& control,
                           const std::function<void(const CrawlProgress&)>& watch) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(std::unique_ptr<CrawlRun> run, CrawlRun::open(options, control, watch));
  return run->run();
}

}  // namespace paraprint
