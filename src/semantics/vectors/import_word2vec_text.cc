// word2vec's text format and fastText's .vec: a heading, then one line per word with its numbers. The heading is
// checked against the lines, so a truncated download is noticed.
#include "base/propagate.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint::inline semantics::inline vectors {

Result<WordVectorsBuilder> import_word2vec_text(std::string_view bytes, const std::string& name,
                                                std::uint32_t words_maximum) {
  VectorHeading heading;
  if (!read_vector_heading(bytes, heading)) {
    return failure(
        ErrorCode::kCorruptData,
        name + ":1: expected a heading of two numbers, words and dimension; for files without it use --format glove");
  }
  PARAPRINT_TRY(check_vector_heading(heading, name));
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(heading.dimension);
  facts.origin = VectorsOrigin::kWord2vecText;
  WordVectorsBuilder builder(facts, words_maximum);
  const VectorLines lines{bytes.substr(heading.size_bytes), 2, heading.words};
  PARAPRINT_TRY(add_vector_lines(lines, name, builder));
  return builder;
}

}  // namespace paraprint::inline semantics::inline vectors
