// The order of copies by what they say of themselves, and of the address at which they want to be found.
#include "corpus/origin_rank.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

double rank_of(const char* date, const char* source_name = "", const char* source_url = "",
               const char* canonical = "") {
  PageMetadata metadata;
  metadata.date_published = date;
  metadata.source_name = source_name;
  metadata.source_url = source_url;
  metadata.canonical_url = canonical;
  return origin_rank(metadata, "http://a.example/1");
}

TEST(OriginRank, OrdersByDateThenByWhatIsMissing) {
  EXPECT_EQ(rank_of("1970-01-02"), 1);
  EXPECT_EQ(rank_of("2008-01-07"), 13885);
  EXPECT_EQ(rank_of("2008-01-07T23:59:59Z"), 13885);
  EXPECT_LT(rank_of("1969-12-31"), rank_of("1970-01-01"));
  EXPECT_LT(rank_of("2099-12-31"), rank_of(""));
  EXPECT_LT(rank_of(""), rank_of("2008-01-07", "新华网"));
  EXPECT_LT(rank_of("2008-01-07", "新华网"), rank_of("2008-01-08", "新华网"));
  EXPECT_LT(rank_of("2008-01-08", "新华网"), rank_of("", "新华网"));
}

TEST(OriginRank, APageThatPointsElsewhereIsACopy) {
  EXPECT_GT(rank_of("2008-01-07", "", "http://b.example/2"), rank_of(""));
  EXPECT_GT(rank_of("2008-01-07", "", "", "https://b.example/2"), rank_of(""));
  EXPECT_EQ(rank_of("2008-01-07", "", "", "https://a.example/"), rank_of("2008-01-07"));
}

TEST(CanonicalRank, ThePageOfItsOwnAddressComesFirst) {
  const auto rank_of = [](const char* canonical) {
    PageMetadata metadata;
    metadata.canonical_url = canonical;
    return canonical_rank(metadata, "http://a.example/1");
  };
  EXPECT_EQ(rank_of("http://a.example/1"), 0);
  EXPECT_EQ(rank_of(""), 1);
  EXPECT_EQ(rank_of("https://www.a.example/1/"), 2);
  EXPECT_EQ(rank_of("http://a.example/2"), 3);
  EXPECT_EQ(rank_of("http://b.example/1"), 3);
}

}  // namespace
}  // namespace paraprint
