// Repeated paragraphs and runs of sentences: cases by hand, and many small collections against the definition, applied
// to all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "trim/repeated_paragraphs.h"
#include "trim/repeated_sentences.h"

namespace paraprint {
namespace {

// A sentence is a number and its characters; a paragraph is a list of sentences. Its text is `words`, in which every
// character counts once.
struct Sentence {
  std::uint64_t hash = 0;
  std::uint16_t characters = 0;
};
struct Text {
  std::vector<Sentence> sentences;
  Fingerprint128 fingerprint;  // zero: none
  std::string words = "the text that most of these paragraphs have";
};
struct TestPage {
  std::uint64_t site = 0;
  std::vector<Text> paragraphs;
};

std::uint64_t hash_of(const Text& text) {
  std::uint64_t hash = 17;
  for (const Sentence& sentence : text.sentences) hash = hash * 1'000'003 + sentence.hash;
  return hash;
}

std::uint32_t characters_of(const Text& text) {
  std::uint32_t characters = 0;
  for (const Sentence& sentence : text.sentences) characters += sentence.characters;
  return characters;
}

// A sentence of n characters takes n bytes and one between sentences.
Profile profile_of(const TestPage& page) {
  Profile profile;
  std::uint32_t at = 0;
  for (const Text& text : page.paragraphs) {
    ParagraphProfile paragraph;
    paragraph.span.begin_bytes = at;
    for (const Sentence& from : text.sentences) {
      SentenceProfile sentence;
      sentence.hash = from.hash;
      sentence.content_characters = from.characters;
      sentence.paragraph = static_cast<std::uint16_t>(profile.paragraphs.size());
      sentence.span = {at, at + from.characters};
      at += from.characters + 1U;
      profile.sentences.push_back(sentence);
    }
    paragraph.span.end_bytes = at - 1;
    paragraph.hash = hash_of(text);
    paragraph.content_characters = characters_of(text);
    paragraph.simhash = text.fingerprint;
    paragraph.has_simhash = text.fingerprint != Fingerprint128();
    profile.paragraphs.push_back(paragraph);
  }
  return profile;
}

struct Found {
  std::vector<RepeatedPassage> paragraphs;
  std::vector<RepeatedPassage> sentences;
};

// `order`: that of the calls; it must not matter.
Found find(const std::vector<TestPage>& pages, const PassageRules& rules, const std::vector<std::uint32_t>& order,
           std::uint64_t memory_bytes = std::uint64_t{1} << 20) {
  const ExternalSortOptions sorting{memory_bytes, testing::TempDir()};
  RepeatedParagraphs paragraphs(rules, sorting, nullptr);
  for (const std::uint32_t page : order) {
    EXPECT_TRUE(paragraphs.add(page, pages[page].site, profile_of(pages[page])).has_value());
  }
  auto compared = paragraphs.find_compared();
  EXPECT_TRUE(compared.has_value());
  if (!order.empty() && order.front() != 0) std::reverse(compared->begin(), compared->end());
  for (const ComparedParagraph& paragraph : *compared) {
    const Profile profile = profile_of(pages[paragraph.place.rank]);
    for (std::size_t p = 0; p < profile.paragraphs.size(); ++p) {
      if (profile.paragraphs[p].span.begin_bytes != paragraph.place.begin_bytes) continue;
      EXPECT_TRUE(paragraphs.add_text(paragraph, pages[paragraph.place.rank].paragraphs[p].words).has_value());
    }
  }
  auto repeated = paragraphs.finish();
  EXPECT_TRUE(repeated.has_value());
  RepeatedSentences sentences(rules, sorting, nullptr, *repeated);
  for (const std::uint32_t page : order) {
    EXPECT_TRUE(sentences.add(page, pages[page].site, profile_of(pages[page])).has_value());
  }
  auto runs = sentences.finish();
  EXPECT_TRUE(runs.has_value());
  return {{repeated->begin(), repeated->end()}, {runs->begin(), runs->end()}};
}

Found find(const std::vector<TestPage>& pages, const PassageRules& rules) {
  std::vector<std::uint32_t> order(pages.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) order[page] = page;
  return find(pages, rules, order);
}

// ---------------------------------------------------------------------------------------------------------------------
// The definition, applied to all pairs of paragraphs and of sentences

int distance_of(const Fingerprint128& x, const Fingerprint128& y) {
  return std::popcount(x.high ^ y.high) + std::popcount(x.low ^ y.low);
}

struct OracleText {
  Text text;
  std::uint64_t site = 0;
  std::vector<PassagePlace> places;
  std::size_t standing = 0;
  int distance = 0;
};

std::vector<OracleText> texts_of(const std::vector<TestPage>& pages, const PassageRules& rules) {
  std::vector<OracleText> texts;
  for (std::uint32_t rank = 0; rank < pages.size(); ++rank) {
    const Profile profile = profile_of(pages[rank]);
    for (std::size_t p = 0; p < profile.paragraphs.size(); ++p) {
      const Text& text = pages[rank].paragraphs[p];
      if (characters_of(text) < rules.characters_minimum) continue;
      const std::uint64_t site = rules.within_sites ? pages[rank].site : 0;
      const auto known = std::find_if(texts.begin(), texts.end(), [&](const OracleText& other) {
        return other.site == site && hash_of(other.text) == hash_of(text) &&
               other.text.fingerprint == text.fingerprint && characters_of(other.text) == characters_of(text);
      });
      OracleText& into =
          known == texts.end() ? texts.emplace_back(OracleText{text, site, {}, texts.size(), 0}) : *known;
      into.places.push_back({rank, profile.paragraphs[p].span.begin_bytes, profile.paragraphs[p].span.end_bytes});
    }
  }
  return texts;  // in the order of their first places
}

bool are_near_in_length(const Text& kept, const Text& other) {
  const double share = static_cast<double>(characters_of(other)) / static_cast<double>(characters_of(kept));
  return share > 0.8 - 1e-9 && share < 1.2 + 1e-9;
}

// Of the definition: groups of three, counted one by one.
bool are_near_in_words(const Text& kept, const Text& other) {
  const auto groups = [](const std::string& words) {
    std::string padded = "  ";
    for (const char character : words) padded += character == ' ' ? std::string() : std::string(1, character);
    padded += "  ";
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i + 2 < padded.size(); ++i) ++counts[padded.substr(i, 3)];
    return counts;
  };
  int common = 0;
  int all = 0;
  const std::map<std::string, int> x = groups(kept.words);
  const std::map<std::string, int> y = groups(other.words);
  for (const auto& [group, count] : x) {
    all += count;
    if (const auto found = y.find(group); found != y.end()) common += std::min(count, found->second);
  }
  for (const auto& [group, count] : y) all += count;
  return 200 * common >= 85 * all;
}

void find_standing(std::vector<OracleText>& texts, const PassageRules& rules) {
  for (std::size_t later = 0; later < texts.size(); ++later) {
    OracleText& text = texts[later];
    if (text.text.fingerprint == Fingerprint128()) continue;
    int best = rules.distance_bits + 1;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const OracleText& other = texts[earlier];
      if (other.text.fingerprint == Fingerprint128() || other.site != text.site) continue;
      const int distance = distance_of(other.text.fingerprint, text.text.fingerprint);
      if (other.standing != earlier || distance >= best || !are_near_in_length(other.text, text.text)) continue;
      if (!are_near_in_words(other.text, text.text)) continue;
      best = distance;
      text.standing = earlier;
      text.distance = distance;
    }
  }
}

