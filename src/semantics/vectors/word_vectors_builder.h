// Builds a model file from words and their vectors, added one by one.
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

namespace paraprint::inline semantics::inline vectors {

// The fate of the words passed to add().
struct VectorCounts {
  std::uint64_t added = 0;
  std::uint64_t repeated = 0;      // equal to an earlier word after normalisation
  std::uint64_t not_one_word = 0;  // phrases, punctuation, and other text that our segmentation would split
  std::uint64_t without_length = 0;
  std::uint64_t with_han = 0;  // among the added words
};

struct WriteVectorsOptions {
  std::uint32_t searched_words = 0;  // number of leading words whose nearest words are stored
  unsigned threads = 1;              // does not affect the file
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// Call order: add*, write. Words should come in descending order of frequency; imports keep the order of their file.
class WordVectorsBuilder {
 public:
  // `facts` supplies dimension, origin, subwords and size of the corpus. Requires 1 <= dimension <=
  // kVectorDimensionMaximum and 1 <= words_maximum <= kVectorWordsMaximum.
  WordVectorsBuilder(const VectorFacts& facts, std::uint32_t words_maximum);

  bool is_full() const { return counts_.added >= words_maximum_; }

  // Returns false, and adds nothing, if the vector is not finite. The word is normalised like pages; if it is not a
  // single word under our segmentation, or was added before, it is counted and skipped. Requires `dimension` components
  // and !is_full().
  bool add(std::string_view word, std::span<const float> vector, std::uint64_t count);

  const VectorFacts& facts() const { return facts_; }
  const VectorCounts& counts() const { return counts_; }

  // The file appears complete or not at all. Errors: kInvalidArgument without any word, kNoSpace, kInputOutput,
  // kCancelled.
  Status write(const std::string& path, const WriteVectorsOptions& options);
  // The bytes of such a file. Requires at least one word.
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

}  // namespace paraprint::inline semantics::inline vectors
