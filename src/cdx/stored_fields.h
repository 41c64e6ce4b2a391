// Header fields of WARC records and HTTP messages as the tools that make indexes read them: line by line, each either
// UTF-8 or, if it is not, Latin-1. http/header_block.h is for pages; an index must agree with other tools' indexes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paraprint::inline cdx {

struct StoredFields {
  std::string first_line;                                   // UTF-8, without white space at its end
  std::vector<std::pair<std::string, std::string>> fields;  // in order; lines without a colon are left out
  std::size_t size_bytes = 0;                               // with the blank line that ends the header

  // The first value of this name, in any case; nullptr if there is none.
  const std::string* find(std::string_view lower_name) const;
};

// Bytes as characters of Latin-1, in UTF-8.
std::string from_latin_1(std::string_view bytes);

// The header at the front of `bytes`: it ends with a line of white space, or with the bytes. If the first line is
// blank, it is all there is. Fields are read up to kParsedHeaderBytesMaximum. Cost: O(size of the header).
StoredFields read_stored_fields(std::string_view bytes);

}  // namespace paraprint::inline cdx
