// Compares the eight classic string hashes (docs/algorithms/digests.md): how many of 581 different strings collide in a
// table of 1000 slots or in 32 bits, and the time of hashing as a multiple of the fastest.
//
// usage: bench_string_hashes [crawl.warc.gz ...]
//
// The strings are the first 581 distinct IDF strings of the pages, or artificial ones of the same form without pages.
// The published comparison used 1000 documents, 419 of them copies, and so had 419 expected collisions in addition.
#include "lab/signatures/string_hashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <stdexcept>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "feature/page_terms.h"
#include "lab/signatures/idf_string.h"
#include "profile/page_profiler.h"

namespace {

using namespace paraprint;

constexpr std::size_t kDistinctStrings = 581;
constexpr std::size_t kCopies = 419;
constexpr std::uint32_t kSlots = 1000;
constexpr std::uint32_t kKeptPercent = 70;
constexpr int kRounds = 201;

// Distinct strings, in order of first appearance.
class StringCollection {
 public:
  void add(std::string text) {
    if (!is_full() && !text.empty() && seen_.insert(text).second) strings_.push_back(std::move(text));
  }
  bool is_full() const { return strings_.size() == kDistinctStrings; }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> strings_;
};

void add_pages(const std::vector<std::string>& paths, StringCollection& collection) {
  const ReadOptions options;
  const WordWeights& weights = WordWeights::bundled();
  Result<std::vector<InputFile>> inputs = expand_inputs(paths, options);
  if (!inputs) throw std::runtime_error(inputs.error().message);
  auto profiler = PageProfiler::create(ProfileOptions{}, weights);
  if (!profiler) throw std::runtime_error(profiler.error().message);
  PageTermsBuilder builder(weights, true);
  PageTerms terms;
  std::vector<std::uint32_t> order;
  for (const InputFile& input : *inputs) {
    auto reader = open_records(input, options, [](const Defect&) {});
    if (!reader) throw std::runtime_error(reader.error().message);
    while (!collection.is_full()) {
      auto record = (*reader)->next();
      if (!record || !record->has_value()) break;
      const DecodedRecord decoded = decode_page(std::move(**record), options, input.path);
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      builder.build((*profiler)->extract(decoded.page), terms);
      std::string text;
      append_idf_string(terms, kKeptPercent, order, text);
      collection.add(std::move(text));
    }
  }
}

void add_made_up(StringCollection& collection) {
  std::mt19937_64 random(581);
  while (!collection.is_full()) {
    std::string text;
    for (std::uint64_t words = 50 + random() % 300; words > 0; --words) {
      if (!text.empty()) text += '\x1F';
      for (std::uint64_t letters = 2 + random() % 8; letters > 0; --letters) {
        text += static_cast<char>('a' + random() % 26);
      }
    }
    collection.add(std::move(text));
  }
}

std::size_t collisions(const std::vector<std::string>& strings, StringHash hash, std::uint64_t slots) {
  std::set<std::uint64_t> occupied;
  for (const std::string& text : strings) occupied.insert(hash(text) % slots);
  return strings.size() - occupied.size();
}

double seconds(const std::vector<std::string>& strings, StringHash hash, std::uint32_t& sum) {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string& text : strings) sum += hash(text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The minimum over many rounds in which the functions take turns.
std::vector<double> best_seconds(const std::vector<std::string>& strings, std::uint32_t& sum) {
  std::vector<double> best(kStringHashes.size(), 1e9);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], seconds(strings, kStringHashes[i], sum));
  }
  return best;
}

void print_comparison(const std::vector<std::string>& strings) {
  std::size_t bytes = 0;
  for (const std::string& text : strings) bytes += text.size();
  std::uint32_t sum = 0;  // printed, so that no hashing can be left out
  const std::vector<double> times = best_seconds(strings, sum);
  const double fastest = *std::min_element(times.begin(), times.end());
  fmt::print("{} strings, {} bytes; sum of hashes {:08x}\n", strings.size(), bytes, sum);
  fmt::print("{:6} {:>10} {:>14} {:>12} {:>8} {:>8}\n", "hash", "slots", "with copies", "32 bits", "time", "ns/byte");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t in_slots = collisions(strings, kStringHashes[i], kSlots);
    const std::size_t in_hashes = collisions(strings, kStringHashes[i], std::uint64_t{1} << 32);
    fmt::print("{:6} {:10} {:14} {:12} {:8.2f} {:8.3f}\n", kStringHashNames[i], in_slots, in_slots + kCopies, in_hashes,
               times[i] / fastest, times[i] * 1e9 / static_cast<double>(bytes));
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    StringCollection collection;
    const std::vector<std::string> paths(arguments + 1, arguments + count);
    if (paths.empty()) {
      add_made_up(collection);
    } else {
      add_pages(paths, collection);
    }
    print_comparison(collection.strings());
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_string_hashes: {}\n", error.what());
    return 1;
  }
  return 0;
}
