// The pages of a page log on several threads: decoded on any of them, used in order by one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "paraprint/result.h"
#include "profile/page_log.h"

namespace paraprint::inline profile {

// Calls make(worker, page) -> Result<Made> for every page of the log on up to `threads` threads, and use(Made&&) ->
// Status for what it returned, in the order of the pages, one call at a time. `worker` is 0 to threads - 1, to select
// scratch memory. As `use` may write to arrays on a MemoryBudget, `make` must not call tick(); it may read such arrays,
// if `use` does not write to them. Errors: those of PageLog::read() and of the two functions; the first one ends it.
template <class Made, class Make, class Use>
Status read_log_in_order(const PageLog& log, unsigned threads, Make make, Use use) {
  using MadeBatch = Result<std::vector<Made>>;
  std::uint64_t end_bytes = 0;
  return run_in_order<StoredBatch, MadeBatch>(
      threads,
      [&]() -> Result<std::optional<StoredBatch>> {
        PARAPRINT_ASSIGN(std::optional<StoredBatch> stored, log.read_batch(end_bytes));
        if (stored) end_bytes = stored->end_bytes();
        return stored;
      },
      [&](unsigned worker, StoredBatch&& stored) -> MadeBatch {
        std::vector<Made> made;
        PageBatch batch;
        PARAPRINT_TRY(log.decode_batch(
            stored,
            [&](const LoggedPage& page) -> Status {
              PARAPRINT_ASSIGN(Made one, make(worker, page));
              made.push_back(std::move(one));
              return {};
            },
            batch));
        return made;
      },
      [&](MadeBatch&& made) -> Status {
        PARAPRINT_TRY(made);
        for (Made& one : *made) PARAPRINT_TRY(use(std::move(one)));
        return {};
      });
}

}  // namespace paraprint::inline profile
