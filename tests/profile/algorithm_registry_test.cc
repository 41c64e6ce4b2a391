// Properties of every page-level algorithm, present and future, tested over the rows of the registry. The quality of an
// algorithm is tested next to its own code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/generated_pages.h"
#include "lab/joins/fingerprint_candidates.h"
#include "profile/fingerprint_codec.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

constexpr std::size_t kPages = 60;
constexpr double kRounding = 1e-9;

const std::vector<ReadPage>& generated_pages() {
  static const std::vector<ReadPage> pages = PageGenerator(20240501).pages(kPages);
  return pages;
}
const std::vector<ReadPage>& odd_pages() {
  static const std::vector<ReadPage> pages = PageGenerator(1).odd_pages();
  return pages;
}

class AlgorithmRegistry : public testing::TestWithParam<std::size_t> {
 protected:
  const AlgorithmRow& row() const { return algorithm_rows()[GetParam()]; }
  // The paragraph method consists of stages of its own and is tested there.
  bool is_page_level() const { return row().factory != nullptr; }
  std::span<const ParameterInfo> parameters() const {
    return is_page_level() ? row().factory->parameters : std::span<const ParameterInfo>{};
  }
  std::unique_ptr<PageFingerprinter> make(const std::string& specification) const {
    Result<AlgorithmChoice> choice = choose_algorithm(specification);
    EXPECT_TRUE(choice.has_value()) << (choice ? "" : choice.error().message);
    return choice->make();
  }
  std::unique_ptr<PageFingerprinter> make_default() const { return make(std::string(row().name)); }

  static std::string value_text(const ParameterInfo& parameter, double value) {
    if (!parameter.choices.empty()) return std::string(parameter.choices[static_cast<std::size_t>(value)]);
    return fmt::format("{}", value);
  }

  // Each parameter at both ends of its range, or at each of its choices, with the others at their defaults; then all at
  // their minimum and all at their maximum, except distances that would need too many tables (rejected, see
  // algorithm_choice_test.cc).
  std::vector<std::string> extreme_specifications() const {
    std::vector<std::string> specifications;
    std::string least = std::string(row().name) + ":";
    std::string most = least;
    for (const ParameterInfo& parameter : parameters()) {
      std::vector<double> values = {parameter.minimum, parameter.maximum};
      for (std::size_t choice = 1; choice + 1 < parameter.choices.size(); ++choice) {
        values.push_back(static_cast<double>(choice));
      }
      for (const double value : values) {
        specifications.push_back(fmt::format("{}:{}={}", row().name, parameter.name, value_text(parameter, value)));
      }
      least += fmt::format("{}={},", parameter.name, value_text(parameter, parameter.minimum));
      if (parameter.name == "tables") continue;
      most += fmt::format("{}={},", parameter.name, value_text(parameter, parameter.maximum));
    }
    specifications.push_back(least.substr(0, least.size() - 1));
    specifications.push_back(most.substr(0, most.size() - 1));
    return specifications;
  }
};

void expect_similarity(const FingerprintSimilarity& similarity) {
  for (const double value : {similarity.resemblance, similarity.containment_a, similarity.containment_b}) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
}

void expect_symmetric(const FingerprintSimilarity& forward, const FingerprintSimilarity& backward) {
  EXPECT_EQ(forward.resemblance, backward.resemblance);
  EXPECT_EQ(forward.containment_a, backward.containment_b);
  EXPECT_EQ(forward.containment_b, backward.containment_a);
}

void expect_codec_round_trip(const PageFingerprint& fingerprint) {
  std::string bytes;
  encode_fingerprint(fingerprint, bytes);
  PageFingerprint decoded;
  ASSERT_TRUE(decode_fingerprint(bytes, decoded));
  EXPECT_EQ(decoded, fingerprint);
}

std::vector<PageFingerprint> fingerprints_of(PageFingerprinter& method, std::span<const ReadPage> pages) {
  std::vector<PageFingerprint> fingerprints;
  for (const ReadPage& page : pages) fingerprints.push_back(fingerprint_of(method, page));
  return fingerprints;
}

