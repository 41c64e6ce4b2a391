// Writes, recovers and reads the page log.
//
// Recovery relies on three rules: the header must equal that of the present run byte for byte; a batch counts only if
// magic, size, checksum and decoding are all right; and each batch carries the point at which reading resumes after it.
// The log can therefore be cut after any complete batch without losing or repeating a page. All access is by pread and
// pwrite at explicit offsets, so threads can read profiles through one descriptor without sharing a file position.
#include "profile/page_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"
#include "memory/temporary_file.h"

namespace paraprint::inline profile {
namespace {

constexpr std::string_view kFileMagic = "paraprint page log\n";  // persisted
constexpr std::uint32_t kBatchMagic = 0x31425050;                // "PPB1"; persisted
constexpr std::size_t kBatchHeaderBytes = 4 + 4 + 8 + 8;         // magic, pages, body bytes, checksum
constexpr std::size_t kHeaderChecksumBytes = 8;
// Parts that not every page has; persisted.
constexpr unsigned kHasScore = 1;
constexpr unsigned kHasOrigin = 2;
constexpr unsigned kHasIdOfPlace = 4;  // no part: what the id is
constexpr unsigned kAllParts = kHasScore | kHasOrigin | kHasIdOfPlace;
// A list of about a million input files. The header is held in memory and compared as a whole at each start.
constexpr std::uint64_t kLargestIdentityBytes = std::uint64_t{256} << 20;
// Bounds the allocation that a damaged batch header can ask for; batches of a run stay far below.
constexpr std::uint64_t kLargestBatchBytes = std::uint64_t{4} << 30;

// Fills `out` with exactly `size` bytes. A short file is damage, not an error of the system: the log was cut or
// replaced while it was open.
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

// The order of the fields is part of the format (docs/formats/page-log.md); ResumePoint may declare them in another.
void encode_resume(const ResumePoint& point, ByteWriter& writer) {
  writer.variable(point.ordinal);
  writer.variable(point.stored_offset_bytes);
  writer.variable(point.content_offset_bytes);
  writer.variable(point.skip_bytes);
  writer.variable(point.line);
  writer.variable(point.defects_end_bytes);
  writer.variable(point.searched_bytes);
  writer.variable(point.joined_origin_hash);
  writer.variable(point.joined_end);
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
  point.joined_origin_hash = reader.variable();
  point.joined_end = reader.variable();
  return point;
}

// Everything that the checksum of a batch covers. `pages` comes last, so that decode_body() can return it as a view.
std::string encode_body(const PageBatch& batch) {
  std::string body;
  ByteWriter writer(body);
  writer.variable(batch.file_index);
  writer.fixed(static_cast<std::uint8_t>(batch.ends_file ? 1 : 0));
  writer.fixed(static_cast<std::uint8_t>(batch.has_conversions ? 1 : 0));
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
    writer.variable(defect.count);
    writer.text(defect.message);
  }
  writer.text(batch.pages);
  return body;
}

// Sets `pages` to the view of the encoded pages within `body`; they are decoded by PageLog::read() only, since recovery
// needs no more than their checksum. Loops stop at the first failed read, so a wrong count can't make them run on.
Status decode_body(std::string_view body, PageBatch& batch, std::string_view& pages) {
  ByteReader reader(body);
  batch.file_index = static_cast<std::uint32_t>(reader.variable_below(std::uint64_t{1} << 32));
  batch.ends_file = reader.fixed<std::uint8_t>() != 0;
  batch.has_conversions = reader.fixed<std::uint8_t>() != 0;
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
    defect.count = reader.variable();
    defect.message = reader.text();
    batch.defects.push_back(std::move(defect));
  }
  pages = reader.text();
  if (!reader.ok() || !reader.at_end()) return failure(ErrorCode::kCorruptData, "malformed batch");
  return {};
}

struct BatchHeader {
  std::uint32_t page_count = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t checksum = 0;
};

// Checked before the body is read: the checksum covers the body alone.
bool decode_batch_header(std::string_view bytes, BatchHeader& header) {
  ByteReader reader(bytes);
  const auto magic = reader.fixed<std::uint32_t>();
  header.page_count = reader.fixed<std::uint32_t>();
  header.body_bytes = reader.fixed<std::uint64_t>();
  header.checksum = reader.fixed<std::uint64_t>();
  return reader.ok() && magic == kBatchMagic && header.body_bytes <= kLargestBatchBytes;
}

// An ended file has no resume point: its reader is gone, and the next batch begins the next file.
LogPosition position_after(const PageBatch& batch) {
  if (batch.ends_file) return {batch.file_index + 1, false, {}};
  return {batch.file_index, true, batch.resume};
}

