// What src/semantics adds to the core, as a table of calls. The core has to link without word vectors, topic models and
// the libraries that they need (fastText, Eigen), so nothing here names them; enable_semantics() fills the table in.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "feature/sentence_relevance.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "text/synonym_list.h"
#include "text/synonym_table.h"

namespace paraprint::inline base {

class ProgressReporter;

}  // namespace paraprint::inline base

namespace paraprint::inline engine {

struct AlignedPairs;
struct ComparisonBasis;
struct ReadOutcome;
struct RunSetup;

}  // namespace paraprint::inline engine

namespace paraprint::inline memory {

template <class Row>
class SpillArray;

}  // namespace paraprint::inline memory

namespace paraprint::inline profile {

// Fingerprints of paragraphs by what their words mean. Immutable, thread-safe.
class MeaningFingerprinter {
 public:
  virtual ~MeaningFingerprinter() = default;

  // Word i has hash hashes[i] and weight weights[i]. No value if fewer than `words_minimum` different words are known.
  virtual std::optional<Fingerprint128> fingerprint(std::span<const Fingerprint128> hashes,
                                                    std::span<const std::uint32_t> weights,
                                                    std::size_t words_minimum) const = 0;
};

// A model that says how much a sentence tells about its paragraph. Immutable, thread-safe.
class RelevanceModel {
 public:
  virtual ~RelevanceModel() = default;

  // One per thread; the model must outlive it.
  virtual std::unique_ptr<SentenceRelevance> make_relevance() const = 0;
  // A digest of the model's content: part of settings_identity().
  virtual std::string version() const = 0;
};

// Synonyms that word vectors add to the lists.
struct VectorSynonyms {
  SynonymContent content;
  std::unique_ptr<const MeaningFingerprinter> dense;  // mode "dense"; else null
  std::string identity;                               // of the models: part of settings_identity()
};

struct Semantics {
  // For the modes of ProfileOptions::synonyms that need word vectors. Errors: those of opening the models.
  Result<VectorSynonyms> (*make_vector_synonyms)(const ProfileOptions& options, const SynonymLists& lists);
  // The model of ProfileOptions::topic_model, shared by all threads of the process. Errors: those of opening it.
  Result<std::shared_ptr<const RelevanceModel>> (*open_relevance_model)(const ProfileOptions& options);
  // semantics/alignment/align_stage.h.
  Result<AlignedPairs> (*align_doubtful_pairs)(const RunSetup& run, const ReadOutcome& read,
                                               const ComparisonBasis& basis, SpillArray<Match>& matches,
                                               ProgressReporter& progress);
};

// Not thread-safe: see paraprint/extensions.h. `semantics` must outlive the process's use of the library.
void register_semantics(const Semantics* semantics);

// The registered table. kUnsupported, naming the `option` that needs it, if there is none. Thread-safe.
Result<const Semantics*> semantics_for(std::string_view option);

}  // namespace paraprint::inline profile
