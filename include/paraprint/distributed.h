// deduplicate() split across processes: stages that exchange plain bytes. The Python package's drivers, for Spark and
// for arrays of jobs, are thin layers over these calls; docs/spark.md describes each step and why the result equals
// that of a single process.
//
//   WordCountStage (tasks)   files or rows            -> word counts, summed by the "words" tasks (--idf corpus only)
//   ProfileStage   (tasks)   files or rows            -> batches of pages: facts, profiles
//   StageTask      (tasks)   batches and parcels      -> parcels for the tasks of other stages, by partition
//   StageTask      (tasks)   rows of the tables       -> parts of the tables, which a driver concatenates
//   RecordsPlan    (driver)  revisit records          -> what they refer to (OutputOptions::records)
//
// The number of a page is the number of pages before it, which a driver knows from the sizes of the batches. It gives
// each task a range of pages (StageSettings::first_pages), and executes distributed_jobs(), which says what each stage
// takes and gives.
//
// The archives without the removed pages (OutputOptions::records) take further functions: read_distributed_claims() and
// CaptureSearch if the inputs have revisit records, before the tables; then the jobs of distributed_record_jobs(), with
// read_distributed_targets() between them if there are two; and write_distributed_records().
//
// Every task is a pure function of its input: it can be rerun anywhere and in any order, and produces the same bytes.
// Bytes stored between stages begin with kDistributedFormatVersion; other versions are rejected with kUnsupported,
// damaged data with kCorruptData. Calls that read a whole input file take a RunControl; the others handle one piece of
// the data, and a scheduler ends them with their process.
//
// Example:
//
//   DedupOptions options;
//   options.inputs = {"crawl/"};
//   Result<std::vector<std::string>> inputs = list_distributed_inputs(options);
//   Result<std::unique_ptr<ProfileStage>> stage = ProfileStage::create(options, "scratch", {});
//   std::vector<ProfiledPages> batches;  // for the tasks
//   for (std::uint32_t file = 0; file < inputs->size(); ++file) {
//     Status profiled = (*stage)->profile_file({(*inputs)[file]}, file, [&](ProfiledPages&& batch) {
//       batches.push_back(std::move(batch));
//       return Status{};
//     }, {});
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/byte_source.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

inline constexpr std::uint8_t kDistributedFormatVersion = 7;  // persisted

// kUnsupported names any option that cannot be distributed; of the algorithms, those whose index needs all pages at
// once. Other errors are those of DedupOptions::validate().
Status check_distributed(const DedupOptions& options);

// Identifies all settings that stored stage results depend on, except the word counts of the pages. Results of
// different identities need different work folders.
std::string distributed_identity(const DedupOptions& options);

// Bytes for a task of a later stage. Parcels of the same kind and partition go to the same task, in any order. Those
// whose kind is the name of a table ("clusters.tsv", "removed.jsonl", "matches.tsv", "matches.jsonl") are parts of it:
// in ascending order of partition, those of a partition in the order in which its task gave them, they are the file.
struct Parcel {
  std::string_view kind;
  std::uint32_t partition = 0;
  std::string bytes;
};

// ---------------------------------------------------------------------------------------------------------------------
// Pages to profiles

// A batch of consecutive pages of one input.
struct ProfiledPages {
  std::uint32_t pages = 0;
  std::string facts;     // id, URL, date, location, text hash: for tasks that need no profiles
  std::string profiles;  // of each page its length and a profile (docs/formats/profile.md), under a page-level
                         // algorithm with the fingerprint (docs/formats/distributed.md)
  std::string notes;     // JSON: {"counters":{...},"broken":[...],"is_unreadable":false}. The counter
                         // "records_revisit" tells inputs with revisit records
  std::vector<std::string> sampled_ids;  // a few at random, the same ones whatever else is profiled: for ranges of ids
};

// A table row that holds a page. The views are used only during the call.
struct PageInputRow {
  std::uint64_t ordinal = 0;  // row number, unique within the table
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::string_view content_type;
  std::string_view body;
  bool is_text = false;       // body is plain text, not HTML
  bool body_is_utf8 = false;  // the column holds strings, so charset detection is skipped
};

