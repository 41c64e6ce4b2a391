// Models of other programs to ours. One function a format; the bytes are a whole file's and nobody vouches for them.
// `name` is the file's, for messages, which also say the byte or the line, and what to do.
//
// Errors: kCorruptData for files that break off, contradict themselves or hold numbers that are none; kLimitExceeded
// for dimensions beyond kVectorDimensionMaximum; kUnsupported for variants that are understood and not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint {

enum class VectorFormat { kWord2vec, kWord2vecText, kGlove, kFastText };

// By the first bytes. kUnsupported with what was looked for, and a word about compressed files.
Result<VectorFormat> find_vector_format(std::string_view bytes, const std::string& name);

// word2vec's binary form: "words dimension\n", then each word, a space and its numbers as 32-bit floats.
Result<WordVectorsBuilder> import_word2vec(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum);
// word2vec's text form, which is also fastText's .vec: "words dimension\n", then a word and its numbers a line.
Result<WordVectorsBuilder> import_word2vec_text(std::string_view bytes, const std::string& name,
                                                std::uint32_t words_maximum);
// GloVe's text form: the same without the first line.
Result<WordVectorsBuilder> import_glove(std::string_view bytes, const std::string& name, std::uint32_t words_maximum);
// fastText's .bin: a word's vector is the mean of its own and those of its parts. Quantised models are refused.
Result<WordVectorsBuilder> import_fasttext(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum);

Result<WordVectorsBuilder> import_vectors(VectorFormat format, std::string_view bytes, const std::string& name,
                                          std::uint32_t words_maximum);

// fastText's files begin with this number.
inline constexpr std::uint32_t kFastTextMagic = 793712314;

}  // namespace paraprint
