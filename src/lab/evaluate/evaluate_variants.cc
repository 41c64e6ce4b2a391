// Expands the algorithms, sweeps and ablations of an evaluation into a list of variants to run. The paragraph method
// has options instead of parameters; a table below gives them names, so that they can be swept like the parameters of
// the other algorithms.
#include "lab/evaluate/evaluate_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/propagate.h"
#include "options/option_table.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr std::string_view kAllAlgorithms = "all";
constexpr std::string_view kParagraph = "paragraph";

// What the ablation changes, one row each, in the order of the method's steps.
constexpr std::array<std::string_view, 36> kAblation = {
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
    "paragraph_bits=4",
    "paragraph_bits=8",
    "paragraph_bits=12",
    "paragraph_bits=16",
    "paragraph_bits=20",
    "paragraph_bits=28",
    "paragraph_bits=32",
};

// Calls visit(rows, options) for each table with options of the paragraph method, which has no parameters of its own.
template <class Visit>
void for_each_table(EvaluationVariant& variant, Visit&& visit) {
  visit(profile_option_rows(), variant.profile);
  visit(match_option_rows(), variant.match);
  visit(candidate_option_rows(), variant.candidates);
}

std::string swept_options(EvaluationVariant& variant) {
  std::string names;
  for_each_table(variant, [&](const auto rows, auto&) {
    for (const auto& row : rows) {
      if (row.has(kSwept)) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
    }
  });
  return names;
}

Status apply_setting(std::string_view assignment, EvaluationVariant& variant) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const std::string value(equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1));
  bool is_known = false;
  Status set;
  for_each_table(variant, [&](const auto rows, auto& options) {
    for (const auto& row : rows) {
      if (row.name != name || !row.has(kSwept)) continue;
      is_known = true;
      set = set_option(row, options, std::span(&value, 1));
    }
  });
  if (is_known) return set;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the paragraph method has no setting '{}'; known are {}", name, swept_options(variant)));
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
