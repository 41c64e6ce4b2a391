// An index of a page-level algorithm: whatever the algorithm, pages added one by one match as in a batch, and an
// algorithm that an index cannot use is refused with the reason.
#include "online/page_algorithm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/verdict.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "profile/fingerprint_set.h"
#include "profile/registry.h"
#include "store/search_head.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

struct FingerprintedText {
  Profile profile;
  PageFingerprint fingerprint;
};

// Articles of made-up words, each with copies of which some words are replaced, added or left out.
class ArticleWriter {
 public:
  explicit ArticleWriter(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> article() {
    std::vector<std::string> words;
    for (std::uint64_t i = 80 + below(120); i > 0; --i) words.push_back(word());
    return words;
  }
  std::vector<std::string> edited(std::vector<std::string> words) {
    for (std::uint64_t edits = below(12); edits > 0; --edits) words[below(words.size())] = word();
    if (below(4) == 0) words.resize(words.size() / 2);
    if (below(4) == 0) words.insert(words.begin(), 5, word());
    return words;
  }
  static std::string html_of(const std::vector<std::string>& words) {
    std::string html = "<html><body><h1>" + words.front() + "</h1>";
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i % 40 == 0) html += "<p>";
      html += words[i] + (i % 10 == 9 ? ". " : " ");
    }
    return html + "</body></html>";
  }
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

 private:
  // Frequent ones more often, as in language.
  std::string word() {
    const std::uint64_t rank = below(below(1500) + 1);
    return fmt::format("{}{}", std::string(1 + rank % 3, static_cast<char>('a' + rank % 26)),
                       std::string(1, static_cast<char>('a' + rank / 26 % 26)) + static_cast<char>('a' + rank / 676));
  }
  std::mt19937_64 random_;
};

// Pages with different texts.
std::vector<FingerprintedText> texts_by(const std::string& algorithm, std::size_t size) {
  ProfileOptions options;
  options.algorithm = algorithm;
  Result<Profiler> profiler = Profiler::create(options);
  EXPECT_TRUE(profiler) << algorithm;
  ArticleWriter writer(7);
  std::vector<std::vector<std::string>> articles;
  std::vector<FingerprintedText> texts;
  std::set<std::array<std::uint64_t, 2>> known;
  while (texts.size() < size) {
    const bool is_new = articles.empty() || writer.below(3) == 0;
    articles.push_back(is_new ? writer.article() : writer.edited(articles[writer.below(articles.size())]));
    const std::string html = ArticleWriter::html_of(articles.back());
    Page page;
    page.body = html;
    const Profile profile = profiler->profile(page);
    if (known.insert(profiler->fingerprint().text_hash).second) texts.push_back({profile, profiler->fingerprint()});
  }
  return texts;
}

// (verdict of the older page, resemblance, containment of the older, of the younger), by both pages.
using AlgorithmScores = std::tuple<std::string, float, float, float>;
using ScoredTexts = std::map<std::pair<std::uint64_t, std::uint64_t>, AlgorithmScores>;

ScoredTexts batch_pairs(const AlgorithmChoice& algorithm, const std::vector<FingerprintedText>& texts,
                        const MatchOptions& options) {
  std::vector<PageFingerprint> fingerprints;
  for (const FingerprintedText& text : texts) fingerprints.push_back(text.fingerprint);
  const FingerprintSet set(algorithm, fingerprints);
  const TemporaryFolder folder;
  FingerprintCandidateOptions candidates;
  candidates.resemblance_minimum = set.fingerprinter().threshold();
  candidates.spill.folder = folder / "";
  candidates.spill.memory_bytes = 16 << 20;
  Counters counters;
  ScoredTexts pairs;
  const Status found = fingerprint_candidate_search()(
      set.fingerprinter(), set.fingerprints(), {}, candidates, counters,
      [&](std::uint32_t older, std::uint32_t younger) -> Status {
        const Match match = set.match(older, younger, texts[older].profile.content_characters,
                                      texts[younger].profile.content_characters, options);
        if (match.verdict == Verdict::kDistinct) return {};
        pairs[{older, younger}] = {std::string(verdict_name(match.verdict)), match.resemblance, match.containment_a,
                                   match.containment_b};
        return {};
      });
  EXPECT_TRUE(found);
  return pairs;
}

IndexOptions options_for(const std::string& algorithm) {
  IndexOptions options;
  options.identity = "test " + algorithm;
  options.algorithm = algorithm;
  options.sync = SyncMode::kNone;
  options.head_pages = 64;  // small, so that most texts are in segments
  return options;
}

IndexPageInput input_of(const FingerprintedText& text, std::string_view id) {
  IndexPageInput input;
  input.id = id;
  input.profile = &text.profile;
  input.fingerprint = &text.fingerprint;
  return input;
}

