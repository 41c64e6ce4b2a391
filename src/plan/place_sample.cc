// Windows have one width, about that of a record, so that most have one page or none.
#include "plan/place_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "archive/record_reader.h"
#include "base/propagate.h"
#include "base/split_mix.h"
#include "base/stop.h"
#include "plan/deadline.h"
#include "plan/held_records.h"

namespace paraprint::inline plan {
namespace {

// Files whose first records tell how the records of all files with this ending are stored, and how long they are.
constexpr std::size_t kProbedFiles = 3;
constexpr std::uint64_t kProbedRecords = 64;
constexpr std::uint64_t kNarrowestWindowBytes = 64;
constexpr std::uint64_t kWidestWindowBytes = std::uint64_t{1} << 20;
// Pages from which their number in all is known well enough to say how many are wanted.
constexpr std::uint64_t kPagesOfOneOpinion = 500;

std::string ending_of(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos) return {};
  const std::size_t before = dot > 0 ? name.find_last_of('.', dot - 1) : std::string::npos;
  const std::string last = name.substr(dot);
  return last == ".gz" && before != std::string::npos ? name.substr(before) : last;
}

// nullopt if the records of this file cannot be read alone, or none of the first ones is a page.
std::optional<StoredForm> probe(const InputFile& input, const ReadOptions& reading) {
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, reading, [](const Defect&) {});
  if (!reader) return std::nullopt;
  std::optional<RecordForm> form;
  std::uint64_t pages = 0;
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 0; i < kProbedRecords; ++i) {
    Result<std::optional<RawRecord>> record = (*reader)->next();
    if (!record || !record->has_value()) break;
    form = form_of((*reader)->format(), (*reader)->compression(), **record);
    if (!form) return std::nullopt;
    pages += (*record)->kind == RecordKind::kPage ? 1 : 0;
    lengths.push_back((*record)->location.length_bytes);
  }
  if (pages == 0) return std::nullopt;
  const double bytes = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const auto median = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), median, lengths.end());
  return StoredForm{*form, std::min(bytes / static_cast<double>(pages) / 2, static_cast<double>(*median))};
}

// Draws windows until they had enough pages.
class PlaceReader {
 public:
  PlaceReader(const std::vector<InputFile>& inputs, std::map<std::string, StoredForm> forms, const ReadOptions& reading,
              const RecordSampleOptions& options, ProgressReporter& progress)
      : inputs_(inputs),
        forms_(std::move(forms)),
        reading_(reading),
        options_(options),
        progress_(progress),
        deadline_(options.seconds) {}

  Result<RecordSample> run(const std::string& folder) {
    RecordSample sample;
    lay_out(sample);
    progress_.begin("sample", options_.pages, "pages");
    while (pages_ < wanted() && tried_ < windows_ && !deadline_.has_passed()) {
      PARAPRINT_TRY(check_stop());
      PARAPRINT_TRY(look_at(next_window(), sample));
      progress_.update(pages_, pages_);
    }
    progress_.end();
    finish(sample);
    PARAPRINT_TRY(write_sample(inputs_, held_, folder, sample));
    return sample;
  }

 private:
  // Windows have one width, and none has bytes of two files.
  void lay_out(RecordSample& sample) {
    auto width = static_cast<double>(kWidestWindowBytes);
    for (const auto& [ending, form] : forms_) width = std::min(width, form.window_bytes);
    width_bytes_ = std::clamp(static_cast<std::uint64_t>(width), kNarrowestWindowBytes, kWidestWindowBytes);
    for (const InputFile& input : inputs_) {
      first_windows_.push_back(windows_);
      windows_ += (input.size_bytes + width_bytes_ - 1) / width_bytes_;
      sample.input_bytes += input.size_bytes;
    }
  }

  std::uint64_t next_window() {
    for (;;) {
      const std::uint64_t drawn = split_mix_output((options_.seed << 32) + ++draws_ * kSplitMixStep) % windows_;
      if (drawn_.insert(drawn).second) return drawn;
    }
  }

