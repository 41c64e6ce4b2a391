// Searches for inputs that cost more than their size: keeps those that cost more per byte than any before, and aborts
// with the first that costs more than kRatioMaximum harmless ones of its kind, size and number of items, or than
// ratio_maximum() says for kinds with known exceptions.
//
//   fuzz_cost -kinds                       prints the kinds of inputs: pages, and those of the test cost.inputs
//   fuzz_cost [-kind=NAME] -seeds FOLDER   writes the families of a kind, by default pages, as seeds, of 2 KiB each
//   fuzz_cost [-kind=NAME] FOLDER ...      with libFuzzer's arguments
//
// Cost is how often the regions of our sources ran, which the preset `cost` has the compiler count. Libraries of the
// system are not counted; libFuzzer's -timeout catches what hangs there.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input_kinds.h"

extern "C" {
// The counters of LLVM's profiling runtime.
char* __llvm_profile_begin_counters();
char* __llvm_profile_end_counters();
void __llvm_profile_reset_counters();
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
}

namespace {

using namespace paraprint;

constexpr double kRatioMaximum = 8;
// Anyone can send pages, so that another input may cost as much as this share of a harmless page of its size, even if a
// harmless one of its kind costs less.
constexpr double kPageShare = 0.25;
constexpr std::size_t kSizeClasses = 8;   // one for each doubling of the size
constexpr std::size_t kCostClasses = 64;  // four for each doubling of the cost per byte
constexpr std::size_t kLeastBytes = 256;  // shorter inputs cost what any input costs
// libFuzzer keeps an input if one of these was not set by any before it.
__attribute__((section("__libfuzzer_extra_counters"))) std::array<std::uint8_t, kSizeClasses * kCostClasses> cost_seen;

std::uint64_t steps_of(const HostileKind& kind, std::string_view input) {
  __llvm_profile_reset_counters();
  kind.read(input);
  const auto* const begin = reinterpret_cast<const std::uint64_t*>(__llvm_profile_begin_counters());
  const auto* const end = reinterpret_cast<const std::uint64_t*>(__llvm_profile_end_counters());
  std::uint64_t steps = 0;
  for (const std::uint64_t count : std::span(begin, end)) steps += count;
  return steps;
}

// Steps of a harmless page, as a linear function of its size and number of items.
struct HarmlessCost {
  double fixed = 0;
  double per_byte = 0;
  double per_item = 0;

  explicit HarmlessCost(const HostileKind& kind) {
    constexpr std::size_t kSmall = std::size_t{2} << 10;
    constexpr std::size_t kLarge = std::size_t{32} << 10;
    const auto steps = [&](std::size_t size_bytes, std::size_t items) {
      const std::string input = kind.harmless(size_bytes, items);
      (void)steps_of(kind, input);  // once before it is measured: buffers grow
      return static_cast<double>(steps_of(kind, input));
    };
    const double small = steps(kSmall, 1);
    const double large = steps(kLarge, 1);
    per_byte = std::max(0.0, (large - small) / (kLarge - kSmall));
    fixed = std::max(0.0, small - per_byte * kSmall);
    const std::string dense = kind.harmless(kLarge, kLarge);
    const auto items = static_cast<double>(std::count(dense.begin(), dense.end(), kind.item_mark));
    per_item = items > 0 ? std::max(0.0, (steps(kLarge, kLarge) - large) / items) : 0;
  }

