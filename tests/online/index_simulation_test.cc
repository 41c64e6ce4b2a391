// Simulates the life of an index, decided by a seed: threads add, look up, replace, remove, list, check, compact and
// back up pages; a seeded scheduler decides at each step which of them goes on; calls of the system and allocations
// fail, the process is killed, the power is cut, and the index is opened again. All answers are compared with a model,
// which is a table of pages and the texts that they may have had at each moment.
//
//   index_simulation_test [OPERATIONS [FIRST_SEED]]     default: 20000 1
//   index_simulation_test --seed SEED                   repeats one run
#include "online/index_simulation.h"

#include "simulation/simulation_main.h"

namespace {

// One in so many indexes compares page fingerprints instead of paragraphs.
constexpr std::uint64_t kSeedsPerAlgorithm = 7;

}  // namespace

int main(int argc, char** argv) {
  using namespace paraprint;
  IndexOptions options;
  options.candidates.boilerplate = false;
  const SimulatedTexts texts(options);
  options.algorithm = "simhash-64";
  const SimulatedTexts fingerprinted_texts(options);
  return run_simulations(argc, argv, "index simulation", [&](std::uint64_t seed) {
    return IndexSimulation(seed % kSeedsPerAlgorithm == 0 ? fingerprinted_texts : texts, seed).run();
  });
}
