// Joins the segments of WARC records (WARC 1.1, "Record segmentation").
//
// A record that is too large for its file may be divided into a first segment, which has the type of the record, and
// continuation records, which name it. Readers of pages get the whole content with the first segment; the continuation
// records follow at their places, without content, so that every record of the file can be copied or removed.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "archive/input_files.h"
#include "archive/record_reader.h"

namespace paraprint::inline archive {

// Passes defects on, and keeps them while records are read that are not yet due.
class DefectRelay {
 public:
  explicit DefectRelay(DefectSink sink) : sink_(std::move(sink)) {}

  void report(Defect&& defect) { is_holding_ ? held_.push_back(std::move(defect)) : sink_(std::move(defect)); }
  void hold(bool is_holding) { is_holding_ = is_holding; }
  std::vector<Defect> take_held() { return std::exchange(held_, {}); }

 private:
  DefectSink sink_;
  bool is_holding_ = false;
  std::vector<Defect> held_;
};

// Maximum number of records that are read ahead for the segments of one record. In files that were concatenated, a
// warcinfo record and few others lie between two segments.
inline constexpr std::size_t kMaxRecordsReadAhead = 256;

// `reader` reads the WARC file `input` and reports to `relay`. A record is joined if all its segments are in the file,
// none of another page begins before its last one, and they and the records between them are within
// ReadOptions::max_record_bytes and kMaxRecordsReadAhead. Otherwise each of its segments is reported
// (kUnjoinedSegments), and none is a page. Nothing is joined after keep_everything(). Memory: max_record_bytes for the
// records read ahead, and as much for the joined one.
std::unique_ptr<RecordReader> join_segments(std::unique_ptr<RecordReader> reader, std::shared_ptr<DefectRelay> relay,
                                            const InputFile& input, const ReadOptions& options);

}  // namespace paraprint::inline archive