std::vector<RepeatedPassage> oracle_paragraphs(const std::vector<TestPage>& pages, const PassageRules& rules) {
  std::vector<OracleText> texts = texts_of(pages, rules);
  find_standing(texts, rules);
  std::vector<RepeatedPassage> found;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const OracleText& text = texts[t];
    const OracleText& kept = texts[text.standing];
    const auto all = static_cast<std::uint32_t>(text.places.size() + kept.places.size());
    const bool is_near = text.standing != t && all >= rules.places_minimum;
    if (!is_near && text.places.size() < rules.places_minimum) continue;
    for (std::size_t i = is_near ? 0 : 1; i < text.places.size(); ++i) {
      found.push_back({text.places[i], is_near ? kept.places[0] : text.places[0], characters_of(text.text),
                       is_near ? all : static_cast<std::uint32_t>(text.places.size()),
                       is_near ? RepeatKind::kNearParagraph : RepeatKind::kParagraph,
                       static_cast<std::uint8_t>(is_near ? text.distance : 0)});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The bytes of each page that runs of sentences take out.
std::set<std::pair<std::uint32_t, std::uint32_t>> oracle_sentence_bytes(const std::vector<TestPage>& pages,
                                                                        const PassageRules& rules) {
  const std::vector<RepeatedPassage> gone = oracle_paragraphs(pages, rules);
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;
  struct At {
    std::uint32_t rank = 0;
    TextSpan span;
    Key key;
    bool is_gone = false;
  };
  std::vector<At> all;
  std::map<Key, std::uint32_t> places;
  for (std::uint32_t rank = 0; rank < pages.size(); ++rank) {
    const Profile profile = profile_of(pages[rank]);
    for (const SentenceProfile& sentence : profile.sentences) {
      const Key key(sentence.hash, rules.within_sites ? pages[rank].site : 0, sentence.content_characters);
      const std::uint32_t begin = profile.paragraphs[sentence.paragraph].span.begin_bytes;
      const bool is_gone = std::any_of(gone.begin(), gone.end(), [&](const RepeatedPassage& passage) {
        return passage.place.rank == rank && passage.place.begin_bytes == begin;
      });
      all.push_back({rank, sentence.span, key, is_gone});
      if (!is_gone) ++places[key];
    }
  }
  std::set<Key> seen;
  std::vector<bool> repeated(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_gone) continue;
    repeated[i] = !seen.insert(all[i].key).second && places[all[i].key] >= rules.places_minimum;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> bytes;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = std::max(end, begin + 1)) {
    std::uint32_t characters = 0;
    for (end = begin; end < all.size() && repeated[end] && all[end].rank == all[begin].rank; ++end) {
      characters += all[end].span.size_bytes();
    }
    if (characters < rules.characters_minimum) continue;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::uint32_t b = all[i].span.begin_bytes; b < all[i].span.end_bytes; ++b) bytes.insert({all[i].rank, b});
    }
  }
  return bytes;
}

