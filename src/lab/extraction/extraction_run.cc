// `paraprint eval-extract`: extractors judged on pages whose main content is known. Read evaluate_extraction() at the
// end first. Each page is parsed, extracted by every extractor and scored on one thread; only the scores are kept.
#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <unordered_set>

#include "archive/input_files.h"
#include "base/ordered_parallel.h"
#include "base/processor_time.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "lab/evaluate/gold_pages.h"
#include "lab/evaluate/label_file.h"
#include "lab/extraction/extraction_figures.h"
#include "lab/extraction/extraction_report.h"
#include "lab/extraction/token_overlap.h"
#include "memory/release_memory.h"
#include "options/command_tables.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

// A page without its content.
struct JudgedPage {
  GoldPage gold;
  std::uint64_t offset_bytes = 0;
  std::vector<Rates> rates;  // per extractor
};

struct JudgedBatch {
  std::vector<JudgedPage> pages;
  std::vector<Defect> defects;
  std::uint32_t file_index = 0;
  std::uint64_t stored_bytes_done = 0;
};

// The extractors and scratch memory of one thread.
class Judge {
 public:
  static Result<std::unique_ptr<Judge>> create(const std::vector<std::string>& extractors, const ReadOptions& reading) {
    auto judge = std::make_unique<Judge>(reading);
    for (const std::string& extractor : extractors) {
      ProfileOptions options;
      options.extractor = extractor;
      PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(options, WordWeights::bundled()));
      judge->profilers_.push_back(std::move(profiler));
    }
    judge->seconds_.resize(extractors.size());
    return judge;
  }

  explicit Judge(const ReadOptions& reading) : parser_(reading) {}

  // The only error is kCancelled.
  Result<JudgedBatch> judge(const InputFile& input, GoldBatch&& lines) {
    StopCheck stop(StopScope::current());
    JudgedBatch batch;
    batch.file_index = lines.file_index;
    batch.stored_bytes_done = lines.stored_bytes_done;
    batch.defects = std::move(lines.defects);
    for (RawRecord& line : lines.lines) {
      const std::uint64_t offset_bytes = line.location.offset_bytes;
      // The reader has reported why it is not an object, or has no text.
      std::optional<GoldPage> gold = parser_.parse(input, std::move(line), batch.defects);
      if (!gold) continue;
      JudgedPage page{std::move(*gold), offset_bytes, {}};
      PARAPRINT_TRY(judge_page(page, stop));
      release_memory(page.gold.page.body);
      release_memory(page.gold.text);
      batch.pages.push_back(std::move(page));
    }
    return batch;
  }

  const std::vector<double>& seconds() const { return seconds_; }

 private:
  Status judge_page(JudgedPage& judged, StopCheck& stop) {
    gold_.assign(judged.gold.text);
    for (std::size_t i = 0; i < profilers_.size(); ++i) {
      const double begin = thread_processor_seconds();
      PARAPRINT_ASSIGN(const MainContent* const content, profilers_[i]->extract(judged.gold.page, stop));
      seconds_[i] += thread_processor_seconds() - begin;
      extracted_.assign(content->text);
      judged.rates.push_back(token_overlap(gold_, extracted_));
    }
    return {};
  }

  GoldParser parser_;
  std::vector<std::unique_ptr<PageProfiler>> profilers_;
  TokenMultiset gold_;
  TokenMultiset extracted_;
  std::vector<double> seconds_;
};

// Appends scores in the order of the input.
class Collector {
 public:
  Collector(const std::vector<InputFile>& inputs, std::size_t extractors, const RunControl& control,
            ExtractionEvaluation& evaluation)
      : inputs_(inputs), control_(control), evaluation_(evaluation) {
    scored_.extractors = extractors;
  }

  void add(JudgedBatch&& batch) {
    for (const Defect& defect : batch.defects) report(defect);
    for (JudgedPage& page : batch.pages) add_page(std::move(page), batch.file_index);
  }

  const ScoredPages& finish() {
    const auto names_of = [](const NameTable& table) {
      std::vector<std::string> names;
      for (std::uint32_t name = 0; name < table.size(); ++name) names.push_back(table.name(name));
      return names;
    };
    scored_.sources = names_of(sources_);
    scored_.page_types = names_of(page_types_);
    scored_.languages = names_of(languages_);
    return scored_;
  }

  std::uint64_t pages() const { return scored_.pages.size(); }

 private:
  void report(const Defect& defect) {
    evaluation_.broken_lines += defect.count;
    evaluation_.unreadable_inputs += defect.kind == DefectKind::kUnreadableFile ? defect.count : 0;
    if (control_.warning) control_.warning(describe(defect));
  }

