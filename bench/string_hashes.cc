// Compares the classic string hashes (docs/algorithms/digests.md): how many documents meet an occupied slot of a hash
// table, or an occupied 32-bit value, and the time of hashing as a multiple of the fastest.
//
// usage: bench_string_hashes [--documents N] [crawl.warc.gz|pages.jsonl|folder ...]
//   --documents N   read the first N pages (default 1000, as published), each of which is one IDF string
//
// The table has as many slots as there are documents. Documents with equal strings collide under every function: those
// are the real copies, which are counted apart. Without inputs, 581 made-up strings and 419 copies of them are
// compared, the numbers of the publication.
#include "lab/signatures/string_hashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>

#include "bench/page_terms_reader.h"
#include "lab/signatures/idf_string.h"

namespace {

using namespace paraprint;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kDocuments = 1000;
constexpr std::size_t kMadeUpStrings = 581;
constexpr std::uint32_t kKeptPercent = 70;
constexpr std::uint64_t kHashValues = std::uint64_t{1} << 32;
constexpr double kTimedBytes = 2e8;  // hashed by each function in all rounds together
constexpr std::size_t kRoundsMinimum = 5;
constexpr std::size_t kRoundsMaximum = 201;

struct Collection {
  std::vector<std::string> strings;  // one per document, in reading order
  double seconds = 0;                // of reading, extraction and words
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Collection read_documents(const std::vector<std::string>& paths, std::size_t documents) {
  Collection collection;
  std::vector<std::uint32_t> order;
  const Clock::time_point begin = Clock::now();
  read_page_terms(paths, [&](const Page&, const PageTerms& terms) {
    std::string text;
    append_idf_string(terms, kKeptPercent, order, text);
    if (!text.empty()) collection.strings.push_back(std::move(text));
    return collection.strings.size() < documents;
  });
  collection.seconds = seconds_since(begin);
  if (collection.strings.empty()) throw std::runtime_error("no page with text in the inputs");
  return collection;
}

Collection make_up_documents() {
  Collection collection;
  std::mt19937_64 random(kMadeUpStrings);
  while (collection.strings.size() < kMadeUpStrings) {
    std::string text;
    for (std::uint64_t words = 50 + random() % 300; words > 0; --words) {
      if (!text.empty()) text += '\x1F';
      for (std::uint64_t letters = 2 + random() % 8; letters > 0; --letters) {
        text += static_cast<char>('a' + random() % 26);
      }
    }
    collection.strings.push_back(std::move(text));
  }
  for (std::size_t i = kMadeUpStrings; i < kDocuments; ++i) {
    collection.strings.push_back(collection.strings[i - kMadeUpStrings]);
  }
  return collection;
}

std::size_t collisions(const std::vector<std::string>& strings, StringHash hash, std::uint64_t slots) {
  std::set<std::uint64_t> occupied;
  for (const std::string& text : strings) occupied.insert(hash(text) % slots);
  return strings.size() - occupied.size();
}

double seconds(const std::vector<std::string>& strings, StringHash hash, std::uint32_t& sum) {
  const Clock::time_point begin = Clock::now();
  for (const std::string& text : strings) sum += hash(text);
  return seconds_since(begin);
}

// The minimum over many rounds in which the functions take turns.
std::vector<double> best_seconds(const std::vector<std::string>& strings, std::size_t rounds, std::uint32_t& sum) {
  std::vector<double> best(kStringHashes.size(), 1e9);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], seconds(strings, kStringHashes[i], sum));
  }
  return best;
}

void print_comparison(const Collection& collection) {
  const std::vector<std::string>& strings = collection.strings;
  std::size_t bytes = 0;
  for (const std::string& text : strings) bytes += text.size();
  const std::size_t copies = strings.size() - std::set<std::string>(strings.begin(), strings.end()).size();
  const auto rounds = static_cast<std::size_t>(kTimedBytes / static_cast<double>(bytes));
  std::uint32_t sum = 0;  // printed, so that no hashing can be left out
  const std::vector<double> times = best_seconds(strings, std::clamp(rounds, kRoundsMinimum, kRoundsMaximum), sum);
  const double fastest = *std::min_element(times.begin(), times.end());
  fmt::print("{} documents, {} of them copies of others by their string; {} bytes; sum of hashes {:08x}\n",
             strings.size(), copies, bytes, sum);
  if (collection.seconds > 0) {
    fmt::print("{:.2f} s from bytes to strings, {:.5f} s of hashing with the fastest function\n", collection.seconds,
               fastest);
  }
  fmt::print("{:6} {:>14} {:>10} {:>14} {:>10} {:>8} {:>8}\n", "hash", "occupied slot", "by chance", "occupied value",
             "by chance", "time", "ns/byte");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t in_slots = collisions(strings, kStringHashes[i], strings.size());
    const std::size_t in_values = collisions(strings, kStringHashes[i], kHashValues);
    fmt::print("{:6} {:14} {:10} {:14} {:10} {:8.2f} {:8.3f}\n", kStringHashNames[i], in_slots, in_slots - copies,
               in_values, in_values - copies, times[i] / fastest, times[i] * 1e9 / static_cast<double>(bytes));
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::vector<std::string> paths(arguments + 1, arguments + count);
    std::size_t documents = kDocuments;
    if (paths.size() >= 2 && paths.front() == "--documents") {
      documents = std::strtoull(paths[1].c_str(), nullptr, 10);
      if (documents == 0) throw std::runtime_error("--documents must be a number above 0");
      paths.erase(paths.begin(), paths.begin() + 2);
    }
    print_comparison(paths.empty() ? make_up_documents() : read_documents(paths, documents));
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_string_hashes: {}\n", error.what());
    return 1;
  }
  return 0;
}
