// Compares two texts as wholes by their page sketches.
#pragma once

#include "paraprint/model.h"

namespace paraprint::inline verify {

// Estimated Jaccard similarity of the pairs of neighbouring words, in [0, 1]; 0 if either page has too few words. It is
// the share of equal bytes, corrected for bytes that are equal by chance (b-bit MinHash: P. Li, A. C. Koenig 2010,
// docs/algorithms/minhash.md). Standard error about 0.04.
double pair_similarity(const PageSketch& a, const PageSketch& b);

// Whether the pages state the same facts, judged by their numbers. 1 if most numbers of the page with fewer also occur
// in the other page, or if either page has too few to tell; falls linearly to 0. Forecasts, stock quotes and results
// that are written from one formula every day share every word except the numbers.
double number_agreement(const PageSketch& a, const PageSketch& b);

}  // namespace paraprint::inline verify
