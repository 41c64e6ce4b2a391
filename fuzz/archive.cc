// Fuzzes the detection of input formats and all their readers with any bytes. A new format needs a seed only.
#include "read_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const paraprint::ScratchFile file("");
  paraprint::read_file(file, data, size);
  return 0;
}
