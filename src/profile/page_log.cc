#include "profile/page_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/system_error.h"
#include "memory/temporary_file.h"
#include "paraprint/stop.h"

namespace paraprint {
namespace {

constexpr std::string_view kFileMagic = "paraprint page log\n";  // persisted
constexpr std::uint32_t kBatchMagic = 0x31425050;                // "PPB1"; persisted
constexpr std::size_t kBatchHeaderBytes = 4 + 4 + 8 + 8;         // magic, pages, body bytes, checksum
constexpr std::size_t kHeaderChecksumBytes = 8;
constexpr std::uint64_t kLargestIdentityBytes = std::uint64_t{256} << 20;  // a list of millions of input files
constexpr std::uint64_t kLargestBatchBytes = std::uint64_t{4} << 30;

Status read_at(int descriptor, const std::string& path, std::uint64_t offset, std::uint64_t size, std::string& out) {
  out.resize(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, out.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected<Error>(system_error("read", path, errno));
    if (got == 0) return failure(ErrorCode::kCorruptData, fmt::format("{}: ends before byte {}", path, offset + size));
    done += static_cast<std::size_t>(got);
  }
  return {};
}

void encode_resume(const ResumePoint& point, ByteWriter& writer) {
  writer.variable(point.ordinal);
  writer.variable(point.stored_offset_bytes);
  writer.variable(point.content_offset_bytes);
  writer.variable(point.skip_bytes);
  writer.variable(point.line);
  writer.variable(point.defects_end_bytes);
  writer.variable(point.searched_bytes);
}

ResumePoint decode_resume(ByteReader& reader) {
  ResumePoint point;
  point.ordinal = reader.variable();
  point.stored_offset_bytes = reader.variable();
  point.content_offset_bytes = reader.variable();
  point.skip_bytes = reader.variable();
  point.line = reader.variable();
  point.defects_end_bytes = reader.variable();
  point.searched_bytes = reader.variable();
  return point;
}

std::string encode_body(const PageBatch& batch) {
  std::string body;
  ByteWriter writer(body);
  writer.variable(batch.file_index);
  writer.fixed(static_cast<std::uint8_t>(batch.ends_file ? 1 : 0));
  encode_resume(batch.resume, writer);
  writer.variable(batch.counters.size());
  for (const auto& [name, amount] : batch.counters) {
    writer.text(name);
    writer.variable(amount);
  }
  writer.variable(batch.defects.size());
  for (const Defect& defect : batch.defects) {
    writer.fixed(static_cast<std::uint8_t>(defect.kind));
    writer.text(defect.file);
    writer.variable(defect.offset_bytes);
    writer.variable(defect.skipped_bytes);
    writer.variable(defect.line);
    writer.text(defect.message);
  }
  writer.text(batch.pages);
  return body;
}

// `pages` becomes the view of the encoded pages within `body`.
Status decode_body(std::string_view body, PageBatch& batch, std::string_view& pages) {
  ByteReader reader(body);
  batch.file_index = static_cast<std::uint32_t>(reader.variable_below(std::uint64_t{1} << 32));
  batch.ends_file = reader.fixed<std::uint8_t>() != 0;
  batch.resume = decode_resume(reader);
  const std::uint64_t counters = reader.variable();
  for (std::uint64_t i = 0; i < counters && reader.ok(); ++i) {
    const std::string_view name = reader.text();
    count(batch.counters, name, reader.variable());
  }
  const std::uint64_t defects = reader.variable();
  for (std::uint64_t i = 0; i < defects && reader.ok(); ++i) {
    Defect defect;
    const auto kind = reader.fixed<std::uint8_t>();
    if (kind >= kDefectKindCount) reader.fail();
    defect.kind = static_cast<DefectKind>(kind);
    defect.file = reader.text();
    defect.offset_bytes = reader.variable();
    defect.skipped_bytes = reader.variable();
    defect.line = reader.variable();
    defect.message = reader.text();
    batch.defects.push_back(std::move(defect));
  }
  pages = reader.text();
  if (!reader.ok() || !reader.at_end()) return failure(ErrorCode::kCorruptData, "a batch can't be decoded");
  return {};
}

struct BatchHeader {
  std::uint32_t page_count = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t checksum = 0;
};

bool decode_batch_header(std::string_view bytes, BatchHeader& header) {
  ByteReader reader(bytes);
  const auto magic = reader.fixed<std::uint32_t>();
  header.page_count = reader.fixed<std::uint32_t>();
  header.body_bytes = reader.fixed<std::uint64_t>();
  header.checksum = reader.fixed<std::uint64_t>();
  return reader.ok() && magic == kBatchMagic && header.body_bytes <= kLargestBatchBytes;
}

LogPosition position_after(const PageBatch& batch) {
  if (batch.ends_file) return {batch.file_index + 1, false, {}};
  return {batch.file_index, true, batch.resume};
}

}  // namespace

void PageBatch::append_page(const Page& page, std::string_view encoded_profile, std::string_view encoded_fingerprint) {
  ByteWriter writer(pages);
  writer.variable(page.location.ordinal);
  writer.variable(page.location.offset_bytes);
  writer.variable(page.location.length_bytes);
  writer.fixed(static_cast<std::uint8_t>(page.format));
  writer.text(page.id);
  writer.text(page.url);
  writer.text(page.date);
  writer.text(encoded_profile);
  writer.text(encoded_fingerprint);
  ++page_count;
}

PageLog::~PageLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::unique_ptr<PageLog>> PageLog::open(const std::string& path, std::string_view identity) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  std::unique_ptr<PageLog> log(new PageLog(path, descriptor));
  if (Status recovered = log->recover(identity); !recovered) return tl::unexpected<Error>(recovered.error());
  return log;
}

