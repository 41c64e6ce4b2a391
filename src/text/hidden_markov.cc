// Viterbi decoding with four states, unrolled: each state has exactly two possible predecessors. Only the scores of the
// last character are kept, plus two bits per state and character for the way back.
#include "text/hidden_markov.h"

#include <utility>

#include "text/text_data.h"

namespace paraprint::inline text {
namespace {

enum State : std::uint32_t { kBegin = 0, kEnd = 1, kMiddle = 2, kSingle = 3 };  // the order of text_data::kHiddenStates

struct Best {
  double score;
  std::uint32_t from;
};

// Python's max() over (score, state) pairs: on equal scores the later letter wins. `low` is the earlier letter.
Best choose(double low_score, std::uint32_t low, double high_score, std::uint32_t high) {
  return low_score > high_score ? Best{low_score, low} : Best{high_score, high};
}

}  // namespace

void cut_unknown(std::span<const std::uint16_t> ids, HiddenMarkovScratch& scratch,
                 std::vector<std::uint32_t>& word_ends) {
  const text_data::Constants& model = text_data::paraprint_constants;
  const auto& transition = model.transition;
  const auto size = static_cast<std::uint32_t>(ids.size());
  scratch.came_from.resize(size);

  const double* emission = text_data::paraprint_emissions[ids[0]];
  double begin = model.start[kBegin] + emission[kBegin];
  double end = model.start[kEnd] + emission[kEnd];
  double middle = model.start[kMiddle] + emission[kMiddle];
  double single = model.start[kSingle] + emission[kSingle];
  for (std::uint32_t i = 1; i < size; ++i) {
    emission = text_data::paraprint_emissions[ids[i]];
    // jieba computes (score + transition) + emission. Possible predecessors: of B, E and S; of E, B and M; of M, B and
    // M; of S, E and S.
    const Best to_begin = choose(end + transition[kEnd][kBegin] + emission[kBegin], kEnd,
                                 single + transition[kSingle][kBegin] + emission[kBegin], kSingle);
    const Best to_end = choose(begin + transition[kBegin][kEnd] + emission[kEnd], kBegin,
                               middle + transition[kMiddle][kEnd] + emission[kEnd], kMiddle);
    const Best to_middle = choose(begin + transition[kBegin][kMiddle] + emission[kMiddle], kBegin,
                                  middle + transition[kMiddle][kMiddle] + emission[kMiddle], kMiddle);
    const Best to_single = choose(end + transition[kEnd][kSingle] + emission[kSingle], kEnd,
                                  single + transition[kSingle][kSingle] + emission[kSingle], kSingle);
    begin = to_begin.score;
    end = to_end.score;
    middle = to_middle.score;
    single = to_single.score;
    // Two bits per state, at the position given by the state's number.
    scratch.came_from[i] = to_begin.from | to_end.from << 2 | to_middle.from << 4 | to_single.from << 6;
  }

  // Follows the best path backwards. A word ends after every E and S; the last character must be one of them.
  // Positions are collected in reverse and then reversed.
  word_ends.clear();
  std::uint32_t state = choose(end, kEnd, single, kSingle).from;
  for (std::uint32_t i = size; i-- > 0;) {
    if (state == kEnd || state == kSingle) word_ends.push_back(i + 1);
    if (i > 0) state = scratch.came_from[i] >> (2 * state) & 3;
  }
  for (std::size_t low = 0, high = word_ends.size(); low + 1 < high; ++low)
    std::swap(word_ends[low], word_ends[--high]);
}

}  // namespace paraprint::inline text
