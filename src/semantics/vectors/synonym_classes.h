// Lists and word vectors to what is compared as one (algorithms.md 23, MAP and SOFT). Deterministic.
#pragma once

#include "semantics/vectors/word_vectors.h"
#include "text/synonym_list.h"
#include "text/synonym_table.h"

namespace paraprint {

struct SynonymRules {
  // Cosine from which two words may be one. Section 23: 0.75.
  float cosine_minimum = 0.75F;
  // Words that the dictionary has no part of speech for need so much more.
  float untagged_cosine_more = 0.05F;
  std::size_t class_words_maximum = 8;  // section 23
  std::size_t soft_neighbours = 3;      // section 23
};

// MAP: the classes of the lists, and words that are each the other's nearest that guards let pass. Pairs are taken by
// falling cosine; two classes become one if every word of the one is near enough to every word of the other that has a
// vector, no guard objects, the result is small enough, and not both come from the lists. O(searched words).
std::vector<std::vector<std::string>> merge_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                       const SynonymRules& rules);

// SOFT: for each word its nearest that guards let pass, weighted by their cosine.
std::vector<SynonymContent::Soft> soft_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                  const SynonymRules& rules);

}  // namespace paraprint
