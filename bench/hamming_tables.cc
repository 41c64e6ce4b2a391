// Lookups within k bits: compares the table designs of Manku et al. with each other and with an exhaustive search, in
// one run on the same fingerprints.
//
//   hamming_tables [COUNT [QUERIES]]       default 4000000 20000
//
// Times are processor seconds. Fingerprints are random, with 64 bits; every other query is one of them with 0 to 3
// flipped bits. The exhaustive search uses the same vector code, on the first hundredth of the queries. All designs
// must find the same hits.
#include "index/hamming_tables.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "base/hamming_scan.h"

namespace paraprint {
namespace {

constexpr int kDistanceBits = 3;
constexpr std::size_t kBruteForceShare = 100;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Workload {
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> queries;
};

Workload make_workload(std::size_t count, std::size_t queries) {
  std::mt19937_64 random(1);
  Workload workload;
  workload.values.resize(count);
  for (std::uint64_t& value : workload.values) value = random();
  for (std::size_t i = 0; i < queries; ++i) {
    std::uint64_t query = random();
    if (i % 2 == 0) {
      query = workload.values[query % count];
      for (std::uint64_t flips = random() % (kDistanceBits + 1); flips > 0; --flips) {
        query ^= std::uint64_t{1} << random() % 64;
      }
    }
    workload.queries.push_back(query);
  }
  return workload;
}

// Returns seconds per lookup; sets `found` to the hits of the queries that are also searched exhaustively.
double time_brute_force(const Workload& workload, std::uint64_t& found) {
  std::vector<std::uint64_t> padded(workload.values);
  padded.resize(padded.size() + kScanPadding);
  const std::size_t queries = workload.queries.size() / kBruteForceShare + 1;
  std::vector<std::uint32_t> places;
  const double begin = processor_seconds();
  for (std::size_t i = 0; i < queries; ++i) {
    find_close_in_run({padded.data(), nullptr, workload.values.size()}, {workload.queries[i], 0}, kDistanceBits,
                      places);
  }
  const double seconds = (processor_seconds() - begin) / static_cast<double>(queries);
  found = places.size();
  fmt::print("exhaustive                                              {:10.2f} us per lookup, {} comparisons\n",
             seconds * 1e6, workload.values.size());
  return seconds;
}

std::uint64_t time_design(const Workload& workload, const HammingDesign& design, double brute_force_seconds,
                          std::uint64_t& found_at_first) {
  const double begin = processor_seconds();
  const auto tables = HammingTables<std::uint64_t>::build(workload.values, design);
  const double built = processor_seconds();
  if (!tables) {
    fmt::print(stderr, "hamming_tables: {}\n", tables.error().message);
    std::exit(1);
  }
  std::uint64_t found = 0;
  std::uint64_t comparisons = 0;
  found_at_first = 0;
  std::vector<HammingHit> hits;
  for (std::size_t i = 0; i < workload.queries.size(); ++i) {
    comparisons += tables->find(workload.queries[i], hits).comparisons;
    found += hits.size();
    if (i <= workload.queries.size() / kBruteForceShare) found_at_first += hits.size();
  }
  const auto queries = static_cast<double>(workload.queries.size());
  const double seconds = (processor_seconds() - built) / queries;
  const auto shape = shape_of(design, 64);
  fmt::print(
      "{:2} tables, keys of {} to {} bits: built in {:6.2f} s, {:6.1f} MB, {:10.2f} us per lookup, "
      "{:9.1f} comparisons, {:8.0f} times as fast\n",
      tables->table_count(), shape->key_bits_minimum, shape->key_bits_maximum, built - begin,
      static_cast<double>(tables->memory_bytes()) / 1e6, seconds * 1e6, static_cast<double>(comparisons) / queries,
      brute_force_seconds / seconds);
  return found;
}

int run(std::size_t count, std::size_t queries) {
  const Workload workload = make_workload(count, queries);
  fmt::print("{} fingerprints of 64 bits, within {}, {} queries\n", count, kDistanceBits, queries);
  std::uint64_t expected_at_first = 0;
  const double brute_force_seconds = time_brute_force(workload, expected_at_first);
  std::uint64_t expected = 0;
  for (const std::vector<int>& block_counts : std::vector<std::vector<int>>{{4}, {5}, {4, 4}, {6}}) {
    std::uint64_t found_at_first = 0;
    const std::uint64_t found =
        time_design(workload, {kDistanceBits, block_counts}, brute_force_seconds, found_at_first);
    if (expected == 0) expected = found;
    if (found == expected && found_at_first == expected_at_first) continue;
    fmt::print(stderr, "hamming_tables: the designs disagree\n");
    return 1;
  }
  const auto chosen = choose_hamming_design(64, kDistanceBits, static_cast<double>(count));
  fmt::print("chosen for this count: levels of {} blocks\n", fmt::join(chosen->block_counts, ", "));
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  const auto number = [&](int place, unsigned long otherwise) {
    return place < argc ? std::strtoul(argv[place], nullptr, 10) : otherwise;
  };
  return paraprint::run(number(1, 4000000), number(2, 20000));
}
