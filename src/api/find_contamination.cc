// Benchmarks are read into memory, documents pass by: each is extracted and searched on any thread, and its rows are
// written in the order of the input. What a document holds is known only then, so that the records without an item are
// written in a second pass.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "api/benchmark_items.h"
#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "contamination/contamination_report.h"
#include "contamination/found_items.h"
#include "contamination/item_search.h"
#include "contamination/pending_finds.h"
#include "contamination/seed_frequency.h"
#include "contamination/spanned_words.h"
#include "engine/output_stage.h"
#include "engine/read_stage.h"
#include "engine/surviving_records.h"
#include "engine/work_folder.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/contamination.h"
#include "paraprint/engine.h"
#include "profile/page_profiler.h"
#include "profile/record_batches.h"
#include "report/stage_clock.h"

namespace paraprint {
namespace {

// Output that only this command makes.
constexpr std::array<std::string_view, 2> kOwnNames = {kFindsName, kItemsName};
// In the output folders of `dedup` and of `payloads`.
constexpr std::array<std::string_view, 2> kOtherNames = {kPageLogPlace, kRevisitsName};

DedupOptions folder_options_of(const ContaminationOptions& options) {
  DedupOptions run;
  run.inputs = options.inputs;
  run.output.out = options.out;
  run.output.records = options.records;
  run.reading = options.reading;
  run.resources = options.resources;
  return run;
}

// What one document holds.
struct SearchedDocument {
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  std::vector<FoundItem> found;
  std::vector<std::string> rows;  // one for each of `found`
  std::vector<ShownFind> shown;   // likewise
};

struct SearchedBatch {
  std::vector<SearchedDocument> documents;  // that hold something
  Counters counters;
  std::vector<Defect> defects;
  std::uint32_t file_index = 0;
  std::uint64_t documents_searched = 0;
  std::uint64_t stored_bytes_done = 0;
};

// What a thread needs.
class DocumentSearch {
 public:
  DocumentSearch(const ContaminationOptions& options, const Benchmarks& benchmarks, SeedFrequency& frequency,
                 std::unique_ptr<PageProfiler> profiler)
      : options_(options),
        benchmarks_(benchmarks),
        frequency_(frequency),
        profiler_(std::move(profiler)),
        reader_(options.profile.fold_traditional),
        search_(benchmarks.items) {}

  Result<SearchedBatch> search(RecordBatch&& records, const InputFile& input) {
    SearchedBatch batch;
    batch.file_index = records.file_index;
    batch.stored_bytes_done = records.stored_bytes_done;
    batch.counters = std::move(records.counters);
    batch.defects = std::move(records.defects);
    StopCheck stop(StopScope::current());
    for (RawRecord& record : records.records) {
      DecodedRecord decoded = decode_page(std::move(record), options_.reading, input.path);
      for (Defect& defect : decoded.defects) batch.defects.push_back(std::move(defect));
      count(batch.counters, fmt::format("pages_{}", page_outcome_name(decoded.outcome)));
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      ++batch.documents_searched;
      PARAPRINT_ASSIGN(const MainContent* const content, profiler_->extract(decoded.page, stop));
      reader_.read(content->text, words_, stop);
      PARAPRINT_TRY(stop.status());
      std::vector<FoundItem> found;
      search_.find(words_, found, stop);
      PARAPRINT_TRY(stop.status());
      frequency_.add(search_.seeds());
      if (!found.empty()) add_document(decoded.page, content->text, input, std::move(found), batch);
    }
    return batch;
  }

