// The main function of a simulation, which runs it with one seed after another:
//
//   PROGRAM [OPERATIONS [FIRST_SEED]]     default: 20000 1
//   PROGRAM --seed SEED                   repeats one run
//
// Files are in memory (/dev/shm) unless TMPDIR names another folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace paraprint {

// `run` simulates what the seed decides and returns the number of operations. `name`: for messages. Of an exception
// that nothing catches, the seed is told.
int run_simulations(int argc, char** argv, std::string_view name,
                    const std::function<std::uint64_t(std::uint64_t seed)>& run);

}  // namespace paraprint
