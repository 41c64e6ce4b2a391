// Which of two pages was published first, by what they state.
#include "provenance/stated_dates.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

using Problems = std::vector<StatementProblem>;

TracedPage page_with(const char* published, DatePlace place = DatePlace::kJsonLd, const char* modified = "",
                     const char* captured = "") {
  TracedPage page;
  page.stated.metadata.date_published = published;
  page.stated.metadata.date_modified = modified;
  page.stated.date_place = place;
  page.capture_date = captured;
  return page;
}

double lean(const TracedPage& source, const TracedPage& copy) {
  Problems problems;
  const UsableDates dates_of_source = usable_dates(source, problems);
  const UsableDates dates_of_copy = usable_dates(copy, problems);
  const double found = date_lean(dates_of_source, dates_of_copy);
  EXPECT_EQ(date_lean(dates_of_copy, dates_of_source), -found);
  return found;
}

Problems problems_of(const TracedPage& page) {
  Problems problems;
  usable_dates(page, problems);
  return problems;
}

TEST(StatedDates, TheEarlierDayIsTheSource) {
  EXPECT_EQ(lean(page_with("2008-01-07"), page_with("2008-01-08")), 5);
  EXPECT_EQ(lean(page_with("2008-01-07"), page_with("2009-01-06T00:10:00Z")), 5);
  EXPECT_EQ(lean(page_with("2008-01-07"), page_with("2008-01-07")), 0);
  EXPECT_EQ(lean(page_with("2008-01-07"), page_with("")), 0);
}

TEST(StatedDates, TheLessCertainPlaceCounts) {
  EXPECT_EQ(lean(page_with("2008-01-07"), page_with("2008-01-08", DatePlace::kText)), 4);
  EXPECT_EQ(lean(page_with("2008-01-07", DatePlace::kTime), page_with("2008-01-08")), 4.5);
}

TEST(StatedDates, TimesDecideWithinADayAndAcrossMidnight) {
  EXPECT_EQ(lean(page_with("2008-01-07T08:00:00Z"), page_with("2008-01-07T10:00:00Z")), 1.5);
  EXPECT_EQ(lean(page_with("2008-01-07T08:00:00Z"), page_with("2008-01-07T08:30:00Z")), 0);
  EXPECT_EQ(lean(page_with("2008-01-07T08:00:00Z"), page_with("2008-01-07")), 0);
  EXPECT_EQ(lean(page_with("2008-01-07T23:30:00Z"), page_with("2008-01-08T01:00:00Z")), 1.5);
}

TEST(StatedDates, APageThatWasChangedBeforeWasThereBefore) {
  const TracedPage changed = page_with("", DatePlace::kNone, "2008-01-07");
  EXPECT_EQ(lean(changed, page_with("2008-02-01")), 2.5);
  EXPECT_EQ(lean(changed, page_with("2007-02-01")), 0);
  EXPECT_EQ(lean(changed, changed), 0);
}

TEST(StatedDates, ImpossibleDatesDoNotCount) {
  const TracedPage future = page_with("2030-01-01", DatePlace::kJsonLd, "", "2008-06-01T10:00:00Z");
  EXPECT_EQ(problems_of(future), Problems{StatementProblem::kDateInFuture});
  EXPECT_EQ(lean(page_with("2008-01-07"), future), 0);
  const TracedPage early = page_with("1969-12-31");
  EXPECT_EQ(problems_of(early), Problems{StatementProblem::kDateBeforeWeb});
  EXPECT_EQ(lean(early, page_with("2008-01-07")), 0);
  // A day is allowed for zones, and without a capture there is no future.
  EXPECT_TRUE(problems_of(page_with("2008-01-08", DatePlace::kJsonLd, "", "2008-01-07T10:00:00Z")).empty());
  EXPECT_TRUE(problems_of(page_with("2099-01-08")).empty());
}

TEST(StatedDates, ContradictoryDatesCountHalf) {
  const TracedPage page = page_with("2008-03-01", DatePlace::kJsonLd, "2008-01-01");
  EXPECT_EQ(problems_of(page), Problems{StatementProblem::kModifiedBeforePublished});
  EXPECT_EQ(lean(page_with("2008-01-07"), page), 2.5);
}

TEST(StatedDates, WhatIsNotADateIsNone) {
  for (const char* text : {"2008", "2008-13-01", "2008-02-30", "yesterday", "20-08-01-07", "2008-00-00"}) {
    Problems problems;
    EXPECT_FALSE(usable_dates(page_with(text), problems).published_seconds.has_value()) << text;
  }
}

}  // namespace
}  // namespace paraprint