 private:
  void add_document(const Page& page, std::string_view text, const InputFile& input, std::vector<FoundItem>&& found,
                    SearchedBatch& batch) {
    SearchedDocument document{page.location.file_index, page.location.ordinal, std::move(found), {}, {}};
    for (const FoundItem& item : document.found) {
      const ItemRecord& record = benchmarks_.records[benchmarks_.record_of_item[item.item]];
      const std::string& benchmark = shown_name(options_, benchmarks_.files[record.benchmark].path);
      const std::vector<TextSpan> spans = spans_of(words_, item.in_text);
      const std::vector<TextSpan> item_spans = spans_of(benchmarks_.items.words(item.item), item.in_item);
      write_contaminated(json_, {page.id, page.url, benchmark, record.id, item.verdict, static_cast<double>(item.share),
                                 item.words, static_cast<double>(item.passage_score), spans, item_spans,
                                 shown_name(options_, input.path), page.location.offset_bytes});
      document.rows.push_back(json_.take() + "\n");
      document.shown.push_back({page.id, page.url, benchmark, record.id, item.verdict, static_cast<double>(item.share),
                                shown_text(text, spans), shown_text(record.text, item_spans)});
    }
    batch.documents.push_back(std::move(document));
  }

  const ContaminationOptions& options_;
  const Benchmarks& benchmarks_;
  SeedFrequency& frequency_;
  std::unique_ptr<PageProfiler> profiler_;
  SpannedWords reader_;
  ItemSearch search_;
  std::vector<SpannedWord> words_;
  JsonWriter json_;
};

struct CorpusSearched {
  Counters counters;
  DefectTally defects;
  std::set<std::uint32_t> inputs_ended_early;
  std::vector<std::vector<RemovedPage>> removed;  // by input: documents that the output leaves out
  ContaminationReport report;
  std::uint64_t common_finds = 0;
};

struct AllFinds {
  AllFinds(const ItemCollection& items, MemoryBudget& budget)
      : frequency(items), pending(&budget), shown(items.size()) {}
  SeedFrequency frequency;
  PendingFinds pending;
  ShownCandidates shown;
};

void count_find(const PendingFind& find, ShownFind* shown, Benchmarks& benchmarks, ContaminationReport& report) {
  ItemRecord& record = benchmarks.records[benchmarks.record_of_item[find.item]];
  const std::uint64_t before = record.documents_exact + record.documents_whole + record.documents_part;
  ++(find.verdict == ItemVerdict::kExact   ? record.documents_exact
     : find.verdict == ItemVerdict::kWhole ? record.documents_whole
                                           : record.documents_part);
  ++report.finds_total;
  if (shown != nullptr && before < kShownFindsOfItem && report.finds.size() < kShownFindsMaximum) {
    report.finds.push_back(std::move(*shown));
  }
}

void count_document(const PendingFind& document, ItemVerdict best, const ContaminationOptions& options,
                    CorpusSearched& searched) {
  ContaminationReport& report = searched.report;
  ++(best == ItemVerdict::kExact   ? report.documents_exact
     : best == ItemVerdict::kWhole ? report.documents_whole
                                   : report.documents_part);
  if (best != ItemVerdict::kPart || !options.keep_parts) {
    RemovedPage removed;
    removed.ordinal = document.ordinal;
    searched.removed[document.file].push_back(removed);
  }
}

// Writes and counts what was found, without the parts of passages that many documents have.
Status write_finds(const ContaminationOptions& options, AllFinds& all, Benchmarks& benchmarks,
                   CorpusSearched& searched) {
  PARAPRINT_ASSIGN(AtomicFile rows, AtomicFile::create(fmt::format("{}/{}", options.out, kFindsName)));
  const PendingFinds& pending = all.pending;
  for (std::size_t begin = 0, end = 0; begin < pending.size(); begin = end) {
    PARAPRINT_TRY(check_stop());
    std::optional<ItemVerdict> best;
    for (; end < pending.size() && pending.have_one_document(begin, end); ++end) {
      const PendingFind& find = pending[end];
      if (find.verdict == ItemVerdict::kPart && all.frequency.is_common(find.item, pending.words_of_part(end))) {
        ++benchmarks.records[benchmarks.record_of_item[find.item]].documents_common;
        ++searched.common_finds;
        continue;
      }
      best = best ? std::min(*best, find.verdict) : find.verdict;
      count_find(find, all.shown.find(end), benchmarks, searched.report);
      PARAPRINT_TRY(rows.write(pending.row(end)));
    }
    if (best) count_document(pending[begin], *best, options, searched);
  }
  return rows.commit();
}

Result<CorpusSearched> search_corpus(const ContaminationOptions& options, const std::vector<InputFile>& inputs,
                                     unsigned threads, Benchmarks& benchmarks, MemoryBudget& budget,
                                     ProgressReporter& progress) {
  AllFinds all(benchmarks.items, budget);
  std::vector<std::unique_ptr<DocumentSearch>> searches;
  for (unsigned worker = 0; worker < threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                     PageProfiler::create(options.profile, WordWeights::bundled()));
    searches.push_back(std::make_unique<DocumentSearch>(options, benchmarks, all.frequency, std::move(profiler)));
  }
  CorpusSearched searched;
  searched.removed.resize(inputs.size());
  RecordBatchSource source(inputs, options.reading, LogPosition{}, options.resources.memory);
  progress.begin("search", source.stored_bytes_total(), "bytes");
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<SearchedBatch>>(
      threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& records) {
        const InputFile& input = inputs[records.file_index];
        return searches[worker]->search(std::move(records), input);
      },
      [&](Result<SearchedBatch>&& made) -> Status {
        PARAPRINT_ASSIGN(SearchedBatch batch, std::move(made));
        for (const Defect& defect : batch.defects) {
          const Defect shown = shown_defect(options, defect);
          searched.defects.add(shown);
          if (defect.kind == DefectKind::kUnreadableFile) searched.inputs_ended_early.insert(batch.file_index);
          if (progress.wants_warnings()) progress.warn(describe(shown));
        }
        add_counters(searched.counters, batch.counters);
        searched.report.documents += batch.documents_searched;
        for (SearchedDocument& document : batch.documents) {
          for (std::size_t i = 0; i < document.found.size(); ++i) {
            all.shown.add(all.pending.size(), document.found[i].item, std::move(document.shown[i]));
            PARAPRINT_TRY(all.pending.add(document.file, document.ordinal, document.found[i], document.rows[i]));
          }
        }
        progress.update(batch.stored_bytes_done, searched.report.documents);
        return {};
      }));
  progress.end();
  PARAPRINT_TRY(write_finds(options, all, benchmarks, searched));
  return searched;
}

