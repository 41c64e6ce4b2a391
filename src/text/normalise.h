// The normalised form N(text), on which all comparisons of text are based (docs/algorithms/normalisation.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/stop.h"

namespace paraprint::inline text {

struct NormaliseOptions {
  bool fold_traditional = true;  // map traditional to simplified Chinese characters, one by one (OpenCC)
};

// N drops invalid bytes, control and zero-width characters (Cc, Cf, Default_Ignorable_Code_Point) and the combining
// marks beyond 30 in a row; applies Unicode NFKC, simple lower case and the mapping from traditional to simplified
// until nothing changes; replaces every run of white space by one space and removes white space at both ends.
// N(N(text)) = N(text).
//
// Thread-safe. O(text): about a nanosecond per byte for Latin and Chinese; text with combining marks goes through ICU.
class Normaliser {
 public:
  // Throws std::bad_alloc, in every call to come if memory ran out while ICU made its tables, which is in the first.
  explicit Normaliser(NormaliseOptions options = {});

  // Appends N(utf8) to `out`. The existing content of `out` has no influence.
  // If `stop` is stopped in between, that of a part of it. Throws std::bad_alloc.
  void append_normalised(std::string_view utf8, std::string& out, StopCheck& stop) const;
  void append_normalised(std::string_view utf8, std::string& out) const {
    StopCheck never;
    append_normalised(utf8, out, never);
  }

  std::string normalised(std::string_view utf8) const {
    std::string out;
    append_normalised(utf8, out);
    return out;
  }

 private:
  NormaliseOptions options_;
};

// The number of letters and digits (Unicode L* and N*) in UTF-8 text; invalid bytes are ignored. Saturates at 2^32 - 1.
std::uint32_t count_content_characters(std::string_view utf8);

// The major version of ICU, whose rules decide on text with combining marks and on the words of complex scripts.
std::uint32_t unicode_rules_version();

}  // namespace paraprint::inline text
