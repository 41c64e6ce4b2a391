// A page counts a word once, whatever its count in the page. Each thread counts for itself and sums are merged at the
// end: integers, so the weights do not depend on how pages were distributed.
#include "profile/word_counts.h"

#include <optional>
#include <utility>

#include "archive/http_payload.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "profile/page_log.h"
#include "profile/record_batches.h"
#include "text/word_segmenter.h"

namespace paraprint::inline profile {

Result<std::unique_ptr<PageWordCounter>> PageWordCounter::create(const ProfileOptions& options) {
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(options, WordWeights::bundled()));
  return std::unique_ptr<PageWordCounter>(new PageWordCounter(options, std::move(profiler)));
}

// The same normalisation and segmentation as for fingerprints: a weight is looked up by exactly these words.
Status PageWordCounter::add(const Page& page, StopCheck& stop) {
  PARAPRINT_ASSIGN(const MainContent* const content, profiler_->extract(page, stop));
  normalised_.clear();
  normaliser_.append_normalised(content->text, normalised_, stop);
  WordSegmenter::shared().segment(normalised_, tokens_, stop);
  PARAPRINT_TRY(stop.status());
  counts_.add_document(tokens_, normalised_);
  return {};
}

// Broken records are ignored here; the pass that makes the profiles reports them.
Status count_words(const std::vector<InputFile>& inputs, const DedupOptions& options,
                   std::span<const std::unique_ptr<PageWordCounter>> counters, ProgressReporter& progress) {
  RecordBatchSource source(inputs, options.reading, LogPosition{}, options.resources.memory);
  progress.begin("idf", source.stored_bytes_total(), "bytes");
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<std::uint64_t>>(
      static_cast<unsigned>(counters.size()), [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& records) -> Result<std::uint64_t> {
        StopCheck stop(StopScope::current());
        for (RawRecord& record : records.records) {
          const std::string& file = inputs[records.file_index].path;
          const DecodedRecord decoded = decode_page(std::move(record), options.reading, file);
          if (decoded.outcome != PageOutcome::kAccepted) continue;
          PARAPRINT_TRY(counters[worker]->add(decoded.page, stop));
        }
        return records.stored_bytes_done;
      },
      [&](Result<std::uint64_t>&& made) -> Status {
        PARAPRINT_ASSIGN(const std::uint64_t stored_bytes_done, std::move(made));
        progress.update(stored_bytes_done);
        return {};
      }));
  progress.end();
  return {};
}

// Extraction uses the bundled weights here; the learnt ones exist only afterwards.
Result<std::unique_ptr<WordWeights>> learn_word_weights(const std::vector<InputFile>& inputs,
                                                        const DedupOptions& options, unsigned threads,
                                                        ProgressReporter& progress) {
  std::vector<std::unique_ptr<PageWordCounter>> counters;
  for (unsigned worker = 0; worker < threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageWordCounter> counter, PageWordCounter::create(options.profile));
    counters.push_back(std::move(counter));
  }
  PARAPRINT_TRY(count_words(inputs, options, counters, progress));
  DocumentFrequencyCounter& all = counters.front()->counts();
  for (unsigned worker = 1; worker < threads; ++worker) all.merge(counters[worker]->counts());
  return std::make_unique<WordWeights>(all.weights());
}

}  // namespace paraprint::inline profile
