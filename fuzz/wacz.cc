// Fuzzes the reading of WACZ files: the directory of the ZIP file, its odd members, and the WARC files in them.
#include <limits>

#include "archive/input_files.h"
#include "archive/wacz_input.h"
#include "read_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const paraprint::ScratchFile file(".wacz");
  file.write(data, size);
  const auto inputs = paraprint::expand_inputs({file.path()});
  if (!inputs) std::abort();
  for (const paraprint::InputFile& input : *inputs) {
    std::uint64_t limit_bytes = size;
    if (input.wacz && !input.wacz->is_recovered) limit_bytes = input.wacz->place.stored_bytes;
    if (limit_bytes > size) std::abort();
    // Of a deflated member, offsets are those of its content, which has no limit of its own.
    if (!input.is_seekable()) limit_bytes = std::numeric_limits<std::uint64_t>::max();
    paraprint::read_input(input, limit_bytes);
  }
  (void)paraprint::open_wacz_member(file.path(), "pages/pages.jsonl", {}, nullptr, [](const paraprint::Defect&) {});
  return 0;
}