Result<std::unique_ptr<PageLog>> PageLog::create_nameless(const std::string& folder) {
  Result<int> descriptor = open_nameless_file(folder);
  if (!descriptor) return tl::unexpected<Error>(descriptor.error());
  std::unique_ptr<PageLog> log(new PageLog(folder, *descriptor));
  if (Status begun = log->recover("nameless"); !begun) return tl::unexpected<Error>(begun.error());
  return log;
}

Status PageLog::recover(std::string_view identity) {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
  const auto file_bytes = static_cast<std::uint64_t>(end);

  std::string header;
  ByteWriter writer(header);
  header.append(kFileMagic);
  writer.fixed(kPageLogFormatVersion);
  writer.text(identity);
  PARAPRINT_ASSERT(header.size() < kLargestIdentityBytes);
  writer.fixed(hash64(header));
  first_batch_bytes_ = size_bytes_ = header.size();

  std::string found;
  const bool has_header = file_bytes >= header.size();
  if (has_header) {
    if (Status read = read_at(descriptor_, path_, 0, header.size(), found); !read) return read;
  }
  if (!has_header || found != header) {
    // A header cut short is a run that died in its first moment; a whole other header is another run's work.
    std::string beginning;
    const std::uint64_t compared = std::min<std::uint64_t>(file_bytes, header.size() - kHeaderChecksumBytes);
    if (Status read = read_at(descriptor_, path_, 0, compared, beginning); !read) return read;
    if (has_header || beginning != header.substr(0, compared)) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}: holds the work of a run with other inputs or settings", path_));
    }
    size_bytes_ = 0;
    if (::ftruncate(descriptor_, 0) != 0) return tl::unexpected<Error>(system_error("truncate", path_, errno));
    return write_all(header);
  }

  std::string bytes;
  while (size_bytes_ + kBatchHeaderBytes <= file_bytes) {
    if (Status read = read_at(descriptor_, path_, size_bytes_, kBatchHeaderBytes, bytes); !read) return read;
    BatchHeader batch_header;
    const std::uint64_t left = file_bytes - size_bytes_ - kBatchHeaderBytes;
    if (!decode_batch_header(bytes, batch_header) || batch_header.body_bytes > left) break;
    if (Status read = read_at(descriptor_, path_, size_bytes_ + kBatchHeaderBytes, batch_header.body_bytes, bytes);
        !read) {
      return read;
    }
    PageBatch batch;
    std::string_view pages;
    if (hash64(bytes) != batch_header.checksum || !decode_body(bytes, batch, pages)) break;
    position_ = position_after(batch);
    size_bytes_ += kBatchHeaderBytes + batch_header.body_bytes;
  }
  if (size_bytes_ < file_bytes && ::ftruncate(descriptor_, static_cast<off_t>(size_bytes_)) != 0) {
    return tl::unexpected<Error>(system_error("truncate", path_, errno));
  }
  return {};
}

