// Dates as people write them, in text and in addresses.
#include "corpus/written_date.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace paraprint {
namespace {

std::vector<std::string> dates_in(std::string_view text) {
  std::vector<WrittenDate> dates;
  find_written_dates(text, dates);
  std::vector<std::string> written;
  for (const WrittenDate& date : dates) written.push_back(date.iso() + (date.has_time ? " timed" : ""));
  return written;
}

using Written = std::vector<std::string>;

TEST(WrittenDates, InEnglish) {
  for (const char* const text :
       {"January 7, 2008", "January 7th, 2008", "Jan. 7 2008", "7 January 2008", "7th of January, 2008", "07 jan 2008",
        "on Monday, January 7, 2008.", "1/7/2008", "7.1.2008", "2008 Jan 7", "(Jan 7, 2008)", "1/7/08"}) {
    EXPECT_EQ(dates_in(text), Written{"2008-01-07"}) << text;
  }
  EXPECT_EQ(dates_in("Sept 3, 2019 and Sep 4, 2019"), (Written{"2019-09-03", "2019-09-04"}));
}

TEST(WrittenDates, InChinese) {
  for (const char* const text :
       {"2008年1月7日", "2008年01月07号", "2008 年 1 月 7 日", "２００８年１月７日", "2008-01-07", "2008/1/7",
        "2008.01.07", "发布时间：2008-01-07。", "【2008/01/07 聯合晚報】"}) {
    EXPECT_EQ(dates_in(text), Written{"2008-01-07"}) << text;
  }
}

TEST(WrittenDates, WithATimeBeside) {
  for (const char* const text : {"2008-01-07 10:25", "2008年01月07日10:25:03", "January 7, 2008 | 3:30 pm",
                                 "2:36 AM, Jan 7 2008", "7 Jan 08 10:25", "2008-01-07T10:25:00"}) {
    EXPECT_EQ(dates_in(text), Written{"2008-01-07 timed"}) << text;
  }
  EXPECT_EQ(dates_in("2008-01-07 with 12 comments"), Written{"2008-01-07"});
}

TEST(WrittenDates, NothingElse) {
  for (const char* const text :
       {"", "2008", "May 2008", "12月26日", "version 2.6.32-431", "127.0.0.53", "2.24.78", "B2-20110022", "10-25-28-12",
        "2008-02-30", "31 April 2008", "1889-01-07", "2008-13-01", "2008-1-7.5", "20080-01-07", "Mayor 7, 2008",
        "7 Jan 08", "March 41, 2008", "１２：３０"}) {
    EXPECT_EQ(dates_in(text), Written{}) << text;
  }
}

TEST(WrittenDates, KnowWhichNumberMayBeTheDay) {
  const auto order_of = [](std::string_view text) {
    std::vector<WrittenDate> dates;
    find_written_dates(text, dates);
    EXPECT_EQ(dates.size(), 1U) << text;
    return dates.empty() ? DayOrder::kByForm : dates[0].order;
  };
  EXPECT_EQ(order_of("5/30/2024"), DayOrder::kMonthFirst);
  EXPECT_EQ(order_of("30/5/2024"), DayOrder::kDayFirst);
  EXPECT_EQ(order_of("8/5/2024"), DayOrder::kEither);
  EXPECT_EQ(order_of("5/5/2024"), DayOrder::kByForm);
  EXPECT_EQ(order_of("8.5.2024"), DayOrder::kByForm);
  std::vector<WrittenDate> dates;
  find_written_dates("8/5/2024", dates);
  EXPECT_EQ(dates[0].iso(), "2024-08-05");
  EXPECT_EQ(dates[0].exchanged().iso(), "2024-05-08");
}

TEST(WrittenDates, HaveTheirPlaceInBytes) {
  const std::string text = "日期：２００８年１月７日，星期一";
  std::vector<WrittenDate> dates;
  find_written_dates(text, dates);
  ASSERT_EQ(dates.size(), 1U);
  EXPECT_EQ(text.substr(dates[0].begin_bytes, dates[0].end_bytes - dates[0].begin_bytes), "２００８年１月７日");
}

TEST(DateInAddress, IsThatOfThePath) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"http://a.example/2008/01/07/title/", "2008-01-07"},
      {"http://a.example/2008-01/07/content_3.htm", "2008-01-07"},
      {"http://a.example/a/200801/07/x.html", "2008-01-07"},
      {"http://a.example/20080107/00464959.html", "2008-01-07"},
      {"http://a.example/post/2008-01-07-title", "2008-01-07"},
      {"http://a.example/2008/01/07/2008-01-07-title", "2008-01-07"},
      {"http://a.example/2008/01/07/2009/02/08/", ""},
      {"http://a.example/2008/01/title", ""},
      {"http://a.example/2008/13/41/", ""},
      {"http://a.example/?date=2008-01-07", ""},
      {"http://2008-01-07.example/", ""},
      {"http://a.example/120080107", ""},
      {"http://a.example/200801071234", ""},
      {"not an address 2008/01/07", ""},
      {"", ""},
  };
  for (const auto& [url, date] : cases) EXPECT_EQ(date_in_address(url), date) << url;
}

RC_GTEST_PROP(WrittenDates, AreFoundAsTheyAreWritten, ()) {
  const int year = *rc::gen::inRange(1990, 2101);
  const int month = *rc::gen::inRange(1, 13);
  const int day = *rc::gen::inRange(1, 29);
  char iso[11];
  std::snprintf(iso, sizeof iso, "%04d-%02d-%02d", year, month, day);
  RC_ASSERT(dates_in(std::string("x ") + iso + " y") == Written{iso});
  const std::string chinese = std::to_string(year) + "年" + std::to_string(month) + "月" + std::to_string(day) + "日";
  RC_ASSERT(dates_in("某" + chinese + "某") == Written{iso});
}

// Any bytes: places are within the text and in order.
RC_GTEST_PROP(WrittenDates, HaveTheirPlacesInAnyText, (const std::string& text)) {
  std::vector<WrittenDate> dates;
  find_written_dates(text + "2008-01-07" + text, dates);
  std::size_t end = 0;
  for (const WrittenDate& date : dates) {
    RC_ASSERT(date.begin_bytes >= end && date.end_bytes > date.begin_bytes);
    end = date.end_bytes;
    RC_ASSERT(end <= 2 * text.size() + 10);
  }
}

}  // namespace
}  // namespace paraprint
