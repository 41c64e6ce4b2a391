// word2vec's text form and fastText's .vec: a heading, then a word and its numbers a line.
#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint {

Result<WordVectorsBuilder> import_word2vec_text(std::string_view bytes, const std::string& name,
                                                std::uint32_t words_maximum) {
  VectorHeading heading;
  if (!read_vector_heading(bytes, heading)) {
    return failure(ErrorCode::kCorruptData,
                   name + ":1: no heading of two numbers, words and dimension; --format glove reads files without");
  }
  if (Status valid = check_vector_heading(heading, name); !valid) return tl::unexpected<Error>(valid.error());
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(heading.dimension);
  facts.origin = VectorsOrigin::kWord2vecText;
  WordVectorsBuilder builder(facts, words_maximum);
  const VectorLines lines{bytes.substr(heading.size_bytes), 2, heading.words};
  if (Status added = add_vector_lines(lines, name, builder); !added) return tl::unexpected<Error>(added.error());
  return builder;
}

}  // namespace paraprint