void expect_sound_fingerprints(PageFingerprinter& method, std::span<const ReadPage> pages,
                               std::span<const PageFingerprint> fingerprints) {
  for (std::size_t i = 0; i < pages.size(); ++i) {
    SCOPED_TRACE(pages[i].name);
    EXPECT_EQ(fingerprint_of(method, pages[i]), fingerprints[i]);  // after all others: no state is left of them
    expect_codec_round_trip(fingerprints[i]);
    EXPECT_TRUE(fingerprints[i].weights.empty() || fingerprints[i].weights.size() == fingerprints[i].values.size());
    for (const float weight : fingerprints[i].weights) EXPECT_TRUE(std::isfinite(weight));
    if (fingerprints[i].state == FingerprintState::kUsable) {
      EXPECT_TRUE(method.has_shape(fingerprints[i]));
      EXPECT_FALSE(method.has_shape({FingerprintState::kUsable, {}, {}, {}}));
    }
  }
}

// A usable page is a copy of itself, and has keys if its index uses keys.
void expect_found_by_itself(const PageFingerprinter& method, const PageFingerprint& fingerprint) {
  if (fingerprint.state != FingerprintState::kUsable) return;
  const FingerprintSimilarity self = similarity_of(method, fingerprint, fingerprint);
  EXPECT_NEAR(self.resemblance, 1, kRounding);
  EXPECT_GE(self.resemblance, method.threshold());
  const IndexPlan plan = method.index_plan(method.threshold());
  const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan);
  if (by_keys == nullptr) return;
  std::vector<std::uint64_t> keys;
  method.index_keys(fingerprint, *by_keys, keys);
  EXPECT_GE(keys.size(), by_keys->common_keys_minimum);
}

// Checks all that must hold for any pages and any parameters.
void expect_sound(PageFingerprinter& method, std::span<const ReadPage> pages) {
  EXPECT_GE(method.threshold(), 0);
  EXPECT_LE(method.threshold(), 1);
  EXPECT_LE(method.sweep_minimum(), method.threshold());
  std::vector<PageFingerprint> fingerprints = fingerprints_of(method, pages);
  expect_sound_fingerprints(method, pages, fingerprints);
  method.prepare(fingerprints);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    SCOPED_TRACE(pages[i].name);
    expect_found_by_itself(method, fingerprints[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const FingerprintSimilarity forward = similarity_of(method, fingerprints[i], fingerprints[j]);
      expect_similarity(forward);
      expect_symmetric(forward, similarity_of(method, fingerprints[j], fingerprints[i]));
    }
  }
}

TEST_P(AlgorithmRegistry, HasACanonicalSpecification) {
  const Result<std::string> canonical = canonical_algorithm(row().name);
  ASSERT_TRUE(canonical.has_value());
  EXPECT_EQ(canonical_algorithm(*canonical).value(), *canonical);
  for (const ParameterInfo& parameter : parameters()) {
    SCOPED_TRACE(parameter.name);
    EXPECT_FALSE(parameter.summary.empty());
    EXPECT_LE(parameter.minimum, parameter.default_value);
    EXPECT_LE(parameter.default_value, parameter.maximum);
    if (!parameter.choices.empty()) {
      EXPECT_EQ(parameter.minimum, 0);
      EXPECT_EQ(parameter.maximum, static_cast<double>(parameter.choices.size() - 1));
    }
  }
  if (parameters().empty()) return;
  for (const std::string& specification : extreme_specifications()) {
    const Result<std::string> extreme = canonical_algorithm(specification);
    ASSERT_TRUE(extreme.has_value()) << extreme.error().message;
    EXPECT_EQ(canonical_algorithm(*extreme).value(), *extreme);
    EXPECT_EQ(choose_algorithm(*extreme)->values, choose_algorithm(specification)->values);
  }
}

