// Synonyms by word vectors: what ProfileOptions::synonyms "map", "soft" and "dense" add to the lists.
#pragma once

#include "profile/semantics.h"

namespace paraprint::inline semantics::inline vectors {

// Semantics::make_vector_synonyms. Errors: those of opening the word vectors and the reduction; kInvalidArgument if the
// reduction was made for other vectors.
Result<VectorSynonyms> make_vector_synonyms(const ProfileOptions& options, const SynonymLists& lists);

}  // namespace paraprint::inline semantics::inline vectors
