// The base articles of a simulated corpus, kept in an unnamed file; only their offsets are in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/simulate/language/article.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline simulate {

class BasePool {
 public:
  // Errors: those of TemporaryFile::create.
  static Result<BasePool> create(const std::string& folder);

  Status add(const Article& article);
  std::size_t size() const { return offsets_.size(); }

  // The article added at position `index`, with `base` set to `index`. Requires index < size().
  Result<Article> read(std::size_t index) const;

 private:
  TemporaryFile file_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace paraprint::inline lab::inline simulate
