// Reads an input file in batches, as every command that reads pages does, and drops them.
#pragma once

#include <cstdint>
#include <string_view>

#include "archive/input_files.h"
#include "base/assert.h"
#include "profile/record_batches.h"
#include "read_file.h"

namespace paraprint {

// `bytes` become the content of `file`, whose name tells the format.
inline void read_batches(const ScratchFile& file, std::string_view bytes) {
  file.write(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const auto inputs = expand_inputs({file.path()});
  PARAPRINT_ASSERT(inputs.has_value());
  RecordBatchSource source(*inputs, ReadOptions{}, LogPosition{});
  for (bool has_more = true; has_more;) {
    const auto batch = source.next();
    PARAPRINT_ASSERT(batch.has_value());
    has_more = batch->has_value();
  }
}

}  // namespace paraprint
