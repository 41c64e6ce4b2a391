// Counts the bytes that hostile inputs make their readers allocate (allocation_meter.h); memory_cost_test.py runs it
// and judges.
//
//   paraprint_memory_cost [SIZE | KIND.FAMILY]...
//
// Prints a line for each family and size: the name, the size, the most bytes allocated at once, and those that are
// still allocated after the next input, which is a small one.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "allocation_meter.h"
#include "base/assert.h"
#include "input_kinds.h"
#include "instruction_meter.h"
#include "read_batches.h"

namespace paraprint {
namespace {

// The inputs of the law of instructions, of which archives are read in batches here, and pages.
std::vector<HostileKind> kinds() {
  const std::map<std::string_view, std::string> suffixes = {
      {"warc", ".warc"}, {"arc", ".arc"}, {"json_lines", ".jsonl"}, {"har", ".har"}, {"packed_archive", ".gz"}};
  std::vector<HostileKind> kinds = hostile_input_kinds();
  add_page_inputs(kinds);
  for (HostileKind& kind : kinds) {
    const auto suffix = suffixes.find(kind.name);
    if (suffix == suffixes.end()) continue;
    kind.read = [suffix = suffix->second](std::string_view bytes) {
      const ScratchFile file(suffix);
      read_batches(file, bytes);
    };
  }
  return kinds;
}

constexpr std::size_t kSmallBytes = 1024;

// In a process of its own, because readers keep buffers for the next input, which would hide what that one needs.
void measure(const std::string& name, const HostileKind& kind, std::size_t size_bytes, const std::string& input) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  PARAPRINT_ASSERT(child >= 0);
  if (child == 0) {
    const AllocationMeter meter;
    kind.read(input);
    const std::size_t peak_bytes = meter.peak_bytes();
    kind.read(kind.harmless(kSmallBytes, 1));
    fmt::print("{} {} {} {}\n", name, size_bytes, peak_bytes, meter.held_bytes());
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  PARAPRINT_ASSERT(::waitpid(child, &status, 0) == child && status == 0);
}

void run(const CostArguments& arguments) {
  for (const HostileKind& kind : kinds()) {
    kind.read(kind.harmless(kSmallBytes, 1));  // loads tables, which are not the input's
    for (const std::size_t size_bytes : arguments.sizes) {
      for (const InputFamily& family : kind.families) {
        const std::string name = fmt::format("{}.{}", kind.name, family.name);
        if (arguments.has(name)) measure(name, kind, size_bytes, family.make(size_bytes));
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