// Counts the pages that contain each word, for ProfileOptions::idf "corpus". This is a separate pass over the inputs.
// Not thread-safe.
class WordCountStage {
 public:
  static Result<std::unique_ptr<WordCountStage>> create(const DedupOptions& options);
  virtual ~WordCountStage() = default;

  // Warnings: none; the same records are read again by ProfileStage.
  virtual Status count_file(const DistributedInput& input, const RunControl& control) = 0;
  virtual void count_rows(std::span<const PageInputRow> rows) = 0;
  // The counts so far, as parcels for `partitions` tasks of the stage "words".
  virtual std::vector<Parcel> take_parcels(std::uint32_t partitions) = 0;
};

// The word table, from the parcels of the stage "words": the same bytes however the pages were partitioned.
Result<std::string> join_words(std::span<const std::string> parcels);

// The settings_identity of a single-process run, which includes the version of the word weights. `words` is the result
// of join_words(), or empty for the bundled weights.
Result<std::string> distributed_settings_identity(const DedupOptions& options, std::string_view words);

// Not thread-safe. Expensive to create, because it loads a parser and word tables: create one per task.
class ProfileStage {
 public:
  // Large inputs are spooled in `temporary_folder`. `words` is as above.
  static Result<std::unique_ptr<ProfileStage>> create(const DedupOptions& options, std::string temporary_folder,
                                                      std::string_view words);
  virtual ~ProfileStage() = default;

  // Profiles all pages of one input file or folder. `file_index` is its index in list_distributed_inputs(). Warnings:
  // one per broken record.
  virtual Status profile_file(const DistributedInput& input, std::uint32_t file_index,
                              const std::function<Status(ProfiledPages&&)>& visit, const RunControl& control) = 0;

  // Rows without a body are not pages; they are counted in the notes.
  virtual ProfiledPages profile_rows(std::span<const PageInputRow> rows) = 0;
};

// The inputs that a file with a source gives a run: itself, and if it is a WACZ file its WARC files, by path. Errors:
// those of the source.
Result<std::vector<std::string>> list_distributed_parts(const DistributedInput& file);

// What tells an input on this machine from what it was before a change, as text: the size of its file, of a WARC file
// in a WACZ file that of the whole, and of a folder the names and sizes of its pages. Times have no part in it, for the
// machines of a run may have copies with times of their own. O(pages) for a folder. Errors: those of finding the input.
Result<std::string> stamp_distributed_input(const std::string& path);

