// A run reads its input more than once: for the words of the collection, for the profiles, and for the texts of
// doubtful pairs. So pages in memory are read like records of a file, batch by batch, and only the pages of the batches
// in progress are copied.
#include "archive/memory_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace paraprint {
namespace {

class MemoryReader final : public RecordReader {
 public:
  explicit MemoryReader(const InputFile& input) : pages_(input.memory), file_index_(input.index) {}

  Result<std::optional<RawRecord>> next() override {
    if (at_ >= pages_.size()) return std::nullopt;
    const Page& page = pages_[at_];
    RawRecord record;
    record.kind = RecordKind::kPage;
    record.id = page.id.empty() ? std::to_string(at_) : page.id;
    record.url = page.url;
    record.date = page.date;
    record.content_type = page.content_type;
    record.format = page.format;
    record.format_is_known = true;
    record.body_is_utf8 = page.body_is_utf8;
    record.payload = page.body;
    // There is no stored record. Its position is used as the offset, and a length of 1 says that it can be read alone.
    record.location = {file_index_, at_, at_, 1};
    bytes_read_ += page.body.size();
    ++at_;
    return record;
  }
  ResumePoint position() const override { return {at_, 0, 0, 0, 0, 0}; }
  Status resume(const ResumePoint& point) override {
    at_ = static_cast<std::size_t>(std::min<std::uint64_t>(point.ordinal, pages_.size()));
    return {};
  }
  ArchiveFormat format() const override { return ArchiveFormat::kMemory; }
  Compression compression() const override { return Compression::kNone; }
  std::uint64_t stored_bytes_read() const override { return bytes_read_; }

 private:
  std::span<const Page> pages_;
  std::uint32_t file_index_ = 0;
  std::size_t at_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace

InputFile memory_input(std::span<const Page> pages) {
  InputFile input;
  input.kind = InputKind::kMemory;
  input.path = "pages in memory";
  input.memory = pages;
  for (const Page& page : pages) input.size_bytes += page.body.size();
  return input;
}

std::unique_ptr<RecordReader> make_memory_reader(const InputFile& input) {
  return std::make_unique<MemoryReader>(input);
}

}  // namespace paraprint
