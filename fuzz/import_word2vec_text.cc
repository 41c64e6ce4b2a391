// Fuzzes the importer of word2vec's text format (import_vectors.h).
#include "import_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz_import(paraprint::import_word2vec_text, data, size);
}
