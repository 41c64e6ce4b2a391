// What WARC and ARC have in common: a header that states the length of a content block, blank lines, the next header.
// Here is everything that must also work when that is not true: finding the next record, wrong lengths, cut records,
// records too large to hold.
#pragma once

#include <memory>
#include <string>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint {

class BlockReader : public RecordReader {
 public:
  // `file_name` makes ids for records without one.
  BlockReader(std::unique_ptr<ContentStream> stream, const InputFile& input, const ReadOptions& options,
              DefectSink sink);

  Result<std::optional<RawRecord>> next() final;
  ResumePoint position() const final;
  Status resume(const ResumePoint& point) final;
  Compression compression() const final { return stream_->compression(); }
  std::uint64_t stored_bytes_read() const final { return stream_->stored_bytes_read(); }

 protected:
  struct Head {
    enum class State {
      kFound,
      kIncomplete,  // more bytes are needed; at the end of the content: a cut record
      kNoRecord,    // nothing like a record starts here
      kBroken,      // a record starts here but can't be read
    };
    State state = State::kNoRecord;
    DefectKind defect = DefectKind::kBadRecordHeader;  // kBroken
    std::string message;                               // kBroken
    std::size_t header_bytes = 0;
    std::uint64_t content_bytes = 0;
    RawRecord record;
    std::string bad_date;  // stated, but none
  };

  // The header at the front of `view`.
  virtual Head read_head(std::string_view view) const = 0;
  // The first place at or after `from` where a record plausibly starts; npos if there is none. Looks at no more than
  // kStartBytes beyond the place.
  virtual std::size_t find_start(std::string_view view, std::size_t from) const = 0;
  // A record starts at the front of `view`.
  virtual bool is_start(std::string_view view) const = 0;
  // The content is there: what it tells about the record (kind kPage only). Defects are reported here.
  virtual void finish(RawRecord& record) = 0;

  void report(DefectKind kind, std::uint64_t skipped_bytes, std::string message);
  std::string id_from_place() const;

  static constexpr std::size_t kStartBytes = 4096;
  const ReadOptions& options() const { return options_; }

 private:
  // All return an error only if the system fails to read.
  Result<bool> skip_blank_lines();
  Status skip_to_start(DefectKind kind, std::string message);
  Result<Head> read_whole_head();
  Result<std::optional<RawRecord>> read_content(Head head);
  struct Extent {
    std::string_view view;          // of the stream, from the record's header
    std::size_t content_bytes = 0;  // after the header
    std::size_t used_bytes = 0;     // content and what is taken for its separator
    bool is_repaired = false;
    bool is_cut = false;
  };
  Result<Extent> find_extent(std::string_view view, const Head& head);
  Result<std::optional<RawRecord>> read_oversized(Head head);
  Status close_record(RawRecord& record);

  ReadOptions options_;
  DefectSink sink_;
  std::string path_;
  std::string file_name_;
  std::uint32_t file_index_ = 0;
  std::unique_ptr<ContentStream> stream_;
  std::uint64_t ordinal_ = 0;

  // Of the record that is being read.
  std::string bad_date_;
  std::uint64_t record_content_offset_ = 0;
  ContentStream::Start record_start_;
  std::optional<std::uint64_t> record_stored_offset_;
};

}  // namespace paraprint
