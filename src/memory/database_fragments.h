// The format of RocksDB's logs of changes and lists of files (its documentation: "Write Ahead Log File Format"): blocks
// of 32 KiB, filled with fragments. A fragment has a checksum, a length and a type; a record is one full fragment, or a
// first, any number of middle ones and a last one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline memory {

inline constexpr std::size_t kFragmentBlockBytes = 32768;
inline constexpr std::size_t kFragmentHeaderBytes = 7;

enum FragmentType : std::uint8_t { kFullFragment = 1, kFirstFragment, kMiddleFragment, kLastFragment };

// The little-endian number at this place. Requires that its bytes are there.
template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t i = sizeof number; i-- > 0;) {
    number = static_cast<Number>(std::uint64_t{number} << 8 | static_cast<unsigned char>(bytes[at + i]));
  }
  return number;
}

// What the header of a fragment states. The header must be there.
inline std::size_t stated_length(std::string_view log, std::size_t at) {
  return number_at<std::uint16_t>(log, at + 4);
}
inline std::uint8_t stated_type(std::string_view log, std::size_t at) {
  return static_cast<std::uint8_t>(log[at + 6]);
}

// The end of the block that `at` is in.
inline std::size_t fragment_block_end(std::size_t at) {
  return (at / kFragmentBlockBytes + 1) * kFragmentBlockBytes;
}

// The fragment at this place, without its header, if it is intact. Cost: one CRC-32C of it.
std::optional<std::string_view> fragment_at(std::string_view log, std::size_t at);

// How many bytes of a list of files are left without the record that was being written at a power cut, which had been
// made room for but was not on disk as a whole: its end is zeros, and so is all that follows. All of them if the list
// ends otherwise.
std::size_t bytes_without_unfinished_record(std::string_view list);

// Cuts such a record off the list of files (MANIFEST) of the database in `folder` and returns true, or false if there
// is none. RocksDB refuses to open the database with it, although no change that was acknowledged depends on it: a
// record counts once it is synced. Call this after RocksDB has refused to, which also shows that no process has the
// database open. Errors: those of reading and changing the file.
Result<bool> cut_unfinished_record(const std::string& folder);

}  // namespace paraprint::inline memory
