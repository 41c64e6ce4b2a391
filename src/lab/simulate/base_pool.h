// The base articles of a simulated corpus, waiting in a nameless file; in memory stays where each one stands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/simulate/language/article.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint {

class BasePool {
 public:
  // Errors: those of TemporaryFile.
  static Result<BasePool> create(const std::string& folder);

  Status add(const Article& article);
  std::size_t size() const { return offsets_.size(); }

  // The article that was added as number `index`, with `base` set to it. Requires index < size().
  Result<Article> read(std::size_t index) const;

 private:
  TemporaryFile file_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace paraprint
