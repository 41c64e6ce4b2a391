// A word vector model: a direction for each word, such that words used in the same contexts have similar directions
// (docs/algorithms/word-vectors.md). One immutable file, mapped into memory (docs/formats/word-vectors.md).
//
// Rows are in descending order of frequency and quantised to one byte per component. For the most frequent words the
// file also stores the nearest words, so that classes of synonyms can be made without a search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline semantics::inline models {

class ModelAccess;

}  // namespace paraprint::inline semantics::inline models

namespace paraprint::inline semantics::inline vectors {

inline constexpr std::uint32_t kWordVectorsFormatVersion = 1;  // persisted

// Limits on trained and imported models, beyond any in use.
inline constexpr std::uint32_t kVectorWordsMaximum = 1U << 22;
inline constexpr std::uint32_t kVectorDimensionMaximum = 1024;
inline constexpr std::uint32_t kVectorWordBytesMaximum = 200;
inline constexpr std::uint32_t kNearestWordsKept = 10;
inline constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

enum class VectorsOrigin : std::uint32_t {  // persisted: never renumber
  kSkipGram = 1,
  kCbow = 2,
  kWord2vec = 3,
  kWord2vecText = 4,
  kGlove = 5,
  kFastText = 6,
};

// "skip-gram", "cbow", "word2vec", ...
std::string_view vectors_origin_name(VectorsOrigin origin);

struct VectorFacts {
  std::uint32_t dimension = 0;
  std::uint32_t words = 0;
  std::uint32_t searched_words = 0;  // number of leading words with stored nearest words, taken from the same words
  VectorsOrigin origin = VectorsOrigin::kSkipGram;
  std::uint32_t subword_least = 0;  // characters of the shortest and longest subword; 0: whole words only
  std::uint32_t subword_most = 0;
  std::uint64_t corpus_words = 0;  // running words of the text it was trained on; 0: unknown
};

struct NearWord {
  std::uint32_t row = 0;
  float cosine = 0;
  friend bool operator==(const NearWord&, const NearWord&) = default;
};

// Rows of int8 components, each row followed by zeros up to a multiple of kRowAlignment.
struct QuantisedRows {
  static constexpr std::size_t kRowAlignment = 16;
  const std::int8_t* components = nullptr;
  const float* scales = nullptr;  // one over the length of the row
  std::size_t count = 0;
  std::size_t row_bytes = 0;
};
constexpr std::size_t row_bytes_of(std::uint32_t dimension) {
  return (dimension + QuantisedRows::kRowAlignment - 1) / QuantisedRows::kRowAlignment * QuantisedRows::kRowAlignment;
}

class WordVectors {
 public:
  // Maps the file and checks every byte of it. Errors: kCorruptData (names the file and the damage), kUnsupported for
  // another version of the format, kInvalidArgument for another kind of file, kNotFound, kInputOutput.
  static Result<std::shared_ptr<const WordVectors>> open(const std::string& path);
  // The same over bytes in memory, which must outlive the model and be aligned to 16. `name` is used in messages.
  static Result<std::shared_ptr<const WordVectors>> read(std::string_view bytes, const std::string& name);

  const VectorFacts& facts() const { return facts_; }
  // Digest of the content. Fingerprints made with this model must carry it.
  const Fingerprint128& version() const { return version_; }
  std::uint64_t size_bytes() const { return bytes_.size(); }

  std::string_view word(std::uint32_t row) const;
  std::uint32_t count(std::uint32_t row) const;  // in the corpus, saturating; 0: unknown
  // The row of a word, which must be normalised.
  std::optional<std::uint32_t> find(std::string_view word) const;
  // A row times its scale is a vector of length one.
  std::span<const std::int8_t> components(std::uint32_t row) const {
    return {rows_.components + row * rows_.row_bytes, facts_.dimension};
  }
  float scale(std::uint32_t row) const { return rows_.scales[row]; }
  float cosine(std::uint32_t row_a, std::uint32_t row_b) const;
  // At most kNearestWordsKept rows in descending order of their cosine; empty unless row < searched_words.
  std::span<const std::uint32_t> nearest(std::uint32_t row) const;
  // The `count` nearest of all words. O(words).
  std::vector<NearWord> search(std::uint32_t row, std::size_t count) const;

 private:
  friend ModelAccess;
  WordVectors() = default;
  Status parse(const std::string& name);
  Status check_tables(const std::string& name) const;

  MappedFile file_;
  std::string_view bytes_;
  VectorFacts facts_;
  Fingerprint128 version_;
  QuantisedRows rows_;
  const std::uint32_t* word_ends_ = nullptr;  // in word_bytes_
  const std::uint32_t* order_ = nullptr;      // rows in ascending order of their words' bytes
  const std::uint32_t* counts_ = nullptr;
  const std::uint32_t* nearest_ = nullptr;
  std::string_view word_bytes_;
};

}  // namespace paraprint::inline semantics::inline vectors
