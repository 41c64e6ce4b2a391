// BLAKE2b of many short texts at once: every page has a hash for each of its sentences and paragraphs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace paraprint::inline fingerprint {

// Replaces `hashes` by the high half of the B128 of each text (docs/algorithms/hashes.md), which is that of
// blake2b128(). Pure and thread-safe. Cost: with AVX2, a third of calling blake2b128() for texts of one block (128
// bytes) or less; for a single text it may be more than that of the call.
void blake2b64_of_each(std::span<const std::string_view> texts, std::vector<std::uint64_t>& hashes);

}  // namespace paraprint::inline fingerprint