Status PageLog::write_all(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_bytes_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return tl::unexpected<Error>(system_error("write", path_, errno));
    done += static_cast<std::size_t>(wrote);
  }
  size_bytes_ += bytes.size();
  return {};
}

Status PageLog::append(const PageBatch& batch) {
  const std::string body = encode_body(batch);
  std::string record;
  ByteWriter writer(record);
  writer.fixed(kBatchMagic);
  writer.fixed(batch.page_count);
  writer.fixed(static_cast<std::uint64_t>(body.size()));
  writer.fixed(hash64(body));
  record += body;
  const std::uint64_t before = size_bytes_;
  if (Status written = write_all(record); !written) {
    // Leave no torn batch behind; if even that fails, opening the log again drops it.
    size_bytes_ = before;
    static_cast<void>(::ftruncate(descriptor_, static_cast<off_t>(before)));
    return written;
  }
  position_ = position_after(batch);
  return {};
}

Status PageLog::sync() {
  if (::fdatasync(descriptor_) != 0) return tl::unexpected<Error>(system_error("sync", path_, errno));
  return {};
}

Status PageLog::read(const std::function<Status(const LoggedPage&)>& visit_page,
                     const std::function<Status(const PageBatch&)>& visit_batch) const {
  std::string bytes;
  for (std::uint64_t at = first_batch_bytes_; at < size_bytes_;) {
    if (Status going_on = check_stop(); !going_on) return going_on;
    if (Status read = read_at(descriptor_, path_, at, kBatchHeaderBytes, bytes); !read) return read;
    BatchHeader header;
    if (!decode_batch_header(bytes, header)) {
      return failure(ErrorCode::kCorruptData, fmt::format("{}: no batch at byte {}", path_, at));
    }
    const std::uint64_t body_offset = at + kBatchHeaderBytes;
    if (Status read = read_at(descriptor_, path_, body_offset, header.body_bytes, bytes); !read) return read;
    PageBatch batch;
    std::string_view pages;
    if (hash64(bytes) != header.checksum || !decode_body(bytes, batch, pages)) {
      return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged batch at byte {}", path_, at));
    }
    ByteReader reader(pages);
    while (reader.ok() && !reader.at_end()) {
      LoggedPage page;
      page.location.file_index = batch.file_index;
      page.location.ordinal = reader.variable();
      page.location.offset_bytes = reader.variable();
      page.location.length_bytes = reader.variable();
      page.format = static_cast<PageFormat>(reader.fixed<std::uint8_t>());
      page.id = reader.text();
      page.url = reader.text();
      page.date = reader.text();
      page.profile = reader.text();
      page.fingerprint = reader.text();
      if (!reader.ok())
        return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged page after byte {}", path_, at));
      page.profile_offset_bytes = body_offset + static_cast<std::uint64_t>(page.profile.data() - bytes.data());
      if (Status visited = visit_page(page); !visited) return visited;
    }
    batch.page_count = header.page_count;
    if (Status visited = visit_batch(batch); !visited) return visited;
    at = body_offset + header.body_bytes;
  }
  return {};
}

Status PageLog::read_bytes(std::uint64_t offset_bytes, std::uint32_t size_bytes, std::string& bytes) const {
  return read_at(descriptor_, path_, offset_bytes, size_bytes, bytes);
}

}  // namespace paraprint
