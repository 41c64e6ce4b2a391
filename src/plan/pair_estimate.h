// How many pairs a run over all pages stores, and how many rows of matches.tsv these give, from the pairs that the run
// over the sample stored.
//
// A sample of one page in a hundred has one pair of pages in ten thousand, but a run does not store pairs of pages:
//
// - Of pages with equal text one is compared, so a stored pair is one of texts. If two texts have n and m pages, the
//   sample is n m times as likely to show their pair as that of two texts of one page each, and each of its pairs is
//   counted with the weight 1 / (n m) (Horvitz and Thompson 1952). How many pages a text has that was met j times
//   follows from the distribution of the sizes of texts (copy_estimate.h) by Bayes' rule, as if texts with pairs had
//   the sizes of all others.
// - A text that resembles more than `group_cap` others is compared with about as many of them. Groups are too small in
//   the sample to show this; how many texts a page resembles does show in its connected component.
// - matches.tsv has the rows of all pages of both texts, or a star of them if these are many (engine/output_stage.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/copy_estimate.h"

namespace paraprint::inline plan {

// A pair that the run over the sample stored, by the first pages of the two texts.
struct StoredTextPair {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
};

struct SampledTextPairs {
  std::vector<std::uint32_t> pages_of_text;  // by page: how many pages of the sample have its text; 0 if not the first
  std::vector<StoredTextPair> pairs;
};

// Of the run over all pages, per one of the sample. 1 where the sample has none.
struct PairGrowth {
  double compared = 1;  // stored pairs
  double rows = 1;      // rows of matches.tsv
};

// `text_sizes`: share of the pages by the number of pages that have their text. `pages`: of the crawl. `group_cap`: as
// in GroupCaps (index/key_join.h). All are 1 if the sample is everything. Pure. Cost: linear in the pairs, and
// quadratic in the sizes of `text_sizes` for each number of times that texts were met.
PairGrowth estimate_pair_growth(const SampledTextPairs& sampled, const ClusterShares& text_sizes, double pages,
                                std::uint32_t group_cap);

}  // namespace paraprint::inline plan
