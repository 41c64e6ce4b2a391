// One pass over the pages of a set for all algorithms that read them alike. Workers do everything that is expensive and
// hand over encoded batches; the consumer only appends, in the order of the input, so page numbers agree in all logs.
// Undecodable page records become empty pages: their labels must stay countable as misses.
#include "lab/evaluate/evaluate_spool.h"

#include <algorithm>
#include <utility>

#include "archive/http_payload.h"
#include "base/ordered_parallel.h"
#include "base/processor_time.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "feature/page_terms.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "profile/record_batches.h"
#include "text/script_name.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

// The pages of a batch of records, encoded for every log. `profiles` and every element of `fingerprints` have the same
// pages in the same order.
struct SpooledBatch {
  PageBatch profiles;
  std::vector<PageBatch> fingerprints;
  std::vector<std::string_view> scripts;
  std::vector<std::uint64_t> fingerprint_bytes;
  std::uint64_t profile_bytes = 0;
  std::uint64_t unreadable = 0;
  std::vector<Defect> defects;
  std::uint64_t stored_bytes_done = 0;
};

// Adds this thread's processor time since the last call (or construction) to a sum. Processor time, not wall time: with
// more threads than processors, waiting must not count as cost of an algorithm.
class Lap {
 public:
  Lap() : last_(thread_processor_seconds()) {}
  void add_to(double& sum) {
    const double now = thread_processor_seconds();
    sum += now - last_;
    last_ = now;
  }

 private:
  double last_;
};

// Profiler, fingerprinters and scratch memory of one thread; its times and statistics are merged at the end.
class SpoolWorker {
 public:
  static Result<std::unique_ptr<SpoolWorker>> create(const SpoolRequest& request) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(request.profile, request.weights));
    return std::unique_ptr<SpoolWorker>(new SpoolWorker(request, std::move(profiler)));
  }

  // The only error is kCancelled.
  Result<SpooledBatch> process(RecordBatch&& records) {
    StopCheck stop(StopScope::current());
    SpooledBatch batch;
    batch.fingerprints.resize(fingerprinters_.size());
    batch.fingerprint_bytes.resize(fingerprinters_.size());
    batch.stored_bytes_done = records.stored_bytes_done;
    batch.defects = std::move(records.defects);
    for (RawRecord& record : records.records) {
      PARAPRINT_TRY(add_record(std::move(record), records.file_index, batch, stop));
    }
    begin_batch(records, batch.profiles);
    for (PageBatch& fingerprints : batch.fingerprints) begin_batch(records, fingerprints);
    return batch;
  }

  const SpoolTimes& times() const { return times_; }
  const std::vector<CutStatistics>& cuts() const { return cuts_; }

 private:
  SpoolWorker(const SpoolRequest& request, std::unique_ptr<PageProfiler> profiler)
      : request_(request),
        profiler_(std::move(profiler)),
        terms_builder_(request.weights, request.profile.fold_traditional) {
    for (const AlgorithmChoice& choice : request.algorithms) fingerprinters_.push_back(choice.make());
    times_.fingerprint.resize(fingerprinters_.size());
    cuts_.resize(fingerprinters_.size());
  }

  // Resume points are stored because the log's format has them; a spool is never resumed.
  static void begin_batch(const RecordBatch& records, PageBatch& batch) {
    batch.file_index = records.file_index;
    batch.ends_file = records.ends_file;
    batch.resume = records.resume;
  }

  Status add_record(RawRecord&& record, std::uint32_t file_index, SpooledBatch& batch, StopCheck& stop) {
    DecodedRecord decoded = decode_page(std::move(record), request_.reading, request_.inputs[file_index].path);
    for (Defect& defect : decoded.defects) batch.defects.push_back(std::move(defect));
    if (decoded.outcome == PageOutcome::kNotAPage) return {};
    if (decoded.outcome != PageOutcome::kAccepted) {
      ++batch.unreadable;
      decoded.page.body.clear();
    }
    return add_page(decoded.page, decoded.outcome == PageOutcome::kAccepted, batch, stop);
  }

  // Encoding is not part of the laps: it is a cost of the spool, not of the algorithm. Every log gets an entry for
  // every page, an empty fingerprint if it is unreadable.
  Status add_page(const Page& page, bool is_readable, SpooledBatch& batch, StopCheck& stop) {
    Lap lap;
    PARAPRINT_ASSIGN(const MainContent* const content, profiler_->extract(page, stop));
    lap.add_to(times_.extract);
    PARAPRINT_ASSIGN(const Profile* const profile, profiler_->profile_of_content(stop));
    lap.add_to(times_.profile);
    encoded_.clear();
    encode_profile(*profile, encoded_);
    batch.profile_bytes += encoded_.size();
    batch.profiles.append_page(page, {}, encoded_, {});
    batch.scripts.push_back(script_name(content->text));
    if (fingerprinters_.empty()) return {};
    Lap terms_lap;
    terms_builder_.build(*content, terms_, stop);
    PARAPRINT_TRY(stop.status());
    terms_lap.add_to(times_.terms);
    for (std::size_t i = 0; i < fingerprinters_.size(); ++i) {
      fingerprint_.clear();
      Lap fingerprint_lap;
      if (is_readable) make_page_fingerprint(*fingerprinters_[i], {page, terms_, *profile}, fingerprint_);
      fingerprint_lap.add_to(times_.fingerprint[i]);
      encoded_.clear();
      encode_fingerprint(fingerprint_, encoded_);
      batch.fingerprint_bytes[i] += encoded_.size();
      batch.fingerprints[i].append_page(page, {}, {}, encoded_);
      if (request_.analyses_cuts && fingerprint_.state == FingerprintState::kUsable) analyse_cut(i);
    }
    return {};
  }

  // Algorithms with a parameter `keywords` keep that many of a page's keywords; the quality of that cut is measured on
  // the full list, with the weights that the algorithm uses. Not timed.
  void analyse_cut(std::size_t algorithm) {
    const AlgorithmChoice& choice = request_.algorithms[algorithm];
    const std::span<const ParameterInfo> parameters = choice.row->factory->parameters;
    const auto has = [&](std::string_view name) {
      return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterInfo& p) { return p.name == name; });
    };
    if (!has("keywords")) return;
    const ParameterValues values(parameters, choice.values);
    const bool counts_alone = has("weights") && values.choice("weights") == kKeywordWeightingNames[0];
    const auto weighting = counts_alone ? KeywordWeighting::kCount : KeywordWeighting::kCountIdf;
    select_keywords(terms_, weighting, terms_.terms.size(), keywords_);
    if (!keywords_.empty()) cuts_[algorithm].add(cut_quality(keywords_, values.integer("keywords")));
  }

  const SpoolRequest& request_;
  std::unique_ptr<PageProfiler> profiler_;
  PageTermsBuilder terms_builder_;
  std::vector<std::unique_ptr<PageFingerprinter>> fingerprinters_;
  PageTerms terms_;
  PageFingerprint fingerprint_;
  std::string encoded_;
  std::vector<Keyword> keywords_;
  SpoolTimes times_;
  std::vector<CutStatistics> cuts_;
};

