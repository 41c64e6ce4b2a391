// Shared by the fuzzers of word-vector importers: any file is rejected with a message that names it, or becomes a model
// that can be opened and has all imported words.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "semantics/vectors/import.h"
#include "semantics/vectors/word_vectors.h"

template <class Import>
int fuzz_import(Import import, const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kWordsMaximum = 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto builder = import(bytes, "file", kWordsMaximum);
  if (!builder) {
    if (!builder.error().message.starts_with("file:")) std::abort();
    return 0;
  }
  if (builder->counts().added == 0) return 0;
  paraprint::WriteVectorsOptions options;
  options.searched_words = kWordsMaximum;
  const std::string file = builder->file_bytes(options);
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> storage(file.size() / sizeof(Unit) + 1);
  std::memcpy(storage.data(), file.data(), file.size());
  const auto vectors = paraprint::WordVectors::read({reinterpret_cast<const char*>(storage.data()), file.size()}, "m");
  if (!vectors || (*vectors)->facts().words != builder->counts().added) std::abort();
  return 0;
}
