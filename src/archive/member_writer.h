// Compressed members, one after the other, written into a file that appears when it is complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/record_reader.h"
#include "base/atomic_file.h"
#include "paraprint/result.h"

namespace paraprint {

// Call order: (begin, write*, end)*. kNone writes the bytes as they are. Errors are those of AtomicFile::write.
class MemberWriter {
 public:
  virtual ~MemberWriter() = default;
  virtual void begin() = 0;
  virtual Status write(std::string_view content) = 0;
  virtual Status end() = 0;
};

// `file` must outlive the writer. gzip at level 6, zstd at level 3 with checksums: what archives have.
std::unique_ptr<MemberWriter> make_member_writer(Compression compression, AtomicFile& file);

// One whole gzip member in memory, without a date: equal content gives equal bytes. Thread-safe.
std::string gzip_member(std::string_view content);

}  // namespace paraprint
