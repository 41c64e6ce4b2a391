// The directory of a ZIP file (zip64 included), read member by member from a file that nobody vouches for.
//
// minizip parses the file. Unlike other libraries, it reads the directory entry by entry, so that a forged one needs no
// memory, and it tells where the bytes of a member lie, so that a stored member can be read in place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "paraprint/byte_source.h"
#include "paraprint/result.h"

namespace paraprint::inline zip {

// Longer names are cut off, and their members cannot be read. Names of files have at most 255 bytes per folder.
inline constexpr std::size_t kMaxMemberNameBytes = 1024;

// Where the content of a member is in the file.
struct ZipPlace {
  std::uint64_t offset_bytes = 0;   // of the stored bytes
  std::uint64_t stored_bytes = 0;   // after compression
  std::uint64_t content_bytes = 0;  // before compression, as the directory states it
  std::uint32_t checksum = 0;       // CRC-32 of the content, as the directory states it
  bool is_deflated = false;
};

struct ZipMember {
  std::string name;     // as stored: any bytes
  ZipPlace place;       // the offset is known after locate()
  std::string problem;  // why the member cannot be read; empty if it can
};

// Threads: one at a time.
class ZipDirectory {
 public:
  // Errors: kCorruptData if the file has no directory at its end: it is cut off, or not a ZIP file. kNotFound,
  // kPermissionDenied, kInputOutput.
  // With a source, that of the bytes, nothing is opened by the path. Errors also: those of the source.
  static Result<ZipDirectory> open(const std::string& path, std::shared_ptr<ByteSource> source = nullptr);

  ZipDirectory(ZipDirectory&& other) noexcept;
  ZipDirectory& operator=(ZipDirectory&&) = delete;
  ~ZipDirectory();

  // The next member, nullopt after the last one. Errors: kCorruptData if the directory is damaged; there is nothing to
  // read behind the damage. kInputOutput, kCancelled (base/stop.h).
  Result<std::optional<ZipMember>> next();

  // Completes the place of the member that next() returned last, or its problem: encrypted, compressed by another
  // method than deflate, outside of the file, or stated otherwise in front of its bytes than in the directory. Errors:
  // kInputOutput.
  Status locate(ZipMember& member);

  std::uint64_t file_bytes() const;

 private:
  struct Implementation;
  explicit ZipDirectory(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline zip
