// The public entry point: validates the options and runs the crawl, with libcurl, threads that prepare pages, and an
// index of known pages. Everything that can be wrong with the options is refused here, before the folder is created or
// a request is sent.
#include "paraprint/crawl.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "cdx/index_archives.h"
#include "crawl/crawl_run.h"
#include "crawl/warc_output.h"
#include "options/command_tables.h"
#include "paraprint/index.h"
#include "web/address_guard.h"
#include "web/robots.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kSortingBytes = std::uint64_t{256} << 20;  // of the index of the archive

tl::unexpected<Error> refused(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

// A line break would let a value add fields to the warcinfo records.
Status check_archive_options(const CrawlOptions& options) {
  if (!is_warc_prefix(options.warc_prefix)) {
    return refused(
        fmt::format("warc_prefix is '{}'; expected 1 to 100 letters, digits, '-', '_' and '.', not "
                    "beginning with '.'",
                    options.warc_prefix));
  }
  const auto has_lines = [](const std::string& text) { return text.find_first_of("\r\n") != std::string::npos; };
  if (has_lines(options.archive_operator)) return refused("operator has a line break");
  if (has_lines(options.description)) return refused("description has a line break");
  return {};
}

// The index of all finished archive files. They are read once more: lines collected while records are written would
// have to be as durable as the state. Not stopped by `control.stop`, because that is how a crawl is ended that saves
// its state.
Status write_index(const CrawlOptions& options, const RunControl& control) {
  if (options.cdx == CdxForm::kNone) return {};
  const std::string folder = options.out + "/warc";
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder));
  std::vector<std::string> archives;
  for (const std::string& name : names) {
    if (number_of_warc(name)) archives.push_back(fmt::format("{}/{}", folder, name));
  }
  CdxRules rules;
  rules.form = options.cdx;
  rules.threads = std::max(1U, std::thread::hardware_concurrency());
  rules.sorting = {kSortingBytes, options.out + "/.paraprint"};
  RunControl to_the_end = control;
  to_the_end.stop = nullptr;
  ProgressReporter progress(to_the_end);
  const std::string path = fmt::format("{}/{}", options.out, index_file_name(options.cdx));
  PARAPRINT_ASSIGN(const CdxCounts counts, write_index_file(archives, folder, rules, progress, path));
  if (counts.unreadable_inputs == 0) return {};
  return failure(ErrorCode::kInputOutput,
                 fmt::format("{} lacks captures: {}", path, counts.unreadable_reasons.front()));
}

}  // namespace

const CrawlSystem& CrawlSurroundings::system() {
  return CrawlSystem::real();
}

Result<std::unique_ptr<Fetcher>> CrawlSurroundings::make_fetcher(const CrawlOptions& options) {
  PARAPRINT_ASSIGN(AddressGuard guard, AddressGuard::create(options.allow_address));
  return crawler::make_fetcher(options, std::move(guard));
}

Result<std::unique_ptr<PagePreparation>> CrawlSurroundings::make_preparation(const CrawlOptions& options,
                                                                             const std::string& token,
                                                                             std::function<void()> wake) {
  PARAPRINT_ASSIGN(std::unique_ptr<PreparationPool> pool, PreparationPool::create(options, token, std::move(wake)));
  return std::unique_ptr<PagePreparation>(std::move(pool));
}

Result<std::unique_ptr<PageJudge>> CrawlSurroundings::make_judge(const CrawlOptions& options,
                                                                 const std::string& index_folder,
                                                                 const RunControl& control) {
  return make_page_judge(options, index_folder, control);
}

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
  PARAPRINT_TRY(check_archive_options(*this));
  if (content_type.empty()) return refused("content_type is empty; no answer would be accepted as a page");
  if (Result<AddressGuard> guard = AddressGuard::create(allow_address); !guard) {
    return refused("allow_address: " + guard.error().message);
  }
  PARAPRINT_TRY(profile.validate());
  PARAPRINT_TRY(check_index_algorithm(profile.algorithm));
  return match.validate();
}

Result<CrawlOutcome> crawl(const CrawlOptions& options, const RunControl& control,
                           const std::function<void(const CrawlProgress&)>& watch) {
  PARAPRINT_TRY(options.validate());
  CrawlSurroundings surroundings;
  PARAPRINT_ASSIGN(std::unique_ptr<CrawlRun> run, CrawlRun::open(options, surroundings, control, watch));
  PARAPRINT_ASSIGN(CrawlOutcome outcome, run->run());
  PARAPRINT_TRY(write_index(options, control));
  return outcome;
}

}  // namespace paraprint