ScoredTexts online_pairs(const std::vector<FingerprintedText>& texts, const IndexOptions& options) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", options);
  EXPECT_TRUE(index) << (index ? "" : index.error().message);
  if (!index) return {};
  AddOptions add;
  add.lookup.all = true;
  add.lookup.matches = 1000;
  add.lookup.max_candidates = 10'000;
  ScoredTexts pairs;
  for (std::uint64_t page = 0; page < texts.size(); ++page) {
    const std::string id = std::to_string(page);
    const Result<AddOutcome> answer = (*index)->lookup_or_add(input_of(texts[page], id), add);
    EXPECT_TRUE(answer);
    if (!answer) return pairs;
    EXPECT_EQ(answer->lookup.work.keys_over_cap, 0U);
    for (const IndexMatch& match : answer->lookup.matches) {
      pairs[{std::stoull(match.page.id), page}] = {std::string(verdict_name(reversed(match.verdict))),
                                                   match.resemblance, match.containment_known, match.containment_asked};
    }
  }
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  EXPECT_TRUE(verification && verification->is_clean());
  return pairs;
}

// Without the pairs that are copies by containment alone: an index for resemblance finds these by chance, here as in a
// batch.
ScoredTexts near_pairs(ScoredTexts pairs) {
  std::erase_if(pairs, [](const auto& pair) { return std::get<0>(pair.second) != "near"; });
  return pairs;
}

class PageAlgorithms : public ::testing::TestWithParam<std::string> {};

TEST_P(PageAlgorithms, MatchAsInABatchOrAreRefusedWithTheReason) {
  const Result<AlgorithmChoice> choice = choose_algorithm(GetParam());
  ASSERT_TRUE(choice);
  const auto algorithm = PageAlgorithm::create(GetParam());
  if (!algorithm) {
    EXPECT_EQ(algorithm.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(algorithm.error().message, ::testing::StartsWith("an index cannot use " + GetParam()));
    const TemporaryFolder folder;
    const auto index = PageIndex::open(folder / "index", options_for(GetParam()));
    ASSERT_FALSE(index);
    EXPECT_EQ(index.error().message, algorithm.error().message);
    return;
  }
  const std::vector<FingerprintedText> texts = texts_by(GetParam(), 300);
  IndexOptions options = options_for(GetParam());
  options.candidates.group_cap = 10'000;
  const ScoredTexts batch = near_pairs(batch_pairs(*choice, texts, options.match));
  const ScoredTexts online = online_pairs(texts, options);
  EXPECT_THAT(near_pairs(online), ::testing::ContainerEq(batch));
}

std::vector<std::string> page_level_algorithms() {
  std::vector<std::string> names;
  for (const AlgorithmRow& row : algorithm_rows()) {
    if (row.factory != nullptr) names.emplace_back(row.name);
  }
  for (const char* const variant :
       {"simhash-integrated:bits=128", "simhash-position:bits=128", "simhash-64:tables=10",
        "simhash-64:tables=4,distance_bits=5", "simhash-128:tables=20-compressed", "simhash-position:tables=16",
        "simhash-shingles:tables=4-compressed", "simhash-integrated:bits=128,tables=4,distance_bits=12",
        "simhash-64:distance_bits=4", "keyword-position:threshold=0.6"}) {
    names.emplace_back(variant);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, PageAlgorithms, ::testing::ValuesIn(page_level_algorithms()), [](const auto& row) {
  std::string name = row.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

// The systems of the papers that detect copies while they crawl.
TEST(PageAlgorithm, AnIndexTakesThoseOfThePapers) {
  for (const char* const name : {"simhash-64", "simhash-128", "simhash-position", "simhash-shingles",
                                 "simhash-integrated", "keyword-position", "keyword-cosine", "minhash"}) {
    EXPECT_TRUE(PageAlgorithm::create(name)) << name;
  }
}

// Manku's designs decide under which keys a page is found, at any distance they can have.
TEST(PageAlgorithm, AnIndexObeysTheDesignOfItsTables) {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kUsable;
  fingerprint.values = {0x0123456789ABCDEFULL};
  const auto keys_of = [&](std::string_view specification) {
    const auto algorithm = PageAlgorithm::create(specification);
    EXPECT_TRUE(algorithm) << specification;
    TextKeys keys;
    if (algorithm) (*algorithm)->collect_keys(fingerprint, keys);
    return std::pair(keys.exact.size(), keys.fingerprints.size());
  };
  EXPECT_EQ(keys_of("simhash-64"), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(keys_of("simhash-64:tables=4"), std::pair(std::size_t{4}, std::size_t{0}));
  EXPECT_EQ(keys_of("simhash-64:tables=10-compressed"), std::pair(std::size_t{10}, std::size_t{0}));
  EXPECT_EQ(keys_of("simhash-position:tables=16"), std::pair(std::size_t{16}, std::size_t{0}));
  EXPECT_EQ(keys_of("simhash-shingles:tables=20"), std::pair(std::size_t{20}, std::size_t{0}));
  EXPECT_EQ(keys_of("simhash-integrated:tables=10,distance_bits=6"), std::pair(std::size_t{28}, std::size_t{0}));
  EXPECT_EQ(PageAlgorithm::create("simhash-64:distance_bits=6").error().code, ErrorCode::kInvalidArgument);
}

// In an index made when designs were ignored, pages are in the tables of fingerprints: they are put under the keys.
TEST(PageAlgorithm, AnIndexThatIgnoredItsDesignIsRebuilt) {
  const TemporaryFolder folder;
  const std::string named = "simhash-64:tables=10";
  const std::vector<FingerprintedText> texts = texts_by(named, 100);  // more than a head
  const auto find_all = [&](PageIndex& index) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      FingerprintedText copy = texts[i];
      copy.profile.text_hash[1] ^= 1;
      copy.fingerprint.text_hash = copy.profile.text_hash;
      LookupOptions lookup;
      lookup.all = true;
      const Result<LookupOutcome> found = index.lookup(input_of(copy, "copy"), lookup);
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_TRUE(std::any_of(found->matches.begin(), found->matches.end(), [&](const IndexMatch& match) {
        return match.page.id == std::to_string(i);
      })) << i;
    }
  };
  {
    auto index = PageIndex::open(folder / "index", options_for(named));
    ASSERT_TRUE(index);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_TRUE((*index)->add(input_of(texts[i], std::to_string(i))));
    }
    ASSERT_TRUE((*index)->compact());
    find_all(**index);
  }
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "index/tables")) {
    if (entry.path().extension() == ".tables") file = entry.path();
  }
  const auto segment = SearchSegment::open(file, SegmentMemory::kMapped);
  ASSERT_TRUE(segment) << segment.error().message;
  const TextRange range = (*segment)->texts();
  ASSERT_EQ(range.first, 0U);
  ASSERT_LE(range.end, texts.size());
  SearchHead ignoring(range.first, 100, true);
  const auto plain = PageAlgorithm::create("simhash-64");
  ASSERT_TRUE(plain);
  for (std::uint64_t text = range.first; text < range.end; ++text) {
    TextKeys keys;
    (*plain)->collect_keys(texts[text].fingerprint, keys);
    ignoring.add(text, keys);
  }
  ASSERT_TRUE(ignoring.write_segment(file, range.end));
  auto index = PageIndex::open(folder / "index", options_for(named));
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_THAT((*index)->statistics()->warnings, ::testing::Contains(::testing::HasSubstr("in place of keys")));
  find_all(**index);
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  EXPECT_TRUE(verification && verification->is_clean());
}

