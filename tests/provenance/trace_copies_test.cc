// Clusters traced as a whole.
#include "provenance/trace_copies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "corpus/linked_addresses.h"
#include "property.h"
#include "traced_pages.h"

namespace paraprint {
namespace {

void set_date(TracedPage& page, const char* date) {
  page.stated.metadata.date_published = date;
  page.stated.date_place = DatePlace::kJsonLd;
}

void set_source(TracedPage& page, const TracedPage& source) {
  page.stated.metadata.source_url = source.url;
}

// Counts units and looks, and notices a request at one of these.
class CountingStop : public StopCheck {
 public:
  explicit CountingStop(std::uint64_t stop_at_look = std::numeric_limits<std::uint64_t>::max())
      : stop_at_look_(stop_at_look) {}
  std::uint64_t looks() const { return looks_; }
  std::uint64_t units() const { return units_; }  // up to the last look

 protected:
  bool is_asked(std::uint64_t units) override {
    units_ += units;
    return ++looks_ >= stop_at_look_;
  }

 private:
  const std::uint64_t stop_at_look_;
  std::uint64_t looks_ = 0;
  std::uint64_t units_ = 0;
};

// A text of consecutive sentences.
TracedPage page_of_sentences(const std::string& id, std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> sentences(count);
  std::iota(sentences.begin(), sentences.end(), first);
  return traced_page(id, sentences);
}

TEST(TraceCopies, ADatedChainIsFoundLinkByLink) {
  std::vector<TracedPage> pages = {traced_page("c", {1, 12, 23, 4}), traced_page("a", {1, 2, 3, 4}),
                                   traced_page("b", {1, 12, 3, 4})};
  set_date(pages[0], "2010-03-01");
  set_date(pages[1], "2010-01-01");
  set_date(pages[2], "2010-02-01");
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_TRUE(origins[1].is_first);
  EXPECT_FALSE(origins[1].copied_from.has_value());
  EXPECT_GT(origins[1].first_confidence, 0.9);
  EXPECT_EQ(origins[2].copied_from, 1U);
  EXPECT_EQ(origins[0].copied_from, 2U);
  EXPECT_GT(origins[0].confidence, 0.9);
  EXPECT_EQ(origins[0].reasons.front(), Reason::kDate);
}

TEST(TraceCopies, TheCaptureDecidesNothing) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2}), traced_page("b", {1, 2})};
  pages[0].capture_date = "2010-01-01T00:00:00Z";
  pages[1].capture_date = "2012-01-01T00:00:00Z";
  const std::vector<TracedOrigin> forth = trace_copies(pages);
  std::swap(pages[0].capture_date, pages[1].capture_date);
  const std::vector<TracedOrigin> back = trace_copies(pages);
  EXPECT_EQ(forth[0].copied_from, back[0].copied_from);
  EXPECT_EQ(forth[1].confidence, back[1].confidence);
  EXPECT_LT(forth[1].confidence, 0.6);
}

TEST(TraceCopies, ANamedSourceIsTheSource) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2, 3}), traced_page("b", {1, 2, 3}),
                                   traced_page("c", {1, 2, 3})};
  set_source(pages[0], pages[2]);
  set_source(pages[2], pages[1]);
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_TRUE(origins[1].is_first);
  EXPECT_EQ(origins[2].copied_from, 1U);
  EXPECT_EQ(origins[0].copied_from, 2U);
  EXPECT_EQ(origins[0].reasons, std::vector{Reason::kStatedSource});
}

// Both are as likely the source of the third by its text, but only one is another version of it.
TEST(TraceCopies, VersionsForOtherRegionsAreMadeOfEachOther) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2, 3}), traced_page("b", {1, 2, 3}),
                                   traced_page("c", {1, 2, 3})};
  set_date(pages[0], "2010-01-01");
  set_date(pages[1], "2010-01-02");
  set_date(pages[2], "2010-01-03");
  for (const auto& [names, named] : {std::pair(1, 2), std::pair(2, 1)}) {
    std::vector<TracedPage> stating = pages;
    stating[static_cast<std::size_t>(names)].stated.linked.alternates = {
        address_hash(pages[static_cast<std::size_t>(named)].url)};
    const std::vector<TracedOrigin> origins = trace_copies(stating);
    EXPECT_EQ(origins[2].copied_from, 1U);
    EXPECT_EQ(origins[2].reasons, (std::vector{Reason::kDate, Reason::kAlternate}));
    EXPECT_TRUE(origins[0].is_first);
  }
  EXPECT_EQ(trace_copies(pages)[2].copied_from, 0U);
}

TEST(TraceCopies, SourcesInACircleAreSaidAndStillGiveATree) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2}), traced_page("b", {1, 2}), traced_page("c", {1, 2})};
  for (std::size_t page = 0; page < 3; ++page) set_source(pages[page], pages[(page + 1) % 3]);
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_EQ(std::count_if(origins.begin(), origins.end(), [](const TracedOrigin& each) { return each.is_first; }), 1);
  for (const TracedOrigin& each : origins) {
    EXPECT_EQ(each.problems, std::vector{StatementProblem::kSourcesInCircle});
  }
}

