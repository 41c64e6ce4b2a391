#include "paraprint/options.h"

#include <fmt/format.h>

#include "cluster/survivor.h"
#include "engine/registry.h"

namespace paraprint {

namespace {

tl::unexpected<Error> outside(std::string_view name, double value, std::string_view range) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} is {}; it must be in {}", name, value, range));
}

tl::unexpected<Error> not_one_of(std::string_view name, std::string_view value, std::string_view names) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} is '{}'; it must be one of {}", name, value, names));
}

}  // namespace

Status ProfileOptions::validate() const {
  if (Result<AlgorithmChoice> choice = choose_algorithm(algorithm); !choice) {
    return tl::unexpected<Error>(choice.error());
  }
  if (paragraph_words != "full" && paragraph_words != "long") {
    return not_one_of("paragraph_words", paragraph_words, "full, long");
  }
  if (word_hash != "murmur3" && word_hash != "blake2b") return not_one_of("word_hash", word_hash, "murmur3, blake2b");
  if (idf != "bundled" && idf != "corpus") return not_one_of("idf", idf, "bundled, corpus");
  if (anchors_per_paragraph < 1 || anchors_per_paragraph > 16) {
    return outside("anchors_per_paragraph", anchors_per_paragraph, "1 to 16");
  }
  if (sentence_candidate_characters < 1 || sentence_candidate_characters > 1000) {
    return outside("sentence_candidate_characters", sentence_candidate_characters, "1 to 1000");
  }
  if (simhash_distinct_words_minimum < 1 || simhash_distinct_words_minimum > 1000) {
    return outside("simhash_distinct_words_minimum", simhash_distinct_words_minimum, "1 to 1000");
  }
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
  if (paragraph_distance_bits < 0 || paragraph_distance_bits > 32) {
    return outside("paragraph_distance_bits", paragraph_distance_bits, "0 to 32");
  }
  if (!(near_resemblance > 0 && near_resemblance <= 1)) {
    return outside("near_resemblance", near_resemblance, "(0, 1]");
  }
  if (!(containment > 0 && containment <= 1)) return outside("containment", containment, "(0, 1]");
  if (!(overlap_share >= 0 && overlap_share <= 1)) return outside("overlap_share", overlap_share, "[0, 1]");
  if (!(list_weight > 0 && list_weight <= 10)) return outside("list_weight", list_weight, "(0, 10]");
  if (!(after_heading_weight > 0 && after_heading_weight <= 10)) {
    return outside("after_heading_weight", after_heading_weight, "(0, 10]");
  }
  return {};
}

Status CandidateSearchOptions::validate() const {
  if (distance_bits < -1 || distance_bits > 12) return outside("candidate_distance_bits", distance_bits, "-1 to 12");
  if (group_cap < 2 || group_cap > 10'000) return outside("candidate_group_cap", group_cap, "2 to 10000");
  return {};
}

Status SurvivorOptions::validate() const {
  if (Result<std::vector<SurvivorCriterion>> criteria = parse_survivor_criteria(keep); !criteria) {
    return tl::unexpected<Error>(criteria.error());
  }
  if (clusters != "star" && clusters != "connected") return not_one_of("clusters", clusters, "star, connected");
  return {};
}

Status DedupOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (output.folder.empty()) return failure(ErrorCode::kInvalidArgument, "no output folder given (--out)");
  if (resources.threads > 1024) return outside("threads", resources.threads, "0 to 1024");
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
  for (const Status& status : {profile.validate(), candidates.validate(), match.validate(), survivors.validate()}) {
    if (!status) return status;
  }
  return {};
}

}  // namespace paraprint
