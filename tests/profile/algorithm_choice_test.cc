#include <gtest/gtest.h>

#include "profile/registry.h"

namespace paraprint {
namespace {

std::string message_of(std::string_view specification) {
  const Result<AlgorithmChoice> choice = choose_algorithm(specification);
  return choice ? "accepted" : choice.error().message;
}

TEST(AlgorithmChoice, CanonicalFormListsEveryParameter) {
  EXPECT_EQ(canonical_algorithm("digest-text").value(), "digest-text:function=sha1");
  EXPECT_EQ(canonical_algorithm("digest-text:function=md5").value(), "digest-text:function=md5");
  EXPECT_EQ(canonical_algorithm("paragraph").value(), "paragraph");
}

TEST(AlgorithmChoice, CanonicalFormIsAFixedPoint) {
  for (const AlgorithmRow& row : algorithm_rows()) {
    const std::string once = canonical_algorithm(row.name).value();
    EXPECT_EQ(canonical_algorithm(once).value(), once);
  }
}

TEST(AlgorithmChoice, SuggestsTheNearestName) {
  EXPECT_NE(message_of("digest-txt").find("'digest-text'"), std::string::npos);
  EXPECT_NE(message_of("digest").find("'digest-text'"), std::string::npos);
  EXPECT_NE(message_of("").find("unknown algorithm"), std::string::npos);
  EXPECT_NE(message_of("digest-text:funktion=md5").find("'function'"), std::string::npos);
}

TEST(AlgorithmChoice, ErrorsNameTheAllowedValues) {
  EXPECT_NE(message_of("digest-text:function=crc").find("md5, sha1"), std::string::npos);
  EXPECT_NE(message_of("digest-text:function").find("needs a value"), std::string::npos);
  EXPECT_NE(message_of("paragraph:bits=3").find("it has none"), std::string::npos);
}

// Each value is in range, but together they need too many tables. This is detected before any page is read.
TEST(AlgorithmChoice, RejectsTooManyHammingTables) {
  const std::string message = message_of("simhash-64:distance_bits=12,tables=20");
  EXPECT_NE(message.find("simhash-64:"), std::string::npos) << message;
  EXPECT_NE(message.find("256"), std::string::npos) << message;
  EXPECT_NE(message_of("simhash-128:tables=16,distance_bits=16"), "accepted");
  EXPECT_EQ(message_of("simhash-64:distance_bits=12,tables=join"), "accepted");
  EXPECT_EQ(message_of("simhash-64:distance_bits=3,tables=20"), "accepted");
  // 256 tables, the maximum.
  EXPECT_EQ(message_of("simhash-64:distance_bits=15,tables=16"), "accepted");
  EXPECT_NE(message_of("simhash-64:distance_bits=16,tables=16"), "accepted");
}

// For every row, the defaults are within their ranges, so that they can be written and parsed again.
TEST(AlgorithmRegistry, DefaultsAreInRange) {
  for (const AlgorithmInfo& info : algorithms()) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    for (const ParameterInfo& parameter : info.parameters) {
      EXPECT_LE(parameter.minimum, parameter.default_value) << info.name << ' ' << parameter.name;
      EXPECT_GE(parameter.maximum, parameter.default_value) << info.name << ' ' << parameter.name;
      if (!parameter.choices.empty()) {
        EXPECT_EQ(parameter.maximum + 1, static_cast<double>(parameter.choices.size())) << info.name;
      }
    }
  }
}

}  // namespace
}  // namespace paraprint
