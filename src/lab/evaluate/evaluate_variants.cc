// Expands the algorithms, presets, sweeps and ablations of an evaluation into a list of variants to run. Parameters of
// an algorithm and the options of the run around it (extraction, words, weights, matching) are settings of one
// specification; no parameter has the name of an option.
#include "lab/evaluate/evaluate_variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "base/nearest_name.h"
#include "base/propagate.h"
#include "options/option_table.h"
#include "paraprint/presets.h"
#include "profile/synonym_choice.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr std::string_view kAllAlgorithms = "all";
constexpr std::string_view kAllPresets = "presets";
constexpr std::string_view kParagraph = "paragraph";

// What the ablation changes, one row each, in the order of the method's steps.
constexpr std::array<std::string_view, 42> kAblation = {
    "extractor=weighted-dom",
    "extractor=whole-page",
    "idf=corpus",
    "paragraph_words=long",
    "word_hash=blake2b",
    "part_of_speech=on",
    "synonyms=list",
    "synonyms=map",
    "synonyms=soft",
    "synonyms=dense",
    "relevance=topics",
    "relevance=both",
    "paragraph_words=long,relevance=topics",
    "paragraph_words=long,relevance=both",
    "relevance=paragraph",
    "paragraph_words=long,relevance=paragraph",
    "paragraph_words=long,relevance=page-and-paragraph",
    "boilerplate=off",
    "anchors=1",
    "anchors=4",
    "candidate_bits=-1",
    "candidate_bits=3",
    "candidate_bits=12",
    "sentences=off",
    "whole_text=off",
    "whole_text=off,synonyms=list",
    "whole_text=off,synonyms=map",
    "whole_text=off,synonyms=soft",
    "whole_text=off,synonyms=dense",
    "list_weight=0.8",
    "after_heading_weight=1.2",
    "list_weight=0.8,after_heading_weight=1.2",
    "opening_weight=1.5",
    "nested_list_weight=0.8",
    "structure_share=0.1",
    "paragraph_bits=4",
    "paragraph_bits=8",
    "paragraph_bits=12",
    "paragraph_bits=16",
    "paragraph_bits=20",
    "paragraph_bits=28",
    "paragraph_bits=32",
};

// "extractor=whole-page" in two parts; the second is empty if there is no '='.
std::pair<std::string_view, std::string> parts_of(std::string_view setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  return {setting.substr(0, equals), std::string(setting.substr(std::min(equals + 1, setting.size())))};
}

std::string option_names() {
  std::string names;
  EvaluateOptions defaults;
  for_each_pipeline_table(defaults, [&](const auto rows, auto&) {
    for (const auto& row : rows) {
      if (kOfEvaluations(row)) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
    }
  });
  return names;
}

// False if the setting names none of the options; it is a parameter of the algorithm then.
Result<bool> apply_option(std::string_view setting, EvaluationVariant& variant) {
  const auto [name, value] = parts_of(setting);
  bool is_known = false;
  Status set;
  for_each_pipeline_table(variant, [&, name = name, &value = value](const auto rows, auto& options) {
    for (const auto& row : rows) {
      if (row.name != name || !kOfEvaluations(row)) continue;
      is_known = true;
      set = set_option(row, options, std::span(&value, 1));
    }
  });
  if (!set) return tl::unexpected<Error>(set.error());
  return is_known;
}

// ",extractor=whole-page": the options of the variant that differ from the defaults, in the order of their tables.
std::string changed_options(const EvaluationVariant& variant) {
  std::string text;
  for_each_pipeline_table(variant, [&](const auto rows, const auto& options) {
    const std::decay_t<decltype(options)> defaults;
    for (const auto& row : rows) {
      const std::string value = option_text(row, options);
      if (kOfEvaluations(row) && value != option_text(row, defaults)) text += fmt::format(",{}={}", row.name, value);
    }
  });
  return text;
}

// "simhash-64:distance_bits=3,extractor=whole-page"
std::string canonical_variant(const EvaluationVariant& variant) {
  std::string options = changed_options(variant);
  const bool has_parameters = variant.choice.canonical.find(':') != std::string::npos;
  if (!options.empty() && !has_parameters) options.front() = ':';
  return variant.choice.canonical + options;
}

