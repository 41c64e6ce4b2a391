// The threshold of the hashes falls while records are met, so that no more of them are held than are wanted; nothing
// that was met is more likely to stay than anything else.
#include "plan/whole_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "archive/record_reader.h"
#include "base/propagate.h"
#include "base/split_mix.h"
#include "base/stop.h"
#include "plan/deadline.h"
#include "plan/held_records.h"
#include "plan/sample_files.h"

namespace paraprint::inline plan {
namespace {

// Reads inputs from their beginning and keeps the records with the smallest hashes.
class WholeReader {
 public:
  WholeReader(const std::vector<InputFile>& inputs, const ReadOptions& reading, const RecordSampleOptions& options,
              ProgressReporter& progress)
      : inputs_(inputs), reading_(reading), options_(options), progress_(progress), deadline_(options.seconds) {}

  Result<RecordSample> run(const std::string& folder) {
    RecordSample sample;
    for (const InputFile& input : inputs_) sample.input_bytes += input.size_bytes;
    progress_.begin("sample", sample.input_bytes, "bytes");
    for (const std::uint32_t input : shuffled()) {
      if (is_late_) break;
      PARAPRINT_TRY(read(inputs_[input], sample));
    }
    progress_.end();
    PARAPRINT_TRY(finish(sample));
    PARAPRINT_TRY(write_sample(inputs_, held_, folder, sample));
    return sample;
  }

 private:
  // Where time may end, files are read in an order of no meaning.
  std::vector<std::uint32_t> shuffled() const {
    std::vector<std::uint32_t> order;
    for (const InputFile& input : inputs_) order.push_back(input.index);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(priority_of(a, ~std::uint64_t{0}), a) < std::pair(priority_of(b, ~std::uint64_t{0}), b);
    });
    return order;
  }

  std::uint64_t priority_of(std::uint64_t input, std::uint64_t ordinal) const {
    const std::uint64_t state = split_mix_output(options_.seed * kSplitMixStep + input + 1);
    return split_mix_output(state + (ordinal + 1) * kSplitMixStep);
  }

  Status read(const InputFile& input, RecordSample& sample) {
    std::size_t warnings = 0;
    const auto sink = [&](const Defect& defect) {
      note_defect(defect, sample);
      if (progress_.wants_warnings() && ++warnings <= kWarningsPerInput) progress_.warn(describe(defect));
    };
    Result<std::unique_ptr<RecordReader>> opened = open_records(input, reading_, sink);
    if (!opened) {
      sink(Defect{DefectKind::kUnreadableFile, input.path, 0, 0, 0, opened.error().message});
      return {};
    }
    RecordReader& reader = **opened;
    const bool has_lines = reader.format() == ArchiveFormat::kJsonLines;
    if (has_lines) reader.keep_everything();
    for (;;) {
      PARAPRINT_TRY(check_stop());
      Result<std::optional<RawRecord>> record = reader.next();
      if (!record) {
        sink(Defect{DefectKind::kUnreadableFile, input.path, 0, 0, 0, record.error().message});
        break;
      }
      if (!record->has_value()) break;
      meet(reader, input, has_lines, std::move(**record));
      progress_.update(read_bytes_ + reader.stored_bytes_read(), pages_);
      is_late_ = deadline_.has_passed();
      if (is_late_) break;
    }
    read_bytes_ += is_late_ ? reader.stored_bytes_read() : input.size_bytes;
    return {};
  }

  void meet(const RecordReader& reader, const InputFile& input, bool has_lines, RawRecord&& record) {
    const bool has_page = record.kind == RecordKind::kPage;
    const std::uint64_t priority = priority_of(record.location.file_index, record.location.ordinal);
    if (has_page) {
      ++pages_;
      by_input_[input.index] += 1;
    }
    if (priority > threshold_) return;
    HeldRecord held{priority, input.index, record.location.ordinal, has_page, RecordForm::kWarc, 0, 0, {}};
    const std::optional<RecordForm> form =
        input.wacz || record.is_repaired ? std::nullopt : form_of(reader.format(), reader.compression(), record);
    if (form) {
      held.form = *form;
      held.offset_bytes = record.location.offset_bytes;
      held.length_bytes = record.location.length_bytes;
    } else if (!has_page) {
      return;
    } else {
      held.form = has_lines ? RecordForm::kJsonLines : RecordForm::kWarc;
      held.bytes = has_lines ? std::move(record.header) : warc_record_of(record);
    }
    held_bytes_ += held.bytes.size() + sizeof(HeldRecord);
    held_.push_back(std::move(held));
    held_pages_ += has_page ? 1 : 0;
    if (held_pages_ > 2 * wanted() || held_bytes_ > options_.memory_bytes) lower_threshold();
  }

