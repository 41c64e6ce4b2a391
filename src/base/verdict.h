// What follows from a verdict alone.
#pragma once

#include "paraprint/model.h"

namespace paraprint {

// The verdict of (b, a) when `verdict` is that of (a, b): `contained` and `contains` change places.
constexpr Verdict reversed(Verdict verdict) {
  if (verdict == Verdict::kContained) return Verdict::kContains;
  if (verdict == Verdict::kContains) return Verdict::kContained;
  return verdict;
}

}  // namespace paraprint