bool met_unreadable_input(const PageBatch& batch) {
  return std::any_of(batch.defects.begin(), batch.defects.end(),
                     [](const Defect& defect) { return defect.kind == DefectKind::kUnreadableFile; });
}

}  // namespace

void PageBatch::append_page(const Page& page, LanguageCode language, std::string_view encoded_profile,
                            std::string_view encoded_fingerprint, std::string_view encoded_origin) {
  ByteWriter writer(pages);
  writer.variable(page.location.ordinal);
  writer.variable(page.location.offset_bytes);
  writer.variable(page.location.length_bytes);
  writer.fixed(static_cast<std::uint8_t>(page.format));
  writer.fixed(language.number());
  const unsigned parts = (page.score ? kHasScore : 0U) | (encoded_origin.empty() ? 0U : kHasOrigin) |
                         (page.has_id_of_place ? kHasIdOfPlace : 0U);
  writer.fixed(static_cast<std::uint8_t>(parts));
  if (page.score) writer.fixed(std::bit_cast<std::uint64_t>(*page.score));
  writer.text(page.id);
  writer.text(page.url);
  writer.text(page.date);
  writer.text(page.made_from);
  writer.text(encoded_profile);
  writer.text(encoded_fingerprint);
  if (!encoded_origin.empty()) writer.text(encoded_origin);
  ++page_count;
  has_conversions = has_conversions || !page.made_from.empty();
}

PageLog::~PageLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// O_RDWR without O_TRUNC: an existing log is examined first. The caller holds the lock on the folder (work_folder.cc).
Result<std::unique_ptr<PageLog>> PageLog::open(const std::string& path, std::string_view identity) {
  if (identity.size() >= kLargestIdentityBytes) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}: settings and the list of inputs take {} bytes; they must take less than {}. Divide "
                               "the inputs among several runs, or pack them into fewer files",
                               path, identity.size(), kLargestIdentityBytes));
  }
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  std::unique_ptr<PageLog> log(new PageLog(path, descriptor));
  PARAPRINT_TRY(log->recover(identity));
  return log;
}

Result<std::unique_ptr<PageLog>> PageLog::open_to_read(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  std::unique_ptr<PageLog> log(new PageLog(path, descriptor));
  PARAPRINT_TRY(log->read_header());
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0) return tl::unexpected<Error>(system_error("read", path, errno));
  PARAPRINT_TRY(log->find_end(static_cast<std::uint64_t>(end)));
  if (log->size_bytes_ == static_cast<std::uint64_t>(end)) return log;
  return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged or incomplete from byte {} on; repeat the "
                                                      "`paraprint dedup` that wrote it",
                                                      path, log->size_bytes_));
}

// The length of the identity is checked against the limit before anything of that size is read.
Status PageLog::read_header() {
  const auto damaged = [this] { return failure(ErrorCode::kCorruptData, fmt::format("{}: not a page log", path_)); };
  constexpr std::size_t kLongestNumberBytes = 10;  // of a variable-length number
  std::string bytes(kFileMagic.size() + sizeof kPageLogFormatVersion + kLongestNumberBytes, '\0');
  const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), 0);
  if (got < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
  bytes.resize(static_cast<std::size_t>(got));
  if (!bytes.starts_with(kFileMagic)) return damaged();
  ByteReader beginning(std::string_view(bytes).substr(kFileMagic.size()));
  const auto version = beginning.fixed<std::uint8_t>();
  if (beginning.ok() && version != kPageLogFormatVersion) {
    return failure(ErrorCode::kUnsupported, fmt::format("{}: written by another version of paraprint", path_));
  }
  const std::uint64_t size = beginning.variable();
  if (!beginning.ok() || size >= kLargestIdentityBytes) return damaged();
  std::string length;
  ByteWriter(length).variable(size);
  const std::size_t begin = kFileMagic.size() + sizeof kPageLogFormatVersion + length.size();
  PARAPRINT_TRY(read_at(descriptor_, path_, 0, begin + size + kHeaderChecksumBytes, bytes));
  const std::string_view header = std::string_view(bytes).substr(0, begin + size);
  ByteReader checksum(std::string_view(bytes).substr(header.size()));
  if (checksum.fixed<std::uint64_t>() != hash64(header)) return damaged();
  identity_ = header.substr(begin);
  first_batch_bytes_ = size_bytes_ = bytes.size();
  return {};
}

Result<std::unique_ptr<PageLog>> PageLog::create_nameless(const std::string& folder) {
  PARAPRINT_ASSIGN(int descriptor, open_nameless_file(folder));
  std::unique_ptr<PageLog> log(new PageLog(folder, descriptor));
  log->is_nameless_ = true;
  PARAPRINT_TRY(log->recover("nameless"));
  return log;
}

