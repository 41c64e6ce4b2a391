// Options of the command `audit`, in addition to those of the run over the pages of the site.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kAudit = "Audit";

const OptionRow<AuditOptions> kAuditRows[] = {
    {.name = "site",
     .field = &AuditOptions::site,
     .group = kAudit,
     .help = "Host of the site, such as example.org; its subdomains are part of it",
     .uses = kRequired},
    {.name = "out",
     .field = &AuditOptions::out,
     .group = kAudit,
     .help = "Folder for audit.html, audit.csv and page-types.csv; created if missing",
     .uses = kKeepsOutput},
    {.name = "near_empty_characters",
     .field = &AuditOptions::near_empty_characters,
     .group = kAudit,
     .help = "Pages with fewer letters and digits of main content are near-empty; 0: none",
     .range = {.minimum = 0, .maximum = 1'000'000}},
    {.name = "max_pages",
     .field = &AuditOptions::max_pages,
     .group = kAudit,
     .help = "Addresses that are looked at; further ones are counted",
     .range = {.minimum = 1, .maximum = 100'000'000}},
};

}  // namespace

std::span<const OptionRow<AuditOptions>> audit_option_rows() {
  return kAuditRows;
}

}  // namespace paraprint::inline options
