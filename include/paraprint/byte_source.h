// Stored bytes that are not a file of this machine, such as an object in a store: the readers of archives fetch ranges
// of them as they go.
//
// Example:
//
//   DistributedInput file{"crawl/a.warc.gz"};
//   DistributedInput object{"s3://crawl/a.warc.gz", std::shared_ptr<ByteSource>()};  // of your own class
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "paraprint/result.h"

namespace paraprint {

// Calls come from one thread at a time, mostly for ascending offsets, of some 64 KiB to 4 MiB each. Several readers of
// one source are a few megabytes apart, so an implementation should keep what it fetched last, and read ahead.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads up to `size` bytes, at least one unless the offset is at or behind the end. An error ends the input, as one
  // of a disk ends that of a file; its message should name the source.
  virtual Result<std::size_t> read_at(std::uint64_t offset_bytes, char* target, std::size_t size) = 0;

  virtual std::uint64_t size_bytes() const = 0;
};

// An input of a task: a file or folder of this machine, or a file that `source` reads. The path of the latter is that
// of ids, messages and the name of the output, and nothing is opened by it. Of a WACZ file, the inputs are itself and
// its WARC files (list_distributed_parts()), each with the source of the whole and its path as `file`.
struct DistributedInput {
  std::string path;
  std::shared_ptr<ByteSource> source = nullptr;
  std::string file = {};  // what `source` reads; empty: `path`
  // Tells what `source` reads from what it was before a change; empty if unknown. An unchanged file is listed once for
  // all of its parts that are read in a row.
  std::string version = {};
};

}  // namespace paraprint