// ---------------------------------------------------------------------------------------------------------------------

Text text(const std::vector<std::uint64_t>& sentences, std::uint64_t fingerprint = 0, std::uint16_t characters = 60) {
  Text made;
  for (const std::uint64_t hash : sentences) made.sentences.push_back({hash, characters});
  made.fingerprint = {0, fingerprint};
  return made;
}

TEST(RepeatedPassages, AnEqualParagraphStaysWhereItIsFirst) {
  const std::vector<TestPage> pages = {
      {1, {text({1, 2}), text({3, 4})}}, {2, {text({5, 6}), text({1, 2})}}, {3, {text({1, 2}), text({1, 2})}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.paragraphs.size(), 3U);
  EXPECT_EQ(found.paragraphs[0].place, (PassagePlace{1, 122, 243}));
  EXPECT_EQ(found.paragraphs[0].kept, (PassagePlace{0, 0, 121}));
  EXPECT_EQ(found.paragraphs[0].places, 4U);
  EXPECT_EQ(found.paragraphs[2].place.rank, 2U);
  EXPECT_TRUE(found.sentences.empty());
  PassageRules rules;
  rules.places_minimum = 5;
  EXPECT_TRUE(find(pages, rules).paragraphs.empty());
  rules = {};
  rules.within_sites = true;
  EXPECT_EQ(find(pages, rules).paragraphs.size(), 1U);  // the one that its own page has
}

TEST(RepeatedPassages, AChainOfSmallDifferencesDoesNotTakeOutItsEnd) {
  const std::vector<TestPage> pages = {
      {1, {text({1, 2}, 0b1)}}, {1, {text({3, 4}, 0b1111)}}, {1, {text({5, 6}, 0b1111111)}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.paragraphs.size(), 1U);
  EXPECT_EQ(found.paragraphs[0].place.rank, 1U);
  EXPECT_EQ(found.paragraphs[0].kind, RepeatKind::kNearParagraph);
  EXPECT_EQ(found.paragraphs[0].distance_bits, 3);
  PassageRules rules;
  rules.distance_bits = -1;
  EXPECT_TRUE(find(pages, rules).paragraphs.empty());
}

// Of two texts that one word decides, the longer one is not a copy of the shorter one, whatever their fingerprints.
TEST(RepeatedPassages, NearParagraphsAreAboutAsLong) {
  struct Case {
    std::uint16_t kept = 0;
    std::uint16_t other = 0;
    bool is_near = false;
  };
  for (const auto& [kept, other, is_near] :
       {Case{200, 240, true}, Case{200, 160, true}, Case{200, 241, false}, Case{200, 159, false}, Case{150, 180, true},
        Case{180, 150, true}, Case{150, 181, false}, Case{1000, 101, false}}) {
    for (const std::uint64_t fingerprint : {0b1, 0b111}) {
      const std::vector<TestPage> pages = {{1, {text({1}, 0b1, kept)}}, {1, {text({2}, fingerprint, other)}}};
      EXPECT_EQ(find(pages, {}).paragraphs.size(), is_near ? 1U : 0U) << kept << " " << other;
    }
  }
}

// Each of them is near the one of its length that stays, whichever was first.
TEST(RepeatedPassages, TextsOfOneFingerprintMayHaveSeveralLengths) {
  const std::vector<TestPage> pages = {{1, {text({1}, 0b1, 120)}},
                                       {1, {text({2}, 0b1, 300)}},
                                       {1, {text({3}, 0b1, 310)}},
                                       {1, {text({4}, 0b1, 125)}},
                                       {1, {text({5}, 0b11, 320)}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.paragraphs.size(), 3U);
  const std::vector<std::tuple<std::uint32_t, std::uint32_t, int>> expected = {{2, 1, 0}, {3, 0, 0}, {4, 1, 1}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [page, kept, distance] = expected[i];
    EXPECT_EQ(found.paragraphs[i].place.rank, page);
    EXPECT_EQ(found.paragraphs[i].kept.rank, kept);
    EXPECT_EQ(found.paragraphs[i].distance_bits, distance);
  }
}

// One word may decide the fingerprints of texts that have nothing else in common.
TEST(RepeatedPassages, NearParagraphsHaveMostOfTheirText) {
  Text kept = text({1}, 0b1, 120);
  kept.words = "def jump(nums): return max(nums[i] + i for i in range(len(nums)) if nums[i] > 0)";
  Text other = text({2}, 0b1, 121);
  other.words = "int product(int[] nums) { Arrays.sort(nums); return nums[0] * nums[1] * nums[2]; }";
  Text copy = text({3}, 0b11, 122);
  copy.words = "def jumps(nums): return max(nums[i] + i for i in range(len(nums)) if nums[i] > 1)";
  const std::vector<TestPage> pages = {{1, {kept}}, {2, {other}}, {3, {copy}}, {4, {other}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.paragraphs.size(), 2U);
  EXPECT_EQ(found.paragraphs[0].place.rank, 2U);
  EXPECT_EQ(found.paragraphs[0].kept.rank, 0U);
  EXPECT_EQ(found.paragraphs[0].kind, RepeatKind::kNearParagraph);
  EXPECT_EQ(found.paragraphs[1].place.rank, 3U);
  EXPECT_EQ(found.paragraphs[1].kept.rank, 1U);
  EXPECT_EQ(found.paragraphs[1].kind, RepeatKind::kParagraph);
}

TEST(RepeatedPassages, OnlyTextsNearAnotherOneAreCompared) {
  const std::vector<TestPage> pages = {{1, {text({1}, 0b1), text({2}, 0b111100000)}},
                                       {2, {text({3}, 0b11), text({4}), text({5}, std::uint64_t{0b1111} << 40)}}};
  for (const bool within_sites : {false, true}) {
    PassageRules rules;
    rules.characters_minimum = 50;
    rules.within_sites = within_sites;
    RepeatedParagraphs paragraphs(rules, {std::uint64_t{1} << 20, testing::TempDir()}, nullptr);
    for (std::uint32_t page = 0; page < pages.size(); ++page) {
      ASSERT_TRUE(paragraphs.add(page, pages[page].site, profile_of(pages[page])).has_value());
    }
    const auto compared = paragraphs.find_compared();
    ASSERT_TRUE(compared.has_value());
    ASSERT_EQ(compared->size(), within_sites ? 0U : 2U);
    if (within_sites) continue;
    EXPECT_EQ((*compared)[0].place, (PassagePlace{0, 0, 60}));
    EXPECT_EQ((*compared)[1].place, (PassagePlace{1, 0, 60}));
  }
}

// More texts than are compared with each other, all of one fingerprint: whatever stays, the run ends soon, and what is
// taken out is near what it is taken out for.
TEST(RepeatedPassages, ManyTextsAboutOneWordStay) {
  std::mt19937 random(1);
  std::vector<TestPage> pages(1500);
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    Text made = text({page + 1}, 0b1, 100);
    made.words.clear();
    for (int i = 0; i < 40; ++i) made.words += static_cast<char>('a' + random() % 26);
    pages[page].paragraphs = {made, made};
  }
  const Found found = find(pages, {});
  EXPECT_EQ(found.paragraphs.size(), 1500U);
  for (const RepeatedPassage& passage : found.paragraphs) {
    EXPECT_EQ(passage.kind, RepeatKind::kParagraph);
    EXPECT_EQ(passage.place.rank, passage.kept.rank);
  }
}

TEST(RepeatedPassages, RunsOfSentencesNeedTheCharacters) {
  // Page 1 repeats two sentences in a row (120 characters), page 2 one of them twice with another one between.
  const std::vector<TestPage> pages = {{1, {text({1, 2, 3, 4})}}, {1, {text({9, 2, 3, 10})}}, {1, {text({2, 11, 2})}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.sentences.size(), 1U);
  EXPECT_EQ(found.sentences[0].place, (PassagePlace{1, 61, 182}));
  EXPECT_EQ(found.sentences[0].kept, (PassagePlace{0, 61, 182}));
  EXPECT_EQ(found.sentences[0].content_characters, 120U);
  EXPECT_EQ(found.sentences[0].kind, RepeatKind::kSentences);
}

TEST(RepeatedPassages, SentencesOfATakenParagraphKeepNothing) {
  // The paragraph of page 1 goes because it is near that of page 0; sentence 8 then stands in page 2 alone.
  const std::vector<TestPage> pages = {
      {1, {text({1, 2}, 0b1)}}, {1, {text({1, 8}, 0b11)}}, {1, {text({8, 8}, 0b1111100000)}}};
  const Found found = find(pages, {});
  ASSERT_EQ(found.paragraphs.size(), 1U);
  EXPECT_EQ(found.paragraphs[0].place.rank, 1U);
  EXPECT_TRUE(found.sentences.empty());
}

TEST(RepeatedPassages, EqualsTheDefinitionOnManySmallCollections) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    PassageRules rules;
    rules.characters_minimum = 20 + below(100);
    rules.places_minimum = 2 + below(3);
    rules.distance_bits = static_cast<int>(below(5)) - 1;
    rules.within_sites = below(2) == 0;
    std::vector<TestPage> pages(1 + below(12));
    for (TestPage& page : pages) {
      page.site = below(3);
      page.paragraphs.resize(1 + below(6));
      for (Text& paragraph : page.paragraphs) {
        const std::uint32_t size = 1 + below(4);
        // The characters of a sentence follow from it, and the fingerprint of most paragraphs does.
        for (std::uint32_t i = 0; i < size; ++i) {
          const std::uint64_t hash = 1 + below(6);
          paragraph.sentences.push_back({hash, static_cast<std::uint16_t>(10 + hash * 7)});
        }
        if (below(4) > 0) paragraph.fingerprint = {0, 1 + hash_of(paragraph) % 60};
        const std::uint64_t edit = hash_of(paragraph) % 7;
        if (edit < 3) paragraph.words.replace(edit * 9, edit, "&#q" + std::to_string(edit));
        if (edit == 3) paragraph.words = "quite another text, about as long as the others";
      }
    }
    std::vector<std::uint32_t> order(pages.size());
    for (std::uint32_t page = 0; page < pages.size(); ++page) order[page] = page;
    std::shuffle(order.begin(), order.end(), random);
    const Found found = find(pages, rules, order, seed % 2 == 0 ? 0 : std::uint64_t{1} << 20);
    EXPECT_EQ(found.paragraphs, oracle_paragraphs(pages, rules)) << "seed " << seed;
    std::set<std::pair<std::uint32_t, std::uint32_t>> bytes;
    for (const RepeatedPassage& passage : found.sentences) {
      EXPECT_LT(passage.kept, passage.place);
      for (std::uint32_t at = passage.place.begin_bytes; at < passage.place.end_bytes; ++at) {
        bytes.insert({passage.place.rank, at});
      }
    }
    // The bytes between the sentences of a run belong to no sentence.
    for (const auto& byte : oracle_sentence_bytes(pages, rules)) {
      EXPECT_EQ(bytes.erase(byte), 1U) << "seed " << seed << ", page " << byte.first << ", byte " << byte.second;
    }
    for (const auto& [rank, at] : bytes) {
      const Profile profile = profile_of(pages[rank]);
      EXPECT_TRUE(std::none_of(
          profile.sentences.begin(), profile.sentences.end(),
          [at = at](const auto& sentence) { return at >= sentence.span.begin_bytes && at < sentence.span.end_bytes; }))
          << "seed " << seed;
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace paraprint