TEST(PageAlgorithm, TheIndexKeepsItsAlgorithm) {
  const TemporaryFolder folder;
  const std::vector<FingerprintedText> texts = texts_by("simhash-64", 3);
  {
    auto index = PageIndex::open(folder / "index", options_for("simhash-64"));
    ASSERT_TRUE(index);
    ASSERT_TRUE((*index)->add(input_of(texts[0], "a")));
    EXPECT_EQ((*index)->get_fingerprint("a").value(), texts[0].fingerprint);
    IndexPageInput without = input_of(texts[1], "b");
    without.fingerprint = nullptr;
    EXPECT_EQ((*index)->lookup_or_add(without, {}).error().code, ErrorCode::kInvalidArgument);
    const FingerprintedText empty = {texts[1].profile, {}};
    EXPECT_EQ((*index)->lookup(input_of(empty, "b"), {}).error().code, ErrorCode::kInvalidArgument);
    FingerprintedText longer = texts[1];
    longer.fingerprint.values.push_back(1);
    EXPECT_EQ((*index)->lookup(input_of(longer, "b"), {}).error().code, ErrorCode::kInvalidArgument);
  }
  IndexOptions options;  // as for subcommands that do not profile pages
  options.create_if_missing = false;
  {
    auto index = PageIndex::open(folder / "index", options);
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_THAT((*index)->algorithm(), ::testing::StartsWith("simhash-64:"));
    const Result<LookupOutcome> same = (*index)->lookup(input_of(texts[0], "b"), {});
    ASSERT_TRUE(same);
    EXPECT_EQ(same->verdict, Verdict::kSame);
  }
  options = options_for("simhash-64");
  options.algorithm = "simhash-128";
  const auto other = PageIndex::open(folder / "index", options);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, ::testing::HasSubstr("compares pages by simhash-64"));
}

TEST(PageAlgorithm, AKnownPageIsComparedWithItsEarlierVersion) {
  const TemporaryFolder folder;
  const std::vector<FingerprintedText> texts = texts_by("simhash-64", 2);
  auto index = PageIndex::open(folder / "index", options_for("simhash-64"));
  ASSERT_TRUE(index);
  AddOptions add;
  add.lookup.evidence = true;
  ASSERT_TRUE((*index)->lookup_or_add(input_of(texts[0], "a"), add));
  const Result<AddOutcome> changed = (*index)->lookup_or_add(input_of(texts[1], "a"), add);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->change, PageChange::kChanged);
  ASSERT_TRUE(changed->previous);
  const Match match =
      compare(FingerprintedPage{texts[1].fingerprint, texts[1].profile.content_characters},
              FingerprintedPage{texts[0].fingerprint, texts[0].profile.content_characters}, "simhash-64", {})
          .value();
  EXPECT_EQ(changed->previous->resemblance, match.resemblance);
  EXPECT_EQ((*index)->get_fingerprint("a").value(), texts[1].fingerprint);
}

}  // namespace
}  // namespace paraprint
