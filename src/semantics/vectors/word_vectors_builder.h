// Words with their vectors, one after the other, to a model file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint {

// What became of the words that were offered.
struct VectorCounts {
  std::uint64_t added = 0;
  std::uint64_t repeated = 0;      // equal to an earlier one once normalised
  std::uint64_t not_one_word = 0;  // phrases, punctuation, and what our own segmentation would cut
  std::uint64_t without_length = 0;
  std::uint64_t with_han = 0;  // of the added ones
};

struct WriteVectorsOptions {
  std::uint32_t searched_words = 0;  // so many of the first words get their nearest words
  unsigned threads = 1;              // the file does not depend on it
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// Call order: add*, write. Words come in falling frequency, or in the order of the file they are read from.
class WordVectorsBuilder {
 public:
  // `facts`: dimension, origin, subwords and size of the corpus. 1 <= dimension <= kVectorDimensionMaximum.
  // `words_maximum` <= kVectorWordsMaximum.
  WordVectorsBuilder(const VectorFacts& facts, std::uint32_t words_maximum);

  bool is_full() const { return counts_.added >= words_maximum_; }

  // False if the vector, which has `dimension` components, is not finite; nothing is added then. A word is normalised
  // as pages are; one that is no single word of ours, or was there before, is counted and left out.
  bool add(std::string_view word, std::span<const float> vector, std::uint64_t count);

  const VectorFacts& facts() const { return facts_; }
  const VectorCounts& counts() const { return counts_; }

  // The file appears complete or not at all. kInvalidArgument without any word; kNoSpace, kInputOutput.
  Status write(const std::string& path, const WriteVectorsOptions& options);
  // The bytes of such a file. Requires a word.
  std::string file_bytes(const WriteVectorsOptions& options);

 private:
  bool is_one_word(std::string_view word);
  void append_row(std::span<const float> vector, double length);
  Status for_each_part(const WriteVectorsOptions& options, const std::function<Status(std::string_view)>& write_part);

  VectorFacts facts_;
  std::uint32_t words_maximum_;
  VectorCounts counts_;
  Normaliser normaliser_;
  std::vector<Token> tokens_;
  std::unordered_set<std::string> known_;
  std::vector<std::uint32_t> word_ends_;
  std::string word_bytes_;
  std::vector<std::uint32_t> word_counts_;
  std::vector<float> scales_;
  std::vector<std::int8_t> components_;
};

}  // namespace paraprint
