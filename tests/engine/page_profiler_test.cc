#include "engine/page_profiler.h"

#include <gtest/gtest.h>

#include "engine/registry.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

constexpr std::string_view kStory =
    "<p>The old ferry crosses the river every half hour, and the pilot knows every sandbank between the two "
    "landings by heart. In spring the water rises to the third step of the stone stairs.</p>"
    "<p>Passengers buy their tickets from a woman who has sold them for thirty years, and she still counts the coins "
    "twice before she tears a slip from the roll. Nobody has ever seen her hurry.</p>"
    "<p>When the new bridge was planned, the town council promised that the ferry would stay. The promise was kept for "
    "four years, then for two more, and last autumn the landing got a new roof.</p>";

Page html_page(std::string body, std::string content_type = "text/html; charset=utf-8") {
  Page page;
  page.id = "p";
  page.body = std::move(body);
  page.content_type = std::move(content_type);
  return page;
}

std::unique_ptr<PageProfiler> profiler(const ProfileOptions& options = {}) {
  auto created = PageProfiler::create(options, WordWeights::bundled());
  EXPECT_TRUE(created.has_value());
  return std::move(*created);
}

TEST(PageProfiler, TheSameStoryInTwoTemplatesIsTheSameText) {
  auto one = profiler();
  const Profile plain =
      one->profile(html_page("<html><body><article>" + std::string(kStory) + "</article></body></html>"));
  const Profile dressed = one->profile(
      html_page("<html><head><title>Ferry</title></head><body><nav><ul><li><a href=/>Home</a></li><li><a "
                "href=/n>News</a></li></ul>"
                "</nav><div class=main><div class=post>" +
                std::string(kStory) + "</div></div><footer><a href=/i>Imprint</a></footer></body></html>"));
  ASSERT_EQ(plain.paragraphs.size(), 3U);
  EXPECT_EQ(plain.text_hash, dressed.text_hash);
  EXPECT_GT(plain.content_characters, 400U);
}

TEST(PageProfiler, CharsetAndScriptDoNotCount) {
  auto one = profiler();
  const std::string simplified =
      "<p>这座老桥建于一百多年前，桥上的石头已经被行人磨得发亮，两岸的居民每天都要从这里经过。</p>";
  const std::string traditional =
      "<p>這座老橋建於一百多年前，橋上的石頭已經被行人磨得發亮，兩岸的居民每天都要從這裡經過。</p>";
  const Profile a = one->profile(html_page(simplified));
  const Profile b = one->profile(html_page(traditional));
  EXPECT_GT(a.content_characters, 30U);
  EXPECT_EQ(a.text_hash, b.text_hash);
  ProfileOptions strict;
  strict.fold_traditional = false;
  auto other = profiler(strict);
  const Profile unfolded = other->profile(html_page(simplified));
  EXPECT_NE(unfolded.text_hash, other->profile(html_page(traditional)).text_hash);
}

TEST(PageProfiler, EmptyTinyAndForeignBodiesHaveADefinedProfile) {
  auto one = profiler();
  EXPECT_EQ(one->profile(html_page("")).content_characters, 0U);
  EXPECT_EQ(one->profile(html_page("<html><body></body></html>")).content_characters, 0U);
  EXPECT_LE(one->profile(html_page("x")).content_characters, 1U);
  const Profile& binary =
      one->profile(html_page(std::string("\x00\x01\x02\x03PNG\x00\x00", 9) + std::string(400, '\x02')));
  EXPECT_EQ(binary.content_characters, 0U);
  EXPECT_TRUE(one->notes().is_not_html);
}

TEST(PageProfiler, AnEditMovesAFewBits) {
  auto one = profiler();
  std::string edited(kStory);
  edited.replace(edited.find("old ferry"), 9, "white ferry");
  const Profile a = one->profile(html_page(std::string(kStory)));
  const Profile b = one->profile(html_page(edited));
  const PairScore score = ParagraphMatcher(MatchOptions{}).score(a, b, {}, {});
  EXPECT_EQ(score.verdict, Verdict::kNear);
  EXPECT_GT(score.resemblance, 0.9);
}