  double of(std::string_view input, char item_mark) const {
    const auto items = static_cast<double>(std::count(input.begin(), input.end(), item_mark));
    return fixed + per_byte * static_cast<double>(std::max(input.size(), kLeastBytes)) + per_item * items;
  }
};

// For pages half as much again as a page of U+FDFA costs, which normalisation makes eleven times as long. A seed of an
// item may have 32 places, each of which is compared wherever a document has it; benchmarks come from the operator. A
// long link below unclosed formatting is copied by the parser until its budget is used up: 44 times the cost at 4 KiB,
// 3 times at 64 KiB. Empty JSON lines and commas of codings run through 79 and 13.2 times as many regions at
// 16 KiB as harmless inputs, with 29 and 3.5 times the instructions. For the others twice as much as the worst family
// that tests/cost/input_cost_test.py lists as an exception, with its reason.
double ratio_maximum(std::string_view kind) {
  static constexpr std::pair<std::string_view, double> kExceptions[] = {
      {"page", 12},           {"json_lines", 90},      {"addresses", 18},    {"response_head", 12},
      {"request_target", 18}, {"sitemap", 16},         {"links", 64},        {"http_message", 16},
      {"fasttext", 34},       {"vectors_as_text", 10}, {"robots_match", 28}, {"packed_archive", 64},
      {"contamination", 64},  {"archive_index", 26},   {"har", 30},          {"wacz", 14},
  };
  for (const auto& [name, ratio] : kExceptions) {
    if (name == kind) return ratio;
  }
  return kRatioMaximum;
}

std::vector<HostileKind> all_kinds() {
  std::vector<HostileKind> kinds = hostile_input_kinds();
  add_page_inputs(kinds);
  return kinds;
}

std::string& wanted_kind() {
  static std::string name = "page";
  return name;
}

struct MeasuredKind {
  HostileKind kind;
  HarmlessCost harmless;
  double least_per_byte = 0;
};

const MeasuredKind& measured_kind() {
  static const MeasuredKind measured = [] {
    std::vector<HostileKind> kinds = all_kinds();
    const auto found = std::ranges::find(kinds, wanted_kind(), &HostileKind::name);
    if (found == kinds.end()) {
      std::fprintf(stderr, "fuzz_cost: there is no kind %s; -kinds prints them\n", wanted_kind().c_str());
      std::exit(1);
    }
    const double per_byte_of_page = HarmlessCost(kinds.front()).per_byte;
    const HarmlessCost harmless(*found);
    std::fprintf(stderr, "harmless: %.0f steps, %.2f per byte (a page: %.2f), %.1f per item\n", harmless.fixed,
                 harmless.per_byte, per_byte_of_page, harmless.per_item);
    return MeasuredKind{std::move(*found), harmless, kPageShare * per_byte_of_page};
  }();
  return measured;
}

void keep_if_new(std::size_t size_bytes, double steps_per_byte) {
  const auto size_class = std::min<std::size_t>(std::bit_width(size_bytes / kLeastBytes), kSizeClasses - 1);
  const double cost = std::clamp(4 * std::log2(1 + steps_per_byte), 0.0, double{kCostClasses - 1});
  cost_seen[size_class * kCostClasses + static_cast<std::size_t>(cost)] = 1;
}

void write_seeds(const std::string& folder) {
  constexpr std::size_t kSeedBytes = std::size_t{2} << 10;
  std::filesystem::create_directories(folder);
  for (const InputFamily& family : measured_kind().kind.families) {
    std::ofstream(folder + "/" + std::string(family.name), std::ios::binary) << family.make(kSeedBytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kKindOption = "-kind=";
  if (*count >= 2 && std::string_view((*arguments)[1]).starts_with(kKindOption)) {
    wanted_kind() = (*arguments)[1] + kKindOption.size();
    (*arguments)[1] = (*arguments)[0];
    ++*arguments;
    --*count;
  }
  if (*count == 2 && std::string_view((*arguments)[1]) == "-kinds") {
    for (const HostileKind& kind : all_kinds()) std::printf("%s\n", std::string(kind.name).c_str());
    std::exit(0);
  }
  if (*count == 3 && std::string_view((*arguments)[1]) == "-seeds") {
    write_seeds((*arguments)[2]);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto& [kind, harmless, least_per_byte] = measured_kind();
  std::string_view input(reinterpret_cast<const char*>(data), size);
  std::string summed;
  if (kind.with_checksum) {
    summed = kind.with_checksum(input);
    input = summed;
  }
  const auto steps = static_cast<double>(steps_of(kind, input));
  keep_if_new(size, std::max(0.0, steps - harmless.fixed) / static_cast<double>(std::max(size, kLeastBytes)));
  const double expected =
      std::max(harmless.of(input, kind.item_mark), harmless.fixed + least_per_byte * static_cast<double>(size));
  const double limit = ratio_maximum(kind.name) * expected;
  if (steps <= limit) return 0;
  // Tables that grow once are no fault of the input.
  const auto again = static_cast<double>(steps_of(kind, input));
  if (again <= limit) return 0;
  std::fprintf(stderr, "%.0f steps for %zu bytes, %.1f times as many as of a harmless input\n", again, size,
               again / expected);
  std::abort();
}

// Besides libFuzzer's own mutations, one that cost is sensitive to: a part repeated as often as it fits.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  constexpr std::size_t kRepeatedOnceIn = 4;
  constexpr std::size_t kPartBytesMaximum = 64;
  if (size == 0 || below(kRepeatedOnceIn) != 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t at = below(size);
  const std::string part(data + at, data + at + 1 + below(std::min(size - at, kPartBytesMaximum)));
  std::string input(data, data + at);
  const std::string rest(data + at + part.size(), data + size);
  const std::size_t wanted = std::min(max_size, std::max(2 * size, kLeastBytes));
  while (input.size() + part.size() + rest.size() <= wanted) input += part;
  input += rest;
  input.resize(std::min(input.size(), max_size));
  std::copy(input.begin(), input.end(), data);
  return input.size();
}
