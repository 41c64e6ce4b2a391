// Simulates the life of an index, decided by a seed: threads add, look up, replace, remove, list, check, compact and
// back up pages; a seeded scheduler decides at each step which of them goes on; calls of the system and allocations
// fail, the process is killed, the power is cut, and the index is opened again. All answers are compared with a model,
// which is a table of pages and the texts that they may have had at each moment.
//
//   index_simulation_test [OPERATIONS [FIRST_SEED]]     default: 20000 1
//   index_simulation_test --seed SEED                    repeats one run
//
// A folder in memory makes it several times faster: TMPDIR=/dev/shm.
#include "online/index_simulation.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

namespace {

std::uint64_t current_seed = 0;

[[noreturn]] void tell_seed() {
  fmt::print(stderr, "index simulation: ended by an exception in the run with seed {}\n", current_seed);
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "index simulation: {}\n", exception.what());
  } catch (...) {
    fmt::print(stderr, "index simulation: an exception of another type\n");
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace paraprint;
  std::set_terminate(tell_seed);
  IndexOptions options;
  options.candidates.boilerplate = false;
  const SimulatedTexts texts(options);
  if (argc == 3 && std::string_view(argv[1]) == "--seed") {
    current_seed = std::stoull(argv[2]);
    fmt::print("{} operations\n", IndexSimulation(texts, current_seed).run());
    return 0;
  }
  const std::uint64_t wanted = argc > 1 ? std::stoull(argv[1]) : 20'000;
  const std::uint64_t first_seed = argc > 2 ? std::stoull(argv[2]) : 1;
  std::uint64_t done = 0;
  std::uint64_t seed = first_seed;
  for (std::uint64_t shown = 0; done < wanted; ++seed) {
    current_seed = seed;
    done += IndexSimulation(texts, seed).run();
    if (done / 1'000'000 == shown) continue;
    shown = done / 1'000'000;
    fmt::print("{} million operations, up to seed {}\n", shown, seed);
    std::fflush(stdout);
  }
  fmt::print("{} operations with the seeds {} to {}: no difference to the model\n", done, first_seed, seed - 1);
  return 0;
}
