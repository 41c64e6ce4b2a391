// jieba's finalseg: segments a run of Han characters that are not part of a dictionary word, using a hidden Markov
// model with the states Begin, End, Middle and Single.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paraprint::inline text {

// Per-thread buffers, kept between calls.
struct HiddenMarkovScratch {
  std::vector<std::uint32_t> came_from;  // per character four states of two bits
};

// Replaces `word_ends` by the end position of each word of `ids` (compiled character ids; must not be empty), in order.
// Scores are added in jieba's order in double precision, and ties go to the later state letter, so the result is
// identical to jieba's. Cost: about ten nanoseconds per character.
void cut_unknown(std::span<const std::uint16_t> ids, HiddenMarkovScratch& scratch,
                 std::vector<std::uint32_t>& word_ends);

}  // namespace paraprint::inline text
