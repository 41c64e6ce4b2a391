// Speed of the text library on one thread, compared with a plain UTF-8 decoding
// loop over the same bytes in the same run.
//
// usage: bench_segmentation [FILE [ROUNDS]]     FILE: UTF-8 text, one document per line. The default is the
//                                               tests' sample, which fits into caches and so flatters the speed.
//
// Reports the best of ROUNDS (default 10) by processor time of this thread, so that other load has little effect.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "text/normalise.h"
#include "text/sentence.h"
#include "text/utf8.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace {

using namespace paraprint;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Runs `work` over all documents `rounds` times and prints the best speed. `work` returns a part of its result, so that
// it is not optimised away.
template <typename Work>
void measure(const char* name, const std::vector<std::string>& documents, int rounds, Work work) {
  double best_seconds = std::numeric_limits<double>::infinity();
  std::uint64_t result = 0;
  std::uint64_t size_bytes = 0;
  for (const std::string& document : documents) size_bytes += document.size();
  for (int round = 0; round < rounds; ++round) {
    result = 0;
    const double begin = thread_seconds();
    for (const std::string& document : documents) result += work(document);
    best_seconds = std::min(best_seconds, thread_seconds() - begin);
  }
  fmt::print("{:<28}{:>10.1f} MB/s  ({})\n", name, static_cast<double>(size_bytes) / 1e6 / best_seconds, result);
}

std::uint64_t decode_all(const std::string& text) {
  std::uint64_t sum = 0;
  for (const char* position = text.data(); position < text.data() + text.size();) {
    const DecodedCharacter character = decode_character(position, text.data() + text.size());
    sum += character.code_point;
    position += character.size_bytes;
  }
  return sum;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool has_file = argument_count > 1 && arguments[1][0] != '-';  // ignore options meant for other benchmarks
  constexpr int kDefaultRounds = 10;
  const int rounds = has_file && argument_count > 2 ? std::max(1, std::atoi(arguments[2])) : kDefaultRounds;
  std::vector<std::string> raw;
  std::ifstream file(has_file ? arguments[1] : PARAPRINT_SOURCE_ROOT "/tests/text/data/sample_zh.txt");
  for (std::string line; std::getline(file, line);) raw.push_back(line);
  std::vector<std::string> normalised;
  const Normaliser normaliser;
  for (const std::string& document : raw) normalised.push_back(normaliser.normalised(document));

  std::string buffer;
  std::vector<Token> tokens;
  std::vector<WordWeight> weights;
  std::vector<TextSpan> spans;
  const WordSegmenter& segmenter = WordSegmenter::shared();
  measure("decode (baseline)", normalised, rounds, decode_all);
  measure("normalise", raw, rounds, [&](const std::string& text) {
    buffer.clear();
    normaliser.append_normalised(text, buffer);
    return buffer.size();
  });
  measure("split sentences", raw, rounds, [&](const std::string& text) {
    split_sentences(text, spans);
    return spans.size();
  });
  measure("count content characters", normalised, rounds,
          [](const std::string& text) { return count_content_characters(text); });
  measure("segment", normalised, rounds, [&](const std::string& text) {
    segmenter.segment(text, tokens);
    return tokens.size();
  });
  measure("segment and weigh", normalised, rounds, [&](const std::string& text) {
    segmenter.segment(text, tokens);
    StopCheck never;
    WordWeights::bundled().weigh(tokens, text, weights, never);
    std::uint64_t sum = 0;
    for (const WordWeight& weight : weights) sum += weight.hash.low & 1;
    return sum;
  });
  return EXIT_SUCCESS;
}
