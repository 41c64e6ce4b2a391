// The constants are from runs over simulated pages; docs/plan.md has the runs that the model was compared with.
#include "plan/cost_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <vector>

#include "base/split_mix.h"

namespace paraprint::inline plan {
namespace {

// Processor time of a pair that is verified, and of a row of matches.jsonl: of any, and per character of a page. A
// sample outweighs them from kPairsOfOneOpinion pairs on.
constexpr double kVerifyPairSeconds = 9e-6;
constexpr double kVerifySeconds = 4.5e-9;
constexpr double kEvidencePairSeconds = 4.5e-6;
constexpr double kEvidenceSeconds = 9.5e-9;
constexpr double kEvidenceBytes = 0.7;  // per character
// Of a row of matches.tsv, and of a stored pair while clusters are made.
constexpr double kMatchRowSeconds = 0.9e-6;
constexpr double kClusterPairSeconds = 1.1e-6;
// Of a page of a cluster, while copies are traced.
constexpr double kTracedPageSeconds = 20e-6;
// Processor time of the tables per page, and the most that verification is thought to have of the stage `match`.
constexpr double kTablePageSeconds = 2e-6;
constexpr double kVerifyShare = 0.8;
constexpr double kMatchRowBytes = 106;
constexpr double kRemovedRowBytes = 480;
constexpr double kTracedRowBytes = 240;
constexpr double kScoreBytes = 25;
constexpr double kPairsOfOneOpinion = 300;
constexpr double kRowsOfOneOpinion = 5;  // the same for sizes, which vary less
// The report shows this many pairs at most, and reads and compares their texts.
constexpr double kShownPairs = 200;
constexpr double kShownPairSeconds = 5e-3;
// Its pairs are chosen among more pages, up to this many.
constexpr double kReportPageSeconds = 50e-6;
constexpr double kReportPages = 12e3;
constexpr double kShownPairBytes = 70e3;

// Resident bytes: the program with its tables and two threads, each further thread, and the tables
// (docs/resume-and-resources.md). Those of keys, fingerprints and candidates are gone when matches are expanded to all
// pages of equal texts, which is the peak where there are many.
constexpr double kProgramBytes = 62e6;
constexpr double kProgramBytesMinimum = 20e6;  // a run over two pages takes 22 MB, and 36 with its report
constexpr double kThreadBytes = 15e6;
constexpr double kComparedPageBytes = 90;
constexpr double kKeyBytes = 32;
constexpr double kFingerprintBytes = 40;
// A candidate counts once for each way in which it is found. Many are sorted in pieces: in runs, all of them together
// took no more than this part of the target.
constexpr double kCandidateBytes = 58;
constexpr double kCandidatesShare = 8;
constexpr double kDecidedPageBytes = 230;
constexpr double kMatchBytes = 60;

// The processor time of machine_speed()'s work on the machine of the constants.
constexpr double kReferenceSeconds = 0.052;

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

// The mean per pair: of the sample's pairs and of `others` with the usual value.
double per_pair(double total, double pairs, double usual, double others) {
  return (std::max(total, 0.0) + others * usual) / (pairs + others);
}

// How the counts of the trial grow.
struct Growth {
  double pages = 1;  // of what there is one of per page
  PairGrowth pairs;
};

class RunModel {
 public:
  RunModel(const SampleTrial& trial, const RunSize& size, double speed, unsigned threads, std::uint64_t memory_bytes)
      : trial_(trial),
        size_(size),
        speed_(speed),
        threads_(std::max(1U, threads)),
        candidates_bytes_maximum_(static_cast<double>(memory_bytes) / kCandidatesShare) {
    const auto sampled = static_cast<double>(std::max<std::uint64_t>(trial.pages, 1));
    growth_.pages = size.pages / sampled;
    growth_.pairs = size.pairs;
    characters_ = counter("reading.content_characters") / sampled;
    rows_ = lines("matches.tsv");
    evidence_ = lines("matches.jsonl");
    verified_ = static_cast<double>(trial.counter("pairs.pairs_verified"));
  }

  double matches() const { return rows_ * growth_.pairs.rows; }

