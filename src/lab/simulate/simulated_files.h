// Writes the files of a simulated corpus (docs/simulator.md). No file appears under its name before commit().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "lab/simulate/page_group.h"
#include "paraprint/result.h"
#include "paraprint/simulate.h"

namespace paraprint::inline lab::inline simulate {

// A group of pages rendered and compressed, as made by a worker.
struct EncodedGroup {
  PageGroup group;                   // without bodies
  std::vector<std::string> records;  // one gzip member per page
};
EncodedGroup encode_group(PageGroup&& group);

// Threads: one at a time. Memory: a table of sites, a fixed table of topic words, and file buffers.
class SimulatedFiles {
 public:
  // Opens all files. The folder must exist; `sites` is the number of sites of the corpus. Errors: those of AtomicFile.
  // With `is_traced`, copies.tsv is one of them.
  static Result<SimulatedFiles> create(const SimulateOptions& options, std::uint32_t sites, bool is_traced);

  // Requires groups in the order of their numbers.
  Status add(const EncodedGroup& group);

  // Writes set.json and summary.json and renames all files to their names; after an error, none of them remains.
  Status commit(SimulateOutcome& outcome);

 private:
  explicit SimulatedFiles(const SimulateOptions& options) : options_(options) {}

  Status add_page(const EncodedGroup& group, std::size_t page);
  Status add_edits(const SimulatedPage& page);
  Status add_origin(const PageGroup& group, const SimulatedPage& page);
  Status add_pair(const PageGroup& group, const LabelledPair& pair);
  Status add_negatives(const PageGroup& group);
  Status add_negative(const std::string& a, const std::string& b, PairKind kind);
  Status commit_files(const SimulateOutcome& outcome, std::vector<std::string>& appeared);
  std::string set_json() const;
  std::string summary_json(const SimulateOutcome& outcome) const;

  const SimulateOptions& options_;
  std::vector<AtomicFile> pages_;
  std::vector<AtomicFile> tables_;  // by TableFile
  enum TableFile : std::size_t { kLabels, kClusters, kEdits, kDocuments, kCopies };

  std::vector<std::string> last_of_site_;  // id of the last original page
  struct TopicSlot {
    std::uint64_t word = 0;
    std::string id;
  };
  std::vector<TopicSlot> topics_;  // direct-mapped by word: the last original page with it

  std::uint64_t page_count_ = 0;
  std::map<std::string, std::uint64_t> label_counts_;
  std::map<std::string, std::uint64_t> kind_counts_;
  std::map<std::string, std::uint64_t> edit_counts_;
  std::map<std::string, std::uint64_t> language_counts_;
  std::map<std::string, std::uint64_t> charset_counts_;
  std::map<std::string, std::uint64_t> role_counts_;
  std::map<std::string, std::uint64_t> formula_counts_;
};

// "pages-0007.warc.gz".
std::string page_file_name(std::size_t number);

}  // namespace paraprint::inline lab::inline simulate
