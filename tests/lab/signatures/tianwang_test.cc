#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "base/digest.h"
#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "property.h"

namespace paraprint {
namespace {

using Counts = std::vector<std::pair<std::string, int>>;

const Counts kPageI = {{"search", 10}, {"engine", 7}, {"page", 5}, {"web", 4}, {"hash", 3}};
const Counts kPageJ = {{"search", 9}, {"engine", 8}, {"page", 5}, {"web", 4}, {"hash", 3}};
const Counts kPageK = {{"search", 9}, {"page", 8}, {"engine", 5}, {"web", 4}, {"hash", 3}};
const Counts kPageTwoI = {{"search", 20}, {"engine", 14}, {"page", 10}, {"web", 8}, {"hash", 6}};

std::unique_ptr<PageFingerprinter> rule(const FingerprinterFactory& factory,
                                        const std::vector<std::pair<std::string_view, double>>& settings = {}) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

bool is_reprint(PageFingerprinter& fingerprinter, const TestPage& a, const TestPage& b) {
  const FingerprintSimilarity similarity =
      similarity_of(fingerprinter, fingerprint_of(fingerprinter, a), fingerprint_of(fingerprinter, b));
  return similarity.resemblance >= fingerprinter.threshold();
}

TEST(Tianwang, DigestsMatchTheWorkedExample) {
  const auto by_weight = rule(kTianwangKeywords, {{"keywords", 5}});
  const auto by_bytes = rule(kTianwangSorted, {{"keywords", 5}});
  const auto values = [](PageFingerprinter& fingerprinter, const Counts& counts) {
    return fingerprint_of(fingerprinter, TestPage(repeated_words(counts))).values;
  };
  using Words = std::vector<std::uint64_t>;
  EXPECT_EQ(values(*by_weight, kPageI), (Words{0x34947c165c9409ad, 0x58e5955a4b2548de}));
  EXPECT_EQ(values(*by_weight, kPageJ), (Words{0x34947c165c9409ad, 0x58e5955a4b2548de}));
  EXPECT_EQ(values(*by_weight, kPageK), (Words{0x6cd546d9336d7dcb, 0x3d4f30ee9f19ae6c}));
  for (const Counts& counts : {kPageI, kPageJ, kPageK}) {
    EXPECT_EQ(values(*by_bytes, counts), (Words{0xb943d6b9ada99eef, 0x9f1ca8171b6a5ddd}));
  }
}

TEST(Tianwang, DecisionsMatchTheWorkedExample) {
  const TestPage i(repeated_words(kPageI));
  const TestPage j(repeated_words(kPageJ));
  const TestPage k(repeated_words(kPageK));
  const TestPage two_i(repeated_words(kPageTwoI));
  struct Expected {
    const FingerprinterFactory& factory;
    bool j, k, two_i;
  };
  const Expected expected[] = {{kTianwangKeywords, true, false, true},
                               {kTianwangKeywordsSim, true, false, false},
                               {kTianwangSorted, true, true, true},
                               {kTianwangSortedSim, true, true, false}};
  for (const Expected& row : expected) {
    const auto fingerprinter = rule(row.factory, {{"keywords", 5}});
    EXPECT_EQ(is_reprint(*fingerprinter, i, j), row.j);
    EXPECT_EQ(is_reprint(*fingerprinter, i, k), row.k);
    EXPECT_EQ(is_reprint(*fingerprinter, i, two_i), row.two_i);
    EXPECT_TRUE(is_reprint(*fingerprinter, i, i));
  }
}

TEST(Tianwang, WeightDistancesMatchTheWorkedExample) {
  const auto sorted = rule(kTianwangSortedSim, {{"keywords", 5}});
  const auto distance = [&](const Counts& a, const Counts& b) {
    return 1 - sorted
                   ->similarity(fingerprint_of(*sorted, TestPage(repeated_words(a))),
                                fingerprint_of(*sorted, TestPage(repeated_words(b))))
                   .resemblance;
  };
  EXPECT_NEAR(distance(kPageI, kPageJ), 1.0 / 197, 1e-12);
  EXPECT_NEAR(distance(kPageI, kPageK), 7.0 / 197, 1e-12);
  EXPECT_NEAR(distance(kPageI, kPageTwoI), 0.2, 1e-12);
  EXPECT_NEAR(distance(kPageK, kPageI), 7.0 / 197, 1e-12);
}

TEST(Tianwang, AbstractMayBeTheMetaDescription) {
  const auto by_text = rule(kTianwangAbstract);
  const auto by_meta = rule(kTianwangAbstract, {{"source", 1}});
  const auto page = [](std::string html, const std::vector<std::string>& words) {
    TestPage made(words);
    made.page.body = std::move(html);
    return made;
  };
  const TestPage one = page(
      "<meta name=keywords content=x><META Name='Description' content='The &quot;Ferry&quot; Left'>", {"one", "text"});
  const TestPage two =
      page("<meta name=description content=' '><meta name=description content='THE \"ferry\" left'><p>y",
           {"another", "text"});
  const TestPage none = page(
      "<meta name=description content='...'><meta property=description content='the ferry left'>", {"one", "text"});
  EXPECT_FALSE(is_reprint(*by_text, one, two));
  EXPECT_TRUE(is_reprint(*by_text, one, none));
  EXPECT_TRUE(is_reprint(*by_meta, one, two));
  EXPECT_FALSE(is_reprint(*by_meta, one, none));
  // Without a description, the text is the source as by default.
  EXPECT_EQ(fingerprint_of(*by_meta, none).values, fingerprint_of(*by_text, none).values);
  TestPage plain = one;
  plain.page.format = PageFormat::kPlainText;
  EXPECT_EQ(fingerprint_of(*by_meta, plain).values, fingerprint_of(*by_text, plain).values);
}

// The description as well is cut at the end of a character.
TEST(Tianwang, MetaDescriptionIsDecodedAndCut) {
  const auto by_meta = rule(kTianwangAbstract, {{"source", 1}, {"abstract_bytes", 16}});
  const auto page = [](std::string_view content_type, std::string html) {
    TestPage made({"text"});
    made.page.content_type = content_type;
    made.page.body = std::move(html);
    return made;
  };
  // "中文网页内容" in GBK and in UTF-8; five characters fit into 16 bytes.
  const TestPage gbk = page("text/html; charset=gbk",
                            "<meta name=description content='\xD6\xD0\xCE\xC4\xCD\xF8\xD2\xB3\xC4\xDA\xC8\xDD'>");
  const TestPage utf8 = page("text/html; charset=utf-8", "<meta name=description content='中文网页内外'>");
  const TestPage other = page("text/html; charset=utf-8", "<meta name=description content='中文网页外'>");
  EXPECT_TRUE(is_reprint(*by_meta, gbk, utf8));
  EXPECT_FALSE(is_reprint(*by_meta, gbk, other));
}

TEST(Tianwang, DistanceMustBeBelowTheLimit) {
  const TestPage i(repeated_words(kPageI));
  const TestPage two_i(repeated_words(kPageTwoI));
  EXPECT_FALSE(is_reprint(*rule(kTianwangSortedSim, {{"keywords", 5}, {"distance_limit", 0.2}}), i, two_i));
  EXPECT_TRUE(is_reprint(*rule(kTianwangSortedSim, {{"keywords", 5}, {"distance_limit", 0.2000001}}), i, two_i));
}

TEST(Tianwang, PagesWithFewKeywordsAreShort) {
  const auto sorted = rule(kTianwangSorted);
  EXPECT_EQ(fingerprint_of(*sorted, TestPage({"a", "b", "c", "d"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*sorted, TestPage({"a", "b", "c", "d", "e"})).state, FingerprintState::kUsable);
  // N below the minimum cuts keywords but does not make pages short.
  EXPECT_EQ(fingerprint_of(*rule(kTianwangSorted, {{"keywords", 3}}), TestPage({"a", "b", "c", "d", "e"})).state,
            FingerprintState::kUsable);
}

TEST(Tianwang, NothingIsAReprintIfAllWeightsAreZero) {
  TestPage page({"a", "b", "c", "d", "e"});
  for (Term& term : page.terms.terms) term.idf = 0;
  const auto fingerprinter = rule(kTianwangKeywordsSim, {{"weights", 1}});
  EXPECT_FALSE(is_reprint(*fingerprinter, page, page));
}

// Each rule reports all pairs that the stricter rules report, whatever the cut.
TEST(Tianwang, StricterRulesImplyWeakerOnes) {
  CHECK_PROPERTY("inclusions", [] {
    const auto random_page = [] {
      std::vector<std::string> words;
      const auto counts = *rc::gen::container<std::array<int, 9>>(rc::gen::inRange(0, 5));
      for (std::size_t i = 0; i < counts.size(); ++i) {
        words.insert(words.end(), static_cast<std::size_t>(counts[i]), std::string(1, static_cast<char>('a' + i)));
      }
      return TestPage(words);
    };
    const TestPage a = random_page();
    const TestPage b = random_page();
    const double keywords = *rc::gen::inRange(3, 7);
    for (double cut = 0; cut < 3; ++cut) {
      const auto decide = [&](const FingerprinterFactory& factory) {
        const auto fingerprinter = rule(factory, {{"keywords", keywords}, {"cut", cut}});
        RC_ASSERT(is_reprint(*fingerprinter, a, b) == is_reprint(*fingerprinter, b, a));
        return is_reprint(*fingerprinter, a, b);
      };
      const bool in_order = decide(kTianwangKeywords);
      const bool in_order_sim = decide(kTianwangKeywordsSim);
      const bool sorted = decide(kTianwangSorted);
      const bool sorted_sim = decide(kTianwangSortedSim);
      RC_TAG(sorted ? (in_order ? "in order" : "sorted") : "none");
      RC_ASSERT(sorted || !in_order);
      RC_ASSERT(in_order || !in_order_sim);
      RC_ASSERT(sorted || !sorted_sim);
      RC_ASSERT(sorted_sim || !in_order_sim);
    }
  });
}

// Keywords 10 and 11 swap ranks.
TEST(Tianwang, SeveralCutsSurviveASwapAtTheBoundary) {
  Counts counts;
  for (int i = 0; i < 14; ++i) counts.emplace_back(std::string(1, static_cast<char>('a' + i)), 30 - i);
  Counts exchanged = counts;
  std::swap(exchanged[9].second, exchanged[10].second);
  const TestPage a(repeated_words(counts));
  const TestPage b(repeated_words(exchanged));
  for (const FingerprinterFactory* factory : {&kTianwangSorted, &kTianwangSortedSim}) {
    EXPECT_FALSE(is_reprint(*rule(*factory), a, b));
    EXPECT_TRUE(is_reprint(*rule(*factory, {{"cut", 1}}), a, b));
  }
  EXPECT_TRUE(is_reprint(*rule(kTianwangKeywords, {{"cut", 1}}), a, b));  // N - 2 ends before the swap
}

TEST(Tianwang, FirmestCutFollowsTheWeights) {
  // A drop after keyword 12; all later words occur once.
  Counts counts;
  for (int i = 0; i < 12; ++i) counts.emplace_back(std::string(1, static_cast<char>('a' + i)), 12);
  for (int i = 12; i < 20; ++i) counts.emplace_back(std::string(1, static_cast<char>('a' + i)), 1);
  Counts other(counts.begin(), counts.begin() + 12);
  for (int i = 0; i < 8; ++i) other.emplace_back("B" + std::to_string(i), 1);
  const TestPage a(repeated_words(counts));
  const TestPage b(repeated_words(other));
  EXPECT_TRUE(is_reprint(*rule(kTianwangSorted, {{"cut", 2}}), a, b));
  EXPECT_FALSE(is_reprint(*rule(kTianwangSorted, {{"keywords", 15}}), a, b));
}

TEST(Tianwang, AbstractEndsAtACharacterBoundary) {
  const auto digest = [](PageFingerprinter& fingerprinter, const std::string& text) {
    return fingerprint_of(fingerprinter, TestPage({text})).values;
  };
  const auto of_text = [](const std::string& text) {
    const auto words = leading_words(md5(text));
    return std::vector<std::uint64_t>(words.begin(), words.end());
  };
  const auto abstract = rule(kTianwangAbstract);
  std::string han;
  for (int i = 0; i < 200; ++i) han += "网";
  EXPECT_EQ(digest(*abstract, han), of_text(han.substr(0, 510)));  // 170 characters of 3 bytes
  EXPECT_EQ(digest(*abstract, std::string(512, 'a')), of_text(std::string(512, 'a')));
  EXPECT_EQ(digest(*abstract, std::string(513, 'a')), of_text(std::string(512, 'a')));
  EXPECT_EQ(digest(*abstract, "short"), of_text("short"));
  EXPECT_TRUE(is_reprint(*abstract, TestPage({std::string(512, 'a'), "x"}), TestPage({std::string(512, 'a'), "y"})));
  EXPECT_FALSE(is_reprint(*abstract, TestPage({"x", std::string(512, 'a')}), TestPage({"y", std::string(512, 'a')})));
}

}  // namespace
}  // namespace paraprint
