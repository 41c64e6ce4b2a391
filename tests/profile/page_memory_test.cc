// What a large page leaves behind: a service has a profiler for each thread, for as long as it runs.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "memory/memory_meter.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "sanitized.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

Page page_of(std::string_view unit, std::size_t size_bytes) {
  Page page;
  page.id = "p";
  page.body_is_utf8 = true;
  while (page.body.size() < size_bytes) page.body += unit;
  return page;
}

std::string encoded(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return bytes;
}

// Large in bytes and elements, in elements alone, and in sentences.
TEST(PageMemory, ALargePageLeavesNoneAndTheNextOneIsWhole) {
  const Page small = page_of("<p>The old ferry crossed the river while people waited on the stairs.</p>", 20'000);
  for (const auto& [unit, size_bytes] : {std::pair<std::string_view, std::size_t>{"<p>a", 5 * kMegabyte},
                                         {"<p>a", 2 * kMegabyte},
                                         {"a. ", 5 * kMegabyte}}) {
    const auto profiler = PageProfiler::create(ProfileOptions{}, WordWeights::bundled()).value();
    const std::string expected = encoded(profiler->profile(small));
    const std::uint64_t before = process_resident_bytes();
    std::string of_large;
    for (int round = 0; round < 2; ++round) {
      const std::string made = encoded(profiler->profile(page_of(unit, size_bytes)));
      if (round == 0) of_large = made;
      EXPECT_EQ(made, of_large) << unit;
      EXPECT_EQ(encoded(profiler->profile(small)), expected) << unit;
    }
    if (is_sanitized()) continue;
    // The body of the page is not the profiler's, and scratch memory of the libraries may stay.
    EXPECT_LT(process_resident_bytes(), before + 2 * size_bytes + 8 * kMegabyte) << unit;
  }
}

}  // namespace
}  // namespace paraprint
