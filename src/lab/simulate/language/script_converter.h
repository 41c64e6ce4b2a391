// Simplified and Traditional Chinese by OpenCC, with its dictionaries of phrases: what a person or a site would write,
// unlike the folding of single characters that comparisons use (text/normalise.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint {

enum class ScriptConversion {
  kToTraditional,    // s2t
  kToSimplified,     // t2s
  kToTaiwanWords,    // s2twp: with the words used in Taiwan
  kFromTaiwan,       // tw2s: characters alone
  kToMainlandWords,  // tw2sp: with the words used on the mainland
  kToTaiwan,         // s2tw: characters alone
};

// Reads OpenCC's data when first needed. Not thread-safe: one a thread.
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

}  // namespace paraprint
