// The normalised form N(text) of algorithms.md 0.1, which every comparison of texts is made on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

struct NormaliseOptions {
  bool fold_traditional = true;  // map traditional to simplified Chinese characters, one by one (OpenCC)
};

// N: drop invalid bytes, control and zero-width characters (Cc, Cf, Default_Ignorable_Code_Point); Unicode NFKC; simple
// lower case; traditional to simplified; NFKC again until nothing changes; every run of white space becomes one space;
// no white space at either end. N(N(text)) = N(text).
//
// Thread-safe. About a nanosecond a byte for Latin and Chinese text; text with combining marks goes through ICU.
class Normaliser {
 public:
  explicit Normaliser(NormaliseOptions options = {}) : options_(options) {}

  // Appends N(utf8) to `out`. What stands in `out` already is not looked at.
  void append_normalised(std::string_view utf8, std::string& out) const;

  std::string normalised(std::string_view utf8) const {
    std::string out;
    append_normalised(utf8, out);
    return out;
  }

 private:
  NormaliseOptions options_;
};

// Letters and digits (Unicode L* and N*) in UTF-8 text; invalid bytes count as none. Saturates at 2^32 - 1.
std::uint32_t count_content_characters(std::string_view utf8);

}  // namespace paraprint
