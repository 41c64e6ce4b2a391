// Simulates a crawl, decided by a seed: a small web answers, is slow, fails and changes; the crawler is stopped and
// resumed with other options; clocks are set back; calls of the system and allocations fail, the process is killed and
// the power is cut. Requests, state, log and archive are compared with a model, which is a few maps.
//
//   crawl_simulation_test [ANSWERS [FIRST_SEED]]     default: 20000 1
//   crawl_simulation_test --seed SEED                repeats one run
#include "crawl/crawl_simulation.h"

#include "simulation/simulation_main.h"

int main(int argc, char** argv) {
  using namespace paraprint;
  return run_simulations(argc, argv, "crawl simulation",
                         [](std::uint64_t seed) { return CrawlSimulation(seed).run(); });
}