Result<Counters> write_clean_records(const ContaminationOptions& options, const std::vector<InputFile>& inputs,
                                     const CorpusSearched& searched, unsigned threads, MemoryBudget& budget,
                                     ProgressReporter& progress) {
  RemovedPages removed(&budget);
  for (const std::vector<RemovedPage>& of_input : searched.removed) {
    removed.begin.push_back(removed.pages.size());
    for (const RemovedPage& page : of_input) PARAPRINT_TRY(removed.pages.push_back(page));
  }
  removed.begin.push_back(removed.pages.size());
  const RecordOutput output{inputs, options.reading, options.out + "/records", {}, searched.inputs_ended_early, threads,
                            budget, CdxForm::kNone};
  return write_records(output, removed, progress);
}

ContaminationOutcome outcome_of(const CorpusSearched& searched) {
  ContaminationOutcome outcome;
  outcome.documents = searched.report.documents;
  outcome.documents_exact = searched.report.documents_exact;
  outcome.documents_whole = searched.report.documents_whole;
  outcome.documents_part = searched.report.documents_part;
  for (const BenchmarkTotals& row : searched.report.benchmarks) {
    outcome.items += row.items;
    outcome.items_too_short += row.too_short;
    outcome.items_found += row.found_exact + row.found_whole;
    outcome.items_found_part += row.found_part;
  }
  outcome.common_finds = searched.common_finds;
  outcome.broken_records = searched.defects.total;
  outcome.unreadable_inputs = searched.defects.unreadable_inputs;
  outcome.unreadable_reasons = searched.defects.unreadable_reasons();
  return outcome;
}