  std::uint64_t wanted() const {
    return options_.pages > 0 ? options_.pages : usual_sample(static_cast<double>(pages_));
  }

  // To as many pages as are wanted, or, if these are too large, to half as many.
  void lower_threshold() {
    std::vector<std::uint64_t> priorities;
    for (const HeldRecord& record : held_) {
      if (record.has_page) priorities.push_back(record.priority);
    }
    std::uint64_t count = std::min<std::uint64_t>(wanted(), priorities.size());
    if (held_bytes_ > options_.memory_bytes && held_pages_ <= 2 * wanted()) {
      count = std::min<std::uint64_t>(count, priorities.size() / 2);
      is_short_of_memory_ = true;
    }
    if (count == priorities.size()) return;
    std::nth_element(priorities.begin(), priorities.begin() + static_cast<std::ptrdiff_t>(count), priorities.end());
    threshold_ = priorities[count] - 1;
    std::erase_if(held_, [&](const HeldRecord& record) { return record.priority > threshold_; });
    held_pages_ = 0;
    held_bytes_ = 0;
    for (const HeldRecord& record : held_) {
      held_pages_ += record.has_page ? 1 : 0;
      held_bytes_ += record.bytes.size() + sizeof(HeldRecord);
    }
  }

  Status finish(RecordSample& sample) {
    if (held_pages_ > wanted()) lower_threshold();
    sample.read_bytes = read_bytes_;
    sample.page_records_total = static_cast<double>(pages_);
    sample.has_all_been_read = !is_late_;
    sample.is_whole = !is_late_ && held_pages_ == pages_;
    if (is_short_of_memory_) {
      sample.notes.push_back(fmt::format(
          "the sample was limited by memory; more --memory allows a larger one than {} pages", held_pages_));
    }
    if (!is_late_ || read_bytes_ == 0) return {};
    sample.page_records_total *= static_cast<double>(sample.input_bytes) / static_cast<double>(read_bytes_);
    sample.relative_error = error_of_unread();
    sample.notes.push_back(fmt::format(
        "the records of these inputs cannot be read alone, and time ended after {} of {} MB: the rest is taken to be "
        "like what was read. --seconds allows more",
        read_bytes_ / 1'000'000, sample.input_bytes / 1'000'000));
    return {};
  }

  // From how much the files that were read differ in pages per byte. Of one file, nothing is known.
  double error_of_unread() const {
    const double mean = static_cast<double>(pages_) / static_cast<double>(read_bytes_);
    double sum = 0;
    double count = 0;
    for (const auto& [input, pages] : by_input_) {
      const double bytes = static_cast<double>(std::max<std::uint64_t>(inputs_[input].size_bytes, 1));
      sum += std::pow(pages / bytes / mean - 1, 2);
      ++count;
    }
    return count < 3 ? 0.2 : std::sqrt(sum / (count - 1) / count);
  }

  const std::vector<InputFile>& inputs_;
  const ReadOptions& reading_;
  const RecordSampleOptions& options_;
  ProgressReporter& progress_;
  Deadline deadline_;
  std::vector<HeldRecord> held_;
  std::map<std::uint32_t, double> by_input_;  // pages
  std::uint64_t held_pages_ = 0;
  std::uint64_t held_bytes_ = 0;
  std::uint64_t threshold_ = ~std::uint64_t{0};
  std::uint64_t pages_ = 0;
  std::uint64_t read_bytes_ = 0;
  bool is_late_ = false;
  bool is_short_of_memory_ = false;
};

}  // namespace

Result<RecordSample> sample_whole(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                  const RecordSampleOptions& options, const std::string& folder,
                                  ProgressReporter& progress) {
  return WholeReader(inputs, reading, options, progress).run(folder);
}

}  // namespace paraprint::inline plan
