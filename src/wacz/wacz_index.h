// Packs sorted lines of CDXJ as players read them from a WACZ file: in blocks that are compressed by themselves, with a
// second, small index of the blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "paraprint/result.h"

namespace paraprint::inline wacz {

// As many as py-wacz packs. A player reads one block per look-up.
inline constexpr std::uint64_t kLinesPerBlock = 1024;

class BlockedIndex {
 public:
  // `file_name` is that of the compressed lines, which go to `sink`.
  BlockedIndex(ByteSink& sink, std::string_view file_name);

  // With its line end. Errors: those of the sink.
  Status add(std::string_view line);
  // Returns the index of the blocks: a heading, then a line per block with the key and date of its first line; empty if
  // there was no line.
  Result<std::string> finish();

 private:
  Status write_block();

  ByteSink& sink_;
  std::string blocks_;
  std::string block_;
  std::string first_key_;
  std::uint64_t lines_ = 0;  // of the block
  std::uint64_t offset_bytes_ = 0;
};

}  // namespace paraprint::inline wacz
