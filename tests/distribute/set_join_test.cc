// The overlap join of sets, divided among tasks, finds what it finds in one process: made-up sets for each measure,
// also where caps leave pairs out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "distribute/batched_page.h"
#include "distribute/divided_run.h"
#include "distribute/fetched_pages.h"
#include "distribute/fingerprint_index.h"
#include "distribute/records.h"
#include "distribute/sets/page_sets.h"
#include "distribute/sets/set_records.h"
#include "engine/fingerprint_match.h"
#include "index/overlap_rule.h"
#include "lab/joins/fingerprint_candidates.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_match.h"
#include "profile/registry.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kContentCharacters = 1000;  // of every page

using Elements = std::map<std::uint64_t, float>;  // weight by value

PageFingerprint fingerprint_of(const Elements& elements, bool has_weights) {
  PageFingerprint fingerprint;
  fingerprint.state = elements.empty() ? FingerprintState::kShort : FingerprintState::kUsable;
  fingerprint.text_hash = {elements.size(), 1};
  for (const auto& [value, weight] : elements) {
    fingerprint.values.push_back(value);
    if (has_weights) fingerprint.weights.push_back(weight);
  }
  return fingerprint;
}

// Sets of up to `largest` of `element_count` elements, small numbers far more often, and copies of earlier sets of
// which a few elements are changed, or none. Some sets are empty.
std::vector<Elements> random_sets(std::uint64_t seed, std::size_t set_count, std::uint64_t element_count,
                                  std::size_t largest) {
  std::mt19937_64 random(seed);
  const auto element = [&] {
    const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
    return static_cast<std::uint64_t>(std::pow(static_cast<double>(element_count), uniform)) * 0x9E3779B97F4A7C15ULL;
  };
  const auto weight = [&] { return static_cast<float>(random() % 5); };
  std::vector<Elements> sets;
  for (std::size_t i = 0; i < set_count; ++i) {
    Elements set;
    if (i > 0 && random() % 3 != 0) {
      set = sets[random() % i];
      for (std::uint64_t edits = random() % 4; edits > 0 && !set.empty(); --edits) {
        if (random() % 2 == 0) set.erase(std::next(set.begin(), static_cast<std::ptrdiff_t>(random() % set.size())));
        if (random() % 2 == 0 && set.size() < largest) set[element()] = weight();
      }
    } else {
      for (std::uint64_t size = random() % (largest + 1); size > 0; --size) set[element()] = weight();
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

struct FoundMatch {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
  float resemblance = 0;
  friend auto operator<=>(const FoundMatch&, const FoundMatch&) = default;
};

class SetJoinTest : public ::testing::Test {
 protected:
  // What a run in one process stores of these pages.
  std::vector<FoundMatch> matches_in_one_process(std::span<const PageFingerprint> fingerprints, Counters& counters) {
    const Result<AlgorithmChoice> algorithm = choose_algorithm(options_.profile.algorithm);
    EXPECT_TRUE(algorithm.has_value());
    const std::unique_ptr<PageFingerprinter> fingerprinter = algorithm->make();
    FingerprintCandidateOptions search;
    search.resemblance_minimum = fingerprinter->threshold();
    search.caps.group_cap = options_.candidates.group_cap;
    search.spill = {folder_.path(), std::uint64_t{64} << 20};
    std::vector<FoundMatch> matches;
    const auto visit = [&](std::uint32_t a, std::uint32_t b) -> Status {
      const FingerprintSimilarity similarity = similarity_of(*fingerprinter, fingerprints[a], fingerprints[b]);
      const Match match =
          match_of(similarity, fingerprinter->threshold(), kContentCharacters, kContentCharacters, options_.match);
      if (has_resemblance(match, fingerprinter->threshold())) matches.push_back({a, b, match.resemblance});
      return {};
    };
    EXPECT_TRUE(find_fingerprint_candidates(*fingerprinter, fingerprints, {}, search, counters, visit).has_value());
    std::sort(matches.begin(), matches.end());
    return matches;
  }

  std::vector<FoundMatch> divided_matches(std::span<const PageFingerprint> fingerprints, std::uint32_t tasks,
                                          DividedRun::Counters& counters) {
    ProfiledPages pages;
    for (const PageFingerprint& fingerprint : fingerprints) {
      distribute::DriverPage page;
      page.content_characters = kContentCharacters;
      ByteWriter facts(pages.facts);
      distribute::write_page(page, facts);
      std::string bytes;
      encode_fingerprint(fingerprint, bytes);
      distribute::write_batched_page({"profile", bytes}, pages.profiles);
      ++pages.pages;
    }
    DividedRun run(options_, folder_.path(), tasks);
    const Result<std::vector<Parcel>> parcels = run.match_pages(pages);
    EXPECT_TRUE(parcels.has_value()) << parcels.error().message;
    std::vector<FoundMatch> matches;
    for (const Parcel& parcel : *parcels) {
      EXPECT_TRUE(distribute::for_each_record(parcel.bytes, "matches", distribute::read_match,
                                              [&](const Match& match) -> Status {
                                                matches.push_back({match.page_a, match.page_b, match.resemblance});
                                                return {};
                                              })
                      .has_value());
    }
    counters = run.counters();
    std::sort(matches.begin(), matches.end());
    return matches;
  }

  // Returns the matches of one process, and its counters.
  std::vector<FoundMatch> expect_same(std::span<const PageFingerprint> fingerprints,
                                      std::initializer_list<std::uint32_t> tasks, Counters& whole) {
    std::vector<FoundMatch> matches = matches_in_one_process(fingerprints, whole);
    for (const std::uint32_t count : tasks) {
      SCOPED_TRACE(fmt::format("{} tasks", count));
      DividedRun::Counters divided;
      EXPECT_EQ(divided_matches(fingerprints, count, divided), matches);
      for (const char* name :
           {"candidate_pairs", "pairs_not_generated", "postings_read", "postings_not_read", "pages_usable"}) {
        EXPECT_EQ(divided[name], whole[name]) << name;
      }
    }
    return matches;
  }

  std::vector<FoundMatch> expect_same(const std::vector<Elements>& sets, bool has_weights,
                                      std::initializer_list<std::uint32_t> tasks, Counters& whole) {
    std::vector<PageFingerprint> fingerprints;
    for (const Elements& set : sets) fingerprints.push_back(fingerprint_of(set, has_weights));
    return expect_same(fingerprints, tasks, whole);
  }

  TemporaryFolder folder_;
  DedupOptions options_;
};

struct MeasuredAlgorithm {
  const char* name;
  bool has_weights;
};
constexpr MeasuredAlgorithm kMeasuredAlgorithms[] = {{"shingle", false},
                                                     {"shingle:measure=containment", false},
                                                     {"keyword-cosine:keywords=1000", true},
                                                     {"spotsigs", true}};

std::string with_threshold(const char* algorithm, double threshold) {
  const bool has_parameters = std::string_view(algorithm).find(':') != std::string_view::npos;
  return fmt::format("{}{}threshold={}", algorithm, has_parameters ? ',' : ':', threshold);
}

TEST_F(SetJoinTest, EveryMeasureFindsTheSameMatches) {
  for (const MeasuredAlgorithm& algorithm : kMeasuredAlgorithms) {
    std::uint64_t seed = 0;
    for (const double threshold : {0.05, 0.3, 0.5, 0.8, 1.0}) {
      for (const std::size_t largest : {3, 30}) {
        options_.profile.algorithm = with_threshold(algorithm.name, threshold);
        SCOPED_TRACE(fmt::format("{} {}", options_.profile.algorithm, largest));
        Counters whole;
        expect_same(random_sets(++seed, 200, largest == 3 ? 20 : 2000, largest), algorithm.has_weights, {1, 2, 7},
                    whole);
        EXPECT_GT(whole["candidate_pairs"], 0U);
      }
    }
  }
}

TEST_F(SetJoinTest, GroupsOfEqualSetsOverTheCap) {
  options_.candidates.group_cap = 5;
  for (const MeasuredAlgorithm& algorithm : kMeasuredAlgorithms) {
    options_.profile.algorithm = with_threshold(algorithm.name, 0.4);
    SCOPED_TRACE(options_.profile.algorithm);
    std::vector<Elements> sets = random_sets(1, 40, 100, 8);
    std::mt19937 random(2);
    for (int copies = 0; copies < 200; ++copies) sets.push_back(sets[random() % 10]);
    Counters whole;
    expect_same(sets, algorithm.has_weights, {1, 4}, whole);
    EXPECT_GT(whole["pairs_not_generated"], 0U);
  }
}

TEST_F(SetJoinTest, NothingToFind) {
  options_.profile.algorithm = "spotsigs";
  Counters whole;
  EXPECT_TRUE(expect_same(std::vector<Elements>{}, true, {1, 3}, whole).empty());
  EXPECT_TRUE(expect_same({{{1, 1}}, {{2, 1}}, {{3, 0}}, {{3, 0}, {4, 0}}}, true, {1, 3}, whole).empty());
}

// So many sets have `kCrowded` that a set is not compared with all of them. p and q meet at `kLater` instead, and what
// they have in common from there on decides: enough for one such pair, and not for another one.
TEST_F(SetJoinTest, SetsThatMeetAfterAValueThatTooManyHave) {
  options_.profile.algorithm = "spotsigs:threshold=0.5";
  constexpr std::uint64_t kCrowded = 11;
  constexpr std::uint64_t kLater = 12;
  constexpr std::uint64_t kOfP = 13;
  constexpr std::uint64_t kOfQ = 14;
  std::uint64_t next_value = 1000;
  std::vector<Elements> sets;
  // None of these reaches the minimum with another one, but each is found by the crowded value.
  for (std::uint32_t i = 0; i < kPostingCap + 500; ++i) {
    const std::uint32_t total = 30010 + i;
    const std::uint32_t rest = (2 * total + 2) / 3;
    sets.push_back({{kCrowded, static_cast<float>(rest - 3)},
                    {kLater, 1},
                    {kOfP, 1},
                    {kOfQ, 1},
                    {next_value++, static_cast<float>(total - rest)}});
  }
  // These make the other values more frequent than the crowded one.
  for (int i = 0; i < 300; ++i) sets.push_back({{kLater, 1}, {kOfP, 1}, {kOfQ, 1}, {next_value++, 5000}});
  for (int i = 0; i < 300; ++i) sets.push_back({{kOfP, 1}, {kOfQ, 1}, {next_value++, 5000}});
  const auto p = static_cast<std::uint32_t>(sets.size());
  sets.push_back({{kCrowded, 3000}, {kLater, 24000}, {kOfP, 3001}});
  sets.push_back({{kCrowded, 1000}, {kLater, 26900}, {kOfP, 2100}});
  const auto q = static_cast<std::uint32_t>(sets.size());
  sets.push_back({{kCrowded, 3000}, {kLater, 24000}, {kOfQ, 23000}});
  sets.push_back({{kCrowded, 3000}, {kLater, 26900}, {kOfQ, 20100}});
  Counters whole;
  const std::vector<FoundMatch> matches = expect_same(sets, true, {3}, whole);
  EXPECT_GT(whole["postings_not_read"], 0U);
  const auto has_match = [&](std::uint32_t a, std::uint32_t b) {
    return std::any_of(matches.begin(), matches.end(),
                       [&](const FoundMatch& match) { return match.page_a == a && match.page_b == b; });
  };
  const PageFingerprint fingerprint_p = fingerprint_of(sets[p], true);
  const PageFingerprint fingerprint_q = fingerprint_of(sets[q], true);
  const auto fingerprinter = choose_algorithm("spotsigs")->make();
  EXPECT_GE(fingerprinter->similarity(fingerprint_p, fingerprint_q).resemblance, 0.5);
  EXPECT_FALSE(has_match(p, q));
  EXPECT_TRUE(has_match(p + 1, q + 1));
}

// A plan that no algorithm has: part of the values.
TEST_F(SetJoinTest, LeadingValuesAreTheSet) {
  const distribute::sets::PageSets sets(
      SetOverlapPlan{.measure = SetMeasure::kJaccard, .similarity_minimum = 0.5, .leading_values = 2});
  const PageFingerprint fingerprint = fingerprint_of({{1, 1}, {2, 1}, {3, 1}}, false);
  const auto set = sets.set_of(fingerprint);
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(std::vector<std::uint64_t>(set->values.begin(), set->values.end()), (std::vector<std::uint64_t>{1, 2}));
}

// The decision ends early where counts allow it; it is that of all common elements.
TEST_F(SetJoinTest, CountsDecideAsAllCommonElementsDo) {
  std::size_t matches = 0;
  std::size_t others = 0;
  for (const SetMeasure measure : {SetMeasure::kJaccard, SetMeasure::kContainment}) {
    for (const double threshold : {0.05, 0.3, 0.5, 2.0 / 3, 0.8, 1.0}) {
      const distribute::sets::PageSets sets(SetOverlapPlan{.measure = measure, .similarity_minimum = threshold});
      std::vector<PageFingerprint> fingerprints;
      for (const Elements& elements : random_sets(7, 120, 300, 25)) {
        fingerprints.push_back(fingerprint_of(elements, false));
      }
      for (const PageFingerprint& a : fingerprints) {
        for (const PageFingerprint& b : fingerprints) {
          std::vector<std::uint64_t> common;
          std::set_intersection(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                                std::back_inserter(common));
          const auto count = static_cast<double>(common.size());
          const auto larger = static_cast<double>(std::max(a.values.size(), b.values.size()));
          const auto smaller = static_cast<double>(std::min(a.values.size(), b.values.size()));
          const bool expected = measure == SetMeasure::kJaccard
                                    ? JaccardRule(threshold).matches(count, larger, smaller)
                                    : ContainmentRule(threshold).matches(count, larger, smaller);
          ++(expected ? matches : others);
          ASSERT_EQ(sets.matches(*sets.set_of(a), *sets.set_of(b)), expected)
              << threshold << ": " << count << " of " << larger << " and " << smaller;
        }
      }
    }
  }
  EXPECT_GT(matches, 1000U);
  EXPECT_GT(others, 1000U);
}

// A page of a crowd is in many pairs, in whose order it comes again after all others.
TEST_F(SetJoinTest, SetsStayDecodedWhilePairsMayHaveThem) {
  const auto algorithm = choose_algorithm("shingle");
  ASSERT_TRUE(algorithm.has_value());
  const auto index = distribute::FingerprintIndex::create(*algorithm);
  ASSERT_TRUE(index.has_value()) << index.error().message;
  for (const std::uint64_t memory_bytes : {std::uint64_t{1} << 30, std::uint64_t{1}}) {  // and without room for any
    MemoryBudget budget(memory_bytes, folder_.path());
    const SiteBoilerplate boilerplate;
    const auto fetched = distribute::make_fetched_pages(&*index, boilerplate, {}, folder_.path(), &budget);
    for (std::uint32_t page = 0; page < 4; ++page) {
      std::string bytes;
      encode_fingerprint(fingerprint_of({{page + 1, 1}, {page + 100, 1}}, false), bytes);
      ASSERT_TRUE(fetched->add({page, kContentCharacters, {}, {}, bytes}));
    }
    std::map<std::uint32_t, const std::uint64_t*> places;
    for (std::uint32_t a = 0; a < 4; ++a) {
      for (std::uint32_t b = a + 1; b < 4; ++b) {
        const auto compared = fetched->compared_sets(a, b);
        ASSERT_TRUE(compared.has_value()) << compared.error().message;
        EXPECT_EQ(compared->a.values.front(), a + 1);
        EXPECT_EQ(compared->b.values.back(), b + 100);
        const auto place = places.emplace(b, compared->b.values.data()).first;
        if (memory_bytes > 1) {
          EXPECT_EQ(place->second, compared->b.values.data()) << "decoded again: " << b;
        }
      }
    }
    EXPECT_EQ(fetched->compared_sets(0, 9).error().code, ErrorCode::kNotFound);
  }
}

TEST_F(SetJoinTest, FingerprintsThatAreNoSetsAreCorrupt) {
  const distribute::sets::PageSets sets(
      SetOverlapPlan{.measure = SetMeasure::kWeightedJaccard, .similarity_minimum = 0.5});
  const auto code_of = [&](std::vector<std::uint64_t> values, std::vector<float> weights) {
    PageFingerprint fingerprint;
    fingerprint.state = FingerprintState::kUsable;
    fingerprint.values = std::move(values);
    fingerprint.weights = std::move(weights);
    const auto set = sets.set_of(fingerprint);
    return set ? std::optional<ErrorCode>() : set.error().code;
  };
  EXPECT_EQ(code_of({1, 2}, {0, 1}), std::nullopt);
  EXPECT_EQ(code_of({2, 2}, {1, 1}), ErrorCode::kCorruptData);
  EXPECT_EQ(code_of({2, 1}, {1, 1}), ErrorCode::kCorruptData);
  EXPECT_EQ(code_of({1, 2}, {1}), ErrorCode::kCorruptData);
  EXPECT_EQ(code_of({1, 2}, {1, -1}), ErrorCode::kCorruptData);
  EXPECT_EQ(code_of({1, 2}, {1, std::numeric_limits<float>::infinity()}), ErrorCode::kCorruptData);
}

// Bytes of tasks and of the work folder, changed on their way.
class SetStageTest : public ::testing::Test {
 protected:
  SetStageTest() { options_.profile.algorithm = "spotsigs"; }

  Result<std::unique_ptr<StageTask>> create_task(std::string_view stage) {
    StageSettings settings;
    settings.stage = stage;
    settings.first_pages = {0, 10};
    settings.temporary_folder = folder_.path();
    return StageTask::create(options_, settings);
  }

  // The first error of a task with one parcel and one page, which has the values 5 and 7.
  std::optional<ErrorCode> error_of(std::string_view stage, std::string_view kind, std::string_view parcel) {
    Result<std::unique_ptr<StageTask>> task = create_task(stage);
    EXPECT_TRUE(task.has_value());
    if (Status added = (*task)->add_parcel(kind, parcel); !added) return added.error().code;
    if (Status ended = (*task)->end_parcels(); !ended) return ended.error().code;
    std::string facts;
    ByteWriter out(facts);
    distribute::write_page({}, out);
    std::string fingerprint;
    encode_fingerprint(fingerprint_of({{5, 1}, {7, 1}}, true), fingerprint);
    std::string profiles;
    distribute::write_batched_page({"profile", fingerprint}, profiles);
    if ((*task)->needs_pages(0, 1)) {
      if (Status added = (*task)->add_pages(0, facts, profiles); !added) return added.error().code;
    }
    Status finished = (*task)->finish();
    return finished ? std::optional<ErrorCode>() : finished.error().code;
  }

  TemporaryFolder folder_;
  DedupOptions options_;
};

TEST_F(SetStageTest, RejectsForeignBytes) {
  const std::pair<const char*, const char*> taken[] = {{"count-values", "set-values"}, {"order-sets", "frequencies"},
                                                       {"join-sets", "postings"},      {"select", "meetings"},
                                                       {"verify", "orders"},           {"verify", "selected-meetings"}};
  for (const auto& [stage, kind] : taken) {
    SCOPED_TRACE(kind);
    EXPECT_EQ(error_of(stage, kind, ""), std::nullopt);
    EXPECT_EQ(error_of(stage, kind, "\xff\xff\xff"), ErrorCode::kCorruptData);
    EXPECT_EQ(error_of(stage, "words", ""), ErrorCode::kInvalidArgument);
  }
}

TEST_F(SetStageTest, RejectsPagesOfOtherTasksAndRuns) {
  std::string bytes;
  ByteWriter out(bytes);
  distribute::sets::write_set_values({10, {1, 2}, {{0, 5}}}, out);
  EXPECT_EQ(error_of("count-values", "set-values", std::exchange(bytes, {})), ErrorCode::kCorruptData);
  distribute::sets::write_set_postings({10, 10, 1, {{5, 0, 1, true, true}}}, out);
  EXPECT_EQ(error_of("join-sets", "postings", std::exchange(bytes, {})), ErrorCode::kCorruptData);
  distribute::sets::write_value_frequency({10, 0, 2, 10}, out);
  EXPECT_EQ(error_of("order-sets", "frequencies", bytes), ErrorCode::kCorruptData);
  EXPECT_EQ(error_of("verify", "orders", std::exchange(bytes, {})), ErrorCode::kCorruptData);
  distribute::sets::write_set_meeting({1, 10, 0, 0}, out);
  EXPECT_EQ(error_of("select", "meetings", bytes), ErrorCode::kCorruptData);
  EXPECT_EQ(error_of("verify", "selected-meetings", bytes), ErrorCode::kCorruptData);
}

TEST_F(SetStageTest, RejectsFrequenciesOfOtherSets) {
  const auto error_with = [&](const std::vector<distribute::sets::ValueFrequency>& frequencies) {
    std::string bytes;
    ByteWriter out(bytes);
    for (const auto& element : frequencies) distribute::sets::write_value_frequency(element, out);
    return error_of("order-sets", "frequencies", bytes);
  };
  EXPECT_EQ(error_with({{0, 0, 2, 0}, {0, 1, 3, 0}}), std::nullopt);
  EXPECT_EQ(error_with({{0, 2, 2, 0}}), ErrorCode::kCorruptData);
  EXPECT_EQ(error_with({{0, 1, 2, 0}, {0, 1, 2, 0}}), ErrorCode::kCorruptData);
  EXPECT_EQ(error_with({{0, 1, 1, 0}}), ErrorCode::kCorruptData);
  EXPECT_EQ(error_with({{3, 1, 2, 0}}), ErrorCode::kNotFound);  // the page is in no batch
}

TEST_F(SetStageTest, OtherAlgorithmsJoinNoSets) {
  options_.profile.algorithm = "minhash";
  for (const char* stage : {"count-values", "order-sets", "join-sets"}) {
    EXPECT_EQ(create_task(stage).error().code, ErrorCode::kInvalidArgument);
  }
  std::string bytes;
  ByteWriter out(bytes);
  distribute::sets::write_set_meeting({1, 2, 0, 0}, out);
  EXPECT_EQ(error_of("verify", "selected-meetings", bytes), ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace paraprint
