// A file as the importer for its format takes it.
#include "import_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_import(paraprint::import_fasttext, data, size);
}
