#include "profile/page_profiler.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/hash.h"
#include "profile/registry.h"
#include "semantics/topics/topic_model_writer.h"
#include "semantics/topics/topic_relevance.h"
#include "temporary_folder.h"
#include "text/utf8.h"
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

TEST(PageProfiler, SameArticleInTwoTemplatesHasEqualText) {
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

TEST(PageProfiler, CharsetAndScriptDoNotMatter) {
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

TEST(PageProfiler, EmptyTinyAndNonHtmlBodiesHaveDefinedProfiles) {
  auto one = profiler();
  EXPECT_EQ(one->profile(html_page("")).content_characters, 0U);
  EXPECT_EQ(one->profile(html_page("<html><body></body></html>")).content_characters, 0U);
  EXPECT_LE(one->profile(html_page("x")).content_characters, 1U);
  const Profile& binary =
      one->profile(html_page(std::string("\x00\x01\x02\x03PNG\x00\x00", 9) + std::string(400, '\x02')));
  EXPECT_EQ(binary.content_characters, 0U);
  EXPECT_TRUE(one->notes().is_not_html);
}

TEST(PageProfiler, SmallEditChangesFewBits) {
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
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.paragraph_words = ParagraphWords::kLong; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.word_hash = WordHash::kBlake2b; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.anchors = 3; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.anchor_characters = 30; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.simhash_words = 9; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.synonyms = SynonymMode::kList; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.structure_share = 0.1; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.relevance = Relevance::kParagraph; }));
  EXPECT_TRUE(differs([](ProfileOptions& o) { o.relevance = Relevance::kPageAndParagraph; }));
  EXPECT_FALSE(differs([](ProfileOptions& o) { o.word_vectors = "unused"; }));
}

