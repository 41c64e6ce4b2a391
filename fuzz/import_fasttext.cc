// Fuzzes the importer of fastText's binary models (import_vectors.h).
#include "import_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_import(paraprint::import_fasttext, data, size);
}
