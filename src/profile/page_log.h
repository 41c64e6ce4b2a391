// The work log of a run: every page's facts and profile, in the order of the input, in one append-only file.
//
// It is what makes a run resumable and its memory bounded: a batch is either complete (its checksum holds) or it is cut
// off when the log is opened again, and each batch says where in the input the next one begins. Profiles are read back
// by position. Byte by byte: docs/formats/page-log.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/record.h"
#include "archive/record_reader.h"
#include "base/counters.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kPageLogFormatVersion = 2;  // persisted

// One page as the log holds it. Views point into the batch that is being read.
struct LoggedPage {
  RecordLocation location;
  PageFormat format = PageFormat::kHtml;
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::string_view profile;                // encoded
  std::string_view fingerprint;            // encoded; empty under the paragraph method
  std::uint64_t profile_offset_bytes = 0;  // of `profile` in the log
};

struct PageBatch {
  std::uint32_t file_index = 0;
  bool ends_file = false;  // nothing of this file follows
  ResumePoint resume;      // where the next batch of the file begins
  Counters counters;       // of this batch
  std::vector<Defect> defects;
  std::string pages;  // encoded with append_page
  std::uint32_t page_count = 0;

  void append_page(const Page& page, std::string_view encoded_profile, std::string_view encoded_fingerprint);
};

// Where reading goes on.
struct LogPosition {
  std::uint32_t file_index = 0;
  bool has_resume = false;  // inside file_index, at `resume`
  ResumePoint resume;
};

// One writer at a time; read_profile from any number of threads.
class PageLog {
 public:
  ~PageLog();
  PageLog(const PageLog&) = delete;
  PageLog& operator=(const PageLog&) = delete;

  // Opens or creates the log at `path` for a run with this identity (settings and list of inputs, any text). A log of
  // another identity is kInvalidArgument: its work can't be reused. A damaged or cut tail is dropped: its pages are
  // read again.
  static Result<std::unique_ptr<PageLog>> open(const std::string& path, std::string_view identity);

  // A log that nothing can go on from: a nameless file in `folder`, gone with the log. Errors: those of
  // open_nameless_file() and append().
  static Result<std::unique_ptr<PageLog>> create_nameless(const std::string& folder);

  // kNoSpace and kInputOutput name the file; the log then ends with the batch before.
  Status append(const PageBatch& batch);
  // Makes everything appended so far survive a power cut.
  Status sync();

  LogPosition position() const { return position_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  // Calls visit_page for every page in order, and visit_batch (counters and defects, `pages` empty) after each batch.
  Status read(const std::function<Status(const LoggedPage&)>& visit_page,
              const std::function<Status(const PageBatch&)>& visit_batch) const;

  // The bytes that LoggedPage::profile had. kCorruptData if the file changed under us.
  Status read_bytes(std::uint64_t offset_bytes, std::uint32_t size_bytes, std::string& bytes) const;

 private:
  PageLog(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  Status recover(std::string_view identity);
  Status write_all(std::string_view bytes);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t first_batch_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
  LogPosition position_;
};

}  // namespace paraprint
