// Named counters of the stages, summed over batches. The map is sorted, so that output is stable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Counts of names that begin alike, such as "charset_utf-8". A loop over pages adds to these, and its counters get them
// at the end: to make every name and to look it up took a fiftieth of the time of a short text.
class PrefixedCounts {
 public:
  explicit PrefixedCounts(std::string_view prefix) : prefix_(prefix) {}

  // Linear in the number of different names, which are few.
  void add(std::string_view name) {
    for (auto& [known, amount] : counts_) {
      if (known == name) {
        ++amount;
        return;
      }
    }
    counts_.emplace_back(name, 1);
  }
  void add_to(Counters& counters) const {
    for (const auto& [name, amount] : counts_) count(counters, std::string(prefix_) + name, amount);
  }

 private:
  std::string_view prefix_;
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

inline void add_counters(Counters& into, const Counters& from) {
  for (const auto& [name, amount] : from) count(into, name, amount);
}

}  // namespace paraprint::inline base
