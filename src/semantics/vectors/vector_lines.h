// Reads lines of a word and its numbers, as GloVe and word2vec write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint::inline semantics::inline vectors {

// Editors may put a mark before the text, which would become a part of the first word or number.
std::string_view without_byte_order_mark(std::string_view bytes);

// The first line of a file with a heading: number of words, and numbers per word.
struct VectorHeading {
  std::uint64_t words = 0;
  std::uint64_t dimension = 0;
  std::size_t size_bytes = 0;  // including the line end and a mark before it
};

// Returns false unless the first line consists of two numbers, with blanks between them.
bool read_vector_heading(std::string_view bytes, VectorHeading& heading);

// kLimitExceeded or kCorruptData for a heading with impossible numbers.
Status check_vector_heading(const VectorHeading& heading, const std::string& name);

// The number of numbers at the end of the line.
std::size_t count_vector_numbers(std::string_view line);

struct VectorLines {
  std::string_view bytes;        // from the first word on
  std::uint64_t first_line = 1;  // line number of the first word
  std::uint64_t expected = 0;    // number of words in the heading; 0: no heading
};

// Adds the words to `builder` until it is full. A word may contain spaces; its numbers are the last fields.
// kCorruptData, naming the line, for malformed lines.
Status add_vector_lines(const VectorLines& lines, const std::string& name, WordVectorsBuilder& builder);

}  // namespace paraprint::inline semantics::inline vectors
