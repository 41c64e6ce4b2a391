// The identity lists the versions of the models by content, not their paths: a profile made with a copy of the model
// elsewhere may be compared, one made with a retrained model of the same name may not.
#include "semantics/vectors/vector_synonyms.h"

#include <fmt/format.h>

#include "base/fingerprint_text.h"
#include "base/propagate.h"
#include "semantics/vectors/dense_paragraphs.h"
#include "semantics/vectors/synonym_classes.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

Result<std::shared_ptr<const Reduction>> open_reduction(const ProfileOptions& options, const WordVectors& vectors) {
  Result<std::shared_ptr<const Reduction>> reduction = Reduction::open(options.reduction);
  PARAPRINT_TRY(reduction);
  const ReductionFacts& facts = (*reduction)->facts();
  if (facts.vectors != vectors.version() || facts.dimension != vectors.facts().dimension) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: was made with a model of version {}, and {} has version {}; `paraprint vectors "
                    "reduce` makes one for it",
                    options.reduction, hex_of(facts.vectors), options.word_vectors, hex_of(vectors.version())));
  }
  return reduction;
}

// Words that lists merge are merged as with a model. Reductions are made of words hashed by Murmur.
Result<VectorSynonyms> make_hashed(std::uint32_t dimension, const ProfileOptions& options, const SynonymLists& lists) {
  if (options.synonyms != SynonymMode::kDense || options.word_hash != WordHash::kMurmur3) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("word_vectors is '{}'; hashed words are for synonyms dense and the word_hash murmur3",
                               options.word_vectors));
  }
  PARAPRINT_ASSIGN(std::shared_ptr<const Reduction> reduction, Reduction::open(options.reduction));
  if (reduction->facts().vectors != hashed_version(dimension) || reduction->facts().dimension != dimension) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: was not made with {}; `paraprint vectors reduce {}` makes one", options.reduction,
                               options.word_vectors, options.word_vectors));
  }
  VectorSynonyms made;
  made.identity = fmt::format("/hashed/{}", hex_of(reduction->version()));
  made.content.classes = lists.classes;
  made.dense = std::make_unique<const DenseFingerprinter>(DenseParagraphs(dimension), std::move(reduction));
  return made;
}

}  // namespace

Result<VectorSynonyms> make_vector_synonyms(const ProfileOptions& options, const SynonymLists& lists) {
  PARAPRINT_ASSIGN(const std::optional<std::uint32_t> hashed, hashed_dimension(options.word_vectors));
  if (hashed) return make_hashed(*hashed, options, lists);
  PARAPRINT_ASSIGN(std::shared_ptr<const WordVectors> vectors, WordVectors::open(options.word_vectors));
  VectorSynonyms made;
  made.identity = "/" + hex_of(vectors->version());
  const SynonymRules rules;
  made.content.classes =
      options.synonyms == SynonymMode::kMap ? merge_neighbours(*vectors, lists, rules) : lists.classes;
  if (options.synonyms == SynonymMode::kSoft) made.content.soft = soft_neighbours(*vectors, lists, rules);
  if (options.synonyms == SynonymMode::kDense) {
    PARAPRINT_ASSIGN(std::shared_ptr<const Reduction> reduction, open_reduction(options, *vectors));
    made.identity += "/" + hex_of(reduction->version());
    DenseParagraphs paragraphs(std::move(vectors), options.word_hash == WordHash::kBlake2b);
    made.dense = std::make_unique<const DenseFingerprinter>(std::move(paragraphs), std::move(reduction));
  }
  return made;
}

}  // namespace paraprint::inline semantics::inline vectors