  PlannedStage stage(const TrialStage& measured) const {
    const double cpu = measured.cpu_seconds;
    PlannedStage planned{measured.name, 0, cpu * growth_.pages};
    double serial = 0;
    if (growth_.pages <= 1) {
      serial = measured.name == "cluster" || measured.name == "report" ? cpu : 0;
    } else if (measured.name == "match") {
      double each = (kVerifyPairSeconds + kVerifySeconds * characters_) * speed_;
      if (verified_ > 0) each = std::min(each, kVerifyShare * cpu / verified_);
      serial = (cpu - each * verified_) * growth_.pages;
      planned.cpu_seconds = serial + each * verified_ * growth_.pairs.compared;
    } else if (measured.name == "tables") {
      const double others = std::min(cpu, kTablePageSeconds * speed_ * static_cast<double>(trial_.pages));
      const double rows = std::min(cpu - others, kMatchRowSeconds * speed_ * rows_);
      const double usual = (kEvidencePairSeconds + kEvidenceSeconds * characters_) * speed_;
      const double each = per_pair(cpu - others - rows, evidence_, usual, kPairsOfOneOpinion);
      planned.cpu_seconds =
          others * growth_.pages + kMatchRowSeconds * speed_ * matches() + each * evidence_ * growth_.pairs.compared;
    } else if (measured.name == "provenance") {
      const double usual = kTracedPageSeconds * speed_;
      planned.cpu_seconds =
          size_.pages_in_clusters * per_pair(cpu, lines("provenance.jsonl"), usual, kPairsOfOneOpinion);
    } else if (measured.name == "align") {
      planned.cpu_seconds = cpu * growth_.pairs.compared;
    } else if (measured.name == "report") {
      const double shown = std::min(rows_, kShownPairs);
      const double each = (cpu + 50 * kShownPairSeconds * speed_) / (shown + 50);
      const double more_pages = std::min(size_.pages, kReportPages) - static_cast<double>(trial_.pages);
      serial = planned.cpu_seconds = cpu + each * (std::min(matches(), kShownPairs) - shown) +
                                     kReportPageSeconds * speed_ * std::max(more_pages, 0.0);
    } else if (measured.name == "cluster") {
      const double each = kClusterPairSeconds * speed_;
      const double stored = counter("pairs.pairs_stored");
      const double others = std::max(cpu - each * stored, 0.0);
      serial = planned.cpu_seconds = others * growth_.pages + each * stored * growth_.pairs.compared;
    } else if (measured.name == "revisits" || measured.name == "trim") {
      serial = planned.cpu_seconds;
    }
    double threads = threads_;
    if (measured.name == "write") threads = std::min<double>(threads, static_cast<double>(size_.files));
    planned.seconds = serial + (planned.cpu_seconds - serial) / threads;
    return planned;
  }

  std::vector<PlannedFile> files() const {
    std::vector<PlannedFile> planned;
    for (const auto& [name, bytes] : trial_.file_bytes) {
      const bool is_work = name == "pages.log" || name == "scores";
      const double grown = bytes_of(name, static_cast<double>(bytes));
      if (grown >= 1) planned.push_back({name, grown, is_work});
    }
    return planned;
  }

  // Tables and sorters, all of which can spill.
  double table_bytes() const { return tables_of(size_.pages, growth_); }

  // What the run over the sample needed besides its tables, unless that is implausible: the plan itself takes memory.
  double fixed_bytes() const {
    const double usual = kProgramBytes + kThreadBytes * std::max(0, static_cast<int>(threads_) - 2);
    // The stages that have tables come first. Writing and the report need memory of their own, in place of them.
    double peak = 0;
    for (const TrialStage& measured : trial_.stages) {
      peak = std::max(peak, static_cast<double>(measured.memory_peak_bytes));
      if (measured.name == "tables") break;
    }
    if (peak == 0) return usual;
    const double tables = tables_of(static_cast<double>(trial_.pages), Growth());
    return std::clamp(peak - tables, kProgramBytesMinimum, 2.5 * usual);
  }

 private:
  double tables_of(double pages, const Growth& growth) const {
    const double per_page = counter("pairs.keys") * kKeyBytes + counter("pairs.simhashes") * kFingerprintBytes;
    double found = 0;
    for (const char* way : {"anchor", "paragraph", "simhash", "sketch"}) {
      found += counter(std::string("pairs.candidate_pairs_by_") + way);
    }
    const double compared = pages * kComparedPageBytes + per_page * growth.pages +
                            std::min(found * growth.pairs.compared * kCandidateBytes, candidates_bytes_maximum_);
    return std::max(compared, pages * kDecidedPageBytes + rows_ * growth.pairs.rows * kMatchBytes);
  }
  double lines(const std::string& name) const {
    const auto found = trial_.file_lines.find(name);
    return found != trial_.file_lines.end() ? static_cast<double>(found->second) : 0;
  }
  double counter(const std::string& name) const { return static_cast<double>(trial_.counter(name)); }

