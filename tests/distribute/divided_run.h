// A distributed run within one process, for tests: every stage is divided into tasks, parcels are shuffled to
// partitions as on a cluster, and each partition gets a new task.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "paraprint/distributed.h"

namespace paraprint {

class DividedRun {
 public:
  using Counters = std::map<std::string, std::uint64_t>;

  // `tasks` is the number of tasks per stage. Any error fails the test.
  DividedRun(DedupOptions options, std::string temporary_folder, std::uint32_t tasks)
      : options_(std::move(options)), temporary_folder_(std::move(temporary_folder)), tasks_(tasks) {}

  Status run_files(const std::string& output_folder) {
    const Result<std::vector<std::string>> inputs = list_distributed_inputs(options_);
    if (!inputs) return tl::unexpected<Error>(inputs.error());
    Status counted = learn_words([&](WordCountStage& stage, std::uint32_t part) -> Status {
      for (std::size_t index = part; index < inputs->size(); index += tasks_) {
        if (Status file = stage.count_file((*inputs)[index], {}); !file) return file;
      }
      return {};
    });
    if (!counted) return counted;
    for (std::uint32_t index = 0; index < inputs->size(); ++index) {
      Result<std::unique_ptr<ProfileStage>> stage = ProfileStage::create(options_, temporary_folder_, words_);
      if (!stage) return tl::unexpected<Error>(stage.error());
      const auto keep = [&](ProfiledPages&& pages) -> Status {
        if (pages.notes.find("\"is_unreadable\":true") != std::string::npos) unreadable_inputs_.insert(index);
        if (pages.notes.find("\"records_revisit\":") != std::string::npos) inputs_with_revisits_.insert(index);
        batches_.push_back(std::move(pages));
        return {};
      };
      Status profiled = (*stage)->profile_file((*inputs)[index], index, keep, {});
      if (!profiled) return profiled;
    }
    return finish(*inputs, PageOrder::kInput, output_folder);
  }

  Status run_rows(std::span<const PageInputRow> rows, const std::string& output_folder) {
    const std::size_t rows_per_batch = rows.size() / tasks_ + 1;
    Status counted = learn_words([&](WordCountStage& stage, std::uint32_t part) -> Status {
      const std::size_t begin = std::min(rows.size(), part * rows_per_batch);
      stage.count_rows(rows.subspan(begin, std::min(rows_per_batch, rows.size() - begin)));
      return {};
    });
    if (!counted) return counted;
    Result<std::unique_ptr<ProfileStage>> stage = ProfileStage::create(options_, temporary_folder_, words_);
    if (!stage) return tl::unexpected<Error>(stage.error());
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_per_batch) {
      batches_.push_back((*stage)->profile_rows(rows.subspan(begin, std::min(rows_per_batch, rows.size() - begin))));
    }
    return finish({""}, PageOrder::kById, output_folder);
  }

  // Of the names that revisit records state; beyond it, tasks get a table of bits.
  void set_claimed_bytes_maximum(std::size_t bytes) { claimed_bytes_maximum_ = bytes; }

  const Counters& counters() const { return counters_; }
  const std::string& words() const { return words_; }  // the table; empty with bundled weights

 private:
  using Parcels = std::vector<Parcel>;

  // `count_part(stage, part)` counts the pages of one of `tasks_` parts.
  template <class CountPart>
  Status learn_words(CountPart&& count_part) {
    if (options_.profile.idf != IdfSource::kCorpus) return {};
    Parcels counts;
    for (std::uint32_t part = 0; part < tasks_; ++part) {
      Result<std::unique_ptr<WordCountStage>> stage = WordCountStage::create(options_);
      if (!stage) return tl::unexpected<Error>(stage.error());
      if (Status counted = count_part(**stage, part); !counted) return counted;
      for (Parcel& parcel : (*stage)->take_parcels(tasks_)) counts.push_back(std::move(parcel));
    }
    Result<Parcels> sums = run_stage("words", std::move(counts), false);
    if (!sums) return tl::unexpected<Error>(sums.error());
    std::vector<std::string> bytes;
    for (Parcel& parcel : *sums) bytes.push_back(std::move(parcel.bytes));
    Result<std::string> joined = join_words(bytes);
    if (!joined) return tl::unexpected<Error>(joined.error());
    words_ = std::move(*joined);
    return {};
  }

