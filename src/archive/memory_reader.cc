// A run reads its input more than once: for the words of the collection, for the profiles, and for the texts of
// doubtful pairs. So pages of a program are read like records of a file, batch by batch, and only the pages of the
// batches in progress are copied.
#include "archive/memory_reader.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/propagate.h"
#include "http/date.h"

namespace paraprint::inline archive {
namespace {

constexpr std::uint64_t kPagesMaximum = std::numeric_limits<std::uint32_t>::max();

class MemoryReader final : public RecordReader {
 public:
  MemoryReader(const InputFile& input, DefectSink sink)
      : pages_(*input.memory), sink_(std::move(sink)), path_(input.path), file_index_(input.index) {}

  Result<std::optional<RawRecord>> next() override {
    Page page;
    PARAPRINT_ASSIGN(const bool is_found, pages_.find(at_, page));
    if (!is_found) return std::nullopt;
    if (at_ >= kPagesMaximum) {
      return failure(ErrorCode::kLimitExceeded,
                     fmt::format("{}: more than {} pages, which is the limit of a run", path_, kPagesMaximum));
    }
    RawRecord record;
    record.kind = RecordKind::kPage;
    record.id = std::move(page.id);
    record.url = std::move(page.url);
    drop_long_names(record, [this](DefectKind kind, std::string message) {
      sink_({kind, path_, at_, 0, 0, std::move(message)});
    });
    record.has_id_of_place = page.has_id_of_place || record.id.empty();
    if (record.id.empty()) record.id = std::to_string(at_);
    record.date = date_of(page);
    record.score = page.score;
    record.content_type = std::move(page.content_type);
    record.format = page.format;
    record.format_is_known = true;
    record.body_is_utf8 = page.body_is_utf8;
    bytes_read_ = pages_.bytes_done().value_or(bytes_read_ + page.body.size());
    record.payload = std::move(page.body);
    // There is no stored record. Its position is used as the offset, and a length of 1 says that it can be read alone.
    record.location = {file_index_, at_, at_, 1};
    ++at_;
    return record;
  }
  // The bytes read serve progress alone.
  ResumePoint position() const override { return {at_, bytes_read_, 0, 0, 0, 0}; }
  Status resume(const ResumePoint& point) override {
    at_ = point.ordinal;
    bytes_read_ = point.stored_offset_bytes;
    return {};
  }
  ArchiveFormat format() const override { return ArchiveFormat::kMemory; }
  Compression compression() const override { return Compression::kNone; }
  std::uint64_t stored_bytes_read() const override { return bytes_read_; }

 private:
  // As in JSON lines, so that a page with an odd date is the same page in both.
  std::string date_of(const Page& page) const {
    if (page.date.empty()) return {};
    if (std::optional<std::string> normal = normalise_date(page.date)) return std::move(*normal);
    sink_({DefectKind::kBadDate, path_, at_, 0, 0, "invalid date: " + page.date.substr(0, 40)});
    return {};
  }

  const PageSequence& pages_;
  DefectSink sink_;
  std::string path_;
  std::uint32_t file_index_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace

InputFile memory_input(const PageSequence& pages, std::string digest) {
  InputFile input;
  input.kind = InputKind::kMemory;
  input.path = pages.name();
  input.memory = &pages;
  input.memory_digest = std::move(digest);
  input.size_bytes = pages.size_bytes();
  return input;
}

std::unique_ptr<RecordReader> make_memory_reader(const InputFile& input, DefectSink sink) {
  return std::make_unique<MemoryReader>(input, std::move(sink));
}

}  // namespace paraprint::inline archive
