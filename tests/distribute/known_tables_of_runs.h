// Tables of known texts in memory, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "paraprint/distributed.h"

namespace paraprint {

// The tables of known texts of a run.
struct KnownRun {
  std::uint64_t texts = 0;                                  // above the number of any
  std::map<std::string, std::vector<std::string>> parcels;  // by table

  Status add(const Parcel& parcel) {
    parcels[std::string(parcel.kind.substr(parcel.kind.find('/') + 1))].push_back(parcel.bytes);
    return {};
  }
};

// Gives a task the blocks that it needs of its table, and adds their number to `blocks_read`.
inline Status give_known(const std::vector<KnownRun>& runs, StageTask& task, std::uint64_t& blocks_read) {
  const std::string table(task.known_table());
  for (std::uint32_t run = 0; !table.empty() && run < runs.size(); ++run) {
    const auto parcels = runs[run].parcels.find(table);
    if (parcels == runs[run].parcels.end()) continue;
    for (const std::string& parcel : parcels->second) {
      const Result<std::vector<KnownBlock>> blocks = read_known_blocks(parcel);
      if (!blocks) return tl::unexpected<Error>(blocks.error());
      for (const KnownBlock& block : *blocks) {
        if (!task.needs_known(run, block.first_key, block.last_key)) continue;
        if (Status added = task.add_known(run, block.bytes); !added) return added;
        ++blocks_read;
      }
    }
  }
  return {};
}

}  // namespace paraprint