Summary summarise(const ContaminationOptions& options, const std::vector<InputFile>& inputs,
                  const Benchmarks& benchmarks, const CorpusSearched& searched, const ContaminationOutcome& outcome,
                  const Counters& writing) {
  Summary summary;
  summary.version = version();
  summary.command = "contaminated";
  for (const InputFile& input : inputs) summary.inputs.push_back(shown_name(options, input.path));
  ContaminationOptions shown = options;
  for (std::string& path : shown.against) path = shown_name(options, path);
  for (const auto& row : contamination_option_rows()) {
    if (!row.has(kKeepsOutput)) summary.settings.push_back({std::string(row.name), option_value(row, shown), ""});
  }
  for (const auto& row : read_option_rows()) {
    summary.settings.push_back({std::string(row.name), option_value(row, options.reading), ""});
  }
  Counters items;
  count(items, "items", outcome.items);
  count(items, "too_short", outcome.items_too_short);
  count(items, "equal_to_earlier_ones", benchmarks.records.size() - benchmarks.items.size() - outcome.items_too_short);
  count(items, "found", outcome.items_found);
  count(items, "found_in_part", outcome.items_found_part);
  count(items, "common_seeds", benchmarks.items.common_seeds());
  Counters documents;
  count(documents, "searched", outcome.documents);
  count(documents, "exact", outcome.documents_exact);
  count(documents, "whole", outcome.documents_whole);
  count(documents, "part", outcome.documents_part);
  count(documents, "finds", searched.report.finds_total);
  count(documents, "common_finds", outcome.common_finds);
  summary.counters = {group_of("reading", searched.counters), group_of("items", items),
                      group_of("documents", documents)};
  if (options.records) summary.counters.push_back(group_of("output", writing));
  summary.broken = searched.defects.kinds;
  return summary;
}

// All kinds of runs have a folder `records`.
Status check_output_folder(const ContaminationOptions& options) {
  PARAPRINT_TRY(refuse_output_of_others(options.out, kOtherNames));
  for (const std::string& path : options.against) PARAPRINT_TRY(check_outside_output(path, options.out));
  return refuse_foreign_output(options.out, kOwnNames);
}

}  // namespace

Status ContaminationOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (against.empty()) return failure(ErrorCode::kInvalidArgument, "no benchmark given (against)");
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no output folder given (out)");
  PARAPRINT_TRY(check_options(contamination_option_rows(), *this));
  PARAPRINT_TRY(check_options(read_option_rows(), reading));
  PARAPRINT_TRY(profile.validate());
  return check_options(resource_option_rows(), resources);
}

Result<ContaminationOutcome> find_contamination(const ContaminationOptions& options, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(options.validate());
  PARAPRINT_TRY(check_output_folder(options));
  ProgressReporter progress(control);
  StageClock clock;
  PARAPRINT_ASSIGN(Benchmarks benchmarks, read_benchmarks(options, progress));
  clock.end_stage("items", benchmarks.records.size(), "items");
  const DedupOptions folder_options = folder_options_of(options);
  PARAPRINT_ASSIGN(const WorkFolder work, WorkFolder::open_anew(folder_options));
  MemoryBudget budget(options.resources.memory, work.spill_folder());
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, work.inputs());
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  PARAPRINT_TRY(remove_earlier_output(options.out));

  PARAPRINT_ASSIGN(CorpusSearched searched, search_corpus(options, inputs, threads, benchmarks, budget, progress));
  clock.end_stage("search", searched.report.documents, "documents");
  searched.defects.add(benchmarks.defects);
  share_finds(benchmarks);
  PARAPRINT_TRY(write_items(benchmarks, options));
  Counters writing;
  if (options.records) {
    PARAPRINT_ASSIGN(writing, write_clean_records(options, inputs, searched, threads, budget, progress));
    clock.end_stage("write", inputs.size(), "files");
  }
  searched.report.benchmarks = totals_of(benchmarks, options);
  searched.report.broken_records = searched.defects.total;
  const ContaminationOutcome outcome = outcome_of(searched);
  if (options.report) {
    PARAPRINT_TRY(write_file_atomically(options.out + "/report.html", contamination_page(searched.report)));
  }
  PARAPRINT_TRY(clock.write(options.out + "/timing.json", threads, budget));
  // Last: it says that the output is whole.
  PARAPRINT_TRY(write_summary(fmt::format("{}/{}", options.out, kSummaryName),
                              summarise(options, inputs, benchmarks, searched, outcome, writing)));
  return outcome;
}

}  // namespace paraprint
