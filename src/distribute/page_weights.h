// The word weights that the pages of a divided run are profiled with.
#pragma once

#include <memory>
#include <string_view>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "text/word_weights.h"

namespace paraprint::distribute {

class PageWeights {
 public:
  // `words`: join_words() of the run where ProfileOptions::idf is "corpus"; without it, or with it beside bundled
  // weights, kInvalidArgument. kUnsupported and kCorruptData for bytes that are no such table.
  static Result<PageWeights> read(const ProfileOptions& options, std::string_view words);

  const WordWeights& get() const { return learnt_ ? *learnt_ : WordWeights::bundled(); }

 private:
  std::unique_ptr<WordWeights> learnt_;  // null: bundled
};

}  // namespace paraprint::distribute
