// Counts the instructions between its construction and its destruction, under valgrind's callgrind, which counts them
// exactly. They are dumped under the name given; cost_judge.py reads the dumps.
//
// Outside valgrind it prints processor time instead, which is only meant to be read: times are too noisy to be judged.
#pragma once

#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <charconv>
#include <ctime>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paraprint {

class InstructionMeter {
 public:
  // The measurement is called `name`/`size_bytes`.
  InstructionMeter(std::string_view name, std::size_t size_bytes) : name_(fmt::format("{}/{}", name, size_bytes)) {
    began_ = std::clock();
    CALLGRIND_ZERO_STATS;
  }
  InstructionMeter(const InstructionMeter&) = delete;
  InstructionMeter& operator=(const InstructionMeter&) = delete;
  ~InstructionMeter() {
    const auto seconds = static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC;
    CALLGRIND_DUMP_STATS_AT(name_.c_str());
    if (RUNNING_ON_VALGRIND == 0) fmt::print("{:48} {:10.3f} ms\n", name_, seconds * 1000);
  }

 private:
  std::string name_;
  std::clock_t began_;
};

// What the command line asks for: [SIZE | FAMILY]...
struct CostArguments {
  std::vector<std::size_t> sizes;
  std::set<std::string_view> families;  // empty: all

  CostArguments(int count, char** arguments) {
    for (const std::string_view argument : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
      std::size_t size_bytes = 0;
      const auto parsed = std::from_chars(argument.data(), argument.data() + argument.size(), size_bytes);
      if (parsed.ptr == argument.data() + argument.size()) {
        sizes.push_back(size_bytes);
      } else {
        families.insert(argument);
      }
    }
  }
  bool has(std::string_view family) const { return families.empty() || families.contains(family); }
};

}  // namespace paraprint