// Validates what is in the file, sets position_ and size_bytes_ to the end of the last good batch, and truncates the
// file there. Reads the whole log once: a checksum is the only evidence that a batch reached the disk completely,
// because after a power cut the file may have its full length with blocks missing in the middle.
Status PageLog::recover(std::string_view identity) {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
  const auto file_bytes = static_cast<std::uint64_t>(end);

  std::string header;
  ByteWriter writer(header);
  header.append(kFileMagic);
  writer.fixed(kPageLogFormatVersion);
  writer.text(identity);
  writer.fixed(hash64(header));
  first_batch_bytes_ = size_bytes_ = header.size();
  identity_ = identity;

  std::string found;
  const bool has_header = file_bytes >= header.size();
  if (has_header) {
    PARAPRINT_TRY(read_at(descriptor_, path_, 0, header.size(), found));
  }
  if (!has_header || found != header) {
    // A header that is cut short but right as far as it goes belongs to a run that died while it wrote it: start over.
    // Anything else is the work of another run (or another file) and must not be overwritten. The checksum at the end
    // of a short header is left out of the comparison.
    std::string beginning;
    const std::uint64_t compared = std::min<std::uint64_t>(file_bytes, header.size() - kHeaderChecksumBytes);
    PARAPRINT_TRY(read_at(descriptor_, path_, 0, compared, beginning));
    if (has_header || beginning != header.substr(0, compared)) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}: belongs to a run with other inputs or settings", path_));
    }
    size_bytes_ = 0;
    if (::ftruncate(descriptor_, 0) != 0) return tl::unexpected<Error>(system_error("truncate", path_, errno));
    return write_all(header);
  }

  PARAPRINT_TRY(find_end(file_bytes));
  if (size_bytes_ < file_bytes && ::ftruncate(descriptor_, static_cast<off_t>(size_bytes_)) != 0) {
    return tl::unexpected<Error>(system_error("truncate", path_, errno));
  }
  return {};
}

// Batches after a damaged one do not count, even if intact: their pages follow in the order of the input, and a gap
// could not be filled by appending.
Status PageLog::find_end(std::uint64_t file_bytes) {
  std::string bytes;
  while (size_bytes_ + kBatchHeaderBytes <= file_bytes) {
    PARAPRINT_TRY(read_at(descriptor_, path_, size_bytes_, kBatchHeaderBytes, bytes));
    BatchHeader batch_header;
    const std::uint64_t left = file_bytes - size_bytes_ - kBatchHeaderBytes;
    if (!decode_batch_header(bytes, batch_header) || batch_header.body_bytes > left) break;
    PARAPRINT_TRY(read_at(descriptor_, path_, size_bytes_ + kBatchHeaderBytes, batch_header.body_bytes, bytes));
    PageBatch batch;
    std::string_view pages;
    if (hash64(bytes) != batch_header.checksum || !decode_body(bytes, batch, pages)) break;
    if (!before_failed_read_ && met_unreadable_input(batch)) before_failed_read_ = {size_bytes_, position_};
    position_ = position_after(batch);
    has_conversions_ = has_conversions_ || batch.has_conversions;
    size_bytes_ += kBatchHeaderBytes + batch_header.body_bytes;
  }
  return {};
}

// Later batches are dropped as well, because pages are in the order of the input.
Status PageLog::drop_failed_reads() {
  PARAPRINT_ASSERT(has_failed_reads());
  if (::ftruncate(descriptor_, static_cast<off_t>(before_failed_read_->size_bytes)) != 0) {
    return tl::unexpected<Error>(system_error("truncate", path_, errno));
  }
  size_bytes_ = before_failed_read_->size_bytes;
  position_ = before_failed_read_->position;
  before_failed_read_.reset();
  return {};
}

// Advances size_bytes_ only after the last byte: until then the log ends where it did before.
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

// position_ moves only when the batch is complete, so that a retry or the next run reads the same records again.
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
    // Leave no torn batch behind. If truncating fails as well, the next open() drops it.
    size_bytes_ = before;
    static_cast<void>(::ftruncate(descriptor_, static_cast<off_t>(before)));
    return written;
  }
  position_ = position_after(batch);
  has_conversions_ = has_conversions_ || batch.has_conversions;
  return {};
}

// fdatasync() suffices: it flushes the file size too, and the remaining metadata is not needed to read the log. What
// cannot be found again need not be written at all.
Status PageLog::sync() {
  if (is_nameless_) return {};
  if (::fdatasync(descriptor_) != 0) return tl::unexpected<Error>(system_error("sync", path_, errno));
  return {};
}

