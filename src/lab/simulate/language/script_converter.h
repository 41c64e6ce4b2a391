// Converts between Simplified and Traditional Chinese with OpenCC's phrase dictionaries, that is, into what a person or
// a site would write; comparisons fold single characters instead (text/normalise.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline lab::inline simulate::inline language {

enum class ScriptConversion {
  kToTraditional,    // s2t
  kToSimplified,     // t2s
  kToTaiwanWords,    // s2twp: including words used in Taiwan
  kFromTaiwan,       // tw2s: characters only
  kToMainlandWords,  // tw2sp: including words used on the mainland
  kToTaiwan,         // s2tw: characters only
};

// Reads OpenCC's data on first use. Not thread-safe; use one per thread.
class ScriptConverter {
 public:
  ScriptConverter();
  ~ScriptConverter();
  ScriptConverter(ScriptConverter&&) noexcept;
  ScriptConverter& operator=(ScriptConverter&&) noexcept;

  // kUnsupported if OpenCC's data can't be read.
  Status check();

  // Requires that check() succeeded.
  std::string convert(ScriptConversion conversion, std::string_view text);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace paraprint::inline lab::inline simulate::inline language
