// Options of the command `payloads`.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kPayloads = "Payloads";
constexpr std::string_view kListedDigests[] = {"sha1", "sha256"};

const OptionRow<PayloadOptions> kPayloadRows[] = {
    {.name = "out",
     .field = &PayloadOptions::out,
     .group = kPayloads,
     .help = "Folder for all output; created if missing. Inputs must not be in it",
     .uses = kKeepsOutput},
    {.name = "known",
     .field = &PayloadOptions::known,
     .group = kPayloads,
     .help = "Earlier collections, as CDXJ or CDX files or output folders that have one: refer to what they list "
             "instead of storing it again",
     .uses = kOnePerFlag},
    {.name = "listed_digest",
     .field = choice<&PayloadOptions::listed_digest>(kListedDigests),
     .group = kPayloads,
     .help = "Digest by which listed payloads are known: sha1 or sha256"},
    {.name = "min_payload_bytes",
     .field = &PayloadOptions::min_payload_bytes,
     .group = kPayloads,
     .help = "Smaller payloads are stored again, because a revisit record would save nothing",
     .uses = kSize},
    {.name = "max_age_days",
     .field = &PayloadOptions::max_age_days,
     .group = kPayloads,
     .help = "Store a payload again if the stored one is older by more than this; 0: never",
     .range = {.minimum = 0, .maximum = 100'000}},
    {.name = "cdx",
     .field = choice<&PayloadOptions::cdx>(kCdxForms),
     .group = kPayloads,
     .help = "Write the index of the output: none, cdxj or cdx11"},
    {.name = "max_record_bytes",
     .field = &PayloadOptions::max_record_bytes,
     .group = kPayloads,
     .help = "Larger records are read in pieces instead of being held in memory; one per thread is",
     .uses = kSize},
};

}  // namespace

std::span<const OptionRow<PayloadOptions>> payload_option_rows() {
  return kPayloadRows;
}

}  // namespace paraprint::inline options
