// Reading is the most expensive stage of a run, and the only one that is not repeated from the start after a kill: each
// batch is appended to the log as soon as it is next in order. Workers do everything up to the encoded batch; the one
// thread that appends does no more than write.
#include "engine/read_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "archive/http_payload.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cluster/survivor.h"
#include "corpus/origin_rank.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_conversions.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "profile/record_batches.h"
#include "profile/registry.h"
#include "provenance/origin_record.h"

namespace paraprint::inline engine {
namespace {

// The log is synced this often. After a power cut, at most this much of it has to be made again; a kill alone loses
// only the batch being written, because written bytes survive in the system's cache.
constexpr std::uint64_t kSyncIntervalBytes = std::uint64_t{64} << 20;

// What is counted of every page of a batch, and then stored with it.
struct PageCounts {
  PrefixedCounts outcomes{"pages_"};
  PrefixedCounts charsets{"charset_"};
  PrefixedCounts charset_sources{"charset_from_"};
  PrefixedCounts languages{"language_"};
  std::uint64_t pages = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t paragraphs = 0;
  std::uint64_t sentences = 0;
  std::uint64_t content_characters = 0;

  void add(const Page& page, const Profile& profile) {
    ++pages;
    body_bytes += page.body.size();
    paragraphs += profile.paragraphs.size();
    sentences += profile.sentences.size();
    content_characters += profile.content_characters;
  }
  void add_to(Counters& counters) const {
    for (const PrefixedCounts* counts : {&outcomes, &charsets, &charset_sources, &languages}) counts->add_to(counters);
    if (pages == 0) return;
    count(counters, "page_body_bytes", body_bytes);
    count(counters, "paragraphs", paragraphs);
    count(counters, "sentences", sentences);
    count(counters, "content_characters", content_characters);
  }
};

// Each remarkable property of a page becomes a counter of the summary (docs/output.md), stored with its batch.
void count_notes(const PageNotes& notes, PageCounts& counts, Counters& counters) {
  counts.charsets.add(notes.charset.empty() ? "none" : notes.charset);
  counts.charset_sources.add(notes.charset_source);
  if (notes.charset_overruled) count(counters, "charset_overruled");
  if (notes.dropped_sequences > 0) {
    count(counters, "pages_with_invalid_bytes");
    count(counters, "invalid_sequences_dropped", notes.dropped_sequences);
  }
  if (notes.is_not_html) count(counters, "pages_not_html");
  if (notes.limits.input_bytes) count(counters, "limit_page_bytes");
  if (notes.limits.depth) count(counters, "limit_tag_depth");
  if (notes.limits.open_formatting) count(counters, "limit_open_formatting");
  if (notes.limits.attributes) count(counters, "limit_attributes");
  if (notes.limits.tree_bytes) count(counters, "limit_tree_bytes");
  if (notes.paragraphs_left_out > 0) count(counters, "limit_paragraphs");
}

// Decodes the HTTP payload and counts the outcome. Returns whether the record is a page.
bool decode_counted(RawRecord&& record, const ReadOptions& options, std::string_view file, Page& page,
                    PageCounts& counts, Counters& counters, std::vector<Defect>& defects) {
  if (record.is_truncated) count(counters, "pages_truncated");
  DecodedRecord decoded = decode_page(std::move(record), options, file);
  for (Defect& defect : decoded.defects) defects.push_back(std::move(defect));
  counts.outcomes.add(page_outcome_name(decoded.outcome));
  if (decoded.outcome != PageOutcome::kAccepted) return false;
  page = std::move(decoded.page);
  return true;
}

// What is stored of each page beside its profile.
struct StoredDetail {
  bool fingerprints = false;
  bool languages = false;
  bool statement_ranks = false;
  bool origins = false;

