// The run is that of deduplicate(), so nothing of it is modelled. Its stored scores are then clustered again at each
// threshold, as recluster does.
#include "plan/sample_trial.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/cluster_stage.h"
#include "engine/known_pages.h"
#include "engine/match_stage.h"
#include "engine/pipeline.h"
#include "engine/read_stage.h"
#include "engine/work_folder.h"
#include "memory/memory_meter.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"

namespace paraprint::inline plan {
namespace {

namespace fs = std::filesystem;

// The curve. Below the first one, hardly any pair that shares a tenth of its text is left out.
constexpr std::array<double, 9> kThresholds = {0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95};

Status parse_failure(const std::string& path) {
  return failure(ErrorCode::kCorruptData, path + ": not the JSON of a run");
}

Status read_stages(const std::string& path, SampleTrial& trial) {
  PARAPRINT_ASSIGN(const std::string text, read_whole_file(path));
  simdjson::dom::parser parser;
  simdjson::dom::array stages;
  if (parser.parse(text)["stages"].get(stages) != simdjson::SUCCESS) return parse_failure(path);
  for (const simdjson::dom::element stage : stages) {
    std::string_view name;
    TrialStage read;
    if (stage["name"].get(name) != simdjson::SUCCESS) return parse_failure(path);
    if (stage["cpu_seconds"].get(read.cpu_seconds) != simdjson::SUCCESS) read.cpu_seconds = 0;
    read.name = name;
    trial.stages.push_back(std::move(read));
  }
  return {};
}

Status read_counters(const std::string& path, SampleTrial& trial) {
  PARAPRINT_ASSIGN(const std::string text, read_whole_file(path));
  simdjson::dom::parser parser;
  simdjson::dom::object groups;
  if (parser.parse(text)["counters"].get(groups) != simdjson::SUCCESS) return parse_failure(path);
  for (const auto& [group, counters] : groups) {
    simdjson::dom::object values;
    if (counters.get(values) != simdjson::SUCCESS) return parse_failure(path);
    for (const auto& [name, value] : values) {
      std::uint64_t number = 0;
      if (value.get(number) == simdjson::SUCCESS) trial.counters[std::string(group) + "." + std::string(name)] = number;
    }
  }
  return {};
}

std::uint64_t bytes_below(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return fs::file_size(path, error);
  std::uint64_t bytes = 0;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) bytes += at->file_size(ignored);
  }
  return bytes;
}

// Of the output folder and of the work folder in it.
Status measure_files(const std::string& out, SampleTrial& trial) {
  for (const std::string& folder : {out, out + "/.paraprint"}) {
    PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder));
    for (const std::string& name : names) {
      if (name == ".paraprint") continue;
      const std::string path = fmt::format("{}/{}", folder, name);
      trial.file_bytes[name] = bytes_below(path);
      if (!name.ends_with(".tsv") && !name.ends_with(".jsonl")) continue;
      PARAPRINT_ASSIGN(const std::string text, read_whole_file(path));
      trial.file_lines[name] = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    }
  }
  return {};
}

ClusterCounts count_groups(const std::vector<std::uint32_t>& sizes) {
  ClusterCounts counts;
  for (const std::uint32_t size : sizes) {
    if (size > 0) counts[size] += 1;
  }
  return counts;
}

ClusterCounts count_clusters(const Decisions& decisions, std::uint32_t pages) {
  std::vector<std::uint32_t> sizes(pages);
  for (std::uint32_t page = 0; page < pages; ++page) {
    if (!is_in_other_language(decisions, page)) ++sizes[decisions.clustering.pages[page].kept_page];
  }
  return count_groups(sizes);
}

SampledTextPairs sampled_pairs(const ScoredPairs& scored, std::uint32_t pages) {
  SampledTextPairs sampled;
  sampled.pages_of_text.resize(pages);
  for (std::uint32_t page = 0; page < pages; ++page) {
    ++sampled.pages_of_text[page < scored.representatives.size() ? scored.representatives[page] : page];
  }
  for (const Match& match : scored.matches) sampled.pairs.push_back({match.page_a, match.page_b});
  return sampled;
}

