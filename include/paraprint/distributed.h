// A run divided among many processes: what `deduplicate` does, as stages with plain bytes between them. The Python
// package's Spark application is a thin layer over these calls; docs/spark.md has the algorithm of each step and why
// the answer is the same as that of one process.
//
//   WordCountStage (tasks)   files or rows          -> counts of words, added up by tasks "words" (--idf corpus only)
//   ProfileStage   (tasks)   files or rows          -> batches of pages: facts, profiles
//   RunPlan        (driver)  facts                  -> page numbers, tables for the tasks
//   StageTask      (tasks)   batches and parcels    -> parcels for the tasks of the next stage, named by partition
//   RunPlan        (driver)  matches, clusters      -> clusters.tsv, matches.tsv, removed.jsonl
//
// Every task is a pure function of what it is given: it may be run again, anywhere, in any order, and what it gives
// has the same bytes. Bytes between stages begin with kDistributedFormatVersion where they are kept on disk; others
// are refused as kUnsupported, damaged ones as kCorruptData.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kDistributedFormatVersion = 1;  // persisted

// Only the paragraph method is divided. kUnsupported names what else was asked for; otherwise as
// DedupOptions::validate().
Status check_distributed(const DedupOptions& options);

// Names everything that stored stages depend on but the words of the pages: another identity means another work
// folder.
std::string distributed_identity(const DedupOptions& options);

// Bytes on their way to a task of a later stage. What has the same kind and partition belongs to one task; the order
// does not matter, but for "groups" and what "evidence" gives, which are read by rising partition.
struct Parcel {
  std::string_view kind;
  std::uint32_t partition = 0;
  std::string bytes;
};

// ---------------------------------------------------------------------------------------------------------------------
// Pages to profiles

// Pages that follow each other in one input.
struct ProfiledPages {
  std::uint32_t pages = 0;
  std::string facts;     // id, URL, date, place, text hash: for RunPlan and for tasks that look at sites
  std::string profiles;  // as docs/formats/profile.md, each with its length
  std::string notes;     // JSON: {"counters":{...},"broken":[...],"is_unreadable":false}: read to its end or not
};

// A row of a table that is a page. Views are read during the call only.
struct PageInputRow {
  std::uint64_t ordinal = 0;  // of the row in its table; different for each
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::string_view content_type;
  std::string_view body;
  bool is_text = false;       // body is plain text, not HTML
  bool body_is_utf8 = false;  // a column of strings: no charset is looked for
};

// How many pages hold each word, for ProfileOptions::idf "corpus": a pass of its own over the inputs. One thread at a
// time.
class WordCountStage {
 public:
  static Result<std::unique_ptr<WordCountStage>> create(const DedupOptions& options);
  virtual ~WordCountStage() = default;

  virtual Status count_file(const std::string& path) = 0;
  virtual void count_rows(std::span<const PageInputRow> rows) = 0;
  // What was counted, for as many tasks "words".
  virtual std::vector<Parcel> take_parcels(std::uint32_t partitions) = 0;
};

// The table of all words, from the parcels of the stage "words": the same bytes however the pages were divided.
Result<std::string> join_words(std::span<const std::string> parcels);

// What a run in one process calls its settings_identity: it names the version of the word weights. `words` is
// join_words() of the run; empty for bundled weights.
Result<std::string> distributed_settings_identity(const DedupOptions& options, std::string_view words);

// One thread at a time. Expensive to make (it loads a parser and word tables): one a task.
class ProfileStage {
 public:
  // Large inputs are spooled in `temporary_folder`. `words` as above.
  static Result<std::unique_ptr<ProfileStage>> create(const DedupOptions& options, std::string temporary_folder,
                                                      std::string_view words);
  virtual ~ProfileStage() = default;

  // All pages of one input file or folder, as a run reads them; `file_index` is its place in the run's list of inputs.
  virtual Status profile_file(const std::string& path, std::uint32_t file_index,
                              const std::function<Status(ProfiledPages&&)>& visit) = 0;

  // Rows that are no page (without a body) are counted in the notes.
  virtual ProfiledPages profile_rows(std::span<const PageInputRow> rows) = 0;
};

