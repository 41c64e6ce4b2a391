// Writes consecutive compressed members into a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/record_reader.h"
#include "base/atomic_file.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

// Call order: (begin, write*, end)*. With Compression::kNone the bytes are written unchanged. Not thread-safe. Errors
// are those of ByteSink::write().
class MemberWriter {
 public:
  virtual ~MemberWriter() = default;
  virtual void begin() = 0;
  virtual Status write(std::string_view content) = 0;
  virtual Status end() = 0;
};

// `file` must outlive the writer. gzip uses level 6; zstd uses level 3 with checksums, as is common for web archives.
std::unique_ptr<MemberWriter> make_member_writer(Compression compression, ByteSink& file);

// Compresses `content` into one gzip member without a timestamp, so equal content gives equal bytes. Thread-safe.
std::string gzip_member(std::string_view content);

}  // namespace paraprint::inline archive
