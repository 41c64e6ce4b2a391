// The word weights with which the pages of a distributed run are profiled.
#pragma once

#include <memory>
#include <string_view>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "text/word_weights.h"

namespace paraprint::distribute {

class PageWeights {
 public:
  // `words` is join_words() of the run if ProfileOptions::idf is "corpus", and empty otherwise; any other combination
  // is kInvalidArgument. kUnsupported or kCorruptData for malformed tables.
  static Result<PageWeights> read(const ProfileOptions& options, std::string_view words);

  const WordWeights& get() const { return learnt_ ? *learnt_ : WordWeights::bundled(); }

 private:
  std::unique_ptr<WordWeights> learnt_;  // null: bundled
};

}  // namespace paraprint::distribute
