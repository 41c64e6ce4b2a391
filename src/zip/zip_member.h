// The content of one member of a ZIP file, as a stream that can be read again from any offset.
//
// Stored content is read in place. Deflated content is decompressed while it is read, in memory of a fixed size: going
// back means to start again, going forward to decompress what lies between. Damage ends the content; it is kept as the
// member's problem and is the same however the content is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "paraprint/result.h"
#include "zip/zip_directory.h"
#include "zip/zip_file_bytes.h"

namespace paraprint::inline zip {

enum class ZipProblemKind : std::uint8_t {
  kBroken,     // the compressed bytes do not decode
  kTruncated,  // they end early
  kBomb,       // they expand beyond the limit
  kChecksum,   // the content has another checksum or length than the directory states
};

struct ZipProblem {
  ZipProblemKind kind = ZipProblemKind::kBroken;
  std::string message;  // without the names of file and member
};

// Deflated content beyond `threshold_bytes` must not exceed `ratio` times its stored bytes.
struct ZipExpansionLimit {
  std::uint64_t threshold_bytes = 0;
  std::uint64_t ratio = 0;
};

// Threads: one at a time.
class ZipMemberStream {
 public:
  // `path` is that of the ZIP file, by which nothing is opened if there is a source of its bytes. Errors: kNotFound,
  // kPermissionDenied, kInputOutput.
  static Result<std::unique_ptr<ZipMemberStream>> open(const std::string& path, const ZipPlace& place,
                                                       const ZipExpansionLimit& limit,
                                                       std::shared_ptr<ByteSource> source = nullptr);
  ZipMemberStream(const ZipMemberStream&) = delete;
  ZipMemberStream& operator=(const ZipMemberStream&) = delete;
  ~ZipMemberStream();

  // Reads up to `size` bytes; 0 only at the end or before damage. Errors: kInputOutput, here as below also those of the
  // source.
  Result<std::size_t> read(char* target, std::size_t size);

  // Continues at this offset in the content. Errors: kCorruptData if the content is shorter; kInputOutput.
  Status seek(std::uint64_t offset_bytes);

  // How many stored bytes of the ZIP file are behind this offset in the content: an estimate from the sizes that the
  // directory states, which does not depend on how the content is read, and never more than all of them.
  std::uint64_t stored_bytes_behind(std::uint64_t offset_bytes) const;

  // Reads what has not been read yet and says what is wrong with the member, if anything is. Errors: kInputOutput.
  Result<std::optional<ZipProblem>> check();

 private:
  struct Inflater;
  ZipMemberStream(std::string path, std::unique_ptr<ZipFileBytes> bytes, const ZipPlace& place,
                  const ZipExpansionLimit& limit);

  Result<std::size_t> read_stored(char* target, std::size_t size);
  Result<std::size_t> read_deflated(char* target, std::size_t size);
  Status inflate_piece();
  Status restart();
  void add_to_checksum(const char* bytes, std::size_t size);

  const std::string path_;
  const std::unique_ptr<ZipFileBytes> bytes_;
  const ZipPlace place_;
  const ZipExpansionLimit limit_;
  std::uint64_t position_bytes_ = 0;  // of the next byte of content
  std::unique_ptr<Inflater> inflater_;
  std::optional<ZipProblem> problem_;  // damage that was met
  std::uint64_t summed_bytes_ = 0;     // of content, from its start, that the checksum covers
  std::uint32_t checksum_ = 0;
};

}  // namespace paraprint::inline zip
