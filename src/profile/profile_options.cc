// What a profile's options must fulfil together, in addition to the range of each (options/run_options.cc). Models that
// an option names are opened later, by the code that reads them.
#include <fmt/format.h>

#include "base/propagate.h"
#include "options/option_table.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

Status needs(std::string_view name, const ProfileOptions& options, std::string_view what, std::string_view option,
             std::string_view made_by) {
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{} is '{}', which needs {} ({}; `{}` makes one)", name,
                             option_text(profile_option_rows(), name, options), what, option, made_by));
}

}  // namespace

Status ProfileOptions::validate() const {
  PARAPRINT_TRY(check_options(profile_option_rows(), *this));
  PARAPRINT_ASSIGN(const AlgorithmChoice choice, choose_algorithm(algorithm));
  if (!paragraphs && choice.reads_paragraphs()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("paragraphs is off, but the algorithm '{}' compares paragraphs", algorithm));
  }
  const bool needs_vectors =
      synonyms == SynonymMode::kMap || synonyms == SynonymMode::kSoft || synonyms == SynonymMode::kDense;
  if (needs_vectors && word_vectors.empty()) {
    return needs("synonyms", *this, "a model of word vectors", "word_vectors", "paraprint vectors train");
  }
  if (synonyms == SynonymMode::kDense && reduction.empty()) {
    return needs("synonyms", *this, "principal components", "reduction", "paraprint vectors reduce");
  }
  if ((relevance == Relevance::kTopics || relevance == Relevance::kBoth) && topic_model.empty()) {
    return needs("relevance", *this, "a topic model", "topic_model", "paraprint topics train");
  }
  return {};
}

}  // namespace paraprint
