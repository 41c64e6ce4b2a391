// Options of the command `wacz`.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kCollection = "Collection";

const OptionRow<WaczOptions> kWaczRows[] = {
    {.name = "out",
     .field = &WaczOptions::out,
     .group = kCollection,
     .help = "The WACZ file to write",
     .uses = kKeepsOutput | kRequired},
    {.name = "title", .field = &WaczOptions::title, .group = kCollection, .help = "Title of the collection"},
    {.name = "description",
     .field = &WaczOptions::description,
     .group = kCollection,
     .help = "Description of the collection"},
    {.name = "main_page",
     .field = &WaczOptions::main_page,
     .group = kCollection,
     .help = "Address of the page that players open first; none: they show the list of pages"},
    {.name = "created",
     .field = &WaczOptions::created,
     .group = kCollection,
     .help = "Date of the collection, in ISO 8601; none: that of its newest record"},
    {.name = "text",
     .field = &WaczOptions::text,
     .group = kCollection,
     .help = "Add the main content of each page to the list of pages, which players can search"},
};

}  // namespace

std::span<const OptionRow<WaczOptions>> wacz_option_rows() {
  return kWaczRows;
}

}  // namespace paraprint::inline options
