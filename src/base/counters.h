// Named counters of the stages, summed over batches. The map is sorted, so that output is stable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace paraprint::inline base {

using Counters = std::map<std::string, std::uint64_t, std::less<>>;

inline void count(Counters& counters, std::string_view name, std::uint64_t amount = 1) {
  const auto found = counters.find(name);
  if (found != counters.end()) {
    found->second += amount;
  } else {
    counters.emplace(name, amount);
  }
}

inline void add_counters(Counters& into, const Counters& from) {
  for (const auto& [name, amount] : from) count(into, name, amount);
}

}  // namespace paraprint::inline base