  double bytes_of(const std::string& name, double bytes) const {
    if (growth_.pages <= 1) return bytes;
    if (name == "records") return record_bytes(bytes);
    if (name == "matches.tsv") return matches() * per_pair(bytes, rows_, kMatchRowBytes, kRowsOfOneOpinion);
    if (name == "matches.jsonl")
      return evidence_ * growth_.pairs.compared *
             per_pair(bytes, evidence_, kEvidenceBytes * characters_, kRowsOfOneOpinion);
    if (name == "scores") {
      // Representatives take a byte or two per page, matches the rest.
      const double stored = counter("pairs.pairs_stored");
      return std::max(bytes - stored * kScoreBytes, 0.0) * growth_.pages +
             stored * growth_.pairs.compared * kScoreBytes;
    }
    if (name == "removed.jsonl") {
      return size_.pages_removed * per_pair(bytes, size_.sample_removed, kRemovedRowBytes, kRowsOfOneOpinion);
    }
    if (name == "provenance.jsonl") {
      return size_.pages_in_clusters * per_pair(bytes, lines(name), kTracedRowBytes, kRowsOfOneOpinion);
    }
    if (name == "report") {
      return bytes + kShownPairBytes * (std::min(matches(), kShownPairs) - std::min(rows_, kShownPairs));
    }
    const bool is_fixed = name.ends_with(".json") || name.ends_with(".html") || name.ends_with(".toml");
    return is_fixed ? bytes : bytes * growth_.pages;
  }

  // The input without what is removed, whose records may be shorter than others.
  double record_bytes(double bytes) const {
    const double per_page = ratio(size_.sample_bytes, static_cast<double>(trial_.pages));
    const double removed = size_.sample_removed > 0 ? (size_.sample_bytes - bytes) / size_.sample_removed : per_page;
    const double weight = size_.sample_removed / (size_.sample_removed + 20);
    const double per_removed = weight * removed + (1 - weight) * per_page;
    const double lost = ratio(size_.pages_removed, size_.pages) * ratio(per_removed, per_page);
    return size_.input_bytes * std::clamp(1 - lost, 0.0, 1.0);
  }

  const SampleTrial& trial_;
  const RunSize& size_;
  double speed_;
  unsigned threads_;
  double candidates_bytes_maximum_;
  Growth growth_;
  double characters_ = 0;  // per page
  double rows_ = 0;
  double evidence_ = 0;
  double verified_ = 0;
};

}  // namespace

RunCost model_run(const SampleTrial& trial, const RunSize& size, double speed, unsigned threads,
                  std::uint64_t memory_bytes) {
  const RunModel model(trial, size, speed, threads, memory_bytes);
  RunCost cost;
  cost.matches = model.matches();
  for (const TrialStage& stage : trial.stages) cost.stages.push_back(model.stage(stage));
  cost.files = model.files();
  const double tables = model.table_bytes();
  const auto target = static_cast<double>(memory_bytes);
  cost.memory_unbounded_bytes = std::max(model.fixed_bytes() + tables, static_cast<double>(trial.memory_peak_bytes));
  cost.memory_peak_bytes = std::min(cost.memory_unbounded_bytes, std::max(target, model.fixed_bytes() * 1.2));
  const double spilled = cost.memory_unbounded_bytes - cost.memory_peak_bytes;
  if (spilled > 0) cost.files.push_back({"spill", spilled, true});
  return cost;
}

double machine_speed() {
  const auto processor_seconds = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  constexpr std::size_t kNumbers = std::size_t{1} << 19;
  const double begin = processor_seconds();
  std::vector<std::uint64_t> numbers(kNumbers);
  for (std::size_t i = 0; i < kNumbers; ++i) numbers[i] = split_mix_output(i * kSplitMixStep);
  std::sort(numbers.begin(), numbers.end());
  const double seconds = processor_seconds() - begin;
  // The sum is needed, or the work could be left out.
  return numbers.front() <= numbers.back() ? std::max(seconds / kReferenceSeconds, 0.05) : 1;
}

}  // namespace paraprint::inline plan
