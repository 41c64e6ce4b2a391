// What two page sketches say of two texts as wholes.
#pragma once

#include "paraprint/model.h"

namespace paraprint {

// Estimated Jaccard similarity of the pairs of neighbouring words, in [0, 1]; 0 where either page has too few words.
// Standard error about 0.04 (algorithms.md 31: the share of equal bytes, corrected for those that are equal by chance).
double pair_similarity(const PageSketch& a, const PageSketch& b);

// Whether the pages name the same facts: 1 when enough of the numbers of the one that names fewer stand in the other,
// or when either names too few to tell; falls to 0 as fewer do. Forecasts, quotations and results that one formula
// writes anew each day share every word but the numbers.
double number_agreement(const PageSketch& a, const PageSketch& b);

}  // namespace paraprint