TEST_P(AlgorithmRegistry, IsSoundOnGeneratedPages) {
  if (!is_page_level()) return;
  const auto method = make_default();
  expect_sound(*method, generated_pages());
  const auto other = make_default();
  EXPECT_EQ(fingerprints_of(*method, generated_pages()), fingerprints_of(*other, generated_pages()));
}

// What share of a is in b differs from what share of b is in a as soon as the pages are of different length. An
// algorithm that never tells the two apart measures a similarity, and a page must not be called contained, or removed,
// by it.
void expect_containment_is_none_or_one_sided(PageFingerprinter& method) {
  std::vector<PageFingerprint> fingerprints = fingerprints_of(method, generated_pages());
  method.prepare(fingerprints);
  double largest = 0;
  bool is_one_sided = false;
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both_usable =
          fingerprints[i].state == FingerprintState::kUsable && fingerprints[j].state == FingerprintState::kUsable;
      if (!both_usable || fingerprints[i] == fingerprints[j]) continue;
      const FingerprintSimilarity similarity = similarity_of(method, fingerprints[i], fingerprints[j]);
      largest = std::max({largest, similarity.containment_a, similarity.containment_b});
      is_one_sided = is_one_sided || similarity.containment_a != similarity.containment_b;
    }
  }
  EXPECT_TRUE(largest == 0 || is_one_sided) << "containments up to " << largest;
}

TEST_P(AlgorithmRegistry, SymmetricMeasuresGiveNoContainment) {
  if (!is_page_level()) return;
  // Not at the limits of numbers: a sample of one shingle cannot tell the sides apart either.
  std::vector<std::string> specifications = {std::string(row().name)};
  for (const ParameterInfo& parameter : parameters()) {
    for (const std::string_view choice : parameter.choices) {
      specifications.push_back(fmt::format("{}:{}={}", row().name, parameter.name, choice));
    }
  }
  for (const std::string& specification : specifications) {
    SCOPED_TRACE(specification);
    expect_containment_is_none_or_one_sided(*make(specification));
  }
}

TEST_P(AlgorithmRegistry, EqualPagesAreCopies) {
  if (!is_page_level()) return;
  const auto method = make_default();
  std::vector<PageFingerprint> fingerprints = fingerprints_of(*method, generated_pages());
  method->prepare(fingerprints);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (generated_pages()[i].page.body != generated_pages()[j].page.body) continue;
      ++compared;
      EXPECT_GE(similarity_of(*method, fingerprints[i], fingerprints[j]).resemblance, method->threshold());
    }
  }
  EXPECT_GE(compared, kPages / 6);  // one exact copy of each original
}

TEST_P(AlgorithmRegistry, UnrelatedPagesAreNotCopies) {
  if (!is_page_level()) return;
  const auto method = make_default();
  std::vector<PageFingerprint> fingerprints = fingerprints_of(*method, generated_pages());
  method->prepare(fingerprints);
  for (std::size_t i = 0; i < fingerprints.size(); i += 6) {
    for (std::size_t j = 0; j < i; j += 6) {  // originals
      EXPECT_LT(similarity_of(*method, fingerprints[i], fingerprints[j]).resemblance, method->threshold())
          << generated_pages()[i].name << ", " << generated_pages()[j].name;
    }
  }
}

// The index finds the pairs at the threshold: all of them, or the share that the algorithm promises.
TEST_P(AlgorithmRegistry, IndexFindsPairsAtTheThreshold) {
  if (!is_page_level()) return;
  const auto method = make_default();
  std::vector<PageFingerprint> fingerprints = fingerprints_of(*method, generated_pages());
  method->prepare(fingerprints);
  FingerprintCandidateOptions options;
  options.resemblance_minimum = method->threshold();
  options.spill = {std::filesystem::temp_directory_path(), std::uint64_t{1} << 24};
  std::set<std::pair<std::uint32_t, std::uint32_t>> candidates;
  Counters counters;
  ASSERT_TRUE(find_fingerprint_candidates(*method, fingerprints, {}, options, counters,
                                          [&](std::uint32_t a, std::uint32_t b) -> Status {
                                            EXPECT_LT(a, b);
                                            EXPECT_TRUE(candidates.emplace(a, b).second) << a << " " << b;
                                            return {};
                                          }));
  std::size_t pairs = 0;
  std::size_t found = 0;
  for (std::uint32_t b = 0; b < fingerprints.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      if (similarity_of(*method, fingerprints[a], fingerprints[b]).resemblance < method->threshold()) continue;
      ++pairs;
      found += candidates.count({a, b});
      if (fingerprints[a] == fingerprints[b]) {
        EXPECT_TRUE(candidates.contains({a, b})) << a << " " << b;
      }
    }
  }
  EXPECT_GE(pairs, kPages / 6);
  EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(pairs));
}

