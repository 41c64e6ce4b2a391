// Compares the index with the batch: pages added to the index one by one and given to the batch all at once must give
// the same pairs with the same scores.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/verdict.h"
#include "engine/pair_scorer.h"
#include "index/candidates.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "report/verdict_text.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

struct Scores {
  Verdict verdict = Verdict::kDistinct;  // reads "the older page is <verdict> the younger"
  float resemblance = 0;
  float containment_older = 0;
  float containment_younger = 0;
  friend bool operator==(const Scores&, const Scores&) = default;
};
void PrintTo(const Scores& scores, std::ostream* stream) {
  *stream << verdict_name(scores.verdict) << ' ' << scores.resemblance << ' ' << scores.containment_older << ' '
          << scores.containment_younger;
}
// Keyed by the numbers of the pages, the older one first.
using ScoredPages = std::map<std::pair<std::uint64_t, std::uint64_t>, Scores>;

// Pages with different texts and without a site (a batch knows a site's template from the first page on, an index does
// not).
std::vector<Profile> random_world(std::uint64_t seed, std::size_t size) {
  ArticleGenerator generator(seed);
  std::vector<ArticleGenerator::Article> articles;
  std::vector<Profile> world;
  std::set<std::array<std::uint64_t, 2>> texts;
  while (world.size() < size) {
    const std::uint64_t kind = articles.empty() ? 0 : generator.below(10);
    const auto known = [&] { return articles[generator.below(articles.size())]; };
    if (kind < 3) {
      articles.push_back(generator.article(1 + generator.below(10)));
    } else if (kind < 5) {
      articles.push_back(generator.edited(known(), 1 + generator.below(6)));
    } else {
      articles.push_back(generator.reworded(known(), 1 + generator.below(75)));
    }
    Profile profile = ArticleGenerator::profile_of(articles.back());
    if (texts.insert(profile.text_hash).second) world.push_back(std::move(profile));
  }
  return world;
}

struct BatchAnswer {
  ScoredPages pairs;
  std::size_t by_sketch_alone = 0;
};

BatchAnswer batch_pairs(const std::vector<Profile>& world, const IndexOptions& options) {
  CandidateOptions candidate_options;
  candidate_options.simhash_distance_bits = options.candidates.candidate_bits;
  candidate_options.join_sketches = options.match.whole_text;
  CandidateBuilder builder(candidate_options);
  for (std::uint32_t page = 0; page < world.size(); ++page) {
    EXPECT_TRUE(builder.add_page(page, searched_page(world[page], {}, candidate_options)));
  }
  EXPECT_TRUE(builder.finish());
  ParagraphMatcher matcher(options.match);
  BatchAnswer answer;
  const Status listed = builder.for_each_candidate([&](const CandidatePair& pair) {
    const Profile& older = world[pair.page_a];
    const Profile& younger = world[pair.page_b];
    const std::uint32_t smaller = std::min(older.content_characters, younger.content_characters);
    if (pair.weight < options.match.overlap_share * smaller) return;
    const Match match = match_of(matcher.score(older, younger, {}, {}), pair.page_a, pair.page_b, options.match);
    if (match.verdict == Verdict::kDistinct || !is_worth_storing(match, options.match)) return;
    answer.by_sketch_alone += pair.sources == kSourceSketch ? 1 : 0;
    answer.pairs[{pair.page_a, pair.page_b}] = {match.verdict, match.resemblance, match.containment_a,
                                                match.containment_b};
  });
  EXPECT_TRUE(listed);
  return answer;
}

ScoredPages online_pairs(const std::vector<Profile>& world, const IndexOptions& options) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", options);
  EXPECT_TRUE(index);
  AddOptions add_options;
  add_options.lookup.all = true;
  add_options.lookup.matches = 10'000;
  add_options.lookup.max_candidates = 10'000;
  ScoredPages pairs;
  for (std::uint64_t page = 0; page < world.size(); ++page) {
    IndexPageInput input;
    const std::string id = std::to_string(page);
    input.id = id;
    input.profile = &world[page];
    const Result<AddOutcome> answer = (*index)->lookup_or_add(input, add_options);
    EXPECT_TRUE(answer);
    if (!answer) return pairs;
    EXPECT_EQ(answer->lookup.work.keys_over_cap, 0U);
    for (const IndexMatch& match : answer->lookup.matches) {
      pairs[{std::stoull(match.page.id), page}] = {reversed(match.verdict), match.resemblance, match.containment_known,
                                                   match.containment_asked};
    }
  }
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  EXPECT_TRUE(verification && verification->is_clean());
  return pairs;
}

void expect_same(const ScoredPages& online, const ScoredPages& batch) {
  const auto without = [](const ScoredPages& pairs, const ScoredPages& others) {
    ScoredPages rest;
    std::set_difference(pairs.begin(), pairs.end(), others.begin(), others.end(), std::inserter(rest, rest.end()),
                        [](const auto& x, const auto& y) { return x.first < y.first; });
    return rest;
  };
  EXPECT_THAT(without(online, batch), ::testing::IsEmpty());
  EXPECT_THAT(without(batch, online), ::testing::IsEmpty());
  for (const auto& [pages, scores] : batch) {
    const auto found = online.find(pages);
    if (found == online.end()) continue;
    EXPECT_EQ(found->second, scores) << pages.first << ' ' << pages.second;
  }
}

class BatchAgreement : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static IndexOptions options() {
    IndexOptions options;
    options.identity = "test";
    options.sync = SyncMode::kNone;
    options.head_pages = 64;  // small, so that most texts are in segments
    return options;
  }
};

TEST_P(BatchAgreement, FindsTheSamePairsWithTheSameScores) {
  const std::vector<Profile> world = random_world(GetParam(), 400);
  const BatchAnswer batch = batch_pairs(world, options());
  EXPECT_GT(batch.by_sketch_alone, 50U);
  expect_same(online_pairs(world, options()), batch.pairs);
}

TEST_P(BatchAgreement, AgreesWithoutWholeTextMatching) {
  IndexOptions without = options();
  without.match.whole_text = false;
  const std::vector<Profile> world = random_world(GetParam(), 200);
  const BatchAnswer batch = batch_pairs(world, without);
  EXPECT_EQ(batch.by_sketch_alone, 0U);
  expect_same(online_pairs(world, without), batch.pairs);
}

TEST_P(BatchAgreement, AgreesWithExactKeysOnly) {
  IndexOptions without = options();
  without.candidates.candidate_bits = -1;
  const std::vector<Profile> world = random_world(GetParam(), 200);
  expect_same(online_pairs(world, without), batch_pairs(world, without).pairs);
}

INSTANTIATE_TEST_SUITE_P(Worlds, BatchAgreement, ::testing::Range<std::uint64_t>(100, 106));

}  // namespace
}  // namespace paraprint
