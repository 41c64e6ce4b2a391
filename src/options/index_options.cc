// The options of looking pages up in the index of known pages and of adding them, and of commands that read pages one
// after the other.
#include <array>

#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::array<std::string_view, 3> kSyncModes = {"always", "interval", "none"};

const OptionRow<LookupOptions> kLookupRows[] = {
    {.name = "evidence",
     .field = &LookupOptions::evidence,
     .group = kGeneralGroup,
     .help = "Also print the matching passages"},
    {.name = "matches",
     .field = &LookupOptions::matches,
     .group = kGeneralGroup,
     .help = "Number of known pages to print, best first",
     .range = {.minimum = 1, .maximum = 1'000'000}},
    {.name = "all",
     .field = &LookupOptions::all,
     .group = kGeneralGroup,
     .help = "Also list near pages if the text itself is known; otherwise only that page is listed"},
};

const OptionRow<StatementFilter> kFilterRows[] = {
    {.name = "published_from",
     .field = &StatementFilter::published_from,
     .group = kGeneralGroup,
     .help = "Only known pages that state a date of publication from this day or moment on, as 2024-05-01"},
    {.name = "published_until",
     .field = &StatementFilter::published_until,
     .group = kGeneralGroup,
     .help = "Only known pages published up to this day or moment, included"},
    {.name = "source",
     .field = &StatementFilter::source,
     .group = kGeneralGroup,
     .help = "Only known pages that state this host or name as the source of their text"},
    {.name = "site",
     .field = &StatementFilter::site,
     .group = kGeneralGroup,
     .help = "Only known pages of this host, its subdomains included, or of this name of a site"},
};

const OptionRow<TraceOptions> kTraceRows[] = {
    {.name = "pages",
     .field = &TraceOptions::pages,
     .group = kGeneralGroup,
     .help = "Pages of the cluster that are traced, the first ones by id",
     .range = {.minimum = 1, .maximum = 10'000}},
};

const OptionRow<ExtractDetail> kOriginRows[] = {
    {.name = "provenance",
     .field = &ExtractDetail::provenance,
     .group = kGeneralGroup,
     .help = "Also keep what pages state of their publication, for filters and 'index provenance'"},
};

const OptionRow<AddOptions> kAddRows[] = {
    {.name = "copies",
     .field = &AddOptions::copies,
     .group = kGeneralGroup,
     .help = "Also store pages that are the same as or near to a known one"},
};

const OptionRow<IndexOptions> kIndexRows[] = {
    {.name = "sync",
     .field = choice<&IndexOptions::sync>(kSyncModes),
     .group = kGeneralGroup,
     .help = "always, interval or none: what a power cut may lose"},
    {.name = "snapshots",
     .field = &IndexOptions::snapshots,
     .group = kGeneralGroup,
     .help = "Publish a snapshot for --read-only every so many seconds, and at the end; 0: none",
     .range = {.minimum = 0, .maximum = 31'622'400}},
};

const OptionRow<PageStreamOptions> kPageStreamRows[] = {
    {.name = "threads",
     .field = &PageStreamOptions::threads,
     .group = kGeneralGroup,
     .help = "Threads; 0: one per processor. Does not change the output",
     .range = {.minimum = 0, .maximum = kThreadsMaximum}},
    {.name = "languages",
     .field = &PageStreamOptions::languages,
     .group = kGeneralGroup,
     .help = "Only pages in these languages, as zh,en; und: not identified"},
};

}  // namespace

std::span<const OptionRow<LookupOptions>> lookup_option_rows() {
  return kLookupRows;
}
std::span<const OptionRow<StatementFilter>> statement_filter_rows() {
  return kFilterRows;
}
std::span<const OptionRow<TraceOptions>> trace_option_rows() {
  return kTraceRows;
}
std::span<const OptionRow<ExtractDetail>> origin_option_rows() {
  return kOriginRows;
}
std::span<const OptionRow<AddOptions>> index_add_option_rows() {
  return kAddRows;
}
std::span<const OptionRow<IndexOptions>> index_option_rows() {
  return kIndexRows;
}
std::span<const OptionRow<PageStreamOptions>> page_stream_option_rows() {
  return kPageStreamRows;
}

}  // namespace paraprint::inline options
