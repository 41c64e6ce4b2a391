// Imports models of other programs, one function per format. `bytes` is the whole file and not trusted. `name` is used
// in messages, which also give the byte or line and suggest what to do.
//
// Errors: kCorruptData for files that are truncated, inconsistent or contain invalid numbers; kLimitExceeded for
// dimensions beyond kVectorDimensionMaximum; kUnsupported for variants that are recognised but not implemented.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"
#include "paraprint/vectors.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint::inline semantics::inline vectors {

// Detects the format by the first bytes. kUnsupported for compressed files and unknown formats.
Result<VectorFormat> find_vector_format(std::string_view bytes, const std::string& name);

// word2vec's binary format: "words dimension\n", then each word, a space and its numbers as 32-bit floats.
Result<WordVectorsBuilder> import_word2vec(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum);
// word2vec's text format, also fastText's .vec: "words dimension\n", then one line per word with its numbers.
Result<WordVectorsBuilder> import_word2vec_text(std::string_view bytes, const std::string& name,
                                                std::uint32_t words_maximum);
// GloVe's text format: the same without the first line.
Result<WordVectorsBuilder> import_glove(std::string_view bytes, const std::string& name, std::uint32_t words_maximum);
// fastText's .bin: the vector of a word is the mean of its own and those of its subwords. Quantised models are refused.
Result<WordVectorsBuilder> import_fasttext(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum);

// Calls the function of `format`, which must not be kAuto.
Result<WordVectorsBuilder> import_vectors(VectorFormat format, std::string_view bytes, const std::string& name,
                                          std::uint32_t words_maximum);

// The first number of fastText's files.
inline constexpr std::uint32_t kFastTextMagic = 793712314;

}  // namespace paraprint::inline semantics::inline vectors
