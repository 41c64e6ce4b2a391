// The common base of the WARC and ARC readers: a header that states the length of a content block, blank lines, the
// next header. It handles all deviations: finding the next record after garbage, wrong lengths, truncated records and
// records too large for memory.
#pragma once

#include <memory>
#include <string>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint::inline archive {

// Whether the content begins with an HTTP header. Some writers give a response another media type, or none. The content
// of resources and conversions is the document itself, which may be a text about HTTP.
bool is_http_message(const RawRecord& record);

class BlockReader : public RecordReader {
 public:
  // The file name of `input` becomes part of the ids of records without an id.
  BlockReader(std::unique_ptr<ContentStream> stream, const InputFile& input, const ReadOptions& options,
              DefectSink sink);

  Result<std::optional<RawRecord>> next() final;
  ResumePoint position() const final;
  Status resume(const ResumePoint& point) final;
  void keep_everything() final { keeps_everything_ = true; }
  void digest_oversized(PayloadObserver* observer) final {
    digests_oversized_ = true;
    observer_ = observer;
  }
  Compression compression() const final { return stream_->compression(); }
  std::uint64_t stored_bytes_read() const final { return stream_->stored_bytes_read(); }

 protected:
  struct Head {
    enum class State {
      kFound,
      kIncomplete,  // more bytes are needed; at the end of the content, a truncated record
      kNoRecord,    // no record starts here
      kBroken,      // a record starts here but its header is unusable
    };
    State state = State::kNoRecord;
    DefectKind defect = DefectKind::kBadRecordHeader;  // only for kBroken
    std::string message;                               // only for kBroken
    std::size_t header_bytes = 0;
    std::uint64_t content_bytes = 0;
    RawRecord record;
    std::string bad_date;  // the stated date, if invalid
  };

  // Parses the header at the front of `view`.
  virtual Head read_head(std::string_view view) const = 0;
  // The first offset at or after `from` where a record plausibly starts, or npos. Examines at most kStartBytes beyond
  // that offset.
  virtual std::size_t find_start(std::string_view view, std::size_t from) const = 0;
  // Whether a record starts at the front of `view`.
  virtual bool is_start(std::string_view view) const = 0;
  // Completes `record` from its content (kind kPage only) and reports its defects.
  virtual void finish(RawRecord& record) = 0;

  void report(DefectKind kind, std::uint64_t skipped_bytes, std::string message);
  void name_by_place(RawRecord& record) const;

  static constexpr std::size_t kStartBytes = 4096;
  const ReadOptions& options() const { return options_; }

 private:
  // All of these return an error only if reading the input fails.
  Result<bool> skip_blank_lines();
  Status skip_to_start(DefectKind kind, std::string message);
  Result<Head> read_whole_head();
  Result<std::optional<RawRecord>> read_content(Head head);
  struct Extent {
    std::string_view view;          // of the stream, starting at the record's header
    std::size_t content_bytes = 0;  // after the header
    std::size_t used_bytes = 0;     // content plus the bytes taken as its separator
    bool is_repaired = false;
    bool is_cut = false;
  };
  Result<Extent> find_extent(std::string_view view, const Head& head);
  Result<std::optional<RawRecord>> read_oversized(Head head);
  Result<std::optional<RawRecord>> close_cut_off(Head head, std::uint64_t present_bytes);
  void report_oversized(std::uint64_t content_bytes);
  Result<std::uint64_t> pass_oversized(std::uint64_t content_bytes, RawRecord& record);
  Result<bool> is_followed_by_record();
  Status close_record(RawRecord& record);

  ReadOptions options_;
  DefectSink sink_;
  std::string path_;
  std::string file_name_;
  std::uint32_t file_index_ = 0;
  bool is_nameless_ = false;
  std::unique_ptr<ContentStream> stream_;
  std::uint64_t ordinal_ = 0;
  bool keeps_everything_ = false;
  bool digests_oversized_ = false;
  PayloadObserver* observer_ = nullptr;

  // State of the record being read.
  std::string bad_date_;
  std::uint64_t record_content_offset_ = 0;
  ContentStream::Start record_start_;
  std::optional<std::uint64_t> record_stored_offset_;
};

}  // namespace paraprint::inline archive