// The run's inputs, files and folders, in the order of a single-process run. Errors: those of listing them;
// kInvalidArgument, if the run writes records, for inputs that would be written to one file.
Result<std::vector<std::string>> list_distributed_inputs(const DedupOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Tasks

struct StageSettings {
  std::string stage;        // "words", "rows", "arrange", "texts", "repeats", "paragraphs", "boilerplate", "keys",
                            // "exact", "near", "buckets", "hamming", "sketch", "count-values", "order-sets",
                            // "join-sets", "select", "fetch", "fetch-profiles", "verify", "large-star", "small-star",
                            // "gather", "assemble", "cluster", "names", "expand-first", "expand-second", "number",
                            // "list-pages", "list-matches", "evidence", "meet-addresses", "list-wanted",
                            // "join-targets", "list-removed", "list-sites", "find-templates", "ask-known",
                            // "find-exact", "find-near", "find-sketch", "choose-known", "fetch-known", "judge-known",
                            // "remember", "sort-known"
  std::string large_sites;  // join_entries() of the "large-sites" parcels of stage "repeats"
  std::string boilerplate;  // join_entries() of the results of stage "boilerplate"; empty before that
  std::uint32_t partitions = 1;  // number of tasks of the next stage
  std::uint32_t share = 0;       // number of this task, the partition of its parcels
  std::uint32_t shares = 1;      // "hamming", "sketch": number of tasks, which the sending stage had as `partitions`
  // The first page of each task, in ascending order, and the number of all pages. A task reads the batches that its own
  // pages are in, in the stages "rows", "texts", "paragraphs", "keys", "order-sets", "select", "fetch", "verify",
  // "gather", "expand-first" and "expand-second". Empty before pages have numbers.
  std::vector<std::uint32_t> first_pages;
  // Whether a task takes all pages that it is given, in the stages "rows", "texts", "paragraphs" and "keys": for
  // schedulers that give each batch to one task, whichever has time.
  bool takes_any_pages = false;
  // The first id of each range but the first, in ascending order, for the stages that send something to the task of a
  // range of ids: "rows", and those that make the tables.
  std::vector<std::string> first_ids;
  std::vector<std::string> inputs;  // "list-*" but "list-matches": the run's inputs; a single empty name for a table
  std::string referred_places;      // the result of RecordsPlan::end_captures(), for "list-*" and "meet-addresses";
                                    // empty if the inputs have no revisit records, or none before the tables
  std::uint64_t fingerprints = 0;   // "buckets", "hamming": distinct ones in the run, the sum of the counters
                                    // "simhashes_different" of the stage "near"
  // Of earlier runs, in their order, the number of the first text of each, and the number after the last one.
  std::vector<std::uint64_t> known_texts = {0};
  std::string known_templates;  // join_entries() of the results of stage "find-templates"; empty before that
  bool is_remembered = false;   // whether the run becomes one of them
  // Stages whose tasks are in one process at the same time, and share ResourceOptions::memory.
  std::uint32_t process_stages = 1;
  std::string temporary_folder;
};

// One task of a stage. Under a page-level algorithm (ProfileOptions::algorithm) the stages are the same: "keys" sends
// what the index of the algorithm looks pages up by, and "fetch" fingerprints instead of profiles, which the stage
// "evidence" needs in any case: its requests go to "fetch-profiles". Call order: add_parcel*, end_parcels, add_known*,
// add_pages*, finish; take_parcels may be called at any time in between. Not thread-safe. Beyond
// ResourceOptions::memory, data goes to the temporary folder.
class StageTask {
 public:
  // `options` must outlive the task. kInvalidArgument for an unknown stage, and for "buckets" and "hamming" if there is
  // no join within some bits, and thus no "groups" parcels: candidate_bits is 0 or less, or a page-level algorithm
  // finds pages by keys or sets; likewise for "count-values", "order-sets" and "join-sets" unless it does so by sets.
  // Other errors: those of check_distributed() for the algorithm.
  static Result<std::unique_ptr<StageTask>> create(const DedupOptions& options, const StageSettings& settings);
  virtual ~StageTask() = default;

  // kInvalidArgument if the stage does not take this kind.
  virtual Status add_parcel(std::string_view kind, std::string_view bytes) = 0;
  virtual Status end_parcels() = 0;
  // The table of known texts that the task reads; empty: none.
  virtual std::string_view known_table() const = 0;
  // Whether the task needs a block with keys from `first_key` to `last_key`, of the `run`-th earlier run (0-based).
  // Runs come in their order, and the blocks of a run in ascending order of keys; other blocks need not be read.
  virtual bool needs_known(std::uint32_t run, std::uint64_t first_key, std::uint64_t last_key) const = 0;
  virtual Status add_known(std::uint32_t run, std::string_view block) = 0;
  // Whether the task needs one of these consecutive pages; batches without such pages need not be read.
  virtual bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const = 0;
  // Whether add_pages() takes profiles; they may be empty otherwise.
  virtual bool needs_profiles() const = 0;
  // A batch. Tasks whose ranges meet in it are both given it, and each takes its own pages.
  virtual Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) = 0;
  virtual Status finish() = 0;

  // Some of the parcels that are ready, a few dozen megabytes; none when all have been taken. What is not taken goes to
  // the temporary folder. Errors: those of the disk, also of earlier calls.
  virtual Result<std::vector<Parcel>> take_parcels() = 0;
  // Counters by name, after finish(). Summed over all tasks they equal those of a single-process run.
  virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const = 0;
};

// A stage of a job, and the kinds of parcels that its tasks take.
struct DistributedStage {
  std::string name;
  std::vector<std::string> kinds;
};