  bool reads_metadata() const { return statement_ranks || origins; }
};

// Everything that the log stores of a batch of records; runs on any thread. The only error is kCancelled.
Result<PageBatch> profile_batch(RecordBatch&& records, const std::vector<InputFile>& inputs, const ReadOptions& options,
                                const StoredDetail& detail, PageProfiler& profiler) {
  StopCheck stop(StopScope::current());
  PageBatch batch;
  batch.file_index = records.file_index;
  batch.ends_file = records.ends_file;
  batch.resume = records.resume;
  batch.counters = std::move(records.counters);
  batch.defects = std::move(records.defects);
  std::string encoded;
  std::string encoded_fingerprint;
  std::string origin;
  PageCounts counts;
  Page page;
  for (RawRecord& record : records.records) {
    const std::string& file = inputs[records.file_index].path;
    if (!decode_counted(std::move(record), options, file, page, counts, batch.counters, batch.defects)) {
      continue;
    }
    PARAPRINT_ASSIGN(const Profile* const profile, profiler.profile(page, stop));
    count_notes(profiler.notes(), counts, batch.counters);
    counts.add(page, *profile);
    encoded.clear();
    encode_profile(*profile, encoded);
    encoded_fingerprint.clear();
    if (detail.fingerprints) encode_fingerprint(profiler.page_fingerprint(), encoded_fingerprint);
    LanguageCode language;
    if (detail.languages) {
      language = profiler.language();
      counts.languages.add(language.text());
    }
    origin.clear();
    if (detail.reads_metadata()) {
      PARAPRINT_ASSIGN(StatedOrigin stated, profiler.stated_origin(stop));
      const PageMetadata& metadata = stated.metadata;
      if (detail.statement_ranks) {
        page.score = statement_rank(canonical_rank(metadata, page.url), origin_rank(metadata, page.url));
      }
      if (!metadata.date_published.empty()) count(batch.counters, "pages_with_date");
      if (!metadata.source_name.empty() || !metadata.source_url.empty()) count(batch.counters, "pages_with_source");
      if (detail.origins) origin = encoded_origin(std::move(stated), profiler.features());
    }
    batch.append_page(page, language, encoded, encoded_fingerprint, origin);
  }
  counts.add_to(batch.counters);
  return batch;
}

// What a worker hands over: the encoded batch, and the progress after it.
struct Profiled {
  PageBatch batch;
  std::uint64_t stored_bytes_done = 0;
};

// The inputs of pages are indexes into a list, and ascend; a log that was changed may say anything.
Status check_input_of(const LoggedPage& page, const std::string& log_path, std::size_t inputs, std::uint32_t& least) {
  const std::uint32_t input = page.location.file_index;
  if (input < least || input >= inputs) {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{}: a page of input {} after input {}, of {} inputs", log_path, input, least, inputs));
  }
  least = input;
  return {};
}

// One per thread: a profiler holds a parser and scratch memory.
Result<std::vector<std::unique_ptr<PageProfiler>>> make_profilers(const ProfileOptions& options,
                                                                  const WordWeights& weights,
                                                                  const ExtractDetail& detail, unsigned threads) {
  std::vector<std::unique_ptr<PageProfiler>> profilers;
  for (unsigned worker = 0; worker < threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(options, weights, detail));
    profilers.push_back(std::move(profiler));
  }
  return profilers;
}

}  // namespace

ReadOptions reading_of(const DedupOptions& options) {
  ReadOptions reading = options.reading;
  reading.score_field = options.survivors.score_field();
  return reading;
}

bool ranks_statements(const DedupOptions& options) {
  const Result<SurvivorCriteria> criteria = parse_survivor_criteria(options.survivors.keep);
  return criteria && criteria->compares_statements();
}

Status read_and_profile(const std::vector<InputFile>& inputs, const DedupOptions& options, unsigned threads,
                        const WordWeights& weights, bool with_languages, PageLog& log, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  const StoredDetail detail = {!algorithm.is_paragraph_method(), with_languages, ranks_statements(options),
                               options.output.provenance};
  PARAPRINT_ASSIGN(std::vector<std::unique_ptr<PageProfiler>> profilers,
                   make_profilers(options.profile, weights, {.metadata = detail.reads_metadata()}, threads));
  const ReadOptions reading = reading_of(options);
  RecordBatchSource source(inputs, reading, log.position(), options.resources.memory);
  progress.begin("read", source.stored_bytes_total(), "bytes");
  std::uint64_t pages = 0;
  std::uint64_t synced_bytes = log.size_bytes();
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<Profiled>>(
      threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& records) -> Result<Profiled> {
        Profiled result;
        result.stored_bytes_done = records.stored_bytes_done;
        PARAPRINT_ASSIGN(result.batch, profile_batch(std::move(records), inputs, reading, detail, *profilers[worker]));
        return result;
      },
      [&](Result<Profiled>&& made) -> Status {
        PARAPRINT_ASSIGN(const Profiled result, std::move(made));
        PARAPRINT_TRY(log.append(result.batch));
        // Only the consumer appends, and it runs in one thread at a time, so the log needs no lock.
        if (log.size_bytes() - synced_bytes >= kSyncIntervalBytes) {
          PARAPRINT_TRY(log.sync());
          synced_bytes = log.size_bytes();
        }
        if (progress.wants_warnings()) {
          for (const Defect& defect : result.batch.defects) progress.warn(describe(defect));
        }
        pages += result.batch.page_count;
        progress.update(result.stored_bytes_done, pages);
        return {};
      }));
  progress.end();
  return log.sync();
}