// The run's list of inputs: files and folders, sorted as a run sorts them.
Result<std::vector<std::string>> list_distributed_inputs(const DedupOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Tasks

struct StageSettings {
  std::string stage;             // "words", "paragraphs", "boilerplate", "keys", "exact", "near", "hamming", "sketch",
                                 // "verify", "cluster", "evidence"
  std::string tables;            // RunPlan::tables()
  std::string boilerplate;       // join_boilerplate() of what the tasks "boilerplate" gave; empty before
  std::uint32_t partitions = 1;  // tasks of the stage after this one
  std::uint32_t share = 0;       // "hamming", "sketch": which of `shares` this task is
  std::uint32_t shares = 1;
  std::string temporary_folder;
};

// One task of a stage. Calls come in this order: add_parcel, end_parcels, add_pages, finish; take_parcels in between as
// often as one likes. One thread at a time. Memory: ResourceOptions::memory_bytes, beyond it the temporary folder.
class StageTask {
 public:
  // `options` must outlive the task. kInvalidArgument for a stage that is none.
  static Result<std::unique_ptr<StageTask>> create(const DedupOptions& options, const StageSettings& settings);
  virtual ~StageTask() = default;

  virtual Status add_parcel(std::string_view bytes) = 0;
  virtual Status end_parcels() = 0;
  // Whether the task wants to see this batch: others need not be read.
  virtual bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const = 0;
  virtual Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) = 0;
  virtual Status finish() = 0;

  virtual std::vector<Parcel> take_parcels() = 0;
  // Named counts of this task's work, after finish(): sums over the tasks are those of a run in one process.
  virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const = 0;
};

// Tasks that the stage "hamming" is cut into: its tables over so many different fingerprints.
std::uint32_t hamming_task_count(std::uint64_t fingerprints, const DedupOptions& options);

// The templates of all sites, from the parcels of the stage "boilerplate".
Result<std::string> join_boilerplate(std::span<const std::string> parcels);

// ---------------------------------------------------------------------------------------------------------------------
// The driver's part

enum class PageOrder : std::uint8_t {
  kInput,  // files in their order, records in theirs: what a run over the same files has
  kById,   // by id, then URL, date and text: rows of a table, which have no order of their own
};

// Writes what survives of an input, of what a run in one process writes the same bytes. `removed`: the input's parcels
// "records", one after the other; `ends_early`: notes of its pages say is_unreadable. Gives counts by name.
// Errors: as a run in one process has them; kInvalidArgument if it is not the input that was read.
Result<std::vector<std::pair<std::string, std::uint64_t>>> write_distributed_records(const DedupOptions& options,
                                                                                     const std::string& input,
                                                                                     std::string_view removed,
                                                                                     bool ends_early,
                                                                                     const std::string& output_path);

// What became of a page.
struct PageOutcomeRow {
  std::uint32_t file_index = 0;
  std::uint64_t ordinal = 0;  // of its record or row
  bool is_kept = true;
  std::uint32_t cluster = 0;  // as in clusters.tsv
  std::string_view id;        // made unique
  std::string_view url;
  std::string_view kept_id;  // of the page that stays in its place; its own if it stays
};

// Holds what a run in one process holds without profiles: about 250 bytes a page and 28 a match, of which what exceeds
// ResourceOptions::memory_bytes goes to the temporary folder. Calls in the order below. One thread at a time.
class RunPlan {
 public:
  // `inputs`: what ProfileStage calls by their place; one empty name for a table.
  static Result<std::unique_ptr<RunPlan>> create(const DedupOptions& options, std::vector<std::string> inputs,
                                                 std::string temporary_folder);
  virtual ~RunPlan() = default;

  // Facts of batch after batch: by file, then by place. A page's position counts all pages before it.
  virtual Status add_pages(std::string_view facts) = 0;
  virtual Status end_pages(PageOrder order) = 0;
  virtual std::uint64_t pages() const = 0;
  virtual std::string tables() const = 0;

  virtual Status add_matches(std::string_view parcel) = 0;
  // Pages that matches connect are clustered together. Gives parcels for `partitions` tasks "cluster".
  virtual Result<std::vector<Parcel>> plan_clusters(std::uint32_t partitions) = 0;
  // Parcels "clusters" and "extra" of these tasks.
  virtual Status add_clusters(std::string_view parcel) = 0;
  virtual Status add_extra_matches(std::string_view parcel) = 0;

  // clusters.tsv, matches.tsv and removed.jsonl in `folder`, with the bytes of docs/output.md.
  virtual Status write_tables(const std::string& folder) = 0;
  // Parcels for `partitions` tasks "evidence". What these give, one parcel after the other by rising partition, is
  // matches.jsonl. After write_tables.
  virtual std::vector<Parcel> plan_evidence(std::uint32_t partitions) const = 0;
  // Where what survives of each input stands below records/, and parcels "records" by input for what writes it; none
  // for an input without removed pages. After the clusters; for PageOrder::kInput.
  virtual std::vector<std::string> record_names() const = 0;
  virtual Result<std::vector<Parcel>> plan_records() const = 0;
  // After write_tables, by position.
  virtual Status for_each_page(const std::function<void(const PageOutcomeRow&)>& visit) const = 0;
};

}  // namespace paraprint
