// Specifications, presets and sweeps of an evaluation as the variants that they stand for.
#include "lab/evaluate/evaluate_variants.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "options/option_table.h"
#include "paraprint/presets.h"

namespace paraprint {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<EvaluationVariant> planned(const EvaluateOptions& options) {
  Result<std::vector<EvaluationVariant>> variants = plan_variants(options);
  EXPECT_TRUE(variants) << (variants ? "" : variants.error().message);
  return variants ? std::move(*variants) : std::vector<EvaluationVariant>{};
}

EvaluationVariant planned_one(const std::string& specification) {
  EvaluateOptions options;
  options.algorithms = {specification};
  std::vector<EvaluationVariant> variants = planned(options);
  EXPECT_EQ(variants.size(), 1U);
  return variants.empty() ? EvaluationVariant{} : std::move(variants.front());
}

std::string refusal(const EvaluateOptions& options) {
  const Result<std::vector<EvaluationVariant>> variants = plan_variants(options);
  EXPECT_FALSE(variants);
  return variants ? "" : variants.error().message;
}

std::vector<std::string> labels(const std::vector<EvaluationVariant>& variants) {
  std::vector<std::string> found;
  for (const EvaluationVariant& variant : variants) found.push_back(variant.label);
  return found;
}

TEST(EvaluateVariants, SplitsSpecificationsAtCommasOutsideParameters) {
  EXPECT_THAT(split_specifications("paragraph,a:x=1,y=2,b,,c:z=3"),
              ElementsAre("paragraph", "a:x=1,y=2", "b", "c:z=3"));
}

TEST(EvaluateVariants, PlansSweepsAndAblationOnce) {
  EvaluateOptions options;
  options.algorithms = {"paragraph"};
  options.sweep = {"paragraph:paragraph_bits=4,8"};
  options.ablation = true;
  const std::vector<EvaluationVariant> variants = planned(options);
  ASSERT_GT(variants.size(), 2U);
  EXPECT_EQ(variants[1].label, "paragraph:paragraph_bits=4");
  EXPECT_EQ(variants[1].match.paragraph_bits, 4);
  EXPECT_EQ(variants[2].label, "paragraph:paragraph_bits=8");
  const std::vector<std::string> all = labels(variants);
  EXPECT_EQ(std::count(all.begin(), all.end(), "paragraph"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "paragraph:paragraph_bits=4"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "paragraph:extractor=whole-page"), 1);
}

TEST(EvaluateVariants, AblationWithHashedWordsHasNoRowThatNeedsNeighbours) {
  EvaluateOptions options;
  options.ablation = true;
  options.profile.word_vectors = "hashed:64";
  options.profile.reduction = "reduction";
  const std::vector<std::string> all = labels(planned(options));
  EXPECT_THAT(all, Contains("paragraph:synonyms=dense"));
  EXPECT_THAT(all, Not(Contains(HasSubstr("synonyms=map"))));
  EXPECT_THAT(all, Not(Contains(HasSubstr("synonyms=soft"))));
  options.profile.word_vectors = "hashed-words.vectors";  // a file
  EXPECT_THAT(labels(planned(options)), Contains("paragraph:synonyms=soft"));
}

TEST(EvaluateVariants, AllSelectsTheWholeRegistry) {
  EvaluateOptions options;
  options.algorithms = {"all"};
  EXPECT_EQ(planned(options).size(), algorithms().size());
}

TEST(EvaluateVariants, AnyAlgorithmTakesParametersAndOptions) {
  const EvaluationVariant variant =
      planned_one("simhash-64:extractor=whole-page,distance_bits=6,idf=corpus,fold_traditional=off,group_cap=9");
  EXPECT_EQ(variant.choice.row->name, "simhash-64");
  EXPECT_THAT(variant.choice.canonical, HasSubstr("distance_bits=6"));
  EXPECT_EQ(variant.profile.extractor, "whole-page");
  EXPECT_EQ(variant.profile.idf, IdfSource::kCorpus);
  EXPECT_FALSE(variant.profile.fold_traditional);
  EXPECT_EQ(variant.candidates.group_cap, 9U);
  EXPECT_EQ(variant.profile.algorithm, "paragraph");
  EXPECT_EQ(variant.canonical,
            variant.choice.canonical + ",extractor=whole-page,fold_traditional=false,idf=corpus,group_cap=9");
  EXPECT_EQ(planned_one("paragraph:extractor=learned-dom,near=0.7").canonical, "paragraph:near=0.7");
  EXPECT_EQ(planned_one("paragraph").canonical, "paragraph");
}

// Lists are split at commas by the command line, before anyone knows what a specification is.
TEST(EvaluateVariants, PiecesOfASpecificationAreJoined) {
  EvaluateOptions options;
  options.algorithms = {"digest-text", "simhash-64:extractor=whole-page", "distance_bits=6", "paragraph"};
  EXPECT_THAT(labels(planned(options)),
              ElementsAre("digest-text", "simhash-64:extractor=whole-page,distance_bits=6", "paragraph"));
}

TEST(EvaluateVariants, SpecificationsOverrideTheOptionsOfTheEvaluation) {
  EvaluateOptions options;
  options.algorithms = {"minhash", "minhash:extractor=weighted-dom", "seed-004"};
  options.profile.extractor = "whole-page";
  options.profile.anchors = 3;
  const std::vector<EvaluationVariant> variants = planned(options);
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[0].profile.extractor, "whole-page");
  EXPECT_EQ(variants[1].profile.extractor, "weighted-dom");
  EXPECT_EQ(variants[2].profile.extractor, "weighted-dom");
  for (const EvaluationVariant& variant : variants) EXPECT_EQ(variant.profile.anchors, 3);
}

