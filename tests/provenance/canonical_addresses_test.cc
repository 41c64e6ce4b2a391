// Which of two pages the other one names as its canonical address.
#include "provenance/canonical_addresses.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(CanonicalAddresses, TellWhichPageIsNamed) {
  CanonicalAddresses addresses(nullptr);
  ASSERT_TRUE(addresses.add("http://a.example/1", "https://www.a.example/1/"));  // 0: itself
  ASSERT_TRUE(addresses.add("http://a.example/1?from=mail", "http://a.example/1"));
  ASSERT_TRUE(addresses.add("http://b.example/1", ""));
  ASSERT_TRUE(addresses.add("http://c.example/1", "http://a.example/1"));
  ASSERT_TRUE(addresses.add("", ""));
  ASSERT_TRUE(addresses.add("http://d.example/1", "http://d.example/2"));  // 5 and 6 name each other
  ASSERT_TRUE(addresses.add("http://d.example/2", "http://d.example/1"));
  ASSERT_TRUE(addresses.add("http://A.example/1", ""));  // the address of 0
  EXPECT_EQ(addresses.relation(0, 1), CanonicalRelation::kNamesA);
  EXPECT_EQ(addresses.relation(1, 0), CanonicalRelation::kNamesB);
  EXPECT_EQ(addresses.relation(0, 2), CanonicalRelation::kNone);
  EXPECT_EQ(addresses.relation(1, 3), CanonicalRelation::kSameAddress);
  EXPECT_EQ(addresses.relation(2, 4), CanonicalRelation::kNone);
  EXPECT_EQ(addresses.relation(4, 4), CanonicalRelation::kNone);
  EXPECT_EQ(addresses.relation(5, 6), CanonicalRelation::kNone);
  EXPECT_EQ(addresses.relation(0, 7), CanonicalRelation::kNone);
}

}  // namespace
}  // namespace paraprint