  // A page that occurs twice would count twice; the first one counts.
  void add_page(JudgedPage&& judged, std::uint32_t file_index) {
    GoldPage& gold = judged.gold;
    const std::uint32_t source = sources_.add(gold.source);
    if (!ids_.insert(fmt::format("{} {}", source, gold.page.id)).second) {
      report({DefectKind::kWrongFieldType, inputs_[file_index].path, judged.offset_bytes, 0, gold.line,
              fmt::format("the id '{}' has occurred before in the source '{}'; the page is left out", gold.page.id,
                          gold.source)});
      return;
    }
    scored_.pages.push_back({std::move(gold.page.id), source, page_types_.add(gold.page_type),
                             languages_.add(gold.language), gold.is_tool_made});
    scored_.rates.insert(scored_.rates.end(), judged.rates.begin(), judged.rates.end());
  }

  const std::vector<InputFile>& inputs_;
  const RunControl& control_;
  ExtractionEvaluation& evaluation_;
  ScoredPages scored_;
  NameTable sources_;
  NameTable page_types_;
  NameTable languages_;
  std::unordered_set<std::string> ids_;
};

Status judge_inputs(const std::vector<InputFile>& inputs, const EvaluateExtractionOptions& options,
                    std::vector<std::unique_ptr<Judge>>& judges, Collector& collector, ProgressReporter& progress) {
  GoldSource source(inputs, options.reading);
  progress.begin("extract", source.stored_bytes_total(), "bytes");
  PARAPRINT_TRY(run_in_order<GoldBatch, Result<JudgedBatch>>(
      static_cast<unsigned>(judges.size()), [&] { return source.next(); },
      [&](unsigned worker, GoldBatch&& lines) {
        const InputFile& input = inputs[lines.file_index];
        return judges[worker]->judge(input, std::move(lines));
      },
      [&](Result<JudgedBatch>&& judged) -> Status {
        PARAPRINT_ASSIGN(JudgedBatch batch, std::move(judged));
        const std::uint64_t done = batch.stored_bytes_done;
        collector.add(std::move(batch));
        progress.update(done, collector.pages());
        return {};
      }));
  progress.end();
  return {};
}

std::vector<std::string> chosen_extractors(const EvaluateExtractionOptions& options) {
  if (!options.extractor.empty()) return options.extractor;
  std::vector<std::string> names;
  for (const ExtractorRow& row : extractors()) names.emplace_back(row.name);
  return names;
}

}  // namespace

Status EvaluateExtractionOptions::validate() const {
  if (gold.empty()) return failure(ErrorCode::kInvalidArgument, "no gold pages given");
  PARAPRINT_TRY(check_options(evaluate_extraction_option_rows(), *this));
  for (std::size_t i = 0; i < extractor.size(); ++i) {
    PARAPRINT_TRY(make_extractor(extractor[i]));
    const auto* const end = extractor.data() + i;
    if (std::find(extractor.data(), end, extractor[i]) != end) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("extractor '{}' is given twice", extractor[i]));
    }
  }
  return {};
}

Result<ExtractionEvaluation> evaluate_extraction(const EvaluateExtractionOptions& options, const RunControl& control) {
  // 1. Check the whole request.
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs(options.gold, options.reading));
  ExtractionEvaluation evaluation;
  evaluation.extractors = chosen_extractors(options);
  evaluation.seed = options.seed;
  evaluation.bootstrap_rounds = options.bootstrap;
  evaluation.threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<Judge>> judges;
  for (unsigned i = 0; i < evaluation.threads; ++i) {
    PARAPRINT_ASSIGN(std::unique_ptr<Judge> judge, Judge::create(evaluation.extractors, options.reading));
    judges.push_back(std::move(judge));
  }

  // 2. Score every page, then make figures of the scores.
  Collector collector(inputs, evaluation.extractors.size(), control, evaluation);
  ProgressReporter progress(control);
  PARAPRINT_TRY(judge_inputs(inputs, options, judges, collector, progress));
  if (collector.pages() == 0) {
    return failure(ErrorCode::kInvalidArgument, "no page with its main content: each line needs id, html and text");
  }
  const ScoredPages& scored = collector.finish();
  PARAPRINT_TRY(add_extraction_figures(scored, evaluation));
  evaluation.costs.resize(evaluation.extractors.size());
  for (std::size_t i = 0; i < evaluation.costs.size(); ++i) {
    ExtractorCosts& costs = evaluation.costs[i];
    for (const auto& judge : judges) costs.seconds += judge->seconds()[i];
    costs.pages_per_second = costs.seconds > 0 ? static_cast<double>(evaluation.pages) / costs.seconds : 0;
  }

  // 3. Write.
  evaluation.table = extraction_table(evaluation, options.show);
  evaluation.json = extraction_json(evaluation);
  if (options.out.empty()) return evaluation;
  PARAPRINT_TRY(write_extraction(options.out, evaluation, scored));
  evaluation.report_path = options.out + "/report/index.html";
  return evaluation;
}

}  // namespace paraprint