// Kinds are kept sorted by name, so that the summary does not depend on which defect was met first.
BrokenKind& DefectTally::kind_named(std::string_view name) {
  auto found = std::lower_bound(kinds.begin(), kinds.end(), name,
                                [](const BrokenKind& kind, std::string_view key) { return kind.kind < key; });
  if (found == kinds.end() || found->kind != name) found = kinds.insert(found, BrokenKind{std::string(name), 0, {}});
  return *found;
}

// Examples beyond the maximum are counted only.
void DefectTally::add(const Defect& defect) {
  BrokenKind& kind = kind_named(defect_name(defect.kind));
  kind.count += defect.count;
  total += defect.count;
  if (defect.kind == DefectKind::kUnreadableFile) unreadable_inputs += defect.count;
  if (kind.examples.size() >= kBrokenExamplesMaximum) return;
  std::string message = defect.message + others_of(defect);
  if (defect.line > 0) message = fmt::format("line {}: {}", defect.line, message);
  if (defect.skipped_bytes > 0) message += fmt::format(" ({} bytes skipped)", defect.skipped_bytes);
  kind.examples.push_back({defect.file, defect.offset_bytes, std::move(message)});
}

void DefectTally::add(const DefectTally& later) {
  total += later.total;
  unreadable_inputs += later.unreadable_inputs;
  for (const BrokenKind& from : later.kinds) {
    BrokenKind& into = kind_named(from.kind);
    into.count += from.count;
    const std::size_t room = kBrokenExamplesMaximum - std::min(into.examples.size(), kBrokenExamplesMaximum);
    into.examples.insert(into.examples.end(), from.examples.begin(),
                         from.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, from.examples.size())));
  }
}

std::vector<std::string> DefectTally::unreadable_reasons() const {
  std::vector<std::string> reasons;
  for (const BrokenKind& kind : kinds) {
    if (kind.kind != defect_name(DefectKind::kUnreadableFile)) continue;
    for (const BrokenRecord& example : kind.examples) {
      reasons.push_back(fmt::format("{}: not read to its end: {}", example.file, example.message));
    }
  }
  return reasons;
}

// Pages of one id are all used; the examples say which they are.
void DefectTally::add_repeated_ids(std::uint64_t count, std::vector<BrokenRecord> examples) {
  if (count == 0) return;
  BrokenKind& kind = kind_named("repeated-id");
  kind.count += count;
  total += count;
  examples.resize(std::min(examples.size(), kBrokenExamplesMaximum));
  kind.examples = std::move(examples);
}

Result<ReadOutcome> load_pages(std::unique_ptr<PageLog> log, const std::vector<InputFile>& inputs,
                               LanguageSet languages, MemoryBudget& budget) {
  ReadOutcome read{std::move(log), PageTable(&budget), {}, {}, {}, {}};
  read.log->compare_only(std::move(languages));
  Profile head;
  std::uint32_t least_input = 0;
  PARAPRINT_ASSIGN(const std::uint64_t conversions, leave_out_conversions(*read.log, &budget));
  PARAPRINT_TRY(read.log->read(
      [&](const LoggedPage& page) -> Status {
        PARAPRINT_TRY(check_input_of(page, read.log->path(), inputs.size(), least_input));
        PARAPRINT_TRY(decode_profile_head(page.profile, head));
        return read.pages.add(page, head.content_characters);
      },
      [&](const PageBatch& batch) -> Status {
        add_counters(read.counters, batch.counters);
        if (batch.counters.contains("records_revisit")) read.inputs_with_revisits.insert(batch.file_index);
        for (const Defect& defect : batch.defects) {
          read.defects.add(defect);
          if (defect.kind == DefectKind::kUnreadableFile) read.inputs_ended_early.insert(batch.file_index);
        }
        return {};
      }));
  std::vector<BrokenRecord> repeated;
  PARAPRINT_ASSIGN(const std::uint64_t renamed, read.pages.finish([&](std::uint32_t page, std::uint32_t first) {
    if (repeated.size() == kBrokenExamplesMaximum) return;
    const RecordLocation& place = read.pages.row(page).location;
    const RecordLocation& first_place = read.pages.row(first).location;
    repeated.push_back({inputs[place.file_index].path, place.offset_bytes,
                        fmt::format("the id {} is also that of the page at byte {} of {}", read.pages.id(page),
                                    first_place.offset_bytes, inputs[first_place.file_index].path)});
  }));
  read.defects.add_repeated_ids(renamed, std::move(repeated));
  count(read.counters, "duplicate_ids", renamed);
  if (conversions > 0) count(read.counters, "conversions_of_pages", conversions);
  PARAPRINT_TRY(budget.status());
  return read;
}

}  // namespace paraprint::inline engine
