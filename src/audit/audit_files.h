// What an audit writes: a page for people, tables for programs, and the table on the terminal.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/audit.h"

namespace paraprint::inline audit {

// RFC 4180 with a header line: issue,group,url,related_url,detail,advice
std::string audit_csv(const AuditOutcome& audit);
// Likewise: shape,pages,copies,content_characters,template_share,example_url
std::string page_types_csv(const AuditOutcome& audit);
// A page without scripts from elsewhere (report/html_page.h). Of each issue at most kShownRowsMaximum rows.
std::string audit_page(const AuditOutcome& audit, std::string_view site);

inline constexpr std::size_t kShownRowsMaximum = 200;
inline constexpr std::size_t kShownTypesMaximum = 100;

}  // namespace paraprint::inline audit
