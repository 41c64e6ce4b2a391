// Every scored pair of an evaluation as tables, for other scorers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/pair_outcomes.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint {

// Tables gathered in a nameless file, to be written when the evaluation has succeeded.
class FoundPairTables {
 public:
  // Errors: as TemporaryFile::create.
  static Result<FoundPairTables> create(const std::string& temporary_folder);

  // Of one set and algorithm: id_a, id_b, score with the nine digits that tell floats apart; pages of equal text are
  // expanded. In no particular order of ids. Errors: as TemporaryFile::append.
  Status add(std::string_view set, std::string_view algorithm, const FoundPairs& found, std::uint32_t pages,
             const std::function<std::string_view(std::uint32_t page)>& id_of);

  // `folder`/SET/ALGORITHM.tsv for each. Errors: as AtomicFile.
  Status write(const std::string& folder) const;

 private:
  struct Table {
    std::string path;  // below the folder
    std::uint64_t begin_bytes = 0;
    std::uint64_t end_bytes = 0;
  };
  TemporaryFile file_;
  std::vector<Table> tables_;
};

}  // namespace paraprint
