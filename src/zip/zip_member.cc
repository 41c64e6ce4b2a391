// Decompression proceeds in pieces of fixed sizes, so that it meets a limit at the same byte however it is read.
#include "zip/zip_member.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline zip {
namespace {

constexpr std::size_t kStoredPieceBytes = std::size_t{64} << 10;
constexpr std::size_t kContentPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kSkipBytes = std::size_t{256} << 10;

// Raw deflate: a ZIP file has neither the header of zlib nor that of gzip.
constexpr int kRawWindowBits = -15;

}  // namespace

struct ZipMemberStream::Inflater {
  Inflater() : stored(kStoredPieceBytes), content(kContentPieceBytes) {
    if (inflateInit2(&stream, kRawWindowBits) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }

  z_stream stream{};
  std::vector<char> stored;
  std::vector<char> content;
  std::size_t content_begin = 0;  // what is in `content` and has not been taken
  std::size_t content_end = 0;
  std::uint64_t stored_read_bytes = 0;
  std::uint64_t produced_bytes = 0;
  bool is_finished = false;
};

ZipMemberStream::ZipMemberStream(std::string path, std::unique_ptr<ZipFileBytes> bytes, const ZipPlace& place,
                                 const ZipExpansionLimit& limit)
    : path_(std::move(path)), bytes_(std::move(bytes)), place_(place), limit_(limit) {}

ZipMemberStream::~ZipMemberStream() = default;

Result<std::unique_ptr<ZipMemberStream>> ZipMemberStream::open(const std::string& path, const ZipPlace& place,
                                                               const ZipExpansionLimit& limit,
                                                               std::shared_ptr<ByteSource> source) {
  PARAPRINT_ASSIGN(std::unique_ptr<ZipFileBytes> bytes, ZipFileBytes::open(path, std::move(source)));
  std::unique_ptr<ZipMemberStream> stream(new ZipMemberStream(path, std::move(bytes), place, limit));
  if (place.is_deflated) stream->inflater_ = std::make_unique<Inflater>();
  return stream;
}

Result<std::size_t> ZipMemberStream::read(char* target, std::size_t size) {
  PARAPRINT_TRY(check_stop());
  PARAPRINT_ASSIGN(const std::size_t count,
                   place_.is_deflated ? read_deflated(target, size) : read_stored(target, size));
  add_to_checksum(target, count);
  position_bytes_ += count;
  return count;
}

// Offsets are those of the directory and were within the file when it was read; the file may have changed since.
Result<std::size_t> ZipMemberStream::read_stored(char* target, std::size_t size) {
  const std::uint64_t left = place_.stored_bytes - position_bytes_;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, left));
  if (wanted == 0) return std::size_t{0};
  PARAPRINT_ASSIGN(const std::size_t got, bytes_->read_at(place_.offset_bytes + position_bytes_, target, wanted));
  if (got == 0) problem_ = {ZipProblemKind::kTruncated, "the file ends inside the member"};
  return got;
}

Result<std::size_t> ZipMemberStream::read_deflated(char* target, std::size_t size) {
  Inflater& inflater = *inflater_;
  while (inflater.content_begin == inflater.content_end && !inflater.is_finished) {
    PARAPRINT_TRY(inflate_piece());
  }
  const std::size_t count = std::min(size, inflater.content_end - inflater.content_begin);
  std::copy_n(inflater.content.data() + inflater.content_begin, count, target);
  inflater.content_begin += count;
  return count;
}

