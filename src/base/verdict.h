// Functions of verdicts.
#pragma once

#include "paraprint/model.h"

namespace paraprint::inline base {

// The verdict of (b, a), given that of (a, b): `contained` and `contains` are swapped.
constexpr Verdict reversed(Verdict verdict) {
  if (verdict == Verdict::kContained) return Verdict::kContains;
  if (verdict == Verdict::kContains) return Verdict::kContained;
  return verdict;
}

}  // namespace paraprint::inline base
