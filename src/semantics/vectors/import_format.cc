// Detects the program that wrote a file of word vectors, and calls the importer. fastText's binary files have a magic
// number; word2vec's two formats share their heading and differ in the line after it, which is text in one of them.
#include <cstring>

#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// As a line of GloVe's format it would be a number in place of a word, and one component.
bool is_like_heading(std::string_view line) {
  return line.find_first_not_of("0123456789+-,. \t\r") == std::string_view::npos && count_vector_numbers(line) == 1;
}

}  // namespace

Result<VectorFormat> find_vector_format(std::string_view bytes, const std::string& name) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic == kFastTextMagic) return VectorFormat::kFastText;
  if (bytes.starts_with("\x1F\x8B") || bytes.starts_with("PK\x03\x04")) {
    return failure(ErrorCode::kUnsupported, name + ": compressed file; unpack it first");
  }
  // Ambiguous only for a GloVe file of dimension 1 whose first word is a number, which has to be named as such.
  VectorHeading heading;
  if (read_vector_heading(bytes, heading)) {
    const std::string_view rest = bytes.substr(heading.size_bytes);
    const bool is_text = count_vector_numbers(rest.substr(0, rest.find('\n'))) >= heading.dimension;
    return is_text ? VectorFormat::kWord2vecText : VectorFormat::kWord2vec;
  }
  const std::string_view text = without_byte_order_mark(bytes);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (is_like_heading(line)) {
    return failure(
        ErrorCode::kUnsupported,
        name + ":1: two numbers, but no heading of a number of words and a dimension; " + "specify --format");
  }
  if (count_vector_numbers(line) > 0) return VectorFormat::kGlove;
  return failure(ErrorCode::kUnsupported, name + ": not recognised as word2vec, GloVe or fastText; specify --format");
}

Result<WordVectorsBuilder> import_vectors(VectorFormat format, std::string_view bytes, const std::string& name,
                                          std::uint32_t words_maximum) {
  switch (format) {
    case VectorFormat::kAuto:
      break;
    case VectorFormat::kWord2vec:
      return import_word2vec(bytes, name, words_maximum);
    case VectorFormat::kWord2vecText:
      return import_word2vec_text(bytes, name, words_maximum);
    case VectorFormat::kGlove:
      return import_glove(bytes, name, words_maximum);
    case VectorFormat::kFastText:
      return import_fasttext(bytes, name, words_maximum);
  }
  return failure(ErrorCode::kInvalidArgument, name + ": unknown format");
}

}  // namespace paraprint::inline semantics::inline vectors
