// Runs seed after seed until there were enough operations. The seed is global, because std::terminate() tells nothing.
#include "simulation/simulation_main.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace paraprint {
namespace {

std::string_view current_name;
std::uint64_t current_seed = 0;

[[noreturn]] void tell_seed() {
  fmt::print(stderr, "{}: ended by an exception in the run with seed {}\n", current_name, current_seed);
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "{}: {}\n", current_name, exception.what());
  } catch (...) {
    fmt::print(stderr, "{}: an exception of another type\n", current_name);
  }
  std::abort();
}

}  // namespace

int run_simulations(int argc, char** argv, std::string_view name,
                    const std::function<std::uint64_t(std::uint64_t seed)>& run) {
  current_name = name;
  // Several times faster than a disk. What is lost at a power cut, simulations decide themselves.
  if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  std::set_terminate(tell_seed);
  if (argc == 3 && std::string_view(argv[1]) == "--seed") {
    current_seed = std::stoull(argv[2]);
    fmt::print("{} operations\n", run(current_seed));
    return 0;
  }
  const std::uint64_t wanted = argc > 1 ? std::stoull(argv[1]) : 20'000;
  const std::uint64_t first_seed = argc > 2 ? std::stoull(argv[2]) : 1;
  std::uint64_t done = 0;
  std::uint64_t seed = first_seed;
  for (std::uint64_t shown = 0; done < wanted; ++seed) {
    current_seed = seed;
    done += run(seed);
    if (done / 1'000'000 == shown) continue;
    shown = done / 1'000'000;
    fmt::print("{} million operations, up to seed {}\n", shown, seed);
    std::fflush(stdout);
  }
  fmt::print("{} operations with the seeds {} to {}: no difference to the model\n", done, first_seed, seed - 1);
  return 0;
}

}  // namespace paraprint