TEST_P(AlgorithmRegistry, IsSoundOnOddPages) {
  if (!is_page_level()) return;
  const auto method = make_default();
  expect_sound(*method, odd_pages());
  if (method->compares_raw_bytes()) return;
  for (const ReadPage& page : odd_pages()) {
    const FingerprintState state = fingerprint_of(*method, page).state;
    EXPECT_EQ(state == FingerprintState::kEmpty, page.terms.content_characters == 0) << page.name;
    if (page.terms.content_characters < kShortPageCharacters) {
      EXPECT_NE(state, FingerprintState::kUsable) << page.name;
    }
  }
}

TEST_P(AlgorithmRegistry, IsSoundAtParameterLimits) {
  if (parameters().empty()) return;
  std::vector<ReadPage> pages = odd_pages();
  pages.insert(pages.end(), generated_pages().begin(), generated_pages().begin() + 8);
  for (const std::string& specification : extreme_specifications()) {
    SCOPED_TRACE(specification);
    expect_sound(*make(specification), pages);
  }
}

TEST_P(AlgorithmRegistry, HandlesLongPages) {
  if (!is_page_level()) return;
  static const std::vector<ReadPage> pages = [] {
    PageGenerator generator(100);
    std::vector<ReadPage> made;
    made.push_back(generator.page_of_words(100'000));
    made.push_back(generator.page_of_words(100'000));
    return made;
  }();
  ASSERT_GE(pages[0].terms.tokens.size(), 90'000U);
  expect_sound(*make_default(), pages);
}

// Inputs that an algorithm declares not to read may be missing.
TEST_P(AlgorithmRegistry, ReadsOnlyDeclaredInputs) {
  if (!is_page_level()) return;
  std::vector<ReadPage> pages = odd_pages();
  pages.insert(pages.end(), generated_pages().begin(), generated_pages().begin() + 8);
  std::vector<std::string> specifications = extreme_specifications();
  specifications.emplace_back(row().name);
  for (const std::string& specification : specifications) {
    SCOPED_TRACE(specification);
    const auto method = make(specification);
    for (const ReadPage& page : pages) {
      ReadPage bare = page;
      if (!method->reads_words()) {
        bare.terms.clear();
        bare.terms.normalised = page.terms.normalised;
        bare.terms.content_characters = page.terms.content_characters;
      }
      if (!method->reads_paragraphs()) bare.profile = Profile{};
      EXPECT_EQ(fingerprint_of(*method, bare), fingerprint_of(*method, page)) << page.name;
    }
  }
}

TEST_P(AlgorithmRegistry, PreparingDoesNotDependOnPageOrder) {
  if (!is_page_level()) return;
  const auto method = make_default();
  std::vector<PageFingerprint> forward = fingerprints_of(*method, generated_pages());
  std::vector<PageFingerprint> backward(forward.rbegin(), forward.rend());
  method->prepare(forward);
  method->prepare(backward);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(forward, backward);
}

INSTANTIATE_TEST_SUITE_P(Rows, AlgorithmRegistry, testing::Range(std::size_t{0}, algorithm_rows().size()),
                         [](const testing::TestParamInfo<std::size_t>& row) {
                           std::string name(algorithm_rows()[row.param].name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace paraprint
