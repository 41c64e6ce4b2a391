// Files of tables in a budget, which are written and read as a whole: a magic line, a version, the content, and one
// checksum over all of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint::inline memory {

// Assembles a file in memory, on the budget: the checksum covers all of it. Errors: those of the budget's disk, and of
// AtomicFile.
class CheckedFile {
 public:
  CheckedFile(std::string_view magic, std::uint32_t version, MemoryBudget* budget);

  // Where the caller encodes its rows (ByteWriter). Call next() after each of them.
  std::string& piece() { return piece_; }
  Status next();
  Status commit(const std::string& path);

 private:
  SpillArray<char> all_;
  std::string piece_;
};

// The bytes of a whole file, whose content() is what the writer encoded.
class CheckedBytes {
 public:
  // kNotFound, kUnsupported for another version, kCorruptData, kInputOutput.
  static Result<CheckedBytes> read(const std::string& path, std::string_view magic, std::uint32_t version,
                                   MemoryBudget* budget);
  std::string_view content() const;

 private:
  explicit CheckedBytes(MemoryBudget* budget) : all_(budget) {}

  SpillArray<char> all_;
  std::size_t head_bytes_ = 0;
};

}  // namespace paraprint::inline memory
