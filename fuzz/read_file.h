// Shared by the fuzzers of readers: any bytes as an input file, and the properties that must hold for all records read.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "archive/http_payload.h"
#include "archive/record_reader.h"

namespace paraprint {

// A temporary file, rewritten for every input, because readers take paths. The suffix selects formats that are
// recognised by file name.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& suffix) : path_("/tmp/paraprint_fuzz.XXXXXX" + suffix) {
    const int descriptor = ::mkstemps(path_.data(), static_cast<int>(suffix.size()));
    if (descriptor < 0) std::abort();
    ::close(descriptor);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { ::unlink(path_.c_str()); }

  void write(const std::uint8_t* data, std::size_t size) const {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    if (file == nullptr || std::fwrite(data, 1, size, file) != size) std::abort();
    std::fclose(file);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The reader must come to an end, and no record may claim bytes outside of the `stored_bytes` or of another record.
inline void read_input(const InputFile& input, std::uint64_t stored_bytes) {
  constexpr std::size_t kLimitBytes = std::size_t{1} << 20;
  ReadOptions options;
  options.max_record_bytes = options.max_body_bytes = options.max_line_bytes = kLimitBytes;
  options.bomb_threshold_bytes = kLimitBytes;
  auto reader = open_records(input, options, [](Defect) {});
  if (!reader) std::abort();
  std::uint64_t stored_end = 0;
  while (true) {
    auto record = (*reader)->next();
    if (!record) std::abort();
    if (!record->has_value()) break;
    const RecordLocation& place = (*record)->location;
    if (place.length_bytes > 0) {
      if (place.offset_bytes < stored_end || place.offset_bytes + place.length_bytes > stored_bytes) std::abort();
      stored_end = place.offset_bytes + place.length_bytes;
    }
    (void)decode_page(std::move(**record), options, "input");
  }
}

inline void read_file(const ScratchFile& file, const std::uint8_t* data, std::size_t size) {
  file.write(data, size);
  InputFile input;
  input.path = file.path();
  read_input(input, size);
}

}  // namespace paraprint
