// Writes every scored pair of an evaluation as tables, for use by other scorers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/evaluate_inputs.h"
#include "lab/evaluate/pair_outcomes.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline evaluation {

// Tables of sets of one name would replace each other: kInvalidArgument, with the paths of both sets.
Status check_pair_folders(std::span<const LabelledSetFiles> sets);

// Tables are collected in an unnamed file and written under their names after the evaluation has succeeded.
class FoundPairTables {
 public:
  // Errors: those of TemporaryFile::create.
  static Result<FoundPairTables> create(const std::string& temporary_folder);

  // Adds the table of one set and algorithm, with columns id_a, id_b and score. Scores have nine significant digits,
  // which identify a float uniquely. Pages of equal text are expanded into pairs. The order of rows is unspecified.
  // Errors: those of TemporaryFile::append.
  Status add(std::string_view set, std::string_view algorithm, const FoundPairs& found, std::uint32_t pages,
             const std::function<std::string_view(std::uint32_t page)>& id_of);

  // Writes `folder`/SET/ALGORITHM.tsv for each table. Errors: those of AtomicFile.
  Status write(const std::string& folder) const;

 private:
  struct StoredTable {
    std::string path;  // below the folder
    std::uint64_t begin_bytes = 0;
    std::uint64_t end_bytes = 0;
  };
  TemporaryFile file_;
  std::vector<StoredTable> tables_;
};

}  // namespace paraprint::inline lab::inline evaluation