// Workers measure separately, and are added up after all of them have finished.
void add_times(const SpoolTimes& from, SpoolTimes& into) {
  into.extract += from.extract;
  into.profile += from.profile;
  into.terms += from.terms;
  for (std::size_t i = 0; i < from.fingerprint.size(); ++i) into.fingerprint[i] += from.fingerprint[i];
}

// Unnamed files: nothing is left behind by a killed evaluation.
Status open_logs(const SpoolRequest& request, EvaluationSpool& spool) {
  Result<std::unique_ptr<PageLog>> log = PageLog::create_nameless(request.folder);
  PARAPRINT_TRY(log);
  spool.profiles = std::move(*log);
  for (std::size_t i = 0; i < request.algorithms.size(); ++i) {
    log = PageLog::create_nameless(request.folder);
    if (!log) return tl::unexpected<Error>(log.error());
    spool.fingerprints.push_back(std::move(*log));
  }
  spool.fingerprint_bytes.resize(request.algorithms.size());
  spool.times.fingerprint.resize(request.algorithms.size());
  return {};
}

// Runs in one thread at a time. An unreadable file ends the evaluation, other defects are counted.
Status append_batch(SpooledBatch&& batch, EvaluationSpool& spool, const ProgressReporter& progress) {
  for (const Defect& defect : batch.defects) {
    if (defect.kind == DefectKind::kUnreadableFile) return failure(ErrorCode::kInputOutput, describe(defect));
    spool.broken_records += defect.count;
    if (progress.wants_warnings()) progress.warn(describe(defect));
  }
  PARAPRINT_TRY(spool.profiles->append(batch.profiles));
  for (std::size_t i = 0; i < batch.fingerprints.size(); ++i) {
    PARAPRINT_TRY(spool.fingerprints[i]->append(batch.fingerprints[i]));
    spool.fingerprint_bytes[i] += batch.fingerprint_bytes[i];
  }
  for (const std::string_view script : batch.scripts) spool.scripts.emplace_back(script);
  spool.profile_bytes += batch.profile_bytes;
  spool.pages_unreadable += batch.unreadable;
  return {};
}

}  // namespace

// Any stop or error leaves nothing behind: logs are unnamed and belong to the result.
Result<EvaluationSpool> spool_pages(const SpoolRequest& request, ProgressReporter& progress) {
  EvaluationSpool spool;
  PARAPRINT_TRY(open_logs(request, spool));
  std::vector<std::unique_ptr<SpoolWorker>> workers;
  for (unsigned i = 0; i < request.threads; ++i) {
    PARAPRINT_ASSIGN(std::unique_ptr<SpoolWorker> worker, SpoolWorker::create(request));
    workers.push_back(std::move(worker));
  }
  RecordBatchSource source(request.inputs, request.reading, LogPosition{});
  progress.begin("read", source.stored_bytes_total(), "bytes");
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<SpooledBatch>>(
      request.threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& records) { return workers[worker]->process(std::move(records)); },
      [&](Result<SpooledBatch>&& made) -> Status {
        PARAPRINT_ASSIGN(SpooledBatch batch, std::move(made));
        const std::uint64_t done = batch.stored_bytes_done;
        Status appended = append_batch(std::move(batch), spool, progress);
        progress.update(done, spool.scripts.size());
        return appended;
      }));
  progress.end();
  spool.cuts.resize(request.algorithms.size());
  for (const auto& worker : workers) {
    add_times(worker->times(), spool.times);
    for (std::size_t i = 0; i < spool.cuts.size(); ++i) spool.cuts[i].add(worker->cuts()[i]);
  }
  // The table is filled from the log after the pass: its profile offsets exist only once the log is written.
  Profile head;
  PARAPRINT_TRY(spool.profiles->read(
      [&](const LoggedPage& page) -> Status {
        PARAPRINT_TRY(decode_profile_head(page.profile, head));
        PARAPRINT_TRY(spool.pages.add(page, head.content_characters));
        return {};
      },
      [](const PageBatch&) -> Status { return {}; }));
  PARAPRINT_ASSIGN(const std::uint64_t renamed, spool.pages.finish());
  spool.pages_renamed = renamed;
  return spool;
}

}  // namespace paraprint::inline lab::inline evaluation