TEST(PageProfiler, EverySettingChangesTheIdentity) {
  const std::string base = *settings_identity(ProfileOptions{}, WordWeights::bundled());
  const auto differs = [&](auto change) {
    ProfileOptions options;
    change(options);
    return *settings_identity(options, WordWeights::bundled()) != base;
  };
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.extractor = "whole-page"; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.fold_traditional = false; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.paragraph_words = "long"; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.word_hash = "blake2b"; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.anchors_per_paragraph = 3; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.sentence_candidate_characters = 30; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.simhash_distinct_words_minimum = 9; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.synonyms = "list"; }));
  EXPECT_FALSE(differs([](ProfileOptions& o) { o.word_vectors = "not looked at"; }));
}

TEST(Synonyms, TextsThatSayTheSameInOtherWordsHaveOneFingerprint) {
  const std::string text =
      "这台计算机的价格很高，工厂的员工帮助顾客购买零件，政府要求公司提高产品的质量。专家认为天气变化影响粮食产量，"
      "河流两岸的村庄需要更多的水库和桥梁。";
  std::string other = text;
  for (const auto& [from, to] : {std::pair("计算机", "电脑"), std::pair("员工", "职工"), std::pair("顾客", "客户")}) {
    other.replace(other.find(from), std::string_view(from).size(), to);
  }
  const auto paragraph = [](const std::string& words, const std::string& synonyms) {
    ProfileOptions options;
    options.synonyms = synonyms;
    return profiler(options)->profile(html_page("<p>" + words + "</p>")).paragraphs.at(0);
  };
  EXPECT_NE(paragraph(text, "off").simhash, paragraph(other, "off").simhash);
  EXPECT_EQ(paragraph(text, "list").simhash, paragraph(other, "list").simhash);
  EXPECT_NE(paragraph(text, "list").hash, paragraph(other, "list").hash) << "equal text stays equal letters";
}

TEST(Synonyms, OptionsAndFilesThatCannotBeUsed) {
  ProfileOptions options;
  options.synonyms = "map";
  EXPECT_NE(options.validate().error().message.find("--word-vectors"), std::string::npos);
  options.synonyms = "perhaps";
  EXPECT_NE(options.validate().error().message.find("off, list, map, soft"), std::string::npos);
  options.synonyms = "list";
  options.synonym_lists = {"/no/such/list"};
  EXPECT_EQ(settings_identity(options, WordWeights::bundled()).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(PageProfiler::create(options, WordWeights::bundled()));
}

TEST(Registry, EveryExtractorRunsAndUnknownNamesListTheKnown) {
  for (const ExtractorRow& row : extractors()) {
    ProfileOptions options;
    options.extractor = row.name;
    EXPECT_GT(profiler(options)->profile(html_page(std::string(kStory))).content_characters, 300U) << row.name;
  }
  ProfileOptions options;
  options.extractor = "weigthed-dom";
  const auto created = PageProfiler::create(options, WordWeights::bundled());
  ASSERT_FALSE(created.has_value());
  EXPECT_NE(created.error().message.find("weighted-dom"), std::string::npos);
}

TEST(ParagraphWords, LongAndFullGiveDifferentFingerprintsOfOnePage) {
  ProfileOptions options;
  options.paragraph_words = "long";
  const Profile full = profiler()->profile(html_page(std::string(kStory)));
  const Profile selected = profiler(options)->profile(html_page(std::string(kStory)));
  ASSERT_EQ(full.paragraphs.size(), selected.paragraphs.size());
  EXPECT_NE(full.paragraphs[0].simhash, selected.paragraphs[0].simhash);
  EXPECT_EQ(full.text_hash, selected.text_hash);
}

}  // namespace
}  // namespace paraprint
