// Expands the algorithms, sweeps and ablations of an evaluation into a list of variants to run. The paragraph method
// has options instead of parameters; a table below gives them names, so that they can be swept like the parameters of
// the other algorithms.
#include "lab/evaluate/evaluate_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/propagate.h"

namespace paraprint {
namespace {

constexpr std::string_view kAllAlgorithms = "all";
constexpr std::string_view kParagraph = "paragraph";

// A setting of the paragraph method that sweeps and ablations can name, since it has no parameters of its own.
struct ParagraphSetting {
  std::string_view name;
  // False if the text is not a value of the right type; validate() checks the range.
  bool (*apply)(std::string_view value, EvaluationVariant& variant);
};

bool read_integer(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_real(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool read_switch(std::string_view text, bool& value) {
  value = text == "on";
  return text == "on" || text == "off";
}

constexpr std::array kSettings = {
    ParagraphSetting{"extractor",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.extractor = value;
                       return true;
                     }},
    ParagraphSetting{"words",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.paragraph_words = value;
                       return true;
                     }},
    ParagraphSetting{"hash",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.word_hash = value;
                       return true;
                     }},
    ParagraphSetting{"idf",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.idf = value;
                       return true;
                     }},
    ParagraphSetting{"part_of_speech",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_switch(value, variant.profile.weigh_part_of_speech);
                     }},
    ParagraphSetting{"synonyms",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.synonyms = value;
                       return true;
                     }},
    ParagraphSetting{"relevance",
                     [](std::string_view value, EvaluationVariant& variant) {
                       variant.profile.relevance = value;
                       return true;
                     }},
    ParagraphSetting{"anchors",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_integer(value, variant.profile.anchors_per_paragraph);
                     }},
    ParagraphSetting{
        "list_weight",
        [](std::string_view value, EvaluationVariant& variant) { return read_real(value, variant.match.list_weight); }},
    ParagraphSetting{"after_heading_weight",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_real(value, variant.match.after_heading_weight);
                     }},
    ParagraphSetting{"boilerplate",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_switch(value, variant.candidates.discount_boilerplate);
                     }},
    ParagraphSetting{"sentences",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_switch(value, variant.match.match_sentences);
                     }},
    ParagraphSetting{"whole_text",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_switch(value, variant.match.match_whole_text);
                     }},
    ParagraphSetting{"T",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_integer(value, variant.match.paragraph_distance_bits);
                     }},
    ParagraphSetting{"candidate_bits",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_integer(value, variant.candidates.distance_bits);
                     }},
    ParagraphSetting{"near",
                     [](std::string_view value, EvaluationVariant& variant) {
                       return read_real(value, variant.match.near_resemblance);
                     }},
};

// The settings changed by each ablation, in the order of the method's steps.
constexpr std::array<std::string_view, 36> kAblation = {
    "extractor=weighted-dom",
    "extractor=whole-page",
    "idf=corpus",
    "words=long",
    "hash=blake2b",
    "part_of_speech=on",
    "synonyms=list",
    "synonyms=map",
    "synonyms=soft",
    "synonyms=dense",
    "relevance=topics",
    "relevance=both",
    "words=long,relevance=topics",
    "words=long,relevance=both",
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
    "T=4",
    "T=8",
    "T=12",
    "T=16",
    "T=20",
    "T=28",
    "T=32",
};

Status apply_setting(std::string_view assignment, EvaluationVariant& variant) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const auto setting =
      std::find_if(kSettings.begin(), kSettings.end(), [&](const ParagraphSetting& row) { return row.name == name; });
  if (setting == kSettings.end()) {
    std::string known;
    for (const ParagraphSetting& row : kSettings) known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the paragraph method has no setting '{}'; known are {}", name, known));
  }
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1);
  if (!setting->apply(value, variant)) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("paragraph: invalid value '{}' for {}", value, name));
  }
  return {};
}

Status validate(const EvaluationVariant& variant) {
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

class Planner {
 public:
  explicit Planner(const EvaluateOptions& options) : options_(options) {}

  Status add_algorithms(const std::string& list) {
    for (const std::string& specification : split_specifications(list)) {
      if (specification == kAllAlgorithms) {
        for (const AlgorithmRow& row : algorithm_rows()) {
          PARAPRINT_TRY(add(std::string(row.name)));
        }
      } else
        PARAPRINT_TRY(add(specification));
    }
    return {};
  }

  Status add_sweep(const std::string& sweep) {
    const std::size_t colon = sweep.find(':');
    const std::size_t equals = sweep.find('=');
    const bool is_sweep = colon != std::string::npos && equals != std::string::npos && colon < equals;
    const std::vector<std::string_view> values =
        is_sweep ? split(std::string_view(sweep).substr(equals + 1), ',') : std::vector<std::string_view>{};
    if (values.empty()) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("--sweep is '{}'; it must be ALGORITHM:PARAMETER=VALUE,VALUE,...", sweep));
    }
    for (const std::string_view value : values) {
      PARAPRINT_TRY(add(sweep.substr(0, equals + 1) + std::string(value)));
    }
    return {};
  }

  Status add_ablation() {
    PARAPRINT_TRY(add(std::string(kParagraph)));
    for (const std::string_view change : kAblation) {
      const auto has = [change](std::string_view setting) { return change.find(setting) != std::string_view::npos; };
      const bool needs_vectors = has("synonyms=map") || has("synonyms=soft");
      if (needs_vectors && options_.profile.word_vectors.empty()) continue;
      if (has("synonyms=dense") && options_.profile.reduction.empty()) continue;
      if (has("relevance=") && options_.profile.topic_model.empty()) continue;
      PARAPRINT_TRY(add(fmt::format("{}:{}", kParagraph, change)));
    }
    return {};
  }

  std::vector<EvaluationVariant> take() { return std::move(variants_); }

 private:
  Status add(const std::string& label) {
    const bool is_known = std::any_of(variants_.begin(), variants_.end(),
                                      [&](const EvaluationVariant& variant) { return variant.label == label; });
    if (is_known) return {};
    EvaluationVariant variant;
    variant.label = label;
    variant.profile = options_.profile;
    variant.profile.algorithm = kParagraph;
    variant.candidates = options_.candidates;
    variant.match = options_.match;
    const std::size_t colon = label.find(':');
    const bool has_settings = label.substr(0, colon) == kParagraph && colon != std::string::npos;
    PARAPRINT_ASSIGN(AlgorithmChoice choice, choose_algorithm(has_settings ? std::string(kParagraph) : label));
    variant.choice = std::move(choice);
    if (has_settings) {
      for (const std::string_view setting : split(std::string_view(label).substr(colon + 1), ',')) {
        PARAPRINT_TRY(apply_setting(setting, variant));
      }
      variant.choice.canonical = label;
    }
    PARAPRINT_TRY(validate(variant));
    variants_.push_back(std::move(variant));
    return {};
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
  Status planned;
  for (const std::string& list : options.algorithms) {
    if (planned) planned = planner.add_algorithms(list);
  }
  for (const std::string& sweep : options.sweeps) {
    if (planned) planned = planner.add_sweep(sweep);
  }
  if (planned && options.ablation) planned = planner.add_ablation();
  if (!planned) return tl::unexpected<Error>(planned.error());
  std::vector<EvaluationVariant> variants = planner.take();
  if (variants.empty()) return failure(ErrorCode::kInvalidArgument, "no algorithm is named");
  return variants;
}

}  // namespace paraprint
