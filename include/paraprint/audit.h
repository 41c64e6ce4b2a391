// Audits one site of a crawl: pages with equal or nearly equal text, compared with what the site says about them
// (canonical addresses, alternates by language, noindex, redirects, sitemaps, internal links).
//
// Example:
//
//   AuditOptions options;
//   options.run.inputs = {"crawl/"};
//   options.site = "example.org";
//   options.out = "audit";
//   Result<AuditOutcome> audit = audit_site(options);
//   if (audit) std::uint64_t findings = audit->rows.size();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

struct AuditOptions {
  // Inputs, reading, profiles, comparison and resources of the run over the pages of the site. The rest is not used.
  DedupOptions run;
  std::string site;  // host; its subdomains are part of it
  std::string out;   // folder for audit.html, audit.csv and page-types.csv; empty: nothing is written
  // Letters and digits of the main content: pages with fewer are near-empty.
  std::uint64_t near_empty_characters = 100;
  // Addresses that are looked at, and as many of sitemaps; each takes about 1 KB of memory. Further ones are counted,
  // up to ten million.
  std::uint64_t max_pages = 1'000'000;

  Status validate() const;
};

// What can be wrong. The names (audit_issue_name) appear in audit.csv and must not change.
enum class AuditIssue : std::uint8_t {
  kSoft404,                 // a page with the text of the site's error pages, but the status of a good one
  kDuplicates,              // pages of one text, at least two of which claim to be the original
  kParameterDuplicates,     // the same, and their addresses differ only in parameters
  kAddressDuplicates,       // the same, and they differ in scheme, "www.", case, last slash or name of the index file
  kPaginationDuplicates,    // the same, among the pages of a series
  kCanonicalToOtherText,    // the canonical page has another text
  kCanonicalToError,        // the canonical address has an error, or is a redirect
  kCanonicalToNoindex,      // the canonical page must not be indexed
  kCanonicalChain,          // the canonical page has another canonical address
  kCanonicalLoop,           // a chain that comes back
  kCanonicalNotCrawled,     // an address of the site that the crawl does not have
  kNoindexWithCanonical,    // a page says that it must not be indexed, and names another one as canonical
  kAlternateWithoutReturn,  // an alternate by language does not name this page
  kAlternateToError,        // an alternate has an error, or is a redirect
  kAlternateNotCanonical,   // an alternate names another page as canonical
  kAlternateSameText,       // alternates for different languages have one text
  kRedirectChain,           // a redirect to a redirect
  kRedirectLoop,
  kRedirectToError,
  kLinkToRedirect,       // pages link to an address that redirects
  kLinkToError,          // or to one that has an error
  kLinkToDuplicate,      // or to a page that names another one as canonical
  kSitemapNotIndexable,  // a sitemap lists a redirect, an error, or a page that must not be indexed
  kSitemapNotCanonical,  // or one that names another page as canonical
  kNearEmpty,
};
inline constexpr std::size_t kAuditIssueCount = static_cast<std::size_t>(AuditIssue::kNearEmpty) + 1;

// "soft-404", "canonical-chain", ...; a heading; what to do about it.
std::string_view audit_issue_name(AuditIssue issue);
std::string_view audit_issue_title(AuditIssue issue);
std::string_view audit_issue_advice(AuditIssue issue);

// A row of audit.csv. Rows of one issue and group belong together; groups are numbered from 1 for each issue.
struct AuditRow {
  AuditIssue issue = AuditIssue::kDuplicates;
  std::uint32_t group = 0;
  std::string url;
  std::string related_url;  // the page to keep, the target, the alternate, ...; may be empty
  std::string detail;       // such as "same text", "status 404", "12 pages link to it"
};

// Pages of one type: those whose addresses have one shape, such as "example.org/news/#".
struct AuditPageType {
  std::string shape;
  std::uint64_t pages = 0;
  std::uint64_t copies = 0;       // pages that are same or near copies of another page that is kept
  double content_characters = 0;  // mean
  double template_share = 0;      // mean share of the letters and digits that is not main content
  std::string example_url;
};

struct AuditOutcome {
  std::uint64_t addresses = 0;  // of the site, in the crawl
  std::uint64_t pages = 0;      // of them, with a text and the status of a page
  std::uint64_t redirects = 0;
  std::uint64_t errors = 0;             // status 400 or more
  std::uint64_t copies = 0;             // as AuditPageType::copies
  std::uint64_t repeated_captures = 0;  // of an address that was captured before; the latest one counts
  std::uint64_t beyond_limit = 0;       // addresses beyond max_pages
  std::uint64_t sitemap_addresses = 0;  // of the site, in sitemaps that the crawl has
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
  std::vector<std::string> unreadable_reasons;
  std::vector<AuditRow> rows;             // by issue, group and address
  std::vector<AuditPageType> page_types;  // most pages first
};

// Reads the inputs once, keeps the pages of the site in a temporary file (ResourceOptions::tmp, else the system's
// folder), compares them as a run does, and writes the files of `out`. The outcome depends on the pages alone, not on
// the order of inputs and threads.
//
// Errors: kInvalidArgument (options; no page of the site in the inputs), those of reading inputs, of a run and of
// writing, kCancelled. Inputs that cannot be read, and broken records, are counted; each is a warning.
Result<AuditOutcome> audit_site(const AuditOptions& options, const RunControl& control = {});

// The counts and issues as a table for people, without the final line feed.
std::string audit_text(const AuditOutcome& audit);

}  // namespace paraprint
