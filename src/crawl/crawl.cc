// The public entry point: validates the options and runs the crawl. Everything that can be wrong with the options is
// refused here, before the folder is created or a request is sent.
#include "paraprint/crawl.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/propagate.h"
#include "crawl/crawl_run.h"
#include "web/address_guard.h"
#include "web/robots.h"

namespace paraprint {
namespace {

tl::unexpected<Error> refused(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

struct SecondsOption {
  const char* name;
  double value;
  double minimum;
  double maximum;
};

}  // namespace

Status CrawlOptions::validate() const {
  // Depths, and the queue priorities made of them, are stored in one byte.
  constexpr std::uint32_t kDepthMaximum = 200;
  constexpr double kDay = 86'400;
  if (folder.empty()) return refused("a crawl needs an output folder (--out)");
  if (depth > kDepthMaximum) return refused(fmt::format("--depth is {}; it must be 0 to {}", depth, kDepthMaximum));
  if (!is_one_of(scope, {"host", "domain", "any"})) {
    return refused(fmt::format("--scope is '{}'; it must be host, domain or any", scope));
  }
  if (!is_one_of(copies, {"revisit", "store", "skip"})) {
    return refused(fmt::format("--copies is '{}'; it must be revisit, store or skip", copies));
  }
  if (!is_one_of(noindex, {"archive", "index", "skip"})) {
    return refused(fmt::format("--noindex is '{}'; it must be archive, index or skip", noindex));
  }
  if (connections < 1 || connections > 1000)
    return refused(fmt::format("--connections is {}; it must be 1 to 1000", connections));
  if (retries > 20) return refused(fmt::format("--retries is {}; it must be 0 to 20", retries));
  // `!(x >= y && x <= z)` also rejects NaN.
  for (const SecondsOption& option :
       {SecondsOption{"--delay", delay_seconds, 0, kDay}, SecondsOption{"--max-delay", delay_maximum_seconds, 0, kDay},
        SecondsOption{"--retry-pause", retry_pause_seconds, 0, kDay},
        SecondsOption{"--connect-timeout", connect_timeout_seconds, 0.1, kDay},
        SecondsOption{"--timeout", timeout_seconds, 0.1, kDay},
        SecondsOption{"--stall-timeout", stall_timeout_seconds, 1, kDay},
        SecondsOption{"--pages-per-hour", pages_per_hour, 0, 1e9}}) {
    if (!(option.value >= option.minimum && option.value <= option.maximum)) {
      return refused(
          fmt::format("{} is {}; it must be {} to {}", option.name, option.value, option.minimum, option.maximum));
    }
  }
  // A line break would let the option add header fields of its own.
  if (product_token(user_agent).empty() || user_agent.find_first_of("\r\n") != std::string::npos) {
    return refused(
        fmt::format("--user-agent is '{}'; it must begin with the crawler's name (letters, '-' and '_'), "
                    "to which robots.txt files refer",
                    user_agent));
  }
  if (body_bytes_maximum < 1024 || decoded_bytes_maximum < 1024 || header_bytes_maximum < 1024) {
    return refused("the limits for bodies and headers must be at least 1 KiB");
  }
  if (content_types.empty()) return refused("--content-type is empty; no answer would be accepted as a page");
  if (Result<AddressGuard> guard = AddressGuard::create(allowed_addresses); !guard) {
    return refused("--allow-address: " + guard.error().message);
  }
  if (profile.algorithm != ProfileOptions().algorithm) {
    return refused(
        fmt::format("--algorithm is '{}'; a crawl recognises copies by the paragraph method only", profile.algorithm));
  }
  PARAPRINT_TRY(profile.validate());
  return match.validate();
}

Result<CrawlOutcome> crawl(const CrawlOptions& options, const CrawlControl& control) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(std::unique_ptr<CrawlRun> run, CrawlRun::open(options, control));
  return run->run();
}

}  // namespace paraprint
