// Names, headings and advice of the issues, in one table.
#include <array>

#include "paraprint/audit.h"

namespace paraprint {
namespace {

struct IssueText {
  AuditIssue issue;
  std::string_view name;
  std::string_view title;
  std::string_view advice;
};

constexpr std::array<IssueText, kAuditIssueCount> kIssues = {{
    {AuditIssue::kSoft404, "soft-404", "Error pages that claim to be pages",
     "Answer with status 404 or 410, or redirect to the page that replaces it."},
    {AuditIssue::kDuplicates, "duplicates", "Pages of one text without one canonical address",
     "Keep one address: redirect the others to it, or let them name it with rel=canonical."},
    {AuditIssue::kParameterDuplicates, "parameter-duplicates", "Pages whose parameters change nothing",
     "Name the address without these parameters with rel=canonical, and link to that one only."},
    {AuditIssue::kAddressDuplicates, "address-duplicates", "One page under several spellings of its address",
     "Redirect all spellings (http, www, capitals, last slash, index file) to one of them."},
    {AuditIssue::kPaginationDuplicates, "pagination-duplicates", "Pages of a series with one text",
     "Give each page of the series text of its own, or let all of them name the first one with rel=canonical."},
    {AuditIssue::kCanonicalToOtherText, "canonical-to-other-text", "Canonical pages with another text",
     "Search engines ignore such a canonical address, or drop the page. Let the page name itself."},
    {AuditIssue::kCanonicalToError, "canonical-to-error", "Canonical addresses that are no pages",
     "Name the address of an existing page, not of an error or a redirect."},
    {AuditIssue::kCanonicalToNoindex, "canonical-to-noindex", "Canonical pages that must not be indexed",
     "Remove noindex from the canonical page, or name another one: otherwise neither is indexed."},
    {AuditIssue::kCanonicalChain, "canonical-chain", "Chains of canonical addresses",
     "Name the last page of the chain directly."},
    {AuditIssue::kCanonicalLoop, "canonical-loop", "Canonical addresses that lead back",
     "Decide for one of these pages and let all of them name it."},
    {AuditIssue::kCanonicalNotCrawled, "canonical-not-crawled", "Canonical addresses that the crawl does not have",
     "Check that the address exists and is linked; or crawl again without the limit that left it out."},
    {AuditIssue::kNoindexWithCanonical, "noindex-with-canonical", "noindex together with a canonical address",
     "Use one of them: noindex may be applied to the canonical page as well."},
    {AuditIssue::kAlternateWithoutReturn, "alternate-without-return", "Alternates by language that do not answer",
     "hreflang holds only if both pages name each other. Add the missing link."},
    {AuditIssue::kAlternateToError, "alternate-to-error", "Alternates by language that are no pages",
     "Name the address of an existing page, not of an error or a redirect."},
    {AuditIssue::kAlternateNotCanonical, "alternate-not-canonical", "Alternates with another canonical address",
     "hreflang must name canonical addresses."},
    {AuditIssue::kAlternateSameText, "alternate-same-text", "Alternates for other languages with the same text",
     "Translate the page, or leave it out of hreflang until it is."},
    {AuditIssue::kRedirectChain, "redirect-chain", "Redirects to redirects", "Redirect to the last address directly."},
    {AuditIssue::kRedirectLoop, "redirect-loop", "Redirects that lead back", "Decide which address has the page."},
    {AuditIssue::kRedirectToError, "redirect-to-error", "Redirects to errors",
     "Redirect to an existing page, or answer with status 410."},
    {AuditIssue::kLinkToRedirect, "link-to-redirect", "Links to redirects", "Link to the target."},
    {AuditIssue::kLinkToError, "link-to-error", "Links to errors", "Remove the links or correct them."},
    {AuditIssue::kLinkToDuplicate, "link-to-duplicate", "Links to pages that are not canonical",
     "Link to the canonical address."},
    {AuditIssue::kSitemapNotIndexable, "sitemap-not-indexable", "Sitemap entries that are no pages to index",
     "List only addresses with status 200 and without noindex."},
    {AuditIssue::kSitemapNotCanonical, "sitemap-not-canonical", "Sitemap entries that are not canonical",
     "List the canonical address instead."},
    {AuditIssue::kNearEmpty, "near-empty", "Pages with hardly any text",
     "Add text, merge them with others, or mark them noindex."},
}};

constexpr bool stand_in_order() {
  for (std::size_t i = 0; i < kIssues.size(); ++i) {
    if (static_cast<std::size_t>(kIssues[i].issue) != i) return false;
  }
  return true;
}
static_assert(stand_in_order());

const IssueText& text_of(AuditIssue issue) {
  return kIssues[static_cast<std::size_t>(issue)];
}

}  // namespace

std::string_view audit_issue_name(AuditIssue issue) {
  return text_of(issue).name;
}
std::string_view audit_issue_title(AuditIssue issue) {
  return text_of(issue).title;
}
std::string_view audit_issue_advice(AuditIssue issue) {
  return text_of(issue).advice;
}

}  // namespace paraprint
