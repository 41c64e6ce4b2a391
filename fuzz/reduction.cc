// Fuzzes the reader of principal components: any bytes, given the version that fits them, are rejected with a message
// that names the file, or all numbers are within the ranges that the fixed-point arithmetic of fingerprints relies on.
#include "semantics/vectors/reduction.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "model_versions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  struct alignas(16) Unit {
    char bytes[16];
  };
  const std::string model_bytes = paraprint::with_reduction_version({reinterpret_cast<const char*>(data), size});
  std::vector<Unit> storage(size / sizeof(Unit) + 1);
  model_bytes.copy(reinterpret_cast<char*>(storage.data()), size);
  const auto reduction =
      paraprint::Reduction::read({reinterpret_cast<const char*>(storage.data()), size}, "file.reduction");
  if (!reduction) {
    if (reduction.error().message.find("file.reduction") == std::string::npos) std::abort();
    return 0;
  }
  const auto check = [](std::span<const std::int32_t> numbers, std::int32_t limit) {
    for (const std::int32_t number : numbers) {
      if (number < -limit || number > limit) std::abort();
    }
  };
  check((*reduction)->mean(), paraprint::kMeanOne);
  for (std::uint32_t i = 0; i < (*reduction)->facts().components; ++i) {
    check((*reduction)->direction(i), paraprint::kDirectionOne);
  }
  return 0;
}
