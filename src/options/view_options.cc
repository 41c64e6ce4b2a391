// The options of the explorer.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr double kLeastMemory = double{64} * 1024 * 1024;

const OptionRow<ViewOptions> kViewRows[] = {
    {.name = "address",
     .field = &ViewOptions::address,
     .group = kGeneralGroup,
     .help = "IP address to listen on; one that is not of loopback needs a token"},
    {.name = "port", .field = &ViewOptions::port, .group = kGeneralGroup, .help = "Port; 0: any free port"},
    {.name = "judgements",
     .field = &ViewOptions::judgements,
     .group = kGeneralGroup,
     .help = "File for judgements of pairs [judgements.jsonl in the folder of the run]"},
    {.name = "threads",
     .field = &ViewOptions::threads,
     .group = kGeneralGroup,
     .help = "Threads for loading; 0: one per processor",
     .range = {.minimum = 0, .maximum = 1024}},
    {.name = "memory",
     .field = &ViewOptions::memory,
     .group = kGeneralGroup,
     .help = "Memory target; tables beyond it move to disk",
     .range = {.minimum = kLeastMemory},
     .uses = kSize},
    {.name = "tmp",
     .field = &ViewOptions::tmp,
     .group = kGeneralGroup,
     .help = "Folder for tables that moved to disk [that of the system]"},
};

}  // namespace

std::span<const OptionRow<ViewOptions>> view_option_rows() {
  return kViewRows;
}

}  // namespace paraprint::inline options
