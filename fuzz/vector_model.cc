// Fuzzes the reader of paraprint's word-vector models: any bytes are rejected with a message that names the file, or
// every word and all neighbours can be used.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "semantics/vectors/word_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> storage(size / sizeof(Unit) + 1);
  if (size > 0) std::memcpy(storage.data(), data, size);
  const auto vectors =
      paraprint::WordVectors::read({reinterpret_cast<const char*>(storage.data()), size}, "model.vectors");
  if (!vectors) {
    if (vectors.error().message.find("model.vectors") == std::string::npos) std::abort();
    return 0;
  }
  for (std::uint32_t row = 0; row < (*vectors)->facts().words; ++row) {
    if ((*vectors)->find((*vectors)->word(row)) != row) std::abort();
    for (const std::uint32_t near : (*vectors)->nearest(row)) {
      if (!std::isfinite((*vectors)->cosine(row, near))) std::abort();
    }
  }
  return 0;
}
