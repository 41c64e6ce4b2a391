// Reader of word vector models. The file is mapped and used in place, so opening is quick and processes share its
// pages. After parse() every offset and row number has been checked, so the accessors need no checks.
#include "semantics/vectors/word_vectors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "semantics/vectors/dot_products.h"
#include "semantics/vectors/nearest_words.h"
#include "semantics/vectors/vectors_layout.h"

namespace paraprint::inline semantics::inline vectors {

// The names of --format and of `vectors info`.
std::string_view vectors_origin_name(VectorsOrigin origin) {
  switch (origin) {
    case VectorsOrigin::kSkipGram:
      return "skip-gram";
    case VectorsOrigin::kCbow:
      return "cbow";
    case VectorsOrigin::kWord2vec:
      return "word2vec";
    case VectorsOrigin::kWord2vecText:
      return "word2vec-text";
    case VectorsOrigin::kGlove:
      return "glove";
    case VectorsOrigin::kFastText:
      return "fasttext";
  }
  return "";
}

Result<std::shared_ptr<const WordVectors>> WordVectors::open(const std::string& path) {
  return ModelAccess::open<WordVectors>(path);
}

Result<std::shared_ptr<const WordVectors>> WordVectors::read(std::string_view bytes, const std::string& name) {
  return ModelAccess::read<WordVectors>(bytes, name);
}

// Sizes of sections follow from the header, so its limits are checked before anything is computed from them.
Status WordVectors::parse(const std::string& name) {
  PARAPRINT_ASSIGN(ByteReader header,
                   read_model_header(
                       bytes_, kVectorsMagic,
                       "not a paraprint word vector model; `paraprint vectors import` converts those of other programs",
                       kWordVectorsFormatVersion, name));
  ByteReader& reader = header;
  facts_.dimension = reader.fixed<std::uint32_t>();
  facts_.words = reader.fixed<std::uint32_t>();
  facts_.searched_words = reader.fixed<std::uint32_t>();
  const auto origin = reader.fixed<std::uint32_t>();
  facts_.origin = static_cast<VectorsOrigin>(origin);
  facts_.subword_least = reader.fixed<std::uint32_t>();
  facts_.subword_most = reader.fixed<std::uint32_t>();
  const auto word_bytes = reader.fixed<std::uint32_t>();
  facts_.corpus_words = reader.fixed<std::uint64_t>();
  if (facts_.dimension == 0 || facts_.dimension > kVectorDimensionMaximum || facts_.words == 0 ||
      facts_.words > kVectorWordsMaximum || facts_.searched_words > facts_.words || origin < 1 || origin > 6) {
    return damaged_model(name, "invalid header");
  }
  std::array<std::string_view, kVectorsSections> sections;
  PARAPRINT_ASSIGN(Fingerprint128 version,
                   find_model_sections(bytes_, section_sizes(facts_, word_bytes), sections, name));
  version_ = version;
  word_ends_ = reinterpret_cast<const std::uint32_t*>(sections[kWordEnds].data());
  order_ = reinterpret_cast<const std::uint32_t*>(sections[kOrder].data());
  counts_ = reinterpret_cast<const std::uint32_t*>(sections[kCounts].data());
  rows_.components = reinterpret_cast<const std::int8_t*>(sections[kRows].data());
  rows_.scales = reinterpret_cast<const float*>(sections[kScales].data());
  rows_.count = facts_.words;
  rows_.row_bytes = row_bytes_of(facts_.dimension);
  nearest_ = reinterpret_cast<const std::uint32_t*>(sections[kNearest].data());
  word_bytes_ = sections[kWordBytes];
  return check_tables(name);
}

// The digest detects accidental damage, not malice: anyone can compute it. Everything that could lead outside the file
// or its tables is therefore checked value by value.
Status WordVectors::check_tables(const std::string& name) const {
  std::uint32_t end_before = 0;
  for (std::uint32_t row = 0; row < facts_.words; ++row) {
    if (word_ends_[row] < end_before || word_ends_[row] > word_bytes_.size()) {
      return damaged_model(name, fmt::format("word {} ends out of bounds", row));
    }
    end_before = word_ends_[row];
    if (order_[row] >= facts_.words)
      return damaged_model(name, fmt::format("the order of words contains row {}", order_[row]));
    // Also of NaN. With larger scales, cosines and sums of vectors would leave the range of their numbers.
    if (!(rows_.scales[row] > 0 && rows_.scales[row] <= kScaleMaximum)) {
      return damaged_model(name, fmt::format("the vector of word {} has an impossible length", row));
    }
  }
  // Strictly ascending: find() is then correct, and no word occurs twice.
  for (std::uint32_t place = 1; place < facts_.words; ++place) {
    if (word(order_[place - 1]) >= word(order_[place])) return damaged_model(name, "words not in ascending order");
  }
  const std::size_t entries = std::size_t{kNearestWordsKept} * facts_.searched_words;
  for (std::size_t entry = 0; entry < entries; ++entry) {
    if (nearest_[entry] != kNoRow && nearest_[entry] >= facts_.searched_words) {
      return damaged_model(name, fmt::format("a nearest word has the invalid row {}", nearest_[entry]));
    }
  }
  return {};
}

std::string_view WordVectors::word(std::uint32_t row) const {
  const std::uint32_t begin = row == 0 ? 0 : word_ends_[row - 1];
  return word_bytes_.substr(begin, word_ends_[row] - begin);
}

std::uint32_t WordVectors::count(std::uint32_t row) const {
  return counts_[row];
}

// Binary search over the sorted rows: no table has to be built when the file is opened.
std::optional<std::uint32_t> WordVectors::find(std::string_view wanted) const {
  const std::uint32_t* const end = order_ + facts_.words;
  const std::uint32_t* const found =
      std::lower_bound(order_, end, wanted, [this](std::uint32_t row, std::string_view w) { return word(row) < w; });
  if (found == end || word(*found) != wanted) return std::nullopt;
  return *found;
}

// By the same integer product as in the builder, so the result agrees with the stored order of nearest words.
float WordVectors::cosine(std::uint32_t row_a, std::uint32_t row_b) const {
  std::int32_t dot = 0;
  dot_products(rows_.components + row_a * rows_.row_bytes, 1, rows_.components + row_b * rows_.row_bytes, 1,
               rows_.row_bytes, &dot);
  return cosine_of(dot, rows_.scales[row_a], rows_.scales[row_b]);
}

// Lists are padded with kNoRow where a row has fewer neighbours.
std::span<const std::uint32_t> WordVectors::nearest(std::uint32_t row) const {
  if (row >= facts_.searched_words) return {};
  const std::uint32_t* const begin = nearest_ + std::size_t{kNearestWordsKept} * row;
  return {begin, std::find(begin, begin + kNearestWordsKept, kNoRow)};
}

std::vector<NearWord> WordVectors::search(std::uint32_t row, std::size_t count) const {
  return nearest_words(rows_, row, count);
}

}  // namespace paraprint::inline semantics::inline vectors
