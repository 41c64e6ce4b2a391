#include "options/option_row.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

enum class Colour : std::uint8_t { kRed, kGreen };
constexpr std::string_view kColours[] = {"red", "green"};

struct PaintOptions {
  bool glossy = false;
  int coats = 2;
  double opacity = 1;
  std::uint64_t tin_bytes = 1024;
  std::string maker = "anyone";
  std::vector<std::string> tones = {"warm"};
  Colour colour = Colour::kRed;
};

const OptionRow<PaintOptions> kRows[] = {
    {.name = "coats",
     .field = &PaintOptions::coats,
     .group = "",
     .help = "",
     .range = {.minimum = 1, .maximum = 5},
     .uses = kProfileIdentity},
    {.name = "opacity",
     .field = &PaintOptions::opacity,
     .group = "",
     .help = "",
     .uses = kProfileIdentity,
     .stored_name = "cover_share"},
    {.name = "glossy", .field = &PaintOptions::glossy, .group = "", .help = "", .uses = kProfileIdentityIfSet},
    {.name = "colour",
     .field = choice<&PaintOptions::colour>(kColours),
     .group = "",
     .help = "",
     .uses = kProfileIdentityIfSet},
    {.name = "tones", .field = &PaintOptions::tones, .group = "", .help = ""},
    {.name = "tin", .field = &PaintOptions::tin_bytes, .group = "", .help = "", .uses = kSize},
    {.name = "maker", .field = &PaintOptions::maker, .group = "", .help = ""},
};
const std::span<const OptionRow<PaintOptions>> kTable = kRows;

Status set(PaintOptions& options, std::string_view name, std::vector<std::string> texts) {
  PARAPRINT_ASSIGN(const auto* const row, find_option(kTable, name));
  return set_option(*row, options, texts);
}

TEST(OptionRow, TextSetsEveryKindOfField) {
  PaintOptions options;
  EXPECT_TRUE(set(options, "glossy", {"on"}));
  EXPECT_TRUE(set(options, "coats", {"3"}));
  EXPECT_TRUE(set(options, "opacity", {"0.5"}));
  EXPECT_TRUE(set(options, "tin", {"2KB"}));
  EXPECT_TRUE(set(options, "maker", {"us"}));
  EXPECT_TRUE(set(options, "tones", {"cold", "dark"}));
  EXPECT_TRUE(set(options, "colour", {"green"}));
  std::string all;
  for (const auto& row : kTable) all += option_text(row, options) + " ";
  EXPECT_EQ(all, "3 0.5 true green cold,dark 2048 us ");
}

TEST(OptionRow, TheLastOfSeveralValuesCountsUnlessTheOptionIsAList) {
  PaintOptions options;
  EXPECT_TRUE(set(options, "coats", {"3", "4"}));
  EXPECT_EQ(options.coats, 4);
}

TEST(OptionRow, ItemsOfAPositionalListAreKeptAsTheyAre) {
  OptionRow<PaintOptions> row{.name = "tones", .field = &PaintOptions::tones, .group = "Paint", .help = "Tones"};
  PaintOptions options;
  const std::vector<std::string> texts = {"a,b", "", "c"};
  ASSERT_TRUE(set_option(row, options, texts));
  EXPECT_EQ(options.tones, (std::vector<std::string>{"a,b", "c"}));
  row.uses = kPositional;
  ASSERT_TRUE(set_option(row, options, texts));
  EXPECT_EQ(options.tones, texts);
}

TEST(OptionRow, OnlyWhatMayBeLeftOutHasADefault) {
  OptionRow<PaintOptions> row{.name = "coats", .field = &PaintOptions::coats, .group = "Paint", .help = "Layers"};
  EXPECT_TRUE(has_default(row));
  row.uses = kRequired;
  EXPECT_FALSE(has_default(row));
  row.uses = kNoDefault;
  EXPECT_FALSE(has_default(row));
}

TEST(OptionRow, HelpEndsWithTheRange) {
  OptionRow<PaintOptions> row{.name = "coats", .field = &PaintOptions::coats, .group = "Paint", .help = "Layers"};
  EXPECT_EQ(help_text(row), "Layers");
  row.range = {.minimum = 1, .maximum = 5};
  EXPECT_EQ(help_text(row), "Layers; 1 to 5");
}

TEST(OptionRow, TextThatIsNoValueIsRefusedAndChangesNothing) {
  PaintOptions options;
  EXPECT_EQ(set(options, "colour", {"blue"}).error().message, "colour is 'blue'; it must be one of red, green");
  EXPECT_EQ(set(options, "coats", {}).error().message, "coats is ''; it must be a whole number");
  EXPECT_EQ(options.colour, Colour::kRed);
}

TEST(OptionRow, ValuesOutOfRangeAreFoundWhoeverSetThem) {
  PaintOptions options;
  EXPECT_TRUE(check_options(kTable, options));
  options.coats = 9;
  EXPECT_EQ(check_options(kTable, options).error().message, "coats is 9; it must be 1 to 5");
}

TEST(OptionRow, AnUnknownNameGetsASuggestion) {
  EXPECT_EQ(find_option(kTable, "color").error().message, "there is no option 'color'; did you mean 'colour'?");
}

TEST(OptionIdentity, AlwaysHasSomeOptionsAndOthersOnlyIfTheyDifferFromTheDefault) {
  PaintOptions options;
  EXPECT_EQ(identity_of(kTable, options, kProfileIdentity), " coats=2 cover-share=1");
  EXPECT_EQ(identity_of(kTable, options, kProfileIdentityIfSet), "");
  options.glossy = true;
  EXPECT_EQ(identity_of(kTable, options, kProfileIdentityIfSet), " glossy=true");
}

TEST(OptionIdentity, ResolvedValuesReplaceTheOptionsOwn) {
  PaintOptions options;
  options.glossy = true;
  const ResolvedValue resolved[] = {{"colour", "#00ff00"}, {"glossy", ""}};
  EXPECT_EQ(identity_of(kTable, options, kProfileIdentityIfSet, resolved), " colour=#00ff00");
}

}  // namespace
}  // namespace paraprint