// Fills `content`, which is empty, once.
Status ZipMemberStream::inflate_piece() {
  Inflater& inflater = *inflater_;
  z_stream& stream = inflater.stream;
  if (stream.avail_in == 0) {
    const std::uint64_t left = place_.stored_bytes - inflater.stored_read_bytes;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(inflater.stored.size(), left));
    PARAPRINT_ASSIGN(const std::size_t got,
                     bytes_->read_at(place_.offset_bytes + inflater.stored_read_bytes, inflater.stored.data(), wanted));
    inflater.stored_read_bytes += got;
    stream.next_in = reinterpret_cast<Bytef*>(inflater.stored.data());
    stream.avail_in = static_cast<uInt>(got);
  }
  stream.next_out = reinterpret_cast<Bytef*>(inflater.content.data());
  stream.avail_out = static_cast<uInt>(inflater.content.size());
  const bool had_input = stream.avail_in > 0;
  const int result = inflate(&stream, Z_NO_FLUSH);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  inflater.content_begin = 0;
  inflater.content_end = inflater.content.size() - stream.avail_out;
  inflater.produced_bytes += inflater.content_end;
  const std::uint64_t consumed_bytes = inflater.stored_read_bytes - stream.avail_in;
  inflater.is_finished = result != Z_OK;
  if (result == Z_STREAM_END || result == Z_OK) {
    if (inflater.produced_bytes > limit_.threshold_bytes &&
        inflater.produced_bytes / (consumed_bytes + 1) > limit_.ratio) {
      inflater.is_finished = true;
      problem_ = {ZipProblemKind::kBomb, fmt::format("the member expands to more than {} times its stored bytes "
                                                     "(max_expansion_ratio); the rest of it is not read",
                                                     limit_.ratio)};
    }
  } else if (result == Z_BUF_ERROR && !had_input) {
    problem_ = {ZipProblemKind::kTruncated, "the compressed bytes end early"};
  } else {
    problem_ = {ZipProblemKind::kBroken,
                fmt::format("the member does not decompress ({}); the {} bytes before the damage are used",
                            stream.msg != nullptr ? stream.msg : "no reason given", inflater.produced_bytes)};
  }
  return {};
}

Status ZipMemberStream::restart() {
  inflater_ = std::make_unique<Inflater>();
  position_bytes_ = 0;
  return {};
}

Status ZipMemberStream::seek(std::uint64_t offset_bytes) {
  const auto too_short = [&] {
    return failure(ErrorCode::kCorruptData, path_ + " has changed: it is now shorter than when it was first read");
  };
  if (!place_.is_deflated) {
    if (offset_bytes > place_.stored_bytes) return too_short();
    position_bytes_ = offset_bytes;
    return {};
  }
  if (offset_bytes < position_bytes_) PARAPRINT_TRY(restart());
  std::vector<char> skipped(kSkipBytes);
  while (position_bytes_ < offset_bytes) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(kSkipBytes, offset_bytes - position_bytes_));
    PARAPRINT_ASSIGN(const std::size_t got, read(skipped.data(), step));
    if (got == 0) return too_short();
  }
  return {};
}

std::uint64_t ZipMemberStream::stored_bytes_behind(std::uint64_t offset_bytes) const {
  if (!place_.is_deflated || offset_bytes == 0) return offset_bytes;
  const auto content_bytes = static_cast<double>(std::max(place_.content_bytes, offset_bytes));  // may be stated wrong
  const auto stored_bytes = static_cast<double>(place_.stored_bytes);
  return static_cast<std::uint64_t>(static_cast<double>(offset_bytes) / content_bytes * stored_bytes);
}

// Covers the content from its start without gaps; what was read out of order is read again by check().
void ZipMemberStream::add_to_checksum(const char* bytes, std::size_t size) {
  const std::uint64_t end = position_bytes_ + size;
  if (position_bytes_ > summed_bytes_ || end <= summed_bytes_) return;
  const auto known = static_cast<std::size_t>(summed_bytes_ - position_bytes_);
  checksum_ = libdeflate_crc32(checksum_, bytes + known, size - known);
  summed_bytes_ = end;
}

Result<std::optional<ZipProblem>> ZipMemberStream::check() {
  if (position_bytes_ > summed_bytes_) PARAPRINT_TRY(seek(summed_bytes_));
  std::vector<char> rest(kSkipBytes);
  while (true) {
    PARAPRINT_ASSIGN(const std::size_t got, read(rest.data(), rest.size()));
    if (got == 0) break;
  }
  if (problem_) return problem_;
  if (summed_bytes_ == place_.content_bytes && checksum_ == place_.checksum) return std::optional<ZipProblem>{};
  return std::optional<ZipProblem>{
      {ZipProblemKind::kChecksum,
       fmt::format("the checksum or length of the member is wrong: the directory states {:08x} and {} bytes, read were "
                   "{:08x} and {}",
                   place_.checksum, place_.content_bytes, checksum_, summed_bytes_)}};
}

}  // namespace paraprint::inline zip