TEST(TraceCopies, ASourceThatIsLaterIsSaid) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2}), traced_page("b", {1, 2})};
  set_source(pages[0], pages[1]);
  set_date(pages[0], "2010-01-01");
  set_date(pages[1], "2010-05-01");
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_EQ(origins[0].problems, std::vector{StatementProblem::kSourceIsLater});
  // The address is more certain than the dates, which speak against it.
  EXPECT_EQ(origins[0].copied_from, 1U);
  EXPECT_EQ(origins[0].against, std::vector{Reason::kDate});
}

TEST(TraceCopies, AProblemIsSaidOnce) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2}), traced_page("b", {1, 2})};
  pages[0].capture_date = "2010-01-01T00:00:00Z";
  set_date(pages[0], "2031-01-01");
  pages[0].stated.metadata.date_modified = "2032-01-01";
  EXPECT_EQ(trace_copies(pages)[0].problems, std::vector{StatementProblem::kDateInFuture});
}

TEST(TraceCopies, BetweenTwoTextsTheEditedOneIsTheCopy) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2, 13}), traced_page("b", {1, 2, 3})};
  mark_sentences(pages[0], {2}, {160, 60});
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_EQ(origins[0].copied_from, 1U);
  EXPECT_EQ(origins[0].reasons, std::vector{Reason::kText});
  EXPECT_GT(origins[0].confidence, 0.7);
}

TEST(TraceCopies, AnExcerptThatLostItsContextHasContainmentAsAReason) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2}), traced_page("b", {1, 2, 3, 4})};
  mark_sentences(pages[0], {0, 1}, {128, 60});
  const std::vector<TracedOrigin> origins = trace_copies(pages);
  EXPECT_EQ(origins[0].copied_from, 1U);
  EXPECT_EQ(origins[0].reasons, std::vector{Reason::kContainment});
}

TEST(TraceCopies, PagesWithoutAnythingStillGiveATree) {
  EXPECT_TRUE(trace_copies({}).empty());
  const std::vector<TracedOrigin> single = trace_copies(std::vector<TracedPage>(1));
  EXPECT_TRUE(single[0].is_first);
  const std::vector<TracedOrigin> three = trace_copies(std::vector<TracedPage>(3));
  EXPECT_EQ(std::count_if(three.begin(), three.end(), [](const auto& each) { return !each.copied_from; }), 1);
}

// Each page copies the one before it and changes one more sentence.
std::vector<TracedPage> long_chain(std::size_t count) {
  std::vector<TracedPage> pages;
  std::vector<std::uint64_t> sentences;
  for (std::uint64_t sentence = 0; sentence < 40; ++sentence) sentences.push_back(sentence);
  for (std::size_t page = 0; page < count; ++page) {
    if (page > 0) sentences[page % sentences.size()] = 1000 + page;
    pages.push_back(traced_page("p" + std::to_string(page), sentences));
    const std::size_t day = 1 + page % 28;
    const std::size_t month = 1 + page / 28 % 12;
    const std::string date = std::to_string(2000 + page / 336) + (month < 10 ? "-0" : "-") + std::to_string(month) +
                             (day < 10 ? "-0" : "-") + std::to_string(day);
    set_date(pages.back(), date.c_str());
  }
  return pages;
}

TEST(TraceCopies, LargeClustersAreTracedByTheirNearestTexts) {
  constexpr std::size_t kPages = 3000;
  static_assert(kPages > kPagesInFull);
  const std::vector<TracedOrigin> origins = trace_copies(long_chain(kPages));
  EXPECT_TRUE(origins[0].is_first);
  std::size_t right = 0;
  for (std::uint32_t page = 1; page < kPages; ++page) {
    ASSERT_TRUE(origins[page].copied_from.has_value()) << page;
    EXPECT_LT(*origins[page].copied_from, page);
    right += *origins[page].copied_from == page - 1 ? 1 : 0;
  }
  EXPECT_GT(right, kPages * 9 / 10);
}

// Not those of each pair of pages, and not again for what is said of the pages that were found.
TEST(TraceCopies, VisitsTheSentencesOfEachPairOfTextsOnce) {
  constexpr std::uint64_t kTexts = 20;
  constexpr std::uint64_t kSentences = 5000;
  std::vector<TracedPage> pages;
  for (std::uint64_t text = 0; text < kTexts; ++text) {
    const std::string id = "p" + std::to_string(10 + text);
    pages.push_back(page_of_sentences(id, 1000 * text, kSentences));
    TracedPage equal = traced_page(id + "-copy", {});
    equal.text_hash = pages.back().text_hash;
    pages.push_back(equal);
  }
  CountingStop counting;
  EXPECT_EQ(trace_copies(pages, counting).size(), pages.size());
  const std::uint64_t read = kTexts * kSentences;
  const std::uint64_t compared = kTexts * (kTexts - 1) / 2 * 2 * kSentences;
  const std::uint64_t weighed = pages.size() * (pages.size() - 1) * StopCheck::kUnitsPerNode;
  EXPECT_NEAR(static_cast<double>(counting.units()), static_cast<double>(read + compared + weighed),
              static_cast<double>(StopCheck::kStopUnits));
}