// A part of a run that is done when the parcels of its last stages are stored. Its stages have levels. A stage has as
// many tasks as a run has partitions; those of the first level run where they have pages or get a parcel, those of
// later levels where they get one. Tasks that take pages read the batches of their own pages. A parcel goes to the
// stage of a later level that takes its kind, to the task of its partition; if there is none, it is stored. `stored`
// names kinds that the job takes from earlier jobs, each with the job, also by partition.
struct DistributedJob {
  std::string name;
  std::vector<std::vector<DistributedStage>> levels;
  std::vector<std::pair<std::string, std::string>> stored;
  std::string joined;  // kind: join_entries() of its parcels is a setting of later tasks; empty: none
  // So many levels at the end run again, on what they have stored, until this counter is 0; later jobs take what they
  // stored last.
  std::size_t repeated_levels = 0;
  std::string repeated_until;
};

// The jobs after the profiles, in their order; the last one writes the tables. Options that check_distributed()
// accepts, with `compares_known` also check_known().
std::vector<DistributedJob> distributed_jobs(const DedupOptions& options, bool compares_known = false);

// The jobs that tell the tasks which write records what to leave out; none without OutputOptions::records. The last one
// stores "records" parcels, by input, in the order of its tasks. With OutputOptions::revisits there is one before,
// which stores "wanted" parcels likewise; read_distributed_targets() then makes "targets" parcels of these, which are
// stored for the job "targets" by their partitions.
std::vector<DistributedJob> distributed_record_jobs(const DedupOptions& options);

// The jobs that make the tables of known texts from a run, after its tables: those of distributed_jobs() with
// StageSettings::is_remembered. Options that check_known() accepts.
std::vector<DistributedJob> distributed_known_jobs(const DedupOptions& options);

// The templates of all sites, from the parcels of the stage "boilerplate", or all large sites, from "large-sites".
Result<std::string> join_entries(std::span<const std::string> parcels);

// Divides the ids of a run into ranges of about equal size: StageSettings::first_ids, from all sampled_ids.
std::vector<std::string> id_ranges(std::vector<std::string> sampled_ids, std::uint32_t ranges);

// The batches in a "batches" parcel of the stage "arrange". Pages of a task come after those of tasks with a smaller
// number, and parcels of a task in their order. Notes are empty. kCorruptData for other bytes.
Result<std::vector<ProfiledPages>> read_batches(std::string_view parcel);

// ---------------------------------------------------------------------------------------------------------------------
// Known pages

// kUnsupported, with the reason, for options under which pages cannot be compared with those of earlier runs.
Status check_known(const DedupOptions& options);

// A part of a table of known texts: bytes for StageTask::add_known(), and the keys that it has.
struct KnownBlock {
  std::uint64_t first_key = 0;
  std::uint64_t last_key = 0;
  std::string_view bytes;
};
// The blocks of a parcel whose kind is "known/" and the name of a table. kCorruptData for other bytes.
Result<std::vector<KnownBlock>> read_known_blocks(std::string_view parcel);

// ---------------------------------------------------------------------------------------------------------------------
// Records

// What the revisit records of an input refer to: "claims" parcels for RecordsPlan::add_claims(). `file_index` is the
// input's index in list_distributed_inputs(); `ends_early` and errors: see write_distributed_records(). Memory: that of
// the parcels, some 300 bytes per revisit record.
Result<std::vector<Parcel>> read_distributed_claims(const DedupOptions& options, const DistributedInput& input,
                                                    std::uint32_t file_index, bool ends_early,
                                                    const RunControl& control = {});

// Finds the captures that revisit records of the run may refer to. Safe for concurrent use.
class CaptureSearch {
 public:
  // `claimed` is the result of RecordsPlan::end_claims(); it is copied.
  static Result<std::unique_ptr<CaptureSearch>> create(const DedupOptions& options, std::string_view claimed);
  virtual ~CaptureSearch() = default;

  // The "captures" parcels of an input for RecordsPlan::add_captures(). Parameters, errors and memory are those of
  // read_distributed_claims().
  virtual Result<std::vector<Parcel>> read_input(const DistributedInput& input, std::uint32_t file_index,
                                                 bool ends_early, const RunControl& control) const = 0;
};

