// Options of the command `cdx`.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kIndex = "Index";

// The command always writes one.
constexpr ChoiceField<CdxOptions> kForm = {
    std::span(kCdxForms).subspan(1),
    [](const CdxOptions& options) { return static_cast<std::size_t>(options.form) - 1; },
    [](CdxOptions& options, std::size_t choice) { options.form = static_cast<CdxForm>(choice + 1); }};

const OptionRow<CdxOptions> kCdxRows[] = {
    {.name = "out",
     .field = &CdxOptions::out,
     .group = kIndex,
     .help = "File for the index; none: standard output",
     .uses = kKeepsOutput},
    {.name = "form", .field = kForm, .group = kIndex, .help = "Form of the index: cdxj or cdx11"},
    {.name = "root",
     .field = &CdxOptions::root,
     .group = kIndex,
     .help = "Name archives by their path below this folder; none: by their name alone, if each has another"},
    {.name = "post_append",
     .field = &CdxOptions::post_append,
     .group = kIndex,
     .help = "Append what POST and PUT requests send to the keys of their responses, so that players tell them apart"},
};

}  // namespace

std::span<const OptionRow<CdxOptions>> cdx_option_rows() {
  return kCdxRows;
}

}  // namespace paraprint::inline options
