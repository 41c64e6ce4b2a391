// Quantises vectors as they arrive, so memory is about one byte per component instead of four. A word that segmentation
// would never produce from a page can't be looked up either, and is dropped here.
#include "semantics/vectors/word_vectors_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "semantics/vectors/nearest_words.h"
#include "semantics/vectors/vectors_layout.h"
#include "text/utf8.h"

namespace paraprint::inline semantics::inline vectors {

WordVectorsBuilder::WordVectorsBuilder(const VectorFacts& facts, std::uint32_t words_maximum)
    : facts_(facts), words_maximum_(words_maximum) {
  PARAPRINT_ASSERT(facts.dimension >= 1 && facts.dimension <= kVectorDimensionMaximum);
  PARAPRINT_ASSERT(words_maximum >= 1 && words_maximum <= kVectorWordsMaximum);
}

// The order of the tests decides under which heading a skipped word is counted: not a word, zero vector, repeated.
bool WordVectorsBuilder::add(std::string_view word, std::span<const float> vector, std::uint64_t count) {
  PARAPRINT_ASSERT(vector.size() == facts_.dimension && !is_full());
  double squares = 0;
  for (const float component : vector) {
    if (!std::isfinite(component)) return false;
    squares += static_cast<double>(component) * static_cast<double>(component);
  }
  std::string normalised;
  if (word.size() <= kVectorWordBytesMaximum) normaliser_.append_normalised(word, normalised);
  if (!is_one_word(normalised)) {
    ++counts_.not_one_word;
  } else if (squares == 0 || !std::isfinite(squares)) {
    ++counts_.without_length;
  } else if (!known_.insert(normalised).second) {
    ++counts_.repeated;
  } else {
    ++counts_.added;
    if (begins_with_han(normalised)) ++counts_.with_han;
    word_bytes_ += normalised;
    word_ends_.push_back(static_cast<std::uint32_t>(word_bytes_.size()));
    word_counts_.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max())));
    append_row(vector, std::sqrt(squares));
  }
  return true;
}

// Segmentation must return the whole word as one token: then it returns the same token for the word in a page.
bool WordVectorsBuilder::is_one_word(std::string_view word) {
  if (word.empty() || word.size() > kVectorWordBytesMaximum) return false;
  WordSegmenter::shared().segment(word, tokens_);
  return tokens_.size() == 1 && tokens_[0].begin_bytes == 0 && tokens_[0].end_bytes == word.size();
}

// Scales the row so that its largest component becomes 127. The stored scale is that of the rounded row, not of the
// vector, so that the cosine of a row with itself is 1.
void WordVectorsBuilder::append_row(std::span<const float> vector, double length) {
  double largest = 0;
  for (const float component : vector) largest = std::max(largest, std::abs(component / length));
  std::uint64_t squares = 0;
  for (const float component : vector) {
    const auto rounded = static_cast<int>(std::lround(component / length / largest * kLargestComponent));
    components_.push_back(static_cast<std::int8_t>(rounded));
    squares += static_cast<std::uint64_t>(rounded * rounded);
  }
  components_.resize(scales_.size() * row_bytes_of(facts_.dimension) + row_bytes_of(facts_.dimension), 0);
  scales_.push_back(static_cast<float>(1 / std::sqrt(static_cast<double>(squares))));
}

// The nearest words are found on the quantised rows: readers then see the same cosines that determined the order.
Status WordVectorsBuilder::for_each_part(const WriteVectorsOptions& options,
                                         const std::function<Status(std::string_view)>& write_part) {
  facts_.words = static_cast<std::uint32_t>(counts_.added);
  facts_.searched_words = std::min(options.searched_words, facts_.words);
  const QuantisedRows rows{components_.data(), scales_.data(), scales_.size(), row_bytes_of(facts_.dimension)};
  const auto progress = [&](std::uint64_t done) {
    if (options.progress) options.progress(done, facts_.searched_words);
  };
  PARAPRINT_ASSIGN(const std::vector<std::uint32_t> nearest,
                   find_all_nearest(rows, facts_.searched_words, options.threads, progress));
  // Rows stay in the order of frequency; a sorted index serves lookups.
  std::vector<std::uint32_t> order(facts_.words);
  std::iota(order.begin(), order.end(), 0);
  const auto word = [this](std::uint32_t row) {
    const std::uint32_t begin = row == 0 ? 0 : word_ends_[row - 1];
    return std::string_view(word_bytes_).substr(begin, word_ends_[row] - begin);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return word(a) < word(b); });

  const std::array<std::string_view, kVectorsSections> sections = {section_bytes(word_ends_),
                                                                   section_bytes(order),
                                                                   section_bytes(word_counts_),
                                                                   section_bytes(scales_),
                                                                   section_bytes(components_),
                                                                   section_bytes(nearest),
                                                                   word_bytes_};
  std::string header(kVectorsMagic);
  ByteWriter writer(header);
  writer.fixed(kWordVectorsFormatVersion);
  writer.fixed(facts_.dimension);
  writer.fixed(facts_.words);
  writer.fixed(facts_.searched_words);
  writer.fixed(static_cast<std::uint32_t>(facts_.origin));
  writer.fixed(facts_.subword_least);
  writer.fixed(facts_.subword_most);
  writer.fixed(static_cast<std::uint32_t>(word_bytes_.size()));
  writer.fixed(facts_.corpus_words);
  return write_model_parts(std::move(header), sections, write_part);
}

// An AtomicFile, so an earlier model of the same name stays until the new one is complete.
Status WordVectorsBuilder::write(const std::string& path, const WriteVectorsOptions& options) {
  if (counts_.added == 0) {
    return failure(ErrorCode::kInvalidArgument, path + ": not written because it would contain no words");
  }
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  PARAPRINT_TRY(for_each_part(options, [&](std::string_view part) { return file.write(part); }));
  return file.commit();
}

// Writing to memory cannot fail, except by a stop request, which its callers do not make.
std::string WordVectorsBuilder::file_bytes(const WriteVectorsOptions& options) {
  PARAPRINT_ASSERT(counts_.added > 0);
  std::string bytes;
  const Status written = for_each_part(options, [&](std::string_view part) -> Status {
    bytes += part;
    return {};
  });
  PARAPRINT_ASSERT(written.has_value());
  return bytes;
}

}  // namespace paraprint::inline semantics::inline vectors
