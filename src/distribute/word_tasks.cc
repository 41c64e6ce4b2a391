// Word weights learnt from the pages of the run. Each task counts the words of its pages; each "words" task adds up the
// counts of a partition of all words; the driver joins the sums to one table, which every profiling task receives.
// Counts are integers, so the weights do not depend on how pages were divided.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "distribute/inputs/find_input.h"
#include "distribute/inputs/row_pages.h"
#include "distribute/page_weights.h"
#include "distribute/task_base.h"
#include "profile/word_counts.h"

namespace paraprint {

using namespace distribute;

namespace {

class WordCountStageImplementation : public WordCountStage {
 public:
  WordCountStageImplementation(const DedupOptions& options, std::unique_ptr<PageWordCounter> counter)
      : options_(options) {
    counters_.push_back(std::move(counter));
  }

  Status count_file(const DistributedInput& given, const RunControl& control) override {
    const StopScope scope(control.stop);
    PARAPRINT_ASSIGN(InputFile input, inputs::find_input(given, options_.reading));
    ProgressReporter progress(control);
    return count_words({std::move(input)}, options_, counters_, progress);
  }

  void count_rows(std::span<const PageInputRow> rows) override {
    // Bad dates are reported by the stage that makes the profiles.
    Counters ignored;
    StopCheck never;
    for (const PageInputRow& row : rows) {
      const DecodedRecord decoded = inputs::decode_row(row, options_.reading, ignored);
      // Never stopped, so it cannot fail.
      if (decoded.outcome == PageOutcome::kAccepted) (void)counters_.front()->add(decoded.page, never);
    }
  }

  // Words are partitioned by hash, so every task "words" sees all counts of its words. The counter starts again from
  // zero.
  std::vector<Parcel> take_parcels(std::uint32_t partitions) override {
    std::vector<Parcel> parcels;
    for (std::string& part : counters_.front()->counts().encode(partitions)) {
      parcels.push_back({"words", static_cast<std::uint32_t>(parcels.size()), std::move(part)});
    }
    counters_.front()->counts() = DocumentFrequencyCounter();
    return parcels;
  }

 private:
  DedupOptions options_;
  std::vector<std::unique_ptr<PageWordCounter>> counters_;  // exactly one: a task has one thread
};

// Adds up the counts of one partition of the words.
class WordsTask : public TaskBase {
 public:
  using TaskBase::TaskBase;

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return counts_.merge_encoded(bytes);
  }

  Status finish() override {
    add_box("words", 1).record_for(0) = counts_.encode(1).front();
    end_boxes();
    return {};
  }

 private:
  DocumentFrequencyCounter counts_;
};

// Of all parts together: weights of words that are in more pages than there are would be negative.
Status check_counts(const DocumentFrequencyCounter& counts, std::string_view input) {
  if (counts.is_consistent()) return {};
  return failure(ErrorCode::kCorruptData,
                 fmt::format("{}: damaged data: a word is in more than all {} pages", input, counts.documents()));
}

}  // namespace

Result<std::unique_ptr<WordCountStage>> WordCountStage::create(const DedupOptions& options) {
  PARAPRINT_TRY(check_distributed(options));
  PARAPRINT_ASSIGN(std::unique_ptr<PageWordCounter> counter, PageWordCounter::create(options.profile));
  return std::make_unique<WordCountStageImplementation>(options, std::move(counter));
}

// encode(1) orders words by id and hash, so the table is the same for any order of parcels.
Result<std::string> join_words(std::span<const std::string> parcels) {
  DocumentFrequencyCounter counts;
  for (const std::string& parcel : parcels) {
    PARAPRINT_TRY(counts.merge_encoded(parcel));
  }
  PARAPRINT_TRY(check_counts(counts, "word counts"));
  return static_cast<char>(kDistributedFormatVersion) + counts.encode(1).front();
}

namespace distribute {

// Refuses a table that the options do not ask for: profiles made with unexpected weights would look like any others.
Result<PageWeights> PageWeights::read(const ProfileOptions& options, std::string_view words) {
  PageWeights weights;
  if ((options.idf == IdfSource::kCorpus) == words.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   "a word table is required with --idf corpus, and not allowed otherwise");
  }
  if (words.empty()) return weights;
  if (static_cast<std::uint8_t>(words.front()) != kDistributedFormatVersion) {
    return failure(ErrorCode::kUnsupported, "word table: written by another version of paraprint");
  }
  DocumentFrequencyCounter counts;
  PARAPRINT_TRY(counts.merge_encoded(words.substr(1)));
  PARAPRINT_TRY(check_counts(counts, "word table"));
  weights.learnt_ = std::make_unique<WordWeights>(counts.weights());
  return weights;
}

std::unique_ptr<StageTask> make_words_task(TaskInput&& input) {
  return std::make_unique<WordsTask>(std::move(input));
}

}  // namespace distribute
}  // namespace paraprint
