// Runs every fuzzer's entry function on its seeds, on their beginnings and on seeds with a byte changed, and checks
// that libFuzzer can read the dictionaries, and that their fuzzers exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#define PARAPRINT_FUZZER(name) int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzzers.inc"
#undef PARAPRINT_FUZZER

// Of libFuzzer; only custom mutators, which nobody calls here, use it.
std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
  return size;
}
}

namespace {

namespace fs = std::filesystem;

struct Fuzzer {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

std::ostream& operator<<(std::ostream& out, const Fuzzer& fuzzer) {
  return out << fuzzer.name;
}

const Fuzzer kFuzzers[] = {
#define PARAPRINT_FUZZER(name) {#name, fuzz_##name},
#include "fuzzers.inc"
#undef PARAPRINT_FUZZER
};

constexpr std::size_t kChangedSeedsMaximum = 40;  // per fuzzer; fuzzing proper is `make fuzz-smoke`

// The bytes of all seeds, in the order of their names.
std::vector<std::string> seeds_of(const Fuzzer& fuzzer) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(PARAPRINT_FUZZ_ROOT) / "corpus" / fuzzer.name)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class FuzzSeeds : public testing::TestWithParam<Fuzzer> {
 protected:
  static void run(const std::string& bytes) {
    // A copy of the exact size, so that the address sanitizer sees a read behind the end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    EXPECT_EQ(GetParam().run(input.data(), input.size()), 0);
  }
};

TEST_P(FuzzSeeds, AreRead) {
  const std::vector<std::string> seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  run("");
  for (const std::string& seed : seeds) run(seed);
}

TEST_P(FuzzSeeds, AreReadWhenCutOrChanged) {
  std::vector<std::string> seeds = seeds_of(GetParam());
  seeds.resize(std::min(seeds.size(), kChangedSeedsMaximum));
  for (const std::string& seed : seeds) {
    for (std::size_t eighths = 1; eighths < 8; ++eighths) {
      const std::size_t place = seed.size() * eighths / 8;
      run(seed.substr(0, place));
      if (place == seed.size()) continue;
      std::string changed = seed;
      changed[place] = static_cast<char>(changed[place] ^ (1U << (eighths - 1)));
      run(changed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzSeeds, testing::ValuesIn(kFuzzers),
                         [](const testing::TestParamInfo<Fuzzer>& parameter) {
                           return std::string(parameter.param.name);
                         });

TEST(FuzzDictionaries, NameFuzzersAndHoldWords) {
  const std::regex word(R"re("([^"\\]|\\\\|\\"|\\x[0-9A-F]{2})+")re");
  for (const auto& entry : fs::directory_iterator(fs::path(PARAPRINT_FUZZ_ROOT) / "dictionaries")) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path());
    std::string what;
    std::string whose;
    ASSERT_TRUE(std::getline(file, what) && std::getline(file, whose));
    EXPECT_TRUE(what.starts_with("# "));
    constexpr std::string_view kFuzzersOf = "# fuzzers: ";
    ASSERT_TRUE(whose.starts_with(kFuzzersOf));
    std::istringstream names(whose.substr(kFuzzersOf.size()));
    for (std::string name; names >> name;) {
      EXPECT_TRUE(std::any_of(std::begin(kFuzzers), std::end(kFuzzers), [&](const Fuzzer& f) {
        return name == f.name;
      })) << name;
    }
    for (std::string line; std::getline(file, line);) {
      EXPECT_TRUE(line.empty() || line.starts_with("# ") || std::regex_match(line, word)) << line;
    }
  }
}

}  // namespace
