// Validation of the options of a run. Every value is checked before work starts, so that a long run cannot fail on a
// mistake of its caller.
#include "paraprint/options.h"

#include <fmt/format.h>

#include "base/propagate.h"
#include "cluster/survivor.h"
#include "options/option_checks.h"
#include "profile/registry.h"

namespace paraprint {

Status ProfileOptions::validate() const {
  PARAPRINT_ASSIGN(const AlgorithmChoice choice, choose_algorithm(algorithm));
  if (!with_paragraphs && choice.reads_paragraphs()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("--no-paragraphs: the algorithm '{}' compares paragraphs", algorithm));
  }
  if (paragraph_words != "full" && paragraph_words != "long") {
    return not_one_of("paragraph_words", paragraph_words, "full, long");
  }
  if (word_hash != "murmur3" && word_hash != "blake2b") return not_one_of("word_hash", word_hash, "murmur3, blake2b");
  if (idf != "bundled" && idf != "corpus") return not_one_of("idf", idf, "bundled, corpus");
  PARAPRINT_TRY(
      first_failure({check_range("anchors_per_paragraph", anchors_per_paragraph, 1, 16),
                     check_range("sentence_candidate_characters", sentence_candidate_characters, 1, 1000),
                     check_range("simhash_distinct_words_minimum", simhash_distinct_words_minimum, 1, 1000)}));
  const bool needs_vectors = synonyms == "map" || synonyms == "soft" || synonyms == "dense";
  if (synonyms != "off" && synonyms != "list" && !needs_vectors) {
    return not_one_of("synonyms", synonyms, "off, list, map, soft, dense");
  }
  if (needs_vectors && word_vectors.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("synonyms are '{}', which needs a model of word vectors (--word-vectors; `paraprint "
                               "vectors train` makes one)",
                               synonyms));
  }
  if (synonyms == "dense" && reduction.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   "synonyms are 'dense', which needs the components of paragraphs (--reduction; `paraprint vectors "
                   "reduce` makes them)");
  }
  if (relevance != "keywords" && relevance != "topics" && relevance != "both") {
    return not_one_of("relevance", relevance, "keywords, topics, both");
  }
  if (relevance != "keywords" && topic_model.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("relevance is '{}', which needs a topic model (--topic-model; `paraprint topics train` "
                               "makes one)",
                               relevance));
  }
  return {};
}

Status MatchOptions::validate() const {
  if (!(overlap_share >= 0 && overlap_share <= 1)) return outside("overlap_share", overlap_share, "[0, 1]");
  return first_failure({check_range("paragraph_distance_bits", paragraph_distance_bits, 0, 32),
                        check_positive("near_resemblance", near_resemblance, 1),
                        check_positive("containment", containment, 1), check_positive("list_weight", list_weight, 10),
                        check_positive("after_heading_weight", after_heading_weight, 10)});
}

Status CandidateSearchOptions::validate() const {
  return first_failure({check_range("candidate_distance_bits", distance_bits, -1, 12),
                        check_range("candidate_group_cap", group_cap, 2U, 10'000U)});
}

Status SurvivorOptions::validate() const {
  PARAPRINT_TRY(parse_survivor_criteria(keep));
  if (clusters != "star" && clusters != "connected") return not_one_of("clusters", clusters, "star, connected");
  return {};
}

Status DedupOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (output.folder.empty()) return failure(ErrorCode::kInvalidArgument, "no output folder given (--out)");
  PARAPRINT_TRY(check_range("threads", resources.threads, 0U, kThreadsMaximum));
  constexpr std::uint64_t kSmallestMemoryBytes = std::uint64_t{64} << 20;
  if (resources.memory_bytes < kSmallestMemoryBytes) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("memory is {} bytes; at least {} MiB are needed",
                                                            resources.memory_bytes, kSmallestMemoryBytes >> 20));
  }
  if (match.align_words && profile.algorithm != "paragraph") {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("--align-words: the algorithm is '{}'; words are aligned by what the paragraph method "
                               "matched",
                               profile.algorithm));
  }
  if (!profile.with_paragraphs && (output.write_evidence || output.write_report)) {
    return failure(ErrorCode::kInvalidArgument,
                   "--no-paragraphs: evidence and report need paragraphs; add --no-evidence --no-report");
  }
  return first_failure({profile.validate(), candidates.validate(), match.validate(), survivors.validate()});
}

}  // namespace paraprint