// The file is read batch by batch; memory is that of the largest one.
Status PageLog::read(const std::function<Status(const LoggedPage&)>& visit_page,
                     const std::function<Status(const PageBatch&)>& visit_batch) const {
  for (std::uint64_t end_bytes = 0;;) {
    PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(const std::optional<StoredBatch> stored, read_batch(end_bytes));
    if (!stored) return {};
    PageBatch batch;
    PARAPRINT_TRY(decode_batch(*stored, visit_page, batch));
    PARAPRINT_TRY(visit_batch(batch));
    end_bytes = stored->end_bytes();
  }
}

// Unlike recovery, a batch that fails here is an error: open() has accepted it, so the file was changed since.
Result<std::optional<StoredBatch>> PageLog::read_batch(std::uint64_t end_bytes) const {
  StoredBatch stored;
  stored.offset_bytes = std::max(end_bytes, first_batch_bytes_);
  if (stored.offset_bytes >= size_bytes_) return std::nullopt;
  PARAPRINT_TRY(read_at(descriptor_, path_, stored.offset_bytes, kBatchHeaderBytes, stored.header));
  BatchHeader header;
  if (!decode_batch_header(stored.header, header)) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}: no batch at byte {}", path_, stored.offset_bytes));
  }
  PARAPRINT_TRY(read_at(descriptor_, path_, stored.offset_bytes + kBatchHeaderBytes, header.body_bytes, stored.body));
  return std::optional<StoredBatch>(std::move(stored));
}

Status PageLog::decode_batch(const StoredBatch& stored, const std::function<Status(const LoggedPage&)>& visit_page,
                             PageBatch& batch) const {
  const std::string& bytes = stored.body;
  const std::uint64_t at = stored.offset_bytes;
  const std::uint64_t body_offset = at + kBatchHeaderBytes;
  BatchHeader header;
  std::string_view pages;
  if (!decode_batch_header(stored.header, header) || hash64(bytes) != header.checksum ||
      !decode_body(bytes, batch, pages)) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged batch at byte {}", path_, at));
  }
  batch.page_count = header.page_count;
  const std::uint64_t* left_out = std::lower_bound(left_out_.begin(), left_out_.end(), body_offset);
  ByteReader reader(pages);
  std::uint32_t page_count = 0;
  for (; reader.ok() && !reader.at_end(); ++page_count) {
    LoggedPage page;
    page.location.file_index = batch.file_index;
    page.location.ordinal = reader.variable();
    page.location.offset_bytes = reader.variable();
    page.location.length_bytes = reader.variable();
    const auto format = reader.fixed<std::uint8_t>();
    if (format > static_cast<std::uint8_t>(PageFormat::kPlainText)) reader.fail();
    page.format = static_cast<PageFormat>(format);
    const std::optional<LanguageCode> language = LanguageCode::of_number(reader.fixed<std::uint16_t>());
    if (!language) reader.fail();
    page.language = language.value_or(LanguageCode());
    page.is_compared = compared_languages_.admits(page.language);
    const auto parts = reader.fixed<std::uint8_t>();
    if (parts > kAllParts) reader.fail();
    page.has_id_of_place = (parts & kHasIdOfPlace) != 0;
    if ((parts & kHasScore) != 0) page.score = std::bit_cast<double>(reader.fixed<std::uint64_t>());
    page.id = reader.text();
    page.url = reader.text();
    page.date = reader.text();
    page.made_from = reader.text();
    page.profile = reader.text();
    page.fingerprint = reader.text();
    if ((parts & kHasOrigin) != 0) page.origin = reader.text();
    if (!reader.ok()) {
      return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged page after byte {}", path_, at));
    }
    page.profile_offset_bytes = body_offset + static_cast<std::uint64_t>(page.profile.data() - bytes.data());
    if (!page.origin.empty()) {
      page.origin_offset_bytes = body_offset + static_cast<std::uint64_t>(page.origin.data() - bytes.data());
    }
    if (left_out != left_out_.end() && *left_out == page.profile_offset_bytes) {
      ++left_out;
      continue;
    }
    PARAPRINT_TRY(visit_page(page));
  }
  if (page_count == header.page_count) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("{}: {} pages instead of {} in the batch at byte {}", path_,
                                                      page_count, header.page_count, at));
}

Status PageLog::read_bytes(std::uint64_t offset_bytes, std::uint32_t size_bytes, std::string& bytes) const {
  return read_at(descriptor_, path_, offset_bytes, size_bytes, bytes);
}

}  // namespace paraprint::inline profile
