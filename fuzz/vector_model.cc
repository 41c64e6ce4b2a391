// Fuzzes the reader of paraprint's word-vector models: any bytes, given the version that fits them, are rejected with a
// message that names the file, or every word and all neighbours can be used.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "model_versions.h"
#include "semantics/vectors/dense_paragraphs.h"
#include "semantics/vectors/word_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  struct alignas(16) Unit {
    char bytes[16];
  };
  const std::string model_bytes = paraprint::with_word_vectors_version({reinterpret_cast<const char*>(data), size});
  std::vector<Unit> storage(size / sizeof(Unit) + 1);
  model_bytes.copy(reinterpret_cast<char*>(storage.data()), size);
  const auto vectors =
      paraprint::WordVectors::read({reinterpret_cast<const char*>(storage.data()), size}, "model.vectors");
  if (!vectors) {
    if (vectors.error().message.find("model.vectors") == std::string::npos) std::abort();
    return 0;
  }
  const paraprint::DenseParagraphs paragraphs(*vectors, false);
  for (std::uint32_t row = 0; row < (*vectors)->facts().words; ++row) {
    const paraprint::Fingerprint128 hash = paraprint::murmur128((*vectors)->word(row));
    const std::uint32_t weight = 1U << 28;
    std::vector<double> mean;
    if (!paragraphs.mean({&hash, 1}, {&weight, 1}, 1, mean)) std::abort();
    for (const double component : mean) {
      if (!(std::abs(component) <= paraprint::kMeanOne)) std::abort();
    }
    if ((*vectors)->find((*vectors)->word(row)) != row) std::abort();
    for (const std::uint32_t near : (*vectors)->nearest(row)) {
      if (!std::isfinite((*vectors)->cosine(row, near))) std::abort();
    }
  }
  return 0;
}
