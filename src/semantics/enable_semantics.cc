// Connects the core's table of calls (profile/semantics.h) with the code behind it.
#include "paraprint/extensions.h"
#include "profile/semantics.h"
#include "semantics/alignment/align_stage.h"
#include "semantics/topics/topic_relevance.h"
#include "semantics/vectors/vector_synonyms.h"

namespace paraprint {
namespace {

constexpr Semantics kSemantics = {&make_vector_synonyms, &open_topic_relevance_model, &align_words_of_pairs};

}  // namespace

void enable_semantics() {
  register_semantics(&kSemantics);
}

}  // namespace paraprint