  Status finish(const std::vector<std::string>& inputs, PageOrder order, const std::string& output_folder) {
    Result<std::unique_ptr<RunPlan>> made = RunPlan::create(options_, inputs, temporary_folder_);
    if (!made) return tl::unexpected<Error>(made.error());
    RunPlan& plan = **made;
    for (const ProfiledPages& batch : batches_) {
      if (Status added = plan.add_pages(batch.facts); !added) return added;
    }
    if (Status ended = plan.end_pages(order); !ended) return ended;
    settings_.tables = plan.tables();
    if (Status found = find_boilerplate(); !found) return found;
    if (Status verified = verify(plan); !verified) return verified;
    Result<Parcels> components = plan.plan_clusters(tasks_);
    if (!components) return tl::unexpected<Error>(components.error());
    Result<Parcels> clusters = run_with_pages("cluster", std::move(*components));
    if (!clusters) return tl::unexpected<Error>(clusters.error());
    for (const Parcel& parcel : *clusters) {
      Status added = parcel.kind == "clusters" ? plan.add_clusters(parcel.bytes) : plan.add_extra_matches(parcel.bytes);
      if (!added) return added;
    }
    if (Status written = plan.write_tables(output_folder); !written) return written;
    if (options_.output.evidence) {
      if (Status written = write_evidence(plan, output_folder + "/matches.jsonl"); !written) return written;
    }
    if (!options_.output.records) return {};
    if (Status resolved = resolve_revisits(plan, inputs, output_folder); !resolved) return resolved;
    return write_records(plan, inputs, output_folder + "/records/");
  }

  Status resolve_revisits(RunPlan& plan, const std::vector<std::string>& inputs, const std::string& output_folder) {
    if (inputs_with_revisits_.empty()) return {};
    for (const std::uint32_t index : inputs_with_revisits_) {
      const Result<Parcels> claims =
          read_distributed_claims(options_, inputs[index], index, unreadable_inputs_.contains(index));
      if (!claims) return tl::unexpected<Error>(claims.error());
      for (const Parcel& parcel : *claims) {
        if (Status added = plan.add_claims(parcel.bytes); !added) return added;
      }
    }
    const Result<std::string> claimed = plan.end_claims(claimed_bytes_maximum_);
    if (!claimed) return tl::unexpected<Error>(claimed.error());
    const Result<std::unique_ptr<CaptureSearch>> search = CaptureSearch::create(options_, *claimed);
    if (!search) return tl::unexpected<Error>(search.error());
    for (std::size_t index = inputs.size(); index-- > 0;) {  // in any order
      const auto file = static_cast<std::uint32_t>(index);
      const Result<Parcels> captures =
          (*search)->read_input(inputs[index], file, unreadable_inputs_.contains(file), {});
      if (!captures) return tl::unexpected<Error>(captures.error());
      for (const Parcel& parcel : *captures) {
        counters_["bytes_of_captures"] += parcel.bytes.size();
        if (Status added = plan.add_captures(parcel.bytes); !added) return added;
      }
    }
    if (Status ended = plan.end_captures(); !ended) return ended;
    const auto counted = plan.write_input_revisits(output_folder);
    if (!counted) return tl::unexpected<Error>(counted.error());
    for (const auto& [name, amount] : *counted) counters_[name] += amount;
    return {};
  }

  Status write_evidence(const RunPlan& plan, const std::string& path) {
    Result<Parcels> rows = run_with_pages("evidence", plan.plan_evidence(tasks_), "fetch-profiles");
    if (!rows) return tl::unexpected<Error>(rows.error());
    std::ofstream file(path, std::ios::binary);
    for (std::uint32_t partition = 0; partition < tasks_; ++partition) {
      for (const Parcel& parcel : *rows) {
        if (parcel.partition == partition) file << parcel.bytes;
      }
    }
    return {};
  }

