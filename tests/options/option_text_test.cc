#include "options/option_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace paraprint {
namespace {

template <class Value>
std::optional<Value> parsed(std::string_view text) {
  Value value{};
  return parse_option("name", text, value) ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> size(std::string_view text) {
  std::uint64_t bytes = 0;
  return parse_size("name", text, bytes) ? std::optional(bytes) : std::nullopt;
}

std::optional<std::int64_t> duration(std::string_view text) {
  std::int64_t seconds = 0;
  return parse_duration("name", text, seconds) ? std::optional(seconds) : std::nullopt;
}

TEST(OptionText, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parsed<int>("-12"), -12);
  EXPECT_EQ(parsed<std::uint32_t>("12"), 12U);
  EXPECT_EQ(parsed<double>("0.25"), 0.25);
  for (const char* text : {"", " 1", "1 ", "1x", "0x10", "one", "1,5", "99999999999999999999"}) {
    EXPECT_FALSE(parsed<int>(text)) << text;
    EXPECT_FALSE(parsed<std::uint32_t>(text)) << text;
  }
  EXPECT_FALSE(parsed<std::uint32_t>("-1"));
  EXPECT_FALSE(parsed<std::uint16_t>("65536"));
  for (const char* text : {"", "nan", "inf", "0.5%", "1,5"}) EXPECT_FALSE(parsed<double>(text)) << text;
}

TEST(OptionText, SwitchesTakeTheUsualWords) {
  for (const char* text : {"on", "true", "yes", "1"}) EXPECT_EQ(parsed<bool>(text), true) << text;
  for (const char* text : {"off", "false", "no", "0"}) EXPECT_EQ(parsed<bool>(text), false) << text;
  EXPECT_FALSE(parsed<bool>("maybe"));
}

TEST(OptionText, SizesAreInPowersOf1024) {
  EXPECT_EQ(size("123"), 123U);
  EXPECT_EQ(size("123b"), 123U);
  EXPECT_EQ(size("64KB"), 64U << 10);
  EXPECT_EQ(size("64 KiB"), 64U << 10);
  EXPECT_EQ(size("3m"), 3U << 20);
  EXPECT_EQ(size("2GB"), std::uint64_t{2} << 30);
  EXPECT_EQ(size("15E"), std::uint64_t{15} << 60);
  for (const char* text : {"", "GB", "2XB", "2GBs", "-1", "1.5GB", "16E", "99999999999TB"}) {
    EXPECT_FALSE(size(text)) << text;
  }
}

TEST(OptionText, DurationsAreInSeconds) {
  EXPECT_EQ(duration("-1"), -1);
  EXPECT_EQ(duration("90s"), 90);
  EXPECT_EQ(duration("15 min"), 900);
  EXPECT_EQ(duration("12h"), 43'200);
  EXPECT_EQ(duration("7d"), 604'800);
  for (const char* text : {"", "d", "7 days", "1.5h", "9223372036854775807d"}) EXPECT_FALSE(duration(text)) << text;
}

TEST(OptionText, StatusesAreNumbersOrRanges) {
  std::vector<StatusRange> ranges;
  ASSERT_TRUE(parse_option("status", std::vector<std::string>{"200", "300-399"}, ranges));
  EXPECT_EQ(std::get<std::string>(to_option_value(ranges)), "200,300-399");
  for (const char* text : {"", "99", "1000", "299-200", "2xx", "200-"}) {
    EXPECT_FALSE(parse_option("status", std::vector<std::string>{text}, ranges)) << text;
  }
}

TEST(OptionText, AnEmptyItemIsNoItem) {
  std::vector<std::string> list = {"old"};
  ASSERT_TRUE(parse_option("prefer_host", std::vector<std::string>{""}, list));
  EXPECT_TRUE(list.empty());
}

TEST(OptionText, ErrorsNameOptionValueAndWhatIsAllowed) {
  int number = 0;
  EXPECT_EQ(parse_option("anchors", "many", number).error().message, "anchors is 'many'; it must be a whole number");
  constexpr std::string_view kNames[] = {"star", "connected"};
  EXPECT_EQ(find_choice("clusters", "ring", kNames).error().message,
            "clusters is 'ring'; it must be one of star, connected");
}

TEST(NumberRange, ChecksBothEndsAndRefusesNan) {
  const NumberRange share = {.minimum = 0, .maximum = 1, .excludes_minimum = true};
  EXPECT_TRUE(share.check("near", 1.0));
  EXPECT_FALSE(share.check("near", 0.0));
  EXPECT_FALSE(share.check("near", std::nan("")));
  EXPECT_EQ(share.check("near", 2.0).error().message, "near is 2; it must be in (0, 1]");
  const NumberRange bits = {.minimum = -1, .maximum = 12};
  EXPECT_TRUE(bits.check("candidate_bits", -1));
  EXPECT_TRUE(bits.check("candidate_bits", 12));
  EXPECT_FALSE(bits.check("candidate_bits", 13));
  EXPECT_TRUE(NumberRange{}.check("any", -1e300));
}

}  // namespace
}  // namespace paraprint
