// Compares the Hamming join with the textbook index, in one run on the same fingerprints.
//
//   hamming_join [COUNT [DISTANCE [WIDTH]]]       default 11000000 3 64
//
// Times are processor seconds. The input is random fingerprints and 10 % planted copies with 0 to DISTANCE
// flipped bits. The textbook index is that of Manku et al. with one block per table: each of the k+1 tables is
// sorted, runs of equal leading blocks are compared all with all, and the found pairs are sorted and made
// unique. WIDTH 128 runs without comparison.
//
// To compare with seomoz/simhash-cpp: build its src/simhash.cpp and src/permutation.cpp with -O3 -march=native, fill a
// std::unordered_set<Simhash::hash_t> with the same fingerprints (--dump FILE writes them as little-endian words), and
// time Simhash::find_all(hashes, 5, 3). docs/benchmarks.md has the numbers.
#include "index/hamming_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paraprint {
namespace {

constexpr std::size_t kPlantedShare = 10;  // one planted copy per this number of random fingerprints

// Processor time: both joins use one thread, and the load of other programs must not affect the ratio.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void draw(std::mt19937_64& random, std::uint64_t& value) {
  value = random();
}
void draw(std::mt19937_64& random, Fingerprint128& value) {
  value = {random(), random()};
}
void flip(std::mt19937_64& random, std::uint64_t& value) {
  value ^= std::uint64_t{1} << random() % 64;
}
void flip(std::mt19937_64& random, Fingerprint128& value) {
  flip(random, random() % 2 == 0 ? value.high : value.low);
}

template <class Value>
std::vector<Value> make_fingerprints(std::size_t count, int distance_bits) {
  std::mt19937_64 random(1);
  std::vector<Value> values(count / (kPlantedShare + 1) * kPlantedShare);
  for (Value& value : values) draw(random, value);
  const std::size_t originals = values.size();
  while (values.size() < count) {
    Value copy = values[random() % originals];
    for (std::uint64_t flips = random() % static_cast<std::uint64_t>(distance_bits + 1); flips > 0; --flips)
      flip(random, copy);
    values.push_back(copy);
  }
  return values;
}

struct Timed {
  double seconds = 0;
  std::uint64_t pairs = 0;
};

template <class Value, class Join>
Timed time_join(const std::vector<Value>& values, int distance_bits, Join join) {
  HammingJoinOptions options;
  options.distance_bits = distance_bits;
  std::uint64_t pairs = 0;
  const double begin = processor_seconds();
  const auto statistics = join(
      std::span<const Value>(values), options, [&](auto, auto, auto) { ++pairs; }, [](auto) {});
  const double seconds = processor_seconds() - begin;
  if (!statistics) {
    fmt::print(stderr, "hamming_join: {}\n", statistics.error().message);
    std::exit(1);
  }
  fmt::print(
      "paraprint     {:8.3f} s  {} pairs of different values, {} equal groups, {} tables of {} blocks, {:.3g} "
      "comparisons\n",
      seconds, pairs, statistics->equal_groups, statistics->table_count, statistics->block_count,
      static_cast<double>(statistics->comparisons));
  return {seconds, pairs};
}

Timed time_sorted_tables(std::vector<std::uint64_t> values, int distance_bits) {
  const double begin = processor_seconds();
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const int block_bits = 64 / (distance_bits + 1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (int table = 0; table <= distance_bits; ++table) {
    std::vector<std::uint64_t> rotated(values);
    for (std::uint64_t& value : rotated) value = std::rotl(value, table * block_bits);
    std::sort(rotated.begin(), rotated.end());
    const auto key = [&](std::uint64_t value) { return value >> (64 - block_bits); };
    for (std::size_t first = 0; first < rotated.size(); ++first) {
      for (std::size_t second = first + 1; second < rotated.size() && key(rotated[second]) == key(rotated[first]);
           ++second) {
        if (std::popcount(rotated[first] ^ rotated[second]) > distance_bits) continue;
        const std::uint64_t a = std::rotr(rotated[first], table * block_bits);
        const std::uint64_t b = std::rotr(rotated[second], table * block_bits);
        pairs.emplace_back(std::min(a, b), std::max(a, b));
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const double seconds = processor_seconds() - begin;
  fmt::print("sorted tables {:8.3f} s  {} pairs of different values, {} tables\n", seconds, pairs.size(),
             distance_bits + 1);
  return {seconds, pairs.size()};
}

int run(std::size_t count, int distance_bits, int width, const std::string& dump) {
  fmt::print("{} fingerprints of {} bits, all pairs within {}\n", count, width, distance_bits);
  if (width == 128) {
    time_join(make_fingerprints<Fingerprint128>(count, distance_bits), distance_bits, hamming_join_128);
    return 0;
  }
  const std::vector<std::uint64_t> values = make_fingerprints<std::uint64_t>(count, distance_bits);
  if (!dump.empty()) {
    std::ofstream file(dump, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(values[0])));
    if (!file.flush()) {
      fmt::print(stderr, "hamming_join: cannot write {}\n", dump);
      return 1;
    }
  }
  const Timed ours = time_join(values, distance_bits, hamming_join_64);
  const Timed theirs = time_sorted_tables(values, distance_bits);
  fmt::print("ratio         {:8.1f}\n", theirs.seconds / ours.seconds);
  if (ours.pairs == theirs.pairs) return 0;
  fmt::print(stderr, "hamming_join: the two joins disagree\n");
  return 1;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  std::vector<std::string_view> numbers;
  std::string dump;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--dump" && i + 1 < argc) {
      dump = argv[++i];
    } else {
      numbers.emplace_back(argv[i]);
    }
  }
  const auto number = [&](std::size_t place, unsigned long otherwise) {
    return place < numbers.size() ? std::strtoul(numbers[place].data(), nullptr, 10) : otherwise;
  };
  return paraprint::run(number(0, 11000000), static_cast<int>(number(1, 3)), static_cast<int>(number(2, 64)), dump);
}