// A setting would otherwise mean one thing to this algorithm and another to the rest.
TEST(EvaluateVariants, NoParameterHasTheNameOfAnOption) {
  std::set<std::string_view> options;
  EvaluateOptions defaults;
  for_each_pipeline_table(defaults, [&](const auto rows, auto&) {
    for (const auto& row : rows) options.insert(row.name);
  });
  EXPECT_TRUE(options.contains("extractor"));
  for (const AlgorithmInfo& algorithm : algorithms()) {
    for (const ParameterInfo& parameter : algorithm.parameters) {
      EXPECT_FALSE(options.contains(parameter.name)) << algorithm.name << ": " << parameter.name;
    }
  }
}

TEST(EvaluateVariants, SweepsOfSeveralSettingsGiveEveryCombination) {
  EvaluateOptions options;
  options.algorithms = {"paragraph"};
  options.sweep = {"simhash-64:extractor=whole-page,distance_bits=2,6,idf=bundled,corpus"};
  EXPECT_THAT(labels(planned(options)),
              ElementsAre("paragraph", "simhash-64:extractor=whole-page,distance_bits=2,idf=bundled",
                          "simhash-64:extractor=whole-page,distance_bits=2,idf=corpus",
                          "simhash-64:extractor=whole-page,distance_bits=6,idf=bundled",
                          "simhash-64:extractor=whole-page,distance_bits=6,idf=corpus"));
}

TEST(EvaluateVariants, SweepsHaveALimit) {
  std::string values;
  for (int i = 0; i < 32; ++i) values += fmt::format("{}{}", i == 0 ? "" : ",", i);
  EvaluateOptions options;
  options.sweep = {fmt::format("paragraph-literal:distance_bits={0},paragraph_bits={0}", values)};
  EXPECT_THAT(refusal(options), HasSubstr("an evaluation has at most 1000 rows"));
}

TEST(EvaluateVariants, RefusesWhatIsNoSweep) {
  for (const char* sweep :
       {"minhash", "minhash:", "minhash:=3", "minhash:3", "minhash:bands=", "minhash:bands=4,rows="}) {
    EvaluateOptions options;
    options.sweep = {sweep};
    EXPECT_THAT(refusal(options), HasSubstr("ALGORITHM:PARAMETER=VALUE")) << sweep;
  }
}

TEST(EvaluateVariants, RefusalsNameWhatIsMeant) {
  const auto refusal_of = [](const char* specification) {
    EvaluateOptions options;
    options.algorithms = {specification};
    return refusal(options);
  };
  EXPECT_THAT(refusal_of("seed-04"), HasSubstr("did you mean 'seed-004'?"));
  EXPECT_THAT(refusal_of("simhash-65:distance_bits=3"), HasSubstr("did you mean 'simhash-64'?"));
  EXPECT_THAT(refusal_of("seed-004:distance_bit=3"), HasSubstr("did you mean 'distance_bits'?"));
  EXPECT_THAT(refusal_of("digest-text:extracter=whole-page"), HasSubstr("options of all algorithms are extractor, "));
  EXPECT_THAT(refusal_of("minhash:extractor=best"), HasSubstr("unknown extractor 'best'"));
  EXPECT_THAT(refusal_of("minhash:paragraph_bits=99"), HasSubstr("0 to 32"));
  EXPECT_THAT(refusal_of("minhash:synonyms=map"), HasSubstr("needs a model of word vectors"));
  // Options that an evaluation does not have: a variant always has paragraphs, and its algorithm is its name.
  EXPECT_THAT(refusal_of("minhash:paragraphs=off"), HasSubstr("no parameter 'paragraphs'"));
  EXPECT_THAT(refusal_of("minhash:algorithm=paragraph"), HasSubstr("no parameter 'algorithm'"));
}