// One of the pages has all of another one and much more, with which it would cost more than all others.
TEST(TraceCopies, TheLongestTextsAreNotComparedIfThatIsTooMuch) {
  constexpr std::uint64_t kSentences = 10'000;
  std::vector<TracedPage> pages;
  for (std::uint64_t page = 0; page + 1 < kPagesInFull; ++page) {
    pages.push_back(page_of_sentences("p" + std::to_string(10 + page), 100 * page, kSentences));
    set_date(pages.back(), "2010-01-01");
  }
  const auto reasons_of_last = [&](std::uint64_t sentences) {
    std::vector<TracedPage> traced = pages;
    traced.push_back(page_of_sentences("p9", 0, sentences));
    set_date(traced.back(), "2010-02-01");
    for (TracedSentence& sentence : traced.back().sentences) sentence.marks = {160, 60};
    CountingStop counting;
    const std::vector<TracedOrigin> origins = trace_copies(traced, counting);
    EXPECT_LT(counting.units(), kSentencesVisited + 10'000'000);
    return origins.back().reasons;
  };
  EXPECT_EQ(reasons_of_last(20'000), (std::vector{Reason::kDate, Reason::kContainment}));
  EXPECT_EQ(reasons_of_last(1'600'000), std::vector{Reason::kDate});
}

TEST(TraceCopies, StopsInTheMiddleOfACluster) {
  constexpr std::size_t kPages = 300;
  static_assert(kPages > kPagesInFull);
  const std::vector<TracedPage> pages = long_chain(kPages);
  CountingStop whole;
  EXPECT_TRUE(trace_copies(pages, whole)[0].is_first);
  ASSERT_GT(whole.looks(), 8U);
  for (std::uint64_t asked_at = 1; asked_at <= whole.looks(); ++asked_at) {
    CountingStop stop(asked_at);
    EXPECT_EQ(trace_copies(pages, stop).size(), pages.size());
    EXPECT_EQ(stop.status().error().code, ErrorCode::kCancelled);
    EXPECT_EQ(stop.looks(), asked_at) << "work goes on after the request";
  }
}

// The third text has as much in common with each of the others.
TEST(TraceCopies, EquallyLikelySourcesAreToldApartByTheirIds) {
  std::vector<TracedPage> pages = {traced_page("p0", {1, 0, 3, 0, 0, 2}), traced_page("p1", {1, 0, 3, 0, 1, 2}),
                                   traced_page("p2", {0, 0, 0, 0, 0, 0})};
  for (std::size_t page = 0; page < pages.size(); ++page) {
    set_date(pages[page], ("2010-01-0" + std::to_string(page + 1)).c_str());
    for (TracedSentence& sentence : pages[page].sentences) sentence.marks = {0, 1};
  }
  EXPECT_EQ(trace_copies(pages)[2].copied_from, 0U);
  std::reverse(pages.begin(), pages.end());
  EXPECT_EQ(trace_copies(pages)[0].copied_from, 2U);
}

TEST(TraceCopies, TheOrderOfPagesDoesNotMatter) {
  CHECK_PROPERTY("pages in any order", [] {
    std::vector<TracedPage> pages;
    const auto count = *rc::gen::inRange<std::size_t>(2, 8);
    for (std::size_t i = 0; i < count; ++i) {
      pages.push_back(traced_page("p" + std::to_string(i),
                                  *rc::gen::container<std::vector<std::uint64_t>>(6, rc::gen::inRange(0, 20))));
      // Different dates, so that no two pages are equally likely.
      set_date(pages.back(), ("2010-01-0" + std::to_string(i + 1)).c_str());
      for (TracedSentence& sentence : pages.back().sentences) {
        sentence.marks = {*rc::gen::arbitrary<std::uint8_t>(), *rc::gen::arbitrary<std::uint8_t>()};
      }
    }
    const auto named = [](const std::vector<TracedPage>& of, const std::vector<TracedOrigin>& origins) {
      std::map<std::string, double> confidences;
      for (std::size_t i = 0; i < of.size(); ++i) {
        const std::string source = origins[i].copied_from ? of[*origins[i].copied_from].id : "";
        confidences[of[i].id + "<" + source] = origins[i].confidence;
      }
      return confidences;
    };
    std::vector<TracedPage> reversed(pages.rbegin(), pages.rend());
    RC_ASSERT(named(pages, trace_copies(pages)) == named(reversed, trace_copies(reversed)));
  });
}

}  // namespace
}  // namespace paraprint