  Status read_targets(RunPlan& plan, const std::vector<std::string>& inputs) {
    Result<Parcels> wanted = plan.plan_targets();
    if (!wanted) return tl::unexpected<Error>(wanted.error());
    for (const Parcel& parcel : *wanted) {
      const Result<std::string> targets = read_distributed_targets(options_, inputs[parcel.partition], parcel.bytes,
                                                                   unreadable_inputs_.contains(parcel.partition));
      if (!targets) return tl::unexpected<Error>(targets.error());
      Status added = plan.add_targets(parcel.partition, *targets);
      if (!added) return added;
    }
    return {};
  }

  Status write_records(RunPlan& plan, const std::vector<std::string>& inputs, const std::string& folder) {
    if (options_.output.revisits) {
      Status read = read_targets(plan, inputs);
      if (!read) return read;
    }
    Result<Parcels> removed = plan.plan_records();
    if (!removed) return tl::unexpected<Error>(removed.error());
    const std::vector<std::string> names = plan.record_names();
    for (std::uint32_t index = 0; index < inputs.size(); ++index) {
      std::string bytes;
      for (const Parcel& parcel : *removed) bytes += parcel.partition == index ? parcel.bytes : "";
      std::filesystem::create_directories(std::filesystem::path(folder + names[index]).parent_path());
      const auto written = write_distributed_records(options_, inputs[index], bytes, unreadable_inputs_.contains(index),
                                                     folder + names[index]);
      if (!written) return tl::unexpected<Error>(written.error());
      for (const auto& [name, amount] : written->counters) counters_[name] += amount;
      if (Status added = plan.add_savings(written->savings); !added) return added;
    }
    return plan.write_savings(std::filesystem::path(folder).parent_path().parent_path());
  }

  Status find_boilerplate() {
    Result<Parcels> paragraphs = run_over_pages("paragraphs");
    if (!paragraphs) return tl::unexpected<Error>(paragraphs.error());
    Result<Parcels> parts = run_stage("boilerplate", std::move(*paragraphs), false);
    if (!parts) return tl::unexpected<Error>(parts.error());
    std::vector<std::string> bytes;
    for (Parcel& parcel : *parts) bytes.push_back(std::move(parcel.bytes));
    Result<std::string> joined = join_boilerplate(bytes);
    if (!joined) return tl::unexpected<Error>(joined.error());
    settings_.boilerplate = std::move(*joined);
    return {};
  }

  Status verify(RunPlan& plan) {
    Result<Parcels> keys = run_over_pages("keys");
    if (!keys) return tl::unexpected<Error>(keys.error());
    for (const Parcel& parcel : take("templates", *keys)) {
      if (Status added = plan.add_templates(parcel.bytes); !added) return added;
    }
    Result<Parcels> pairs = run_stage("exact", take("exact", *keys), false);
    if (!pairs) return tl::unexpected<Error>(pairs.error());
    Result<Parcels> near = run_stage("near", take("near", *keys), false);
    if (!near) return tl::unexpected<Error>(near.error());
    Parcels groups = take("groups", *near);
    for (std::size_t index = 0; index < groups.size(); ++index) {
      groups[index].partition = static_cast<std::uint32_t>(index % tasks_);
    }
    settings_.fingerprints = counters_["simhashes_different"];
    Result<Parcels> buckets = run_stage("buckets", std::move(groups), false);
    if (!buckets) return tl::unexpected<Error>(buckets.error());
    Result<Parcels> close = run_stage("hamming", std::move(*buckets), false);
    if (!close) return tl::unexpected<Error>(close.error());
    Result<Parcels> similar = run_stage("sketch", take("sketch", *keys), false);
    if (!similar) return tl::unexpected<Error>(similar.error());
    for (Parcels* found : {&*near, &*close, &*similar}) {
      for (Parcel& parcel : take("pairs", *found)) pairs->push_back(std::move(parcel));
    }
    Result<Parcels> selected = run_stage("select", std::move(*pairs), false);
    if (!selected) return tl::unexpected<Error>(selected.error());
    Result<Parcels> matches = run_with_pages("verify", std::move(*selected));
    if (!matches) return tl::unexpected<Error>(matches.error());
    for (const Parcel& parcel : *matches) {
      if (Status added = plan.add_matches(parcel.bytes); !added) return added;
    }
    return {};
  }