// A paragraph of so many words that the votes about its place exceed what one vote may have. The words of such a text
// cancel each other, so all of its bits say what the place does.
TEST(PageProfiler, StructureHasItsShareOfALongParagraph) {
  const auto print = [](char32_t first) {
    constexpr char32_t kCharacters = 30'000;
    std::string text = "<p>";
    for (char32_t c = first; c < first + kCharacters; ++c) append_character(c, text);
    ProfileOptions options;
    options.extractor = "whole-page";
    options.structure_share = 0.5;
    const Profile profile = profiler(options)->profile(html_page(text));
    EXPECT_EQ(profile.paragraphs.size(), 1U);
    EXPECT_EQ(profile.content_characters, kCharacters);
    return profile.paragraphs.at(0).simhash;
  };
  constexpr char32_t kRareIdeographs = 0x20000;
  EXPECT_EQ(print(kRareIdeographs), print(kRareIdeographs + 10'000));
}

// One text as the opening, as a later paragraph and as an item of a list: equal fingerprints, unless structure votes.
TEST(PageProfiler, StructureMayVoteInFingerprints) {
  const std::string text =
      "The old ferry crosses the river every half hour, and the pilot knows every sandbank between both landings.";
  const std::string other =
      "<p>Passengers buy tickets from a woman who counts every coin twice before she tears one "
      "off the roll, and nobody has ever seen her hurry for anyone.</p>";
  const auto prints = [&](double share) {
    ProfileOptions options;
    options.extractor = "whole-page";
    options.structure_share = share;
    const Profile profile = profiler(options)->profile(
        html_page("<p>" + text + "</p>" + other + "<p>" + text + "</p>" + other + "<ul><li>" + text + "</li></ul>"));
    std::vector<Fingerprint128> found;
    for (const ParagraphProfile& paragraph : profile.paragraphs) {
      if (paragraph.hash == profile.paragraphs[0].hash) found.push_back(paragraph.simhash);
    }
    return found;
  };
  const auto distance = [](const Fingerprint128& a, const Fingerprint128& b) {
    return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
  };
  const std::vector<Fingerprint128> plain = prints(0);
  ASSERT_EQ(plain.size(), 3U);
  EXPECT_EQ(plain[0], plain[1]);
  EXPECT_EQ(plain[0], plain[2]);
  const std::vector<Fingerprint128> marked = prints(0.3);
  ASSERT_EQ(marked.size(), 3U);
  EXPECT_NE(marked[0], plain[0]);
  EXPECT_GT(distance(marked[0], marked[1]), 0);
  EXPECT_GT(distance(marked[0], marked[2]), distance(marked[0], marked[1])) << "an item differs in more than its place";
  EXPECT_LT(distance(marked[0], marked[2]), 64) << "the words still count most";
}

TEST(Synonyms, TextsWithListedSynonymsHaveEqualFingerprints) {
  const std::string text =
      "这台计算机的价格很高，工厂的员工帮助顾客购买零件，政府要求公司提高产品的质量。专家认为天气变化影响粮食产量，"
      "河流两岸的村庄需要更多的水库和桥梁。";
  std::string other = text;
  for (const auto& [from, to] : {std::pair("计算机", "电脑"), std::pair("员工", "职工"), std::pair("顾客", "客户")}) {
    other.replace(other.find(from), std::string_view(from).size(), to);
  }
  const auto paragraph = [](const std::string& words, SynonymMode synonyms) {
    ProfileOptions options;
    options.synonyms = synonyms;
    return profiler(options)->profile(html_page("<p>" + words + "</p>")).paragraphs.at(0);
  };
  EXPECT_NE(paragraph(text, SynonymMode::kOff).simhash, paragraph(other, SynonymMode::kOff).simhash);
  EXPECT_EQ(paragraph(text, SynonymMode::kList).simhash, paragraph(other, SynonymMode::kList).simhash);
  EXPECT_NE(paragraph(text, SynonymMode::kList).hash, paragraph(other, SynonymMode::kList).hash)
      << "hashes are of letters, not of synonyms";
}

TEST(Synonyms, RejectsUnusableOptionsAndFiles) {
  ProfileOptions options;
  options.synonyms = SynonymMode::kMap;
  EXPECT_NE(options.validate().error().message.find("word_vectors"), std::string::npos);
  options.synonyms = SynonymMode::kList;
  options.synonym_list = {"/no/such/list"};
  EXPECT_EQ(settings_identity(options, WordWeights::bundled()).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(PageProfiler::create(options, WordWeights::bundled()));
}

TEST(Registry, EveryExtractorRunsAndUnknownNamesListValidOnes) {
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

TEST(ParagraphWords, LongAndFullGiveDifferentFingerprints) {
  ProfileOptions options;
  options.paragraph_words = ParagraphWords::kLong;
  const Profile full = profiler()->profile(html_page(std::string(kStory)));
  const Profile selected = profiler(options)->profile(html_page(std::string(kStory)));
  ASSERT_EQ(full.paragraphs.size(), selected.paragraphs.size());
  EXPECT_NE(full.paragraphs[0].simhash, selected.paragraphs[0].simhash);
  EXPECT_EQ(full.text_hash, selected.text_hash);
}

TEST(PageProfiler, PartsOfSpeechChangeOnlyFingerprintsAndIdentity) {
  ProfileOptions options;
  const std::string identity = *settings_identity(options, WordWeights::bundled());
  options.part_of_speech = true;
  EXPECT_NE(*settings_identity(options, WordWeights::bundled()), identity);
  const Page page =
      html_page("<p>北京大学的学生非常喜欢在未名湖边读书，他们每天早晨都很快地跑到湖边，一边跑一边唱歌。</p>");
  const Profile plain = profiler()->profile(page);
  const Profile weighed = profiler(options)->profile(page);
  ASSERT_EQ(plain.paragraphs.size(), 1U);
  EXPECT_NE(plain.paragraphs[0].simhash, weighed.paragraphs[0].simhash);
  EXPECT_EQ(plain.paragraphs[0].hash, weighed.paragraphs[0].hash);
  EXPECT_EQ(plain.sketch, weighed.sketch);
}

TEST(PageProfiler, TopicModelIsRequiredAndPartOfTheIdentity) {
  TemporaryFolder folder;
  TopicCorpus corpus;
  corpus.words = {"ferry", "ticket"};
  corpus.documents = {1, 1};
  TrainedTopics trained{2, 0.5F, {0.9F, 0.1F, 0.1F, 0.9F}, {0.5F, 0.5F}};
  ASSERT_TRUE(write_topic_model(folder / "model", corpus, trained));
  trained.probabilities[0] = 0.8F;
  ASSERT_TRUE(write_topic_model(folder / "other", corpus, trained));
  ProfileOptions options;
  const std::string keywords = *settings_identity(options, WordWeights::bundled());
  options.topic_model = folder / "model";
  EXPECT_EQ(*settings_identity(options, WordWeights::bundled()), keywords) << "an unused model does not count";
  options.relevance = Relevance::kBoth;
  const std::string both = *settings_identity(options, WordWeights::bundled());
  options.relevance = Relevance::kTopics;
  const std::string topics = *settings_identity(options, WordWeights::bundled());
  options.topic_model = folder / "other";
  EXPECT_NE(*settings_identity(options, WordWeights::bundled()), topics);
  EXPECT_NE(both, topics);
  EXPECT_NE(topics, keywords);
  options.topic_model = folder / "none";
  EXPECT_FALSE(settings_identity(options, WordWeights::bundled()));
  EXPECT_FALSE(PageProfiler::create(options, WordWeights::bundled()));
  options.topic_model.clear();
  EXPECT_FALSE(options.validate());
}

TEST(TopicRelevance, IsOneMinusTheHellingerDistance) {
  TopicCorpus corpus;
  corpus.words = {"ferry", "ticket"};
  corpus.documents = {1, 1};
  TemporaryFolder folder;
  ASSERT_TRUE(write_topic_model(folder / "model", corpus, {2, 0.5F, {1, 0, 0, 1}, {0.5F, 0.5F}}));
  TopicRelevance relevance(*TopicModel::open(folder / "model"));
  relevance.begin_page(std::vector<std::uint64_t>{hash64("ticket"), hash64("unknown"), hash64("ferry")});
  const std::vector<std::uint32_t> paragraph = {2, 0, 1, 2, 2};  // three times ferry, a ticket
  relevance.begin_paragraph(paragraph);
  // Topics of the paragraph (3.5, 1.5) / 5, of a sentence with one ferry (1.5, 0.5) / 2.
  const double common = std::sqrt(0.7 * 0.75) + std::sqrt(0.3 * 0.25);
  EXPECT_NEAR(relevance.relevance(std::vector<std::uint32_t>{2, 1}), 1 - std::sqrt(1 - common), 1e-4);
  EXPECT_EQ(relevance.relevance(std::vector<std::uint32_t>{1}), 0) << "no word is in the model";
}

// Three sentences of two topics: the one on the paragraph's main topic becomes the anchor.
TEST(PageProfiler, TopicsSelectTheAnchorSentence) {
  TemporaryFolder folder;
  TopicCorpus corpus;
  corpus.words = {"engine", "ferry", "pilot", "recipe", "river", "sugar"};
  corpus.documents.assign(6, 1);
  std::vector<float> probabilities;
  for (const bool is_food : {false, false, false, true, false, true}) {
    probabilities.push_back(is_food ? 0 : 0.25F);
    probabilities.push_back(is_food ? 0.5F : 0);
  }
  ASSERT_TRUE(write_topic_model(folder / "model", corpus, {2, 0.1F, probabilities, {0.5F, 0.5F}}));
  ProfileOptions options;
  options.anchors = 1;
  options.relevance = Relevance::kTopics;
  options.topic_model = folder / "model";
  const std::string page =
      "<p>The recipe needs sugar and then again some more sugar, recipe. "
      "The ferry has a pilot and a pilot has a river and an engine, ferry. "
      "The pilot of the ferry looks after the engine and at the river now.</p>";
  const Profile profile = profiler(options)->profile(html_page(page));
  ASSERT_EQ(profile.sentences.size(), 3U);
  EXPECT_FALSE(profile.sentences[0].is_anchor) << "the first sentence, but on another topic";
}

}  // namespace
}  // namespace paraprint
