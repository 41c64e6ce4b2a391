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

#include "distribute/known_tables_of_runs.h"
#include "distribute/link_box.h"
#include "distribute/records.h"
#include "distribute/wanted_pages.h"
#include "engine/cluster_stage.h"
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
        if (Status file = stage.count_file({(*inputs)[index]}, {}); !file) return file;
      }
      return {};
    });
    if (!counted) return counted;
    std::vector<std::string> sampled_ids;
    for (std::uint32_t index = 0; index < inputs->size(); ++index) {
      Result<std::unique_ptr<ProfileStage>> stage = ProfileStage::create(options_, temporary_folder_, words_);
      if (!stage) return tl::unexpected<Error>(stage.error());
      const auto keep = [&](ProfiledPages&& pages) -> Status {
        if (pages.notes.find("\"is_unreadable\":true") != std::string::npos) unreadable_inputs_.insert(index);
        if (pages.notes.find("\"records_revisit\":") != std::string::npos) inputs_with_revisits_.insert(index);
        sampled_ids.insert(sampled_ids.end(), pages.sampled_ids.begin(), pages.sampled_ids.end());
        return add_batches(pages);
      };
      Status profiled = (*stage)->profile_file({(*inputs)[index]}, index, keep, {});
      if (!profiled) return profiled;
    }
    settings_.first_ids = id_ranges(std::move(sampled_ids), tasks_);
    return finish(*inputs, output_folder);
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
    std::vector<std::string> sampled_ids;
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_per_batch) {
      const ProfiledPages pages =
          (*stage)->profile_rows(rows.subspan(begin, std::min(rows_per_batch, rows.size() - begin)));
      sampled_ids.insert(sampled_ids.end(), pages.sampled_ids.begin(), pages.sampled_ids.end());
      if (Status added = add_batches(pages); !added) return added;
    }
    settings_.first_ids = id_ranges(std::move(sampled_ids), tasks_);
    if (Status arranged = arrange(); !arranged) return arranged;
    return finish({""}, output_folder);
  }

  // Clusters ready pages by ready matches, whose pages need not have been profiled. The pages are in one table, and
  // their ids are numbers.
  Status run_matches(const ProfiledPages& pages, std::span<const Match> matches, const std::string& output_folder) {
    if (Status added = add_batches(pages); !added) return added;
    divide_pages();
    settings_.first_ids = {"2", "5", "8"};
    distribute::ParcelBox stored("matches", tasks_);
    distribute::ParcelBox links("links", tasks_);
    distribute::LinkBox box(links, tasks_);
    for (const Match& match : matches) {
      ByteWriter out(stored.record_for(distribute::owner_of_page(settings_.first_pages, match.page_a)));
      distribute::write_match(match, out);
      if (is_cluster_link(match.verdict, clustering_options(options_.survivors, nullptr))) {
        box.connect(match.page_a, match.page_b);
      }
    }
    stored.take(stored_[{"matches", "matches"}], true);
    links.take(stored_[{"matches", "links"}], true);
    given_ = {"paragraphs", "keys", "matches"};
    return finish({""}, output_folder);
  }

  // The matches, in "matches" parcels, of ready pages with fingerprints.
  Result<std::vector<Parcel>> match_pages(const ProfiledPages& pages) {
    if (Status added = add_batches(pages); !added) return tl::unexpected<Error>(added.error());
    divide_pages();
    for (const DistributedJob& job : distributed_jobs(options_)) {
      if (job.name != "keys" && job.name != "matches") continue;
      if (Status done = run_job(job); !done) return tl::unexpected<Error>(done.error());
    }
    return stored_[{"matches", "matches"}];
  }

  // Of the names that revisit records state; beyond it, tasks get a table of bits.
  void set_claimed_bytes_maximum(std::size_t bytes) { claimed_bytes_maximum_ = bytes; }

  // Runs that the pages are compared with, which must outlive this one.
  void set_known(const std::vector<KnownRun>& runs) {
    known_ = &runs;
    for (const KnownRun& run : runs) settings_.known_texts.push_back(settings_.known_texts.back() + run.texts);
    settings_.is_remembered = true;
  }
  // This run as one of them.
  Result<KnownRun> remember() {
    for (const DistributedJob& job : distributed_known_jobs(options_)) {
      if (Status done = run_job(job); !done) return tl::unexpected<Error>(done.error());
    }
    KnownRun run;
    run.texts = settings_.first_pages.back();
    for (auto& [place, parcels] : stored_) {
      if (place.first != "remembered") continue;
      std::stable_sort(parcels.begin(), parcels.end(),
                       [](const Parcel& x, const Parcel& y) { return x.partition < y.partition; });
      for (const Parcel& parcel : parcels) {
        if (Status added = run.add(parcel); !added) return tl::unexpected<Error>(added.error());
      }
    }
    return run;
  }

  const Counters& counters() const { return counters_; }
  int rounds() const { return rounds_; }               // of repeated levels
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

  // Stores pages as several small batches, so that tasks have pages of their own even in small runs.
  Status add_batches(const ProfiledPages& pages) {
    constexpr std::uint32_t kPagesPerBatch = 7;
    return distribute::for_each_page_of_batch(
        0, pages.facts, pages.profiles,
        [this](std::uint32_t number, const distribute::DriverPage& page, std::string_view profile) -> Status {
          if (number % kPagesPerBatch == 0) batches_.emplace_back();
          ByteWriter facts(batches_.back().facts);
          distribute::write_page(page, facts);
          ByteWriter(batches_.back().profiles).text(profile);
          ++batches_.back().pages;
          return {};
        });
  }

  // The pages of a table in the order of their ids.
  Status arrange() {
    divide_pages();
    Result<Parcels> rows = run_first_level("rows", {});
    if (!rows) return tl::unexpected<Error>(rows.error());
    Result<Parcels> arranged = run_stage("arrange", std::move(*rows), false);
    if (!arranged) return tl::unexpected<Error>(arranged.error());
    batches_.clear();
    for (const Parcel& parcel : *arranged) {
      const Result<std::vector<ProfiledPages>> batches = read_batches(parcel.bytes);
      if (!batches) return tl::unexpected<Error>(batches.error());
      for (const ProfiledPages& pages : *batches) {
        if (Status added = add_batches(pages); !added) return added;
      }
    }
    return {};
  }

  // Divides the pages among the tasks. Ranges begin and end within batches.
  void divide_pages() {
    std::uint64_t pages = 0;
    for (const ProfiledPages& batch : batches_) pages += batch.pages;
    settings_.first_pages.clear();
    for (std::uint32_t task = 0; task <= tasks_; ++task) {
      settings_.first_pages.push_back(static_cast<std::uint32_t>(pages * task / tasks_));
    }
  }

  Status finish(const std::vector<std::string>& inputs, const std::string& output_folder) {
    divide_pages();
    settings_.inputs = inputs;
    Result<std::unique_ptr<RecordsPlan>> plan = RecordsPlan::create(options_, inputs, temporary_folder_);
    if (!plan) return tl::unexpected<Error>(plan.error());
    const bool has_revisits = options_.output.records && !inputs_with_revisits_.empty();
    if (has_revisits) {
      if (Status resolved = resolve_revisits(**plan, inputs); !resolved) return resolved;
    }
    if (Status done = run_jobs(distributed_jobs(options_, known_ != nullptr && !known_->empty())); !done) return done;
    if (counters_["profiles_sent"] != counters_["profiles_received"]) {
      return tl::unexpected<Error>(Error{ErrorCode::kCorruptData, "profiles were lost"});
    }
    write_tables(output_folder);
    if (has_revisits) {
      if (Status written = write_input_revisits(**plan, output_folder); !written) return written;
    }
    return options_.output.records ? write_records(**plan, inputs, output_folder + "/records/") : Status{};
  }

  Status run_jobs(const std::vector<DistributedJob>& jobs) {
    for (const DistributedJob& job : jobs) {
      if (given_.contains(job.name)) continue;
      if (Status done = run_job(job); !done) return done;
      if (Status done = repeat_job(job); !done) return done;
    }
    return {};
  }

  std::string tables_job() const { return options_.output.evidence ? "tables-and-evidence" : "tables"; }

  // Concatenates the parts of the tables.
  void write_tables(const std::string& folder) {
    for (const std::string table : {"clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl"}) {
      if (table == "matches.jsonl" && !options_.output.evidence) continue;
      Parcels& parts = stored_[{tables_job(), table}];
      std::stable_sort(parts.begin(), parts.end(),
                       [](const Parcel& x, const Parcel& y) { return x.partition < y.partition; });
      std::ofstream file(folder + "/" + table, std::ios::binary);
      for (const Parcel& part : parts) file << part.bytes;
    }
  }

  Status resolve_revisits(RecordsPlan& plan, const std::vector<std::string>& inputs) {
    for (const std::uint32_t index : inputs_with_revisits_) {
      const Result<Parcels> claims =
          read_distributed_claims(options_, {inputs[index]}, index, unreadable_inputs_.contains(index));
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
          (*search)->read_input({inputs[index]}, file, unreadable_inputs_.contains(file), {});
      if (!captures) return tl::unexpected<Error>(captures.error());
      for (const Parcel& parcel : *captures) {
        counters_["bytes_of_captures"] += parcel.bytes.size();
        if (Status added = plan.add_captures(parcel.bytes); !added) return added;
      }
    }
    Result<std::string> referred = plan.end_captures();
    if (!referred) return tl::unexpected<Error>(referred.error());
    settings_.referred_places = std::move(*referred);
    return {};
  }

  Status write_input_revisits(RecordsPlan& plan, const std::string& output_folder) {
    for (const Parcel& parcel : stored_[{tables_job(), "referred-pages"}]) {
      if (Status added = plan.add_referred_pages(parcel.bytes); !added) return added;
    }
    const auto counted = plan.write_input_revisits(output_folder);
    if (!counted) return tl::unexpected<Error>(counted.error());
    for (const auto& [name, amount] : *counted) counters_[name] += amount;
    return {};
  }

  // The parcels of an input, in the order of the tasks that gave them.
  std::string list_of(const std::string& job, const std::string& kind, std::uint32_t input) {
    std::string bytes;
    for (const Parcel& parcel : stored_[{job, kind}]) bytes += parcel.partition == input ? parcel.bytes : "";
    return bytes;
  }

  Status read_targets(const std::vector<std::string>& inputs) {
    for (std::uint32_t index = 0; index < inputs.size(); ++index) {
      const std::string wanted = list_of("wanted", "wanted", index);
      Result<Parcels> targets = read_distributed_targets(options_, {inputs[index]}, wanted,
                                                         unreadable_inputs_.contains(index), settings_.first_pages);
      if (!targets) return tl::unexpected<Error>(targets.error());
      for (Parcel& parcel : *targets) stored_[{"targets", "targets"}].push_back(std::move(parcel));
    }
    return {};
  }

  Status write_records(RecordsPlan& plan, const std::vector<std::string>& inputs, const std::string& folder) {
    const std::vector<DistributedJob> jobs = distributed_record_jobs(options_);
    for (const DistributedJob& job : jobs) {
      if (Status done = run_job(job); !done) return done;
      if (job.name != "wanted") continue;
      if (Status read = read_targets(inputs); !read) return read;
    }
    if (Status checked = plan.check_removed(counters_["pages_to_remove"], settings_.first_pages.back()); !checked) {
      return checked;
    }
    const std::vector<std::string> names = plan.record_names();
    for (std::uint32_t index = 0; index < inputs.size(); ++index) {
      const std::string bytes = list_of(jobs.back().name, "records", index);
      std::filesystem::create_directories(std::filesystem::path(folder + names[index]).parent_path());
      const auto written = write_distributed_records(options_, {inputs[index]}, bytes,
                                                     unreadable_inputs_.contains(index), folder + names[index]);
      if (!written) return tl::unexpected<Error>(written.error());
      for (const auto& [name, amount] : written->counters) counters_[name] += amount;
      if (Status added = plan.add_savings(written->savings); !added) return added;
    }
    return plan.write_savings(std::filesystem::path(folder).parent_path().parent_path());
  }

  // Runs the levels of a job, and keeps what its stages give to later jobs.
  Status run_job(const DistributedJob& job) {
    Parcels travelling;
    for (std::size_t level = 0; level < job.levels.size(); ++level) {
      Parcels sent;
      for (const DistributedStage& stage : job.levels[level]) {
        Parcels given;
        for (const std::string& kind : stage.kinds) {
          for (Parcel& parcel : take(kind, travelling)) given.push_back(std::move(parcel));
          for (const auto& [stored, source] : job.stored) {
            if (stored != kind) continue;
            const Parcels& parcels = stored_[{source, kind}];
            given.insert(given.end(), parcels.begin(), parcels.end());
          }
        }
        Result<Parcels> made =
            level == 0 ? run_first_level(stage.name, std::move(given)) : run_stage(stage.name, std::move(given), true);
        if (!made) return tl::unexpected<Error>(made.error());
        for (Parcel& parcel : *made) sent.push_back(std::move(parcel));
      }
      for (Parcel& parcel : travelling) sent.push_back(std::move(parcel));  // to later levels
      travelling.clear();
      for (Parcel& parcel : sent) {
        Parcels& to =
            is_taken(job, level + 1, parcel.kind) ? travelling : stored_[{job.name, std::string(parcel.kind)}];
        if (!parcel.bytes.empty()) to.push_back(std::move(parcel));
      }
    }
    if (job.joined.empty()) return {};
    std::vector<std::string> bytes;
    for (const Parcel& parcel : stored_[{job.name, job.joined}]) bytes.push_back(parcel.bytes);
    Result<std::string> joined = join_entries(bytes);
    if (!joined) return tl::unexpected<Error>(joined.error());
    (job.joined == "boilerplate"       ? settings_.boilerplate
     : job.joined == "known-templates" ? settings_.known_templates
                                       : settings_.large_sites) = std::move(*joined);
    return {};
  }

  Status repeat_job(const DistributedJob& job) {
    if (job.repeated_until.empty()) return {};
    DistributedJob round;
    round.name = job.name;
    round.levels.assign(job.levels.end() - static_cast<long>(job.repeated_levels), job.levels.end());
    for (const DistributedStage& stage : round.levels.front()) {
      for (const std::string& kind : stage.kinds) round.stored.emplace_back(kind, "round");
    }
    while (std::exchange(counters_[job.repeated_until], 0) > 0) {
      ++rounds_;
      for (auto& [place, parcels] : stored_) {
        if (place.first == job.name) stored_[{"round", place.second}] = std::exchange(parcels, {});
      }
      if (Status done = run_job(round); !done) return done;
    }
    return {};
  }

  static bool is_taken(const DistributedJob& job, std::size_t level, std::string_view kind) {
    for (; level < job.levels.size(); ++level) {
      for (const DistributedStage& stage : job.levels[level]) {
        if (std::find(stage.kinds.begin(), stage.kinds.end(), kind) != stage.kinds.end()) return true;
      }
    }
    return false;
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
    settings.fingerprints = counters_["simhashes_different"];
    settings.temporary_folder = temporary_folder_;
    return StageTask::create(options_, settings);
  }

  static Status take_all(StageTask& task, Parcels& parcels) {
    while (true) {
      Result<Parcels> taken = task.take_parcels();
      if (!taken) return tl::unexpected<Error>(taken.error());
      if (taken->empty()) return {};
      for (Parcel& parcel : *taken) parcels.push_back(std::move(parcel));
    }
  }

  // Ends a task with the batches that its pages are in, and returns its parcels.
  Status end_task(StageTask& task, bool wants_pages, std::uint32_t number, Parcels& parcels) {
    if (Status ended = task.end_parcels(); !ended) return ended;
    if (known_ != nullptr) {
      if (Status added = give_known(*known_, task, counters_["known_blocks_read"]); !added) return added;
    }
    std::uint64_t position = 0;
    for (const ProfiledPages& batch : batches_) {
      if (!wants_pages) break;
      const bool is_own =
          position < settings_.first_pages[number + 1] && position + batch.pages > settings_.first_pages[number];
      if (is_own && task.needs_pages(position, batch.pages)) {
        const std::string_view profiles = task.needs_profiles() ? std::string_view(batch.profiles) : std::string_view();
        if (Status added = task.add_pages(position, batch.facts, profiles); !added) return added;
      }
      position += batch.pages;
      if (Status taken = take_all(task, parcels); !taken) return taken;
    }
    if (Status finished = task.finish(); !finished) return finished;
    if (Status taken = take_all(task, parcels); !taken) return taken;
    for (const auto& [name, amount] : task.counters()) counters_[name] += amount;
    return {};
  }

  // All tasks run, with or without parcels.
  Result<Parcels> run_first_level(const std::string& stage, Parcels&& input) {
    return run_stage(stage, std::move(input), true, true);
  }

  Result<Parcels> run_stage(const std::string& stage, Parcels&& input, bool wants_pages, bool is_first = false) {
    // Parcels arrive in any order.
    std::shuffle(input.begin(), input.end(), random_);
    Parcels parcels;
    for (std::uint32_t partition = 0; partition < tasks_; ++partition) {
      const auto is_own = [&](const Parcel& parcel) { return parcel.partition == partition; };
      if (!is_first && std::none_of(input.begin(), input.end(), is_own)) continue;
      Result<std::unique_ptr<StageTask>> task = make_task(stage, partition);
      if (!task) return tl::unexpected<Error>(task.error());
      for (const Parcel& parcel : input) {
        if (!is_own(parcel)) continue;
        if (Status added = (*task)->add_parcel(parcel.kind, parcel.bytes); !added)
          return tl::unexpected<Error>(added.error());
      }
      if (Status ended = end_task(**task, wants_pages, partition, parcels); !ended) {
        return tl::unexpected<Error>(ended.error());
      }
    }
    return parcels;
  }

  DedupOptions options_;
  std::string temporary_folder_;
  std::uint32_t tasks_;
  std::vector<ProfiledPages> batches_;
  std::map<std::pair<std::string, std::string>, Parcels> stored_;  // by job and kind
  std::set<std::uint32_t> unreadable_inputs_;
  std::set<std::uint32_t> inputs_with_revisits_;
  std::size_t claimed_bytes_maximum_ = kClaimedNamesBytes;
  std::set<std::string> given_;  // jobs whose results were given
  int rounds_ = 0;
  StageSettings settings_;
  const std::vector<KnownRun>* known_ = nullptr;
  std::string words_;
  Counters counters_;
  std::mt19937 random_{7};
};

}  // namespace paraprint