// Whatever can be checked without opening a file: a row that fails after hours of others would be a waste.
Status validate(const EvaluationVariant& variant) {
  PARAPRINT_TRY(make_extractor(variant.profile.extractor));
  PARAPRINT_TRY(variant.profile.validate());
  PARAPRINT_TRY(variant.candidates.validate());
  return variant.match.validate();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    if (end != 0 && !text.empty()) parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// One setting of a sweep with its values.
struct SweptSetting {
  std::string_view name;
  std::vector<std::string_view> values;
};

// "a=1,2,b=3": a piece without '=' is one more value of the setting before. Empty if it is no such list.
std::vector<SweptSetting> swept_settings(std::string_view list) {
  std::vector<SweptSetting> settings;
  for (const std::string_view piece : split(list, ',')) {
    const std::size_t equals = piece.find('=');
    if (equals == 0 || (equals == std::string_view::npos && settings.empty())) return {};
    if (equals != std::string_view::npos) settings.push_back({piece.substr(0, equals), {}});
    const std::string_view value = equals == std::string_view::npos ? piece : piece.substr(equals + 1);
    if (!value.empty()) settings.back().values.push_back(value);
  }
  const bool has_values = std::all_of(settings.begin(), settings.end(),
                                      [](const SweptSetting& setting) { return !setting.values.empty(); });
  return has_values ? settings : std::vector<SweptSetting>{};
}

class Planner {
 public:
  explicit Planner(const EvaluateOptions& options) : options_(options) {}

  Status add_algorithms(const std::string& list) {
    for (const std::string& specification : split_specifications(list)) {
      if (specification == kAllAlgorithms) {
        for (const AlgorithmRow& row : algorithm_rows()) PARAPRINT_TRY(add(std::string(row.name)));
      } else if (specification == kAllPresets) {
        for (const Preset& preset : presets()) PARAPRINT_TRY(add(std::string(preset.name)));
      } else {
        PARAPRINT_TRY(add(specification));
      }
    }
    return {};
  }

  Status add_sweep(const std::string& sweep) {
    const std::size_t colon = sweep.find(':');
    const std::vector<SweptSetting> settings = colon == std::string::npos
                                                   ? std::vector<SweptSetting>{}
                                                   : swept_settings(std::string_view(sweep).substr(colon + 1));
    if (settings.empty()) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("--sweep is '{}'; it must be ALGORITHM:PARAMETER=VALUE,VALUE,...", sweep));
    }
    return add_combinations(sweep.substr(0, colon), ':', settings);
  }

  Status add_ablation() {
    PARAPRINT_TRY(add(std::string(kParagraph)));
    for (const std::string_view change : kAblation) {
      const auto has = [change](std::string_view setting) { return change.find(setting) != std::string_view::npos; };
      // Hashed words have no neighbours.
      const bool needs_neighbours = has("synonyms=map") || has("synonyms=soft");
      const std::string& vectors = options_.profile.word_vectors;
      if (needs_neighbours && (vectors.empty() || names_hashed_words(vectors))) continue;
      if (has("synonyms=dense") && options_.profile.reduction.empty()) continue;
      const bool needs_topics = has("relevance=topics") || has("relevance=both");
      if (needs_topics && options_.profile.topic_model.empty()) continue;
      PARAPRINT_TRY(add(fmt::format("{}:{}", kParagraph, change)));
    }
    return {};
  }

  std::vector<EvaluationVariant> take() { return std::move(variants_); }

 private:
  // The last setting varies fastest.
  Status add_combinations(const std::string& label, char separator, std::span<const SweptSetting> settings) {
    if (settings.empty()) return add(label);
    for (const std::string_view value : settings.front().values) {
      PARAPRINT_TRY(add_combinations(fmt::format("{}{}{}={}", label, separator, settings.front().name, value), ',',
                                     settings.subspan(1)));
    }
    return {};
  }

  Status add(const std::string& label) {
    const bool is_known = std::any_of(variants_.begin(), variants_.end(),
                                      [&](const EvaluationVariant& variant) { return variant.label == label; });
    if (is_known) return {};
    if (variants_.size() == kVariantsMaximum) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}: an evaluation has at most {} rows", label, kVariantsMaximum));
    }
    EvaluationVariant variant;
    variant.label = label;
    variant.profile = options_.profile;
    variant.candidates = options_.candidates;
    variant.match = options_.match;
    PARAPRINT_TRY(choose(label, variant));
    variant.canonical = canonical_variant(variant);
    PARAPRINT_TRY(validate(variant));
    variants_.push_back(std::move(variant));
    return {};
  }

  // Sets the algorithm and the options that the label names.
  static Status choose(const std::string& label, EvaluationVariant& variant) {
    const std::size_t colon = std::min(label.find(':'), label.size());
    std::string algorithm = label.substr(0, colon);
    if (is_preset(algorithm)) {
      PARAPRINT_TRY(apply_preset(algorithm, variant.profile, variant.candidates, variant.match));
      algorithm = variant.profile.algorithm;
    }
    variant.profile.algorithm = kParagraph;
    for (const std::string_view setting : split(std::string_view(label).substr(colon), ',')) {
      const std::string_view own = setting.substr(setting.starts_with(':') ? 1 : 0);
      PARAPRINT_ASSIGN(const bool is_option, apply_option(own, variant));
      if (is_option) continue;
      algorithm += fmt::format("{}{}", algorithm.find(':') == std::string::npos ? ':' : ',', own);
    }
    Result<AlgorithmChoice> choice = choose_algorithm(algorithm);
    if (!choice) return unknown(algorithm, std::move(choice.error()));
    variant.choice = std::move(*choice);
    return {};
  }

  static bool is_preset(std::string_view name) {
    const std::span<const Preset> known = presets();
    return std::any_of(known.begin(), known.end(), [&](const Preset& preset) { return preset.name == name; });
  }

  // The name may be a mistyped preset, and a parameter a mistyped option.
  static Status unknown(std::string_view algorithm, Error error) {
    const std::string_view name = algorithm.substr(0, algorithm.find(':'));
    std::vector<std::string_view> names;
    for (const AlgorithmRow& row : algorithm_rows()) names.push_back(row.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      error.message += "; options of all algorithms are " + option_names();
      return tl::unexpected<Error>(std::move(error));
    }
    for (const Preset& preset : presets()) names.push_back(preset.name);
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("unknown algorithm or preset '{}';{} `paraprint algorithms` lists all", name,
                               suggestion_for(name, names, [](std::string_view known) { return known; })));
  }

  const EvaluateOptions& options_;
  std::vector<EvaluationVariant> variants_;
};

}  // namespace

