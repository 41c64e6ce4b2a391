// Tables of known texts in memory, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "paraprint/distributed.h"
#include "paraprint/known_folder.h"

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

// The runs as one.
inline Result<KnownRun> merged_runs(const std::vector<KnownRun>& runs) {
  std::vector<std::uint64_t> first_texts = {0};
  for (const KnownRun& run : runs) first_texts.push_back(first_texts.back() + run.texts);
  KnownRun merged;
  merged.texts = first_texts.back();
  for (const char* table : {"texts", "exact", "near", "sketch", "templates"}) {
    std::vector<std::vector<std::string>> blocks(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto parcels = runs[run].parcels.find(table);
      if (parcels == runs[run].parcels.end()) continue;
      for (const std::string& parcel : parcels->second) {
        const Result<std::vector<KnownBlock>> read = read_known_blocks(parcel);
        if (!read) return tl::unexpected<Error>(read.error());
        for (const KnownBlock& block : *read) blocks[run].emplace_back(block.bytes);
      }
    }
    std::vector<std::size_t> given(runs.size());
    const auto next = [&](std::uint32_t run) -> Result<std::optional<std::string>> {
      if (given[run] == blocks[run].size()) return std::nullopt;
      return blocks[run][given[run]++];
    };
    const Result<std::uint64_t> made =
        merge_known_table(table, first_texts, next, [&](Parcel&& parcel) { return merged.add(parcel); });
    if (!made) return tl::unexpected<Error>(made.error());
  }
  return merged;
}

}  // namespace paraprint
