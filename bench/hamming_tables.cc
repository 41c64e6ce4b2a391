// Lookups within k bits: compares the table designs of Manku et al., sorted and compressed, with each other and with an
// exhaustive search, in one run on the same fingerprints; then the search of a batch, which looks up the fingerprints
// of a large file in tables of a few queries.
//
//   hamming_tables [COUNT [QUERIES [BATCH]]]       default 4000000 20000 1000000
//
// Times are processor seconds. Fingerprints are random, with 64 bits; every other query is one of them with 0 to 3
// flipped bits. The exhaustive search uses the same vector code, on the first hundredth of the queries. All designs
// must find the same hits. The batch has tables of BATCH queries.
#include "index/hamming_tables.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "base/hamming_scan.h"
#include "index/compressed_hamming_tables.h"

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
  fmt::print(
      "exhaustive                                                         {:10.2f} us per lookup, {} comparisons\n",
      seconds * 1e6, workload.values.size());
  return seconds;
}

template <class Tables>
std::uint64_t time_design(std::string_view form, const Workload& workload, const HammingDesign& design,
                          double brute_force_seconds, std::uint64_t& found_at_first) {
  const double begin = processor_seconds();
  const auto tables = Tables::build(workload.values, design);
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
      "{:2} {} tables, keys of {} to {} bits: built in {:6.2f} s, {:6.1f} MB, {:10.2f} us per lookup, "
      "{:9.1f} comparisons, {:8.0f} times as fast\n",
      tables->table_count(), form, shape->key_bits_minimum, shape->key_bits_maximum, built - begin,
      static_cast<double>(tables->memory_bytes()) / 1e6, seconds * 1e6, static_cast<double>(comparisons) / queries,
      brute_force_seconds / seconds);
  return found;
}

// Streams all values through tables of the first `batch` queries, as the paper does with the fingerprints of a crawl.
// Each of them within the distance of a query is found from its side.
void time_batch(const Workload& workload, std::size_t batch) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> queries(batch);
  for (std::uint64_t& query : queries) query = random();
  for (std::size_t i = 0; i < batch; i += 100) queries[i] = workload.values[i % workload.values.size()] ^ 1;
  const auto design = choose_hamming_design(64, kDistanceBits, static_cast<double>(batch));
  const double begin = processor_seconds();
  const auto tables = HammingTables<std::uint64_t>::build(queries, *design);
  const double built = processor_seconds();
  std::uint64_t found = 0;
  std::vector<HammingHit> hits;
  for (const std::uint64_t value : workload.values) {
    tables->find(value, hits);
    found += hits.size();
  }
  const double seconds = processor_seconds() - built;
  fmt::print("batch of {} queries: {} tables built in {:.2f} s, {:.2f} us per fingerprint streamed, {} pairs\n", batch,
             tables->table_count(), built - begin, seconds * 1e6 / static_cast<double>(workload.values.size()), found);
}

int run(std::size_t count, std::size_t queries, std::size_t batch) {
  const Workload workload = make_workload(count, queries);
  fmt::print("{} fingerprints of 64 bits, within {}, {} queries\n", count, kDistanceBits, queries);
  std::uint64_t expected_at_first = 0;
  const double brute_force_seconds = time_brute_force(workload, expected_at_first);
  std::uint64_t expected = 0;
  const auto check = [&](std::uint64_t found, std::uint64_t found_at_first) {
    if (expected == 0) expected = found;
    if (found == expected && found_at_first == expected_at_first) return;
    fmt::print(stderr, "hamming_tables: the designs disagree\n");
    std::exit(1);
  };
  for (const std::vector<int>& block_counts : std::vector<std::vector<int>>{{4}, {5}, {4, 4}, {6}}) {
    const HammingDesign design{kDistanceBits, block_counts};
    std::uint64_t found_at_first = 0;
    std::uint64_t found =
        time_design<HammingTables<std::uint64_t>>("sorted", workload, design, brute_force_seconds, found_at_first);
    check(found, found_at_first);
    found = time_design<CompressedHammingTables<std::uint64_t>>("compressed", workload, design, brute_force_seconds,
                                                                found_at_first);
    check(found, found_at_first);
  }
  const auto chosen = choose_hamming_design(64, kDistanceBits, static_cast<double>(count));
  fmt::print("chosen for this count: levels of {} blocks\n", fmt::join(chosen->block_counts, ", "));
  time_batch(workload, batch);
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  const auto number = [&](int place, unsigned long otherwise) {
    return place < argc ? std::strtoul(argv[place], nullptr, 10) : otherwise;
  };
  return paraprint::run(number(1, 4000000), number(2, 20000), number(3, 1000000));
}
