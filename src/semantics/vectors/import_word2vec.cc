// word2vec's binary format: a heading in text, then each word, a space, its numbers as 32-bit floats, and optionally a
// line end. Nothing in a record says where the next one begins, so damage can't be skipped and ends the import.
#include <fmt/format.h>

#include <cstring>

#include "base/propagate.h"
#include "base/stop.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// The original program reads words into a buffer of a few thousand bytes; a longer run without a space is damage.
constexpr std::size_t kStoredWordBytesMaximum = 4096;

tl::unexpected<Error> wrong_word(const std::string& name, std::size_t offset, std::uint64_t word,
                                 std::string_view what) {
  return failure(ErrorCode::kCorruptData, fmt::format("{}: at byte {}, word {}: {}; the file is damaged or cut off",
                                                      name, offset, word + 1, what));
}

}  // namespace

Result<WordVectorsBuilder> import_word2vec(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum) {
  VectorHeading heading;
  if (!read_vector_heading(bytes, heading)) {
    return failure(ErrorCode::kCorruptData, name + ":1: expected a heading of two numbers, words and dimension");
  }
  PARAPRINT_TRY(check_vector_heading(heading, name));
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(heading.dimension);
  facts.origin = VectorsOrigin::kWord2vec;
  WordVectorsBuilder builder(facts, words_maximum);
  std::vector<float> vector(facts.dimension);
  const std::size_t vector_bytes = sizeof(float) * vector.size();
  std::size_t offset = heading.size_bytes;
  // Some writers end each vector with a line feed, others do not; none of them starts a word with one.
  for (std::uint64_t word = 0; word < heading.words && !builder.is_full(); ++word) {
    PARAPRINT_TRY(check_stop());
    while (offset < bytes.size() && bytes[offset] == '\n') ++offset;
    const std::size_t space = bytes.substr(offset, kStoredWordBytesMaximum).find(' ');
    if (space == std::string_view::npos) return wrong_word(name, offset, word, "the word is not followed by a space");
    const std::string_view text = bytes.substr(offset, space);
    offset += space + 1;
    if (bytes.size() - offset < vector_bytes) return wrong_word(name, offset, word, "its vector is truncated");
    std::memcpy(vector.data(), bytes.data() + offset, vector_bytes);
    if (!builder.add(text, vector, 0)) return wrong_word(name, offset, word, "its vector contains infinity or NaN");
    offset += vector_bytes;
  }
  return builder;
}

}  // namespace paraprint::inline semantics::inline vectors
