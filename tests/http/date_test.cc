// Dates of archives and data sets in all accepted forms, and texts that are not dates.
#include "http/date.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(Date, NormalisesAllForms) {
  EXPECT_EQ(normalise_date("2024-05-01T10:00:00Z"), "2024-05-01T10:00:00Z");
  EXPECT_EQ(normalise_date("2024-05-01T10:00:00.123456Z"), "2024-05-01T10:00:00Z");
  EXPECT_EQ(normalise_date("2024-05-01 10:00"), "2024-05-01T10:00:00Z");
  EXPECT_EQ(normalise_date("2024-05-01T01:30:00+02:00"), "2024-04-30T23:30:00Z");
  EXPECT_EQ(normalise_date("2023-12-31T23:30:00-0130"), "2024-01-01T01:00:00Z");
  EXPECT_EQ(normalise_date(" 2024-02-29 "), "2024-02-29T00:00:00Z");
  EXPECT_EQ(normalise_date("2024"), "2024-01-01T00:00:00Z");
  EXPECT_EQ(normalise_date("20240501100203"), "2024-05-01T10:02:03Z");
  EXPECT_EQ(normalise_date("201404010000000000"), "2014-04-01T00:00:00Z");
  EXPECT_EQ(normalise_date("9999-12-31T23:59:59Z"), "9999-12-31T23:59:59Z");
  EXPECT_EQ(normalise_date("2016-12-31T23:59:60Z"), "2016-12-31T23:59:59Z");
}

TEST(Date, RejectsInvalidDates) {
  for (const char* text : {"", "x", "20", "2024-13-01", "2023-02-29", "2024-05-01T24:00:00Z", "2024-05-01Tx",
                           "2024-05-01T10:00:00Q", "2017-03-06T04:03:53.Zx", "0000-01-01T00:00:00+05:00",
                           "9999-12-31T23:00:00-02:00", "2024-05-01T10:00:00 and much more text than that"}) {
    EXPECT_FALSE(normalise_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace paraprint