TEST(Presets, AreVariantsOfTheirOwnNames) {
  EvaluateOptions options;
  options.algorithms = {"presets"};
  const std::vector<EvaluationVariant> variants = planned(options);
  ASSERT_EQ(variants.size(), presets().size());
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    EXPECT_EQ(variants[i].label, presets()[i].name);
    EXPECT_TRUE(distinct.insert(variants[i].canonical).second) << variants[i].label << " repeats another one";
  }
}

TEST(Presets, HaveNamesThatNoAlgorithmHas) {
  std::set<std::string_view> names;
  for (const AlgorithmInfo& algorithm : algorithms()) names.insert(algorithm.name);
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.summary.empty() || preset.source.empty()) << preset.name;
  }
}

TEST(Presets, OfTheArticleAreItsSystem) {
  const EvaluationVariant variant = planned_one("seed-004");
  EXPECT_EQ(variant.choice.canonical, "paragraph-literal:distance_bits=12");
  EXPECT_EQ(variant.profile.extractor, "weighted-dom");
  EXPECT_EQ(variant.profile.paragraph_words, ParagraphWords::kLong);
  EXPECT_EQ(variant.profile.word_hash, WordHash::kBlake2b);
  EXPECT_EQ(variant.canonical,
            "paragraph-literal:distance_bits=12,extractor=weighted-dom,paragraph_words=long,word_hash=blake2b");
  EXPECT_EQ(planned_one("seed-004-i-match").profile.idf, IdfSource::kCorpus);
  EXPECT_EQ(planned_one("seed-000-idf-string").profile.idf, IdfSource::kCorpus);
  EXPECT_EQ(planned_one("seed-003-sorted").profile.extractor, "whole-page");
}

TEST(Presets, AreOverriddenByTheSettingsBehindTheirName) {
  const EvaluationVariant variant = planned_one("seed-004:distance_bits=3,word_hash=murmur3");
  EXPECT_EQ(variant.canonical, "paragraph-literal:distance_bits=3,extractor=weighted-dom,paragraph_words=long");
}

TEST(Presets, AppliedToAnEvaluationAreWhatTheirNameIs) {
  EvaluateOptions options;
  ASSERT_TRUE(apply_preset("seed-004", options));
  EXPECT_THAT(options.algorithms, ElementsAre("paragraph-literal:distance_bits=12"));
  EXPECT_EQ(options.profile.algorithm, "paragraph");
  EXPECT_EQ(planned(options).front().canonical, planned_one("seed-004").canonical);
  options.profile.extractor = "whole-page";  // set later, so it overrides the preset
  EXPECT_EQ(planned(options).front().profile.extractor, "whole-page");
  const Status unknown = apply_preset("seed-04", options);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("unknown preset 'seed-04'; did you mean 'seed-004'?"));
}

TEST(Presets, AppliedToARunAreValid) {
  for (const Preset& preset : presets()) {
    DedupOptions run;
    const Status applied = apply_preset(preset.name, run.profile, run.candidates, run.match);
    ASSERT_TRUE(applied) << applied.error().message;
    const Status valid = run.profile.validate();
    EXPECT_TRUE(valid) << preset.name << ": " << (valid ? "" : valid.error().message);
    EXPECT_NE(run.profile.algorithm, "paragraph") << preset.name;
  }
}

TEST(Presets, AreListedWithTheirSettings) {
  const auto settings = preset_settings(presets().back());
  ASSERT_FALSE(settings.empty());
  EXPECT_EQ(settings.front().first, "algorithm");
  const std::string json = presets_json();
  for (const Preset& preset : presets()) EXPECT_THAT(json, HasSubstr(fmt::format("\"{}\"", preset.name)));
  EXPECT_THAT(json, HasSubstr("\"extractor\": \"weighted-dom\""));
}

}  // namespace
}  // namespace paraprint
