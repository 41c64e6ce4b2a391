// The order of an audit: read the site, compare its texts, check its statements, write.
#include "paraprint/audit.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "archive/input_files.h"
#include "audit/audit_files.h"
#include "audit/page_store.h"
#include "audit/site_checks.h"
#include "audit/site_reader.h"
#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/header_block.h"
#include "memory/scratch_folder.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/memory_pages.h"
#include "web/url.h"

namespace paraprint {
namespace {

// The host as it stands in addresses: lower case, punycode.
Result<std::string> host_of_site(const std::string& site) {
  UrlParser parser;
  const bool is_address = site.find("://") != std::string::npos;
  const std::optional<Url> url = parser.parse(is_address ? site : "http://" + site + "/");
  if (!url || url->target != "/") {
    return failure(ErrorCode::kInvalidArgument, "site '" + site + "' is not a host, such as example.org");
  }
  return url->host;
}

// Fills in which pages have one text. Pages without a main content are compared with nothing.
Status find_copies(const AuditOptions& options, const PageStore& store, SiteContent& site, const RunControl& control) {
  StoredPages stored(store);
  std::vector<std::uint32_t> page_of;
  for (std::uint32_t p = 0; p < site.pages.size(); ++p) {
    const SitePage& page = site.pages[p];
    if (!page.has_text || page.is_redirect()) continue;
    stored.add({page.url, site.stored[p]});
    page_of.push_back(p);
  }
  RunControl without_warnings = control;  // the reader has given them, with the names of files
  without_warnings.warning = nullptr;
  PARAPRINT_ASSIGN(const DeduplicatePagesOutcome outcome,
                   deduplicate_pages(stored, options.run, without_warnings, MatchList::kNone));
  PARAPRINT_TRY(stored.failure());
  for (std::size_t position = 0; position < page_of.size(); ++position) {
    const PageDecision& decision = outcome.pages[position];
    if (!decision.cluster) continue;
    site.pages[page_of[position]].copy =
        PageCopy{*decision.cluster, page_of[decision.kept_page], decision.verdict, decision.resemblance};
  }
  return {};
}

AuditOutcome describe(SiteContent&& site, std::uint64_t near_empty_characters) {
  AuditOutcome audit;
  audit.addresses = site.pages.size();
  for (std::size_t p = 0; p < site.pages.size(); ++p) {
    const SitePage& page = site.pages[p];
    audit.pages += page.is_page() ? 1 : 0;
    audit.redirects += page.is_redirect() ? 1 : 0;
    audit.errors += page.is_error() ? 1 : 0;
    audit.copies += page.is_page() && is_copy_of_kept(page) && page.copy->kept_page != p ? 1 : 0;
  }
  audit.repeated_captures = site.repeated_captures;
  audit.beyond_limit = site.beyond_limit;
  audit.sitemap_addresses = site.sitemap_addresses;
  audit.broken_records = site.broken_records;
  audit.unreadable_inputs = site.unreadable_inputs;
  audit.unreadable_reasons = std::move(site.unreadable_reasons);
  audit.rows = check_site(site.pages, near_empty_characters);
  audit.page_types = page_types_of(site.pages);
  return audit;
}

Status write_files(const AuditOutcome& audit, const std::string& site, const std::string& out) {
  PARAPRINT_TRY(create_folders(out));
  PARAPRINT_TRY(write_file_atomically(out + "/audit.csv", audit_csv(audit)));
  PARAPRINT_TRY(write_file_atomically(out + "/page-types.csv", page_types_csv(audit)));
  return write_file_atomically(out + "/audit.html", audit_page(audit, site));
}

}  // namespace

Status AuditOptions::validate() const {
  if (run.inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  PARAPRINT_TRY(check_options(audit_option_rows(), *this));
  PARAPRINT_TRY(host_of_site(site));
  DedupOptions complete = run;
  if (complete.output.out.empty()) complete.output.out = "out";
  return complete.validate();
}

Result<AuditOutcome> audit_site(const AuditOptions& given, const RunControl& control) {
  PARAPRINT_TRY(given.validate());
  AuditOptions options = given;
  PARAPRINT_ASSIGN(options.site, host_of_site(given.site));
  const StopScope scope(control.stop);
  ProgressReporter progress(control);
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, expand_inputs(options.run.inputs, options.run.reading));
  const std::string folder = temporary_folder(options.run.resources.tmp);
  PARAPRINT_TRY(create_folders(folder));
  PARAPRINT_ASSIGN(PageStore store, PageStore::create(folder));
  const unsigned threads = options.run.resources.threads > 0 ? options.run.resources.threads
                                                             : std::max(1U, std::thread::hardware_concurrency());
  PARAPRINT_ASSIGN(SiteContent site, read_site(inputs, options, threads, store, progress));
  if (site.pages.empty()) {
    return failure(ErrorCode::kInvalidArgument, "the inputs have no record of " + options.site + " or its subdomains");
  }
  PARAPRINT_TRY(find_copies(options, store, site, control));
  AuditOutcome audit = describe(std::move(site), options.near_empty_characters);
  if (!options.out.empty()) PARAPRINT_TRY(write_files(audit, options.site, options.out));
  return audit;
}

}  // namespace paraprint
