// Counts the instructions that hostile inputs other than pages cost (instruction_meter.h); input_cost_test.py runs it
// and judges.
//
//   valgrind --tool=callgrind --instr-atstart=no paraprint_input_cost [SIZE | KIND.FAMILY]...
//
// Before each input of a family, a harmless one of its kind, size and number of items is measured as
// `harmless kind.family/size`.
#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/assert.h"
#include "input_kinds.h"
#include "instruction_meter.h"

namespace paraprint {
namespace {

void measure(const HostileKind& kind, const std::string& name, std::size_t size_bytes, const std::string& input) {
  const InstructionMeter meter(name, size_bytes);
  kind.read(input);
}

void run(const CostArguments& arguments) {
  const std::vector<HostileKind> kinds = hostile_input_kinds();
  CALLGRIND_START_INSTRUMENTATION;
  for (const std::size_t size_bytes : arguments.sizes) {
    for (const HostileKind& kind : kinds) {
      // Once before it is measured, because buffers grow to the size of the input.
      kind.read(kind.harmless(size_bytes, 1));
      for (const InputFamily& family : kind.families) {
        const std::string name = fmt::format("{}.{}", kind.name, family.name);
        if (!arguments.has(name)) continue;
        const std::string input = family.make(size_bytes);
        PARAPRINT_ASSERT(!kind.is_accepted || kind.is_accepted(input));
        const auto items = static_cast<std::size_t>(std::count(input.begin(), input.end(), kind.item_mark));
        const std::string harmless = kind.harmless(input.size(), items);
        measure(kind, "harmless " + name, size_bytes, harmless);
        measure(kind, name, size_bytes, input);
      }
    }
  }
}

}  // namespace
}  // namespace paraprint

int main(int count, char** arguments) {
  paraprint::run(paraprint::CostArguments(count, arguments));
  return 0;
}
