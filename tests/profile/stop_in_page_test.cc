// A request to stop takes effect within the work on a page. Nothing here depends on time: the looks at the flag are
// counted, and the work between them by its units.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "cost/hostile_pages.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// Notices a request at one of its looks.
class CountingStop : public StopCheck {
 public:
  explicit CountingStop(std::uint64_t stop_at_look = kNever) : stop_at_look_(stop_at_look) {}

  std::uint64_t looks() const { return looks_; }
  std::uint64_t most_units() const { return most_units_; }  // between two looks

 protected:
  bool is_asked(std::uint64_t units) override {
    most_units_ = std::max(most_units_, units);
    return ++looks_ >= stop_at_look_;
  }

 private:
  const std::uint64_t stop_at_look_;
  std::uint64_t looks_ = 0;
  std::uint64_t most_units_ = 0;
};

Page page_with(std::string body, PageFormat format = PageFormat::kHtml) {
  Page page;
  page.id = "p";
  page.body = std::move(body);
  page.format = format;
  page.body_is_utf8 = true;
  return page;
}

std::string family_page(std::string_view name, std::size_t size_bytes) {
  for (const PageFamily& family : hostile_page_families()) {
    if (family.name == name) return page_of(family, size_bytes);
  }
  ADD_FAILURE() << name;
  return {};
}

std::string encoded_profile(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return bytes;
}

std::unique_ptr<PageProfiler> stoppable_profiler(const ProfileOptions& options = {}) {
  return PageProfiler::create(options, WordWeights::bundled()).value();
}

std::string repeated(std::string_view unit, std::size_t size_bytes) {
  std::string text;
  while (text.size() < size_bytes) text += unit;
  return text;
}

// Pages that reach every loop: many small elements, one long sentence of each kind, plain text.
std::vector<Page> pages_of_all_kinds(std::size_t size_bytes) {
  std::vector<Page> pages;
  pages.push_back(page_with(harmless_page(size_bytes)));
  pages.push_back(page_with(family_page("tiny_paragraphs", size_bytes)));
  pages.push_back(page_with("<p>" + repeated("words/", size_bytes)));
  pages.push_back(page_with("<p>" + repeated("水火木", size_bytes)));
  pages.push_back(page_with("<p>" + repeated("e\u0301\u0316", size_bytes)));
  pages.push_back(page_with(repeated("A line of text.\n\n", size_bytes), PageFormat::kPlainText));
  return pages;
}

// At whichever look the request is noticed, no loop goes on long enough to look again, and the next page is read as by
// a new profiler.
TEST(StopInPage, LeavesNothingAndTheNextPageIsWhole) {
  ProfileOptions classic;
  classic.algorithm = "simhash-64";
  for (const ProfileOptions& options : {ProfileOptions{}, classic}) {
    const Page next = page_with(harmless_page(20'000));
    const std::string expected = encoded_profile(stoppable_profiler(options)->profile(next));
    const auto one = stoppable_profiler(options);
    for (const Page& page : pages_of_all_kinds(kMegabyte / 2)) {
      constexpr std::uint64_t kMoments = 8;
      one->profile(page);  // its buffers have grown afterwards
      CountingStop whole;
      ASSERT_TRUE(one->profile(page, whole));
      ASSERT_GT(whole.looks(), 2 * kMoments);
      for (std::uint64_t moment = 0; moment <= kMoments; ++moment) {
        const std::uint64_t asked_at = 1 + moment * (whole.looks() - 1) / kMoments;
        CountingStop stop(asked_at);
        const Result<const Profile*> made = one->profile(page, stop);
        ASSERT_FALSE(made) << moment;
        EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
        EXPECT_EQ(stop.looks(), asked_at) << "work goes on after the request";
        EXPECT_EQ(encoded_profile(one->profile(next)), expected);
      }
    }
  }
}

TEST(StopInPage, ResultsAreEmptyAfterwards) {
  const auto one = stoppable_profiler();
  const Page page = page_with(harmless_page(kMegabyte));
  one->profile(page);
  CountingStop whole;
  ASSERT_TRUE(one->profile(page, whole));
  CountingStop stop(whole.looks() - 1);
  ASSERT_FALSE(one->profile(page, stop));
  EXPECT_TRUE(one->content().text.empty());
  EXPECT_TRUE(one->paragraphs().empty());
  EXPECT_TRUE(one->features().words.empty());
  EXPECT_TRUE(one->notes().charset.empty());
}

// What is done after a request is a fixed amount of work, and not a share of the page: here two pieces of 64 KiB, the
// ones in which the parser gets it, at most.
TEST(StopInPage, WorkBetweenLooksDoesNotGrowWithThePage) {
  const auto one = stoppable_profiler();
  for (const std::size_t size_bytes : {4 * kMegabyte, 16 * kMegabyte}) {
    for (const std::string& body : {harmless_page(size_bytes), family_page("title_of_one_letter", size_bytes)}) {
      CountingStop whole;
      ASSERT_TRUE(one->profile(page_with(body), whole));
      EXPECT_GT(whole.looks(), size_bytes / (4 * StopCheck::kStopUnits));
      EXPECT_LE(whole.most_units(), 4 * StopCheck::kStopUnits);
    }
  }
}

// A text without an element inside is counted, copied and divided into sentences as a whole, each at once.
TEST(StopInPage, OneTextIsPassedOverAtOnce) {
  const auto one = stoppable_profiler();
  const std::string text = repeated("words/", kMegabyte);
  CountingStop whole;
  ASSERT_TRUE(one->profile(page_with("<p>" + text), whole));
  EXPECT_LE(whole.most_units(), text.size() + 2 * StopCheck::kStopUnits);
  EXPECT_GT(whole.looks(), text.size() / StopCheck::kStopUnits);
}

TEST(StopInPage, WithoutARequestNothingChanges) {
  for (const Page& page : pages_of_all_kinds(kMegabyte / 4)) {
    CountingStop never;
    const auto asked = stoppable_profiler();
    const Result<const Profile*> made = asked->profile(page, never);
    ASSERT_TRUE(made);
    EXPECT_EQ(encoded_profile(**made), encoded_profile(stoppable_profiler()->profile(page)));
  }
}

}  // namespace
}  // namespace paraprint