  // A window in which time ends is not counted: it might say less than the others.
  Status look_at(std::uint64_t window, RecordSample& sample) {
    ++tried_;
    const auto after = std::upper_bound(first_windows_.begin(), first_windows_.end(), window);
    const auto input = static_cast<std::uint32_t>(after - first_windows_.begin() - 1);
    const RecordForm form = forms_.at(ending_of(inputs_[input].path)).form;
    Result<RecordFile> file = RecordFile::open(inputs_[input].path, form);
    if (!file) return unreadable(input, file.error(), sample);
    const std::uint64_t begin_bytes = (window - first_windows_[input]) * width_bytes_;
    const Result<StartsInWindow> starts =
        file->starting_in(begin_bytes, width_bytes_, reading_.max_record_bytes, deadline_);
    if (!starts && starts.error().code == ErrorCode::kCancelled) return tl::unexpected<Error>(starts.error());
    if (!starts) return unreadable(input, starts.error(), sample);
    if (starts->end == WindowEnd::kLate) {
      --tried_;
      return {};
    }
    if (starts->end == WindowEnd::kGivenUp) ++given_up_;
    std::uint64_t pages = 0;
    for (const StoredRecord& record : starts->records) {
      held_.push_back({0, input, 0, record.has_page, form, record.offset_bytes, record.length_bytes, {}});
      pages += record.has_page ? 1 : 0;
    }
    pages_ += pages;
    squares_ += static_cast<double>(pages * pages);
    return {};
  }

  Status unreadable(std::uint32_t input, const Error& error, RecordSample& sample) {
    if (unreadable_.insert(input).second) {
      note_defect(Defect{DefectKind::kUnreadableFile, inputs_[input].path, 0, 0, 0, error.message}, sample);
    }
    return {};
  }

  double total() const {
    // Drawing ended with a page, so that the last window says nothing of how many have one.
    const bool is_full = pages_ >= 2 && tried_ < windows_;
    const double found = static_cast<double>(pages_) - (is_full ? 1 : 0);
    const double tried = static_cast<double>(tried_) - (is_full ? 1 : 0);
    return tried == 0 ? 0 : found / tried * static_cast<double>(windows_);
  }

  std::uint64_t wanted() const {
    if (options_.pages > 0) return options_.pages;
    return usual_sample(pages_ < kPagesOfOneOpinion ? 0 : total());
  }

  void finish(RecordSample& sample) {
    sample.page_records_total = total();
    sample.read_bytes = std::min(sample.input_bytes, tried_ * width_bytes_);
    sample.is_whole = tried_ == windows_;
    sample.has_all_been_read = sample.is_whole;
    if (pages_ > 0 && !sample.is_whole) {
      const double rate = static_cast<double>(tried_) / static_cast<double>(windows_);
      const auto pages = static_cast<double>(pages_);
      const double variance = squares_ - pages * pages / static_cast<double>(tried_);
      sample.relative_error = std::sqrt(std::max(variance, 0.0) * (1 - rate)) / pages;
    }
    if (given_up_ > 0) {
      sample.notes.push_back(fmt::format(
          "{} of {} places were given up, because too many of their bytes look like starts of records and are none",
          given_up_, tried_));
    }
    if (pages_ < wanted() && !sample.is_whole) {
      sample.notes.push_back(fmt::format("time ended after {} of {} pages; --seconds allows more", pages_, wanted()));
    }
  }

  const std::vector<InputFile>& inputs_;
  std::map<std::string, StoredForm> forms_;
  const ReadOptions& reading_;
  const RecordSampleOptions& options_;
  ProgressReporter& progress_;
  Deadline deadline_;
  std::vector<std::uint64_t> first_windows_;  // by input
  std::uint64_t windows_ = 0;
  std::uint64_t width_bytes_ = 0;
  std::uint64_t draws_ = 0;
  std::unordered_set<std::uint64_t> drawn_;
  std::unordered_set<std::uint32_t> unreadable_;
  std::uint64_t tried_ = 0;
  std::uint64_t given_up_ = 0;  // of them
  std::vector<HeldRecord> held_;
  std::uint64_t pages_ = 0;
  double squares_ = 0;  // of the pages of each window
};

}  // namespace

std::optional<std::map<std::string, StoredForm>> stored_forms(const std::vector<InputFile>& inputs,
                                                              const ReadOptions& reading) {
  std::map<std::string, StoredForm> forms;
  std::map<std::string, std::size_t> probed;
  for (const InputFile& input : inputs) {
    if (input.size_bytes == 0 && input.kind == InputKind::kFile) continue;
    if (input.kind != InputKind::kFile || input.wacz) return std::nullopt;
    const std::string ending = ending_of(input.path);
    if (probed[ending]++ >= kProbedFiles) continue;
    const std::optional<StoredForm> found = probe(input, reading);
    if (!found || (forms.contains(ending) && forms[ending].form != found->form)) return std::nullopt;
    forms[ending] = *found;
  }
  return forms;
}

Result<RecordSample> sample_places(const std::vector<InputFile>& inputs, std::map<std::string, StoredForm> forms,
                                   const ReadOptions& reading, const RecordSampleOptions& options,
                                   const std::string& folder, ProgressReporter& progress) {
  return PlaceReader(inputs, std::move(forms), reading, options, progress).run(folder);
}

}  // namespace paraprint::inline plan
