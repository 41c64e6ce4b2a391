// for_each_page(): the first half of the pipeline without a run around it: nothing is stored, resumed or compared.
// Records are read in batches and profiled on all threads; `visit` is called in input order, one call at a time.
#include <fmt/format.h>

#include <thread>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/release_memory.h"
#include "paraprint/engine.h"
#include "profile/page_profiler.h"
#include "profile/record_batches.h"
#include "provenance/origin_record.h"
#include "text/language.h"

namespace paraprint {
namespace {

// Bodies are dropped as soon as a page is profiled: batches in flight hold texts, not HTML.
struct StreamedBatch {
  std::vector<StreamedPage> pages;
  std::uint64_t pages_in_other_languages = 0;
  std::vector<Defect> defects;
};

// Runs on any thread, with the profiler of that thread. Without profiles, extraction alone is done, which is all that
// training and simulation need.
Result<StreamedBatch> process_batch(RecordBatch&& records, const InputFile& input, const PageStreamOptions& options,
                                    const LanguageSet& languages, PageProfiler& profiler) {
  StopCheck stop(StopScope::current());
  StreamedBatch batch;
  batch.defects = std::move(records.defects);
  for (RawRecord& record : records.records) {
    DecodedRecord decoded = decode_page(std::move(record), options.reading, input.path);
    for (Defect& defect : decoded.defects) batch.defects.push_back(std::move(defect));
    if (decoded.outcome != PageOutcome::kAccepted) continue;
    const Profile* profile = nullptr;
    if (options.with_profiles) {
      PARAPRINT_ASSIGN(profile, profiler.profile(decoded.page, stop));
    } else {
      PARAPRINT_TRY(profiler.extract(decoded.page, stop));
    }
    if (!languages.empty() && !languages.admits(profiler.language())) {
      ++batch.pages_in_other_languages;
      continue;
    }
    StreamedPage& streamed = batch.pages.emplace_back();
    if (profile != nullptr) {
      streamed.profile = *profile;
      streamed.fingerprint = profiler.page_fingerprint();
      if (options.detail.provenance) {
        PARAPRINT_ASSIGN(StatedOrigin stated, profiler.stated_origin(stop));
        streamed.origin = encoded_origin(std::move(stated), profiler.features());
      }
    } else {
      PARAPRINT_ASSIGN(streamed.markdown, profiler.markdown(stop));
      PARAPRINT_ASSIGN(streamed.metadata, profiler.metadata(stop));
    }
    streamed.content = profiler.content();
    streamed.page = std::move(decoded.page);
    release_memory(streamed.page.body);
  }
  return batch;
}

}  // namespace

Result<PageStreamOutcome> for_each_page(const PageStreamOptions& options,
                                        const std::function<Status(const StreamedPage&)>& visit,
                                        const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const LanguageSet languages, LanguageSet::parse(options.languages));
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs(options.inputs, options.reading));
  // Profilers are expensive (parser, word tables), so there is one per thread for the whole stream.
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<PageProfiler>> profilers;
  for (unsigned worker = 0; worker < threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                     PageProfiler::create(options.profile, WordWeights::bundled(), options.detail));
    profilers.push_back(std::move(profiler));
  }
  RecordBatchSource source(inputs, options.reading, LogPosition{});
  PageStreamOutcome outcome;
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<StreamedBatch>>(
      threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& records) {
        const InputFile& input = inputs[records.file_index];
        return process_batch(std::move(records), input, options, languages, *profilers[worker]);
      },
      [&](Result<StreamedBatch>&& made) -> Status {
        PARAPRINT_ASSIGN(const StreamedBatch batch, std::move(made));
        // Defects are reported in input order too, before the pages of their batch.
        for (const Defect& defect : batch.defects) {
          outcome.broken_records += defect.count;
          outcome.unreadable_inputs += defect.kind == DefectKind::kUnreadableFile ? defect.count : 0;
          if (control.warning) control.warning(describe(defect));
        }
        outcome.pages_in_other_languages += batch.pages_in_other_languages;
        for (const StreamedPage& page : batch.pages) {
          ++outcome.pages;
          PARAPRINT_TRY(visit(page));
        }
        return {};
      }));
  return outcome;
}

}  // namespace paraprint
