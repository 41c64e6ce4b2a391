// Combines synonym lists and word vectors into classes of words that are compared as one (modes map and soft of
// docs/algorithms/synonyms.md). Deterministic.
#pragma once

#include "semantics/vectors/word_vectors.h"
#include "text/synonym_list.h"
#include "text/synonym_table.h"

namespace paraprint::inline semantics::inline vectors {

struct SynonymRules {
  // Minimum cosine of two synonyms.
  float cosine_minimum = 0.75F;
  // Added to the minimum if the dictionary has no part of speech for one of the words.
  float untagged_cosine_more = 0.05F;
  std::size_t class_words_maximum = 8;
  std::size_t soft_neighbours = 3;
};

// Mode map: the classes of the lists, extended by pairs of words that are mutually nearest among those the guard
// permits. Pairs are taken in descending order of their cosine. Two classes are merged if every word of one is near
// enough to every word of the other (words without a vector are not compared), the guard permits it, the result is
// small enough, and at most one of the two comes from the lists. O(searched words).
std::vector<std::vector<std::string>> merge_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                       const SynonymRules& rules);

// Mode soft: for each word, the nearest words that the guard permits, weighted by their cosine.
std::vector<SynonymContent::Soft> soft_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                  const SynonymRules& rules);

}  // namespace paraprint::inline semantics::inline vectors
