// Which program wrote a file of word vectors, and the reader for it.
#include <cstring>

#include "semantics/vectors/import.h"
#include "semantics/vectors/vector_lines.h"

namespace paraprint {

Result<VectorFormat> find_vector_format(std::string_view bytes, const std::string& name) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic == kFastTextMagic) return VectorFormat::kFastText;
  if (bytes.starts_with("\x1F\x8B") || bytes.starts_with("PK\x03\x04")) {
    return failure(ErrorCode::kUnsupported, name + ": is compressed; unpack it first");
  }
  VectorHeading heading;
  if (read_vector_heading(bytes, heading)) {
    const std::string_view rest = bytes.substr(heading.size_bytes);
    const bool is_text = count_vector_numbers(rest.substr(0, rest.find('\n'))) >= heading.dimension;
    return is_text ? VectorFormat::kWord2vecText : VectorFormat::kWord2vec;
  }
  if (count_vector_numbers(bytes.substr(0, bytes.find('\n'))) > 0) return VectorFormat::kGlove;
  return failure(ErrorCode::kUnsupported,
                 name + ": begins like no file of word2vec, GloVe or fastText; --format says which it is");
}

Result<WordVectorsBuilder> import_vectors(VectorFormat format, std::string_view bytes, const std::string& name,
                                          std::uint32_t words_maximum) {
  switch (format) {
    case VectorFormat::kWord2vec:
      return import_word2vec(bytes, name, words_maximum);
    case VectorFormat::kWord2vecText:
      return import_word2vec_text(bytes, name, words_maximum);
    case VectorFormat::kGlove:
      return import_glove(bytes, name, words_maximum);
    case VectorFormat::kFastText:
      return import_fasttext(bytes, name, words_maximum);
  }
  return failure(ErrorCode::kInvalidArgument, name + ": no such format");
}

}  // namespace paraprint