// Names of 8 bytes each that end_claims() gives out exactly, by default.
inline constexpr std::size_t kClaimedNamesBytes = std::size_t{64} << 20;

// What revisit records need to know of the pages of an input that they refer to: "targets" parcels. `wanted` is the
// concatenation of the input's "wanted" parcels. `first_pages`: as in StageSettings. `ends_early` and errors: see
// write_distributed_records().
Result<std::vector<Parcel>> read_distributed_targets(const DedupOptions& options, const DistributedInput& input,
                                                     std::string_view wanted, bool ends_early,
                                                     std::span<const std::uint32_t> first_pages);

struct WrittenRecords {
  std::vector<std::pair<std::string, std::uint64_t>> counters;  // by name
  std::string savings;                                          // for RecordsPlan::add_savings()
};

// Writes the surviving records of an input, byte for byte as a single-process run does.
// `removed` is the concatenation of the input's "records" parcels. `ends_early` is is_unreadable in the notes of its
// pages: whether the input could not be read to its end. No progress and no warnings. Errors: those of a single-process
// run; kInvalidArgument if `input` is not the input that was profiled.
Result<WrittenRecords> write_distributed_records(const DedupOptions& options, const DistributedInput& input,
                                                 std::string_view removed, bool ends_early,
                                                 const std::string& output_path, const RunControl& control = {});

// What happened to a page, in an "outcome" parcel of the stage "list-pages". Views point into the parcel.
struct PageOutcomeRow {
  std::uint32_t file_index = 0;
  std::uint64_t ordinal = 0;  // of its record or row
  bool is_kept = true;
  std::uint32_t cluster = 0;  // as in clusters.tsv
  std::string_view id;        // after duplicate ids were made unique
  std::string_view url;
  std::string_view kept_id;  // id of the page kept for its cluster; its own id if it is kept
};

// Visits all rows of an "outcome" parcel. kCorruptData for other bytes.
Status read_outcome(std::string_view parcel, const std::function<void(const PageOutcomeRow&)>& visit);

// The driver's part of a run that writes records. Memory: about 250 bytes per revisit record of the inputs and per
// capture that one may refer to, beyond ResourceOptions::memory in the temporary folder, and what was saved by host; no
// page has any. Not thread-safe.
class RecordsPlan {
 public:
  // `inputs` are the inputs that ProfileStage identified by file_index. kInvalidArgument if the run writes records and
  // two of them would be written to one file.
  static Result<std::unique_ptr<RecordsPlan>> create(const DedupOptions& options, std::vector<std::string> inputs,
                                                     std::string temporary_folder);
  virtual ~RecordsPlan() = default;

  // The path of each input's surviving records below records/.
  virtual std::vector<std::string> record_names() const = 0;
  // kLimitExceeded beyond OutputOptions::max_removed_share. `removed`: the sum of the counters "pages_to_remove".
  virtual Status check_removed(std::uint64_t removed, std::uint64_t pages) const = 0;

  // If the inputs have revisit records: their claims, in any order; what tasks need to find the captures that these
  // refer to; and these captures, in any order. The pages among them are not removed from the archives. end_claims()
  // gives at most about `bytes_maximum` bytes: beyond it, a table of bits by which tasks find some captures too many.
  // The result of the run is the same. end_captures() gives StageSettings::referred_places.
  virtual Status add_claims(std::string_view parcel) = 0;
  virtual Result<std::string> end_claims(std::size_t bytes_maximum) = 0;
  virtual Status add_captures(std::string_view parcel) = 0;
  virtual Result<std::string> end_captures() = 0;
  // The "referred-pages" parcels of the stage "list-pages", in any order. Then writes input-revisits.jsonl to `folder`
  // (docs/output.md), and returns its counters by name.
  virtual Status add_referred_pages(std::string_view parcel) = 0;
  virtual Result<std::vector<std::pair<std::string, std::uint64_t>>> write_input_revisits(
      const std::string& folder) = 0;

  // The savings of all inputs, in any order, and savings.json and savings.html of them in `folder` (docs/output.md).
  virtual Status add_savings(std::string_view savings) = 0;
  virtual Status write_savings(const std::string& folder) const = 0;
};

}  // namespace paraprint
