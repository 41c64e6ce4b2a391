// Lines of a word and its numbers, as GloVe and word2vec write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint {

// The first line of a file with a heading: how many words of how many numbers.
struct VectorHeading {
  std::uint64_t words = 0;
  std::uint64_t dimension = 0;
  std::size_t size_bytes = 0;  // with its line end
};

// False if the first line is anything but two numbers.
bool read_vector_heading(std::string_view bytes, VectorHeading& heading);

// kLimitExceeded or kCorruptData for a heading that no file can have.
Status check_vector_heading(const VectorHeading& heading, const std::string& name);

// How many numbers end the first line; 0 if it has none.
std::size_t count_vector_numbers(std::string_view line);

struct VectorLines {
  std::string_view bytes;        // from the first word on
  std::uint64_t first_line = 1;  // its number in the file
  std::uint64_t expected = 0;    // words that a heading names; 0: no heading
};

// Adds the lines' words to `builder` until it is full. A word may hold spaces: its numbers are the last ones.
Status add_vector_lines(const VectorLines& lines, const std::string& name, WordVectorsBuilder& builder);

}  // namespace paraprint
