// Memory runs out within ICU, which does not always say so.
#include <gtest/gtest.h>
#include <unicode/uclean.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint {
namespace {

// The allocations of ICU, of which one fails: the one that begins when `left` is 1. Never if it is 0. ICU may have made
// others before.
struct FailingIcu {
  static inline std::uint64_t left = 0;
  static inline bool has_failed = false;
  static bool fails() {
    if (left == 0 || --left > 0) return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
  }
  FailingIcu() {
    UErrorCode error = U_ZERO_ERROR;
    u_setMemoryFunctions(
        nullptr, [](const void*, std::size_t size) { return fails() ? nullptr : std::malloc(size); },
        [](const void*, void* old, std::size_t size) { return fails() ? nullptr : std::realloc(old, size); },
        [](const void*, void* memory) { std::free(memory); }, &error);
    EXPECT_TRUE(U_SUCCESS(error));
  }
};

// What ICU keeps from one call to the next belongs to a thread, so each attempt has its own. Returns how many failed.
template <class Work>
int expect_all_or_nothing(const Work& work) {
  const FailingIcu icu;
  const auto expected = work();  // also makes what ICU keeps for the process
  int failures = 0;
  for (std::uint64_t number = 1; failures + 1 == static_cast<int>(number); ++number) {
    std::thread([&] {
      std::optional<std::decay_t<decltype(expected)>> found;
      FailingIcu::has_failed = false;
      FailingIcu::left = number;
      try {
        found = work();
      } catch (const std::bad_alloc&) {
      }
      FailingIcu::left = 0;
      failures += FailingIcu::has_failed ? 1 : 0;
      if (found) {
        EXPECT_EQ(*found, expected) << number;
      }
      EXPECT_EQ(work(), expected) << number;
    }).join();
  }
  return failures;
}

TEST(IcuFaults, WordsAreWholeOrNotThere) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "ภาษาไทยง่ายประเทศไทยมีอากาศร้อนและฝนตก";
  text += " ພາສາລາວ ភាសាខ្មែរ မြန်မာဘာသာ";
  const int failures = expect_all_or_nothing([&] {
    std::vector<Token> tokens;
    WordSegmenter::shared().segment(text, tokens);
    return tokens;
  });
  EXPECT_GT(failures, 0);
}

TEST(IcuFaults, TheNormalFormIsWholeOrNotThere) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "\u1100\u1161\u11A8";
  text += " A";
  for (int i = 0; i < 60; ++i) text += "\u0301\u0316";
  text += "\u0385a\u00A8";
  const int failures = expect_all_or_nothing([&] { return Normaliser().normalised(text); });
  EXPECT_GT(failures, 0);
}

}  // namespace
}  // namespace paraprint
