// The hash of texts whose answers are remembered.
#include "html/remembered_answers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory/seeded_hash.h"

namespace paraprint::inline html {

std::uint64_t RememberedAnswers::hash_of(std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), process_hash_seed().low);
}

}  // namespace paraprint::inline html
