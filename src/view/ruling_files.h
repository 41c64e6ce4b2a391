// The two files of pairs that people ruled on: never copies, or always (docs/algorithms/clustering.md). `dedup` and
// `recluster` read them with --never and --always.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/pair_rulings.h"
#include "paraprint/result.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

// Threads: any number.
class RulingFiles {
 public:
  using PagePair = std::pair<std::uint32_t, std::uint32_t>;

  // The files are `never.tsv` and `always.tsv` in the folder of the run, unless the run was given others.
  explicit RulingFiles(const RunStore& store);

  // Reads what is in the files. Errors: those of read_pair_file().
  Status load();

  PairRuling find(std::uint32_t page_a, std::uint32_t page_b) const;
  // Replaces the ruling of the pair, or takes it back, and writes the files that change. Errors: those of writing,
  // after which nothing has changed.
  Status rule(std::uint32_t page_a, std::uint32_t page_b, PairRuling ruling);

  struct RulingFile {
    std::string path;
    std::vector<PagePair> pairs;  // page_a < page_b, in the order of the file
    std::string text;             // everything in the file
    std::uint64_t unknown = 0;    // lines with ids that no page has; they stay in the file
  };
  RulingFile never() const;
  RulingFile always() const;

 private:
  struct LoadedFile : RulingFile {
    std::set<PagePair> known;  // `pairs`
  };
  Status load_file(LoadedFile& file);
  std::string line_of(std::uint32_t page_a, std::uint32_t page_b) const;
  std::string without_pair(const std::string& text, std::uint32_t page_a, std::uint32_t page_b) const;

  const RunStore& store_;
  mutable std::mutex mutex_;
  LoadedFile never_;
  LoadedFile always_;
};

}  // namespace paraprint::inline explorer
