// The work log of a run: facts and profile of every page, in input order, in one append-only file.
//
// The log makes runs resumable and bounds their memory. A batch is either complete (its checksum holds) or cut off when
// the log is opened again, and each batch records where in the input the next one begins. Profiles are read back by
// position. The format is described in docs/formats/page-log.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/record.h"
#include "archive/record_reader.h"
#include "base/counters.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "text/language.h"

namespace paraprint::inline profile {

inline constexpr std::uint8_t kPageLogFormatVersion = 8;  // persisted

// One page as stored in the log. The views point into the batch being read.
struct LoggedPage {
  RecordLocation location;
  PageFormat format = PageFormat::kHtml;
  LanguageCode language;    // of the main content
  bool is_compared = true;  // PageLog::compare_only()
  bool has_id_of_place = false;
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::string_view made_from;              // Page::made_from
  std::optional<double> score;             // Page::score
  std::string_view profile;                // encoded
  std::string_view fingerprint;            // encoded; empty under the paragraph method
  std::string_view origin;                 // encoded (provenance/origin_record.h); empty unless the run keeps origins
  std::uint64_t profile_offset_bytes = 0;  // of `profile` within the log
  std::uint64_t origin_offset_bytes = 0;   // of `origin`, if there is one
};

struct PageBatch {
  std::uint32_t file_index = 0;
  bool ends_file = false;  // last batch of this file
  ResumePoint resume;      // where the next batch of the file begins
  Counters counters;       // of this batch
  std::vector<Defect> defects;
  std::string pages;  // encoded with append_page
  std::uint32_t page_count = 0;
  bool has_conversions = false;  // pages that name what they were made from

  void append_page(const Page& page, LanguageCode language, std::string_view encoded_profile,
                   std::string_view encoded_fingerprint, std::string_view encoded_origin = {});
};

// A batch as the log has it: read, but neither checked nor decoded.
struct StoredBatch {
  std::uint64_t offset_bytes = 0;  // in the log
  std::string header;
  std::string body;
  std::uint64_t end_bytes() const { return offset_bytes + header.size() + body.size(); }
};

// Where reading resumes.
struct LogPosition {
  std::uint32_t file_index = 0;
  bool has_resume = false;  // inside file_index, at `resume`
  ResumePoint resume;
};

// Threads: one at a time, except read_bytes() and decode_batch(), which any number may call at once.
class PageLog {
 public:
  ~PageLog();
  PageLog(const PageLog&) = delete;
  PageLog& operator=(const PageLog&) = delete;

  // Opens or creates the log at `path` for a run with this identity (settings and list of inputs, as any text). A log
  // with another identity is refused with kInvalidArgument, because its work cannot be reused; an identity of 256 MiB
  // or more with kLimitExceeded. A damaged or incomplete tail is dropped; its pages are read again.
  static Result<std::unique_ptr<PageLog>> open(const std::string& path, std::string_view identity);

  // For reading alone: nothing is created or changed, and any identity is accepted (identity()). kNotFound without a
  // file, kUnsupported for another version, kCorruptData if the log does not end with a complete batch.
  static Result<std::unique_ptr<PageLog>> open_to_read(const std::string& path);

  // A log that cannot be resumed: an unnamed file in `folder` that disappears with this object. Errors: those of
  // open_nameless_file() and append().
  static Result<std::unique_ptr<PageLog>> create_nameless(const std::string& folder);

  // kNoSpace and kInputOutput, with the file's name; the log then still ends with the previous batch.
  Status append(const PageBatch& batch);
  // After success, everything appended so far survives a power cut, unless the log is nameless.
  Status sync();

  // Whether an input could not be read to its end when the log found by open() was written.
  bool has_failed_reads() const { return before_failed_read_.has_value(); }
  // Cuts the log before the first batch that met such an input, so that reading resumes there. Requires
  // has_failed_reads(). kInputOutput if the file cannot be cut.
  Status drop_failed_reads();

  // Whether there is a page that names what it was made from.
  bool has_conversions() const { return has_conversions_; }
  // From now on, read() passes over the pages whose profiles begin at these offsets, which are ascending.
  void leave_out(SpillArray<std::uint64_t> profile_offsets) { left_out_ = std::move(profile_offsets); }

  // From now on, read() marks pages in other languages.
  void compare_only(LanguageSet languages) { compared_languages_ = std::move(languages); }
  const LanguageSet& compared_languages() const { return compared_languages_; }

  const std::string& path() const { return path_; }
  // Of the run that the log belongs to, as it was given to open().
  const std::string& identity() const { return identity_; }
  LogPosition position() const { return position_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  // Calls visit_page for every page in order, and visit_batch (counters and defects, with `pages` empty) after each
  // batch. Stops at the first error of either. kCorruptData if the file was damaged after open().
  Status read(const std::function<Status(const LoggedPage&)>& visit_page,
              const std::function<Status(const PageBatch&)>& visit_batch) const;

  // read() in two steps, of which the second, and most of the work, can be done on any thread. read_batch() returns
  // the batch after the one that ends at `end_bytes` (StoredBatch::end_bytes(); 0: the first one), nullopt after the
  // last. decode_batch() calls visit_page for the pages of one, and fills in `batch` as for visit_batch. Errors: those
  // of read().
  Result<std::optional<StoredBatch>> read_batch(std::uint64_t end_bytes) const;
  Status decode_batch(const StoredBatch& stored, const std::function<Status(const LoggedPage&)>& visit_page,
                      PageBatch& batch) const;

  // Reads back the bytes of a LoggedPage::profile or origin. kCorruptData if the file has become shorter.
  Status read_bytes(std::uint64_t offset_bytes, std::uint32_t size_bytes, std::string& bytes) const;

 private:
  PageLog(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  Status recover(std::string_view identity);
  Status read_header();
  Status find_end(std::uint64_t file_bytes);
  Status write_all(std::string_view bytes);

  std::string path_;
  std::string identity_;
  int descriptor_ = -1;
  bool is_nameless_ = false;
  std::uint64_t first_batch_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
  bool has_conversions_ = false;
  SpillArray<std::uint64_t> left_out_;
  LanguageSet compared_languages_;
  LogPosition position_;
  // Before the first batch found by open() that met an unreadable input.
  struct Cut {
    std::uint64_t size_bytes = 0;
    LogPosition position;
  };
  std::optional<Cut> before_failed_read_;
};

}  // namespace paraprint::inline profile
