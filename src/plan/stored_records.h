// Records at given places of a file, without reading what lies before them: members of gzip files, records of WARC
// files, lines of JSON. Files whose records cannot be read alone, such as lines compressed as one stream, have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "paraprint/result.h"
#include "plan/deadline.h"

namespace paraprint::inline plan {

enum class RecordForm : std::uint8_t { kWarcMembers, kWarc, kJsonMembers, kJsonLines };
inline constexpr std::size_t kRecordForms = 4;

struct StoredRecord {
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  bool has_page = false;  // it may be a page, by the type that a WARC record states
};

enum class WindowEnd : std::uint8_t {
  kReached,
  kGivenUp,  // too much work for what looks like the start of a record and is none
  kLate,
};

struct StartsInWindow {
  std::vector<StoredRecord> records;  // up to where the search ended
  WindowEnd end = WindowEnd::kReached;
};

// One open file. Not thread-safe.
class RecordFile {
 public:
  // Errors: those of opening the file.
  static Result<RecordFile> open(std::string path, RecordForm form);
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) = delete;
  ~RecordFile();

  // The records that start in the `length_bytes` bytes from `begin_bytes` on, in order. What starts there and is
  // damaged, or longer than `record_bytes_maximum` after decompression, is left out; once this has taken as much
  // decompression as four times the window and the longest record, the window is given up. Errors: kInputOutput,
  // kCancelled.
  Result<StartsInWindow> starting_in(std::uint64_t begin_bytes, std::uint64_t length_bytes,
                                     std::uint64_t record_bytes_maximum, const Deadline& deadline) const;

  // Exactly these bytes. Errors: kInputOutput; kCorruptData if the file is shorter.
  Result<std::string> read(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;

 private:
  RecordFile(std::string path, RecordForm form, int descriptor);
  // Up to `length_bytes` bytes; fewer only at the end of the file.
  Result<std::string> read_some(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;
  // `made_bytes` grows by what is decompressed.
  Result<std::optional<StoredRecord>> record_at(std::uint64_t offset_bytes, std::uint64_t maximum,
                                                std::uint64_t& made_bytes) const;
  Result<std::optional<StoredRecord>> member_at(std::uint64_t offset_bytes, std::uint64_t maximum,
                                                std::uint64_t& made_bytes) const;
  Result<std::optional<StoredRecord>> block_at(std::uint64_t offset_bytes, std::uint64_t maximum) const;
  Result<std::optional<StoredRecord>> line_at(std::uint64_t offset_bytes, std::uint64_t maximum) const;

  std::string path_;
  RecordForm form_;
  int descriptor_ = -1;
};

}  // namespace paraprint::inline plan
