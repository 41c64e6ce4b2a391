// Any bytes as a file of any archive format: every reader ends, and no record claims bytes that are not there.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "archive/http_payload.h"
#include "archive/record_reader.h"

namespace {

// One file of the process, rewritten for every input: readers take paths.
const std::string& scratch_path() {
  static const std::string path = [] {
    std::string name = "/tmp/fuzz_warc.XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) std::abort();
    ::close(descriptor);
    std::atexit([] { ::unlink(scratch_path().c_str()); });
    return name;
  }();
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::FILE* file = std::fopen(scratch_path().c_str(), "wb");
  if (file == nullptr) std::abort();
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  paraprint::InputFile input;
  input.path = scratch_path();
  paraprint::ReadOptions options;
  options.max_record_bytes = options.max_body_bytes = options.max_line_bytes = 1 << 20;
  options.bomb_threshold_bytes = 1 << 20;
  std::uint64_t stored_end = 0;
  auto reader = paraprint::open_records(input, options, [](paraprint::Defect) {});
  if (!reader) std::abort();
  while (true) {
    auto record = (*reader)->next();
    if (!record) std::abort();
    if (!record->has_value()) break;
    const paraprint::RecordLocation& place = (*record)->location;
    if (place.length_bytes > 0) {
      if (place.offset_bytes < stored_end || place.offset_bytes + place.length_bytes > size) std::abort();
      stored_end = place.offset_bytes + place.length_bytes;
    }
    (void)paraprint::decode_page(std::move(**record), options, "input");
  }
  return 0;
}