  // Runs a stage on parcels among which are "requests", for the profiles that it needs.
  Result<Parcels> run_with_pages(const std::string& stage, Parcels&& parcels, const std::string& fetch = "fetch") {
    Result<Parcels> pages = run_stage(fetch, take("requests", parcels), true);
    if (!pages) return pages;
    for (Parcel& parcel : parcels) {
      if (!parcel.bytes.empty()) pages->push_back(std::move(parcel));
    }
    return run_stage(stage, std::move(*pages), false);
  }

  static Parcels take(std::string_view kind, Parcels& parcels) {
    Parcels taken;
    for (Parcel& parcel : parcels) {
      if (parcel.kind == kind) taken.push_back(std::move(parcel));
    }
    return taken;
  }

  Result<std::unique_ptr<StageTask>> make_task(const std::string& stage, std::uint32_t share) {
    StageSettings settings = settings_;
    settings.stage = stage;
    settings.partitions = tasks_;
    settings.share = share;
    settings.shares = tasks_;
    settings.temporary_folder = temporary_folder_;
    return StageTask::create(options_, settings);
  }

  // Runs a task over some of the batches and returns its parcels.
  Status end_task(StageTask& task, bool wants_pages, std::size_t first_batch, std::size_t step, Parcels& parcels) {
    if (Status ended = task.end_parcels(); !ended) return ended;
    std::uint64_t position = 0;
    for (std::size_t index = 0; index < batches_.size() && wants_pages; ++index) {
      const ProfiledPages& batch = batches_[index];
      const bool is_own = index % step == first_batch;
      if (is_own && task.needs_pages(position, batch.pages)) {
        if (Status added = task.add_pages(position, batch.facts, batch.profiles); !added) return added;
      }
      position += batch.pages;
      for (Parcel& parcel : task.take_parcels()) parcels.push_back(std::move(parcel));
    }
    if (Status finished = task.finish(); !finished) return finished;
    for (Parcel& parcel : task.take_parcels()) parcels.push_back(std::move(parcel));
    for (const auto& [name, amount] : task.counters()) counters_[name] += amount;
    return {};
  }

  Result<Parcels> run_over_pages(const std::string& stage) {
    Parcels parcels;
    for (std::uint32_t part = 0; part < tasks_; ++part) {
      Result<std::unique_ptr<StageTask>> task = make_task(stage, part);
      if (!task) return tl::unexpected<Error>(task.error());
      if (Status ended = end_task(**task, true, part, tasks_, parcels); !ended) {
        return tl::unexpected<Error>(ended.error());
      }
    }
    return parcels;
  }

  Result<Parcels> run_stage(const std::string& stage, Parcels&& input, bool wants_pages) {
    // Parcels arrive in any order.
    std::shuffle(input.begin(), input.end(), random_);
    Parcels parcels;
    for (std::uint32_t partition = 0; partition < tasks_; ++partition) {
      const auto is_own = [&](const Parcel& parcel) { return parcel.partition == partition; };
      if (std::none_of(input.begin(), input.end(), is_own)) continue;
      Result<std::unique_ptr<StageTask>> task = make_task(stage, partition);
      if (!task) return tl::unexpected<Error>(task.error());
      for (const Parcel& parcel : input) {
        if (!is_own(parcel)) continue;
        if (Status added = (*task)->add_parcel(parcel.kind, parcel.bytes); !added)
          return tl::unexpected<Error>(added.error());
      }
      if (Status ended = end_task(**task, wants_pages, 0, 1, parcels); !ended) {
        return tl::unexpected<Error>(ended.error());
      }
    }
    return parcels;
  }

  DedupOptions options_;
  std::string temporary_folder_;
  std::uint32_t tasks_;
  std::vector<ProfiledPages> batches_;
  std::set<std::uint32_t> unreadable_inputs_;
  std::set<std::uint32_t> inputs_with_revisits_;
  std::size_t claimed_bytes_maximum_ = kClaimedNamesBytes;
  StageSettings settings_;
  std::string words_;
  Counters counters_;
  std::mt19937 random_{7};
};

}  // namespace paraprint
