// BLAKE2b of many short texts at once: every page has a hash for each of its sentences and paragraphs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline fingerprint {

// Replaces `hashes` by blake2b128() of each text (docs/algorithms/hashes.md). Pure and thread-safe. Cost: with AVX2, a
// third of these calls for texts of one block (128 bytes) or less; for a single text it may be more than that of the
// call. Long texts should come first, so that they do not end alone.
void blake2b128_of_each(std::span<const std::string_view> texts, std::vector<Fingerprint128>& hashes);

}  // namespace paraprint::inline fingerprint
