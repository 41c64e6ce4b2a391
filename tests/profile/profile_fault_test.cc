// A profiler that ran out of memory in the middle of a page: the next page has the profile that it has otherwise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "profile/fingerprint_codec.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "profile/registry.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

std::unique_ptr<PageProfiler> new_profiler(std::string_view algorithm) {
  ProfileOptions options;
  options.algorithm = algorithm;
  return PageProfiler::create(options, WordWeights::bundled(), {.markdown = true, .metadata = true}).value();
}

Page page_of(std::string body) {
  Page page;
  page.id = "p";
  page.url = "http://a.example/b";
  page.content_type = "text/html";
  page.body = std::move(body);
  return page;
}

// What every step has to do with: headings, lists, tables, links, several scripts, an undeclared charset, sentences of
// some length, and paragraphs that repeat.
std::string mixed_page(int rounds) {
  std::string body = "<html lang=en><head><title>The ferry and the river</title></head><body><h1>The ferry</h1>";
  for (int i = 0; i < rounds; ++i) {
    body += fmt::format(
        "<h2>Part {0}</h2><p class=text>The old ferry number {0} crossed the river, while people waited on the stairs; "
        "nobody had seen it since <a href=/{0}>the year before</a>.</p><ul><li>one<li>two {0}</ul>"
        "<table><tr><td>a<td>{0}</table><p>我来到北京清华大学，他来到了网易杭研大厦{0}。</p>"
        "<p>\u0E20\u0E32\u0E29\u0E32\u0E44\u0E17\u0E22 \uD55C\uAD6D\uC5B4</p><pre>x = {0}\n</pre>",
        i);
  }
  return body;
}

std::string encoded(PageProfiler& profiler, const Page& page) {
  std::string bytes;
  encode_profile(profiler.profile(page), bytes);
  encode_fingerprint(profiler.page_fingerprint(), bytes);
  StopCheck never;
  bytes += profiler.markdown(never).value();
  bytes += profiler.metadata(never).value().title;
  return bytes;
}

class ProfileFaultTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ProfileFaultTest, AnyAllocationMayFail) {
  const std::string_view algorithm = algorithm_rows()[GetParam()].name;
  const Page page = page_of(mixed_page(4));
  const Page longer = page_of(mixed_page(9));
  const std::string expected = encoded(*new_profiler(algorithm), longer);
  std::uint64_t failures = 0;
  for (std::uint64_t good = 0; failures == good; ++good) {
    const std::unique_ptr<PageProfiler> profiler = new_profiler(algorithm);
    FailingMemory::fail_after(good);
    try {
      const UnsafeMemory unsafe;
      (void)encoded(*profiler, page);
    } catch (const std::bad_alloc&) {
    }
    if (FailingMemory::end()) ++failures;
    ASSERT_EQ(encoded(*profiler, longer), expected) << algorithm << ", " << good;
  }
  EXPECT_GT(failures, 100U);
}

INSTANTIATE_TEST_SUITE_P(Rows, ProfileFaultTest, testing::Range(std::size_t{0}, algorithm_rows().size()),
                         [](const testing::TestParamInfo<std::size_t>& row) {
                           std::string name(algorithm_rows()[row.param].name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace paraprint