// From the work folder of the run, which has pages and scores.
Status find_clusters(const DedupOptions& options, unsigned threads, ProgressReporter& progress, SampleTrial& trial) {
  PARAPRINT_ASSIGN(WorkFolder work, WorkFolder::open(options, true));
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, work.inputs());
  PARAPRINT_ASSIGN(std::unique_ptr<WordWeights> learnt, work.word_weights(inputs, options, threads, progress));
  PARAPRINT_ASSIGN(std::string identity,
                   settings_identity(options.profile, learnt != nullptr ? *learnt : WordWeights::bundled()));
  PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, work.open_log(inputs, identity));
  MemoryBudget budget(options.resources.memory, work.spill_folder());
  const RunSetup run{options, RunMode::kRecluster, inputs, std::move(identity), threads, budget};
  PARAPRINT_ASSIGN(LanguageSet languages, LanguageSet::parse(options.survivors.languages));
  PARAPRINT_ASSIGN(const ReadOutcome read, load_pages(std::move(log), inputs, std::move(languages), budget));
  PARAPRINT_ASSIGN(const KnownPages known, find_known_pages(run, *read.log, read.pages, work, nullptr));
  PARAPRINT_ASSIGN(MatchOutcome matched, match_pages(run, *read.log, read.pages, known, work, progress));
  const auto pages = static_cast<std::uint32_t>(read.pages.size());
  trial.pairs = sampled_pairs(matched.scored, pages);
  trial.texts = count_groups(trial.pairs.pages_of_text);
  {
    PARAPRINT_ASSIGN(const Decisions decisions,
                     decide_survivors(run, *read.log, read.pages, matched, KnownPages(), {}));
    trial.clusters = count_clusters(decisions, pages);
    for (std::uint32_t page = 0; page < pages; ++page) {
      if (is_in_other_language(decisions, page)) ++trial.pages_in_other_languages;
    }
  }
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  if (!algorithm.is_paragraph_method()) return {};
  std::vector<double> thresholds(kThresholds.begin(), kThresholds.end());
  thresholds.push_back(options.match.near);
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  for (const double near : thresholds) {
    PARAPRINT_TRY(check_stop());
    DedupOptions changed = options;
    changed.match.near = near;
    const RunSetup run_at{changed, RunMode::kRecluster, inputs, run.identity, threads, budget};
    apply_thresholds(changed.match, matched.scored.matches);
    PARAPRINT_ASSIGN(const Decisions decisions,
                     decide_survivors(run_at, *read.log, read.pages, matched, KnownPages(), {}));
    trial.thresholds.push_back({near, count_clusters(decisions, pages)});
  }
  return {};
}

}  // namespace

std::uint64_t SampleTrial::counter(const std::string& name) const {
  const auto found = counters.find(name);
  return found != counters.end() ? found->second : 0;
}

std::uint64_t SampleTrial::bytes_of(const std::string& name) const {
  const auto found = file_bytes.find(name);
  return found != file_bytes.end() ? found->second : 0;
}

Result<SampleTrial> try_sample(const DedupOptions& options, ProgressReporter& progress) {
  SampleTrial trial;
  {
    const MemoryMeter meter;
    PARAPRINT_ASSIGN(const DedupOutcome outcome, run_pipeline(options, RunMode::kResume, progress));
    trial.memory_peak_bytes = meter.peak_bytes();
    trial.pages = outcome.pages;
    trial.broken_records = outcome.broken_records;
  }
  const std::string& out = options.output.out;
  PARAPRINT_TRY(read_stages(out + "/timing.json", trial));
  PARAPRINT_TRY(read_counters(out + "/summary.json", trial));
  PARAPRINT_TRY(measure_files(out, trial));
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  PARAPRINT_TRY(find_clusters(options, threads, progress, trial));
  for (const auto& [size, count] : trial.clusters) {
    trial.pages_removed += (size - 1) * static_cast<std::uint64_t>(count);
  }
  return trial;
}

}  // namespace paraprint::inline plan