std::vector<std::string> split_specifications(std::string_view list) {
  std::vector<std::string> specifications;
  for (const std::string_view piece : split(list, ',')) {
    const bool continues = piece.find('=') != std::string_view::npos && piece.find(':') == std::string_view::npos &&
                           !specifications.empty();
    if (continues) {
      specifications.back() += fmt::format(",{}", piece);
    } else {
      specifications.emplace_back(piece);
    }
  }
  return specifications;
}

Result<std::vector<EvaluationVariant>> plan_variants(const EvaluateOptions& options) {
  Planner planner(options);
  // Joined first: whoever splits lists at commas cut specifications of several settings into pieces.
  Status planned = planner.add_algorithms(fmt::format("{}", fmt::join(options.algorithms, ",")));
  for (const std::string& sweep : options.sweep) {
    if (planned) planned = planner.add_sweep(sweep);
  }
  if (planned && options.ablation) planned = planner.add_ablation();
  if (!planned) return tl::unexpected<Error>(planned.error());
  std::vector<EvaluationVariant> variants = planner.take();
  if (variants.empty()) return failure(ErrorCode::kInvalidArgument, "no algorithm is named");
  return variants;
}

}  // namespace paraprint::inline lab::inline evaluation

namespace paraprint {

Status apply_preset(std::string_view name, EvaluateOptions& options) {
  PARAPRINT_TRY(apply_preset(name, options.profile, options.candidates, options.match));
  options.algorithms = {std::exchange(options.profile.algorithm, ProfileOptions().algorithm)};
  return {};
}

}  // namespace paraprint
