// Fuzzes the reader of JSON lines: every line is a record or a defect.
#include "read_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const paraprint::ScratchFile file(".jsonl");
  paraprint::read_file(file, data, size);
  return 0;
}
