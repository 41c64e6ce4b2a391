// GloVe's text format: one line per word with its numbers, no heading. The first line determines the dimension, since
// words may contain spaces: the numbers are the longest run of numbers at its end.
#include <fmt/format.h>

#include "base/propagate.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint::inline semantics::inline vectors {

Result<WordVectorsBuilder> import_glove(std::string_view bytes, const std::string& name, std::uint32_t words_maximum) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t dimension = count_vector_numbers(bytes.substr(0, bytes.find('\n')));
  if (dimension == 0) {
    return failure(ErrorCode::kCorruptData, name + ":1: expected a word followed by numbers");
  }
  if (dimension > kVectorDimensionMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}:1: vectors have {} numbers; at most {} are supported (kVectorDimensionMaximum)",
                               name, dimension, kVectorDimensionMaximum));
  }
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(dimension);
  facts.origin = VectorsOrigin::kGlove;
  WordVectorsBuilder builder(facts, words_maximum);
  PARAPRINT_TRY(add_vector_lines({bytes, 1, 0}, name, builder));
  return builder;
}

}  // namespace paraprint::inline semantics::inline vectors
