// Fuzzes the merging of runs of a folder of known pages: blocks of any bytes are rejected, or give a table whose keys
// ascend and which is the same when it is merged again.
//
// Input: the number of the table, then blocks: a byte with their run, two with their size, their bytes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_codec.h"
#include "paraprint/known_folder.h"

namespace {

using namespace paraprint;

constexpr std::array<std::string_view, 5> kTables = {"exact", "near", "sketch", "templates", "texts"};
constexpr std::size_t kRuns = 3;
// The numbers of texts in the runs; the second one has none.
constexpr std::array<std::uint64_t, kRuns + 1> kFirstTexts = {0, 40, 40, 1'000};

using Blocks = std::deque<std::string>;

// No value if the merge was rejected.
std::optional<Blocks> merge(std::string_view table, std::vector<std::uint64_t> first_texts, std::vector<Blocks> runs) {
  Blocks merged;
  std::uint64_t least_key = 0;
  const auto next_block = [&](std::uint32_t run) -> Result<std::optional<std::string>> {
    if (runs.at(run).empty()) return std::nullopt;
    std::optional<std::string> block = std::move(runs[run].front());
    runs[run].pop_front();
    return block;
  };
  const auto give = [&](Parcel&& parcel) -> Status {
    const Result<std::vector<KnownBlock>> blocks = read_known_blocks(parcel.bytes);
    if (!blocks) std::abort();
    for (const KnownBlock& block : *blocks) {
      if (block.first_key < least_key || block.last_key < block.first_key || block.bytes.empty()) std::abort();
      least_key = block.last_key;
      merged.emplace_back(block.bytes);
    }
    return {};
  };
  const Result<std::uint64_t> count = merge_known_table(table, first_texts, next_block, give);
  if (!count) return std::nullopt;
  if ((*count == 0) != merged.empty()) std::abort();
  return merged;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in({reinterpret_cast<const char*>(data), size});
  const std::string_view table = kTables[in.fixed<std::uint8_t>() % kTables.size()];
  std::vector<Blocks> runs(kRuns);
  while (in.ok() && !in.at_end()) {
    const std::size_t run = in.fixed<std::uint8_t>() % kRuns;
    const std::string_view block = in.bytes(in.fixed<std::uint16_t>());
    if (in.ok()) runs[run].emplace_back(block);
  }
  const std::optional<Blocks> merged = merge(table, {kFirstTexts.begin(), kFirstTexts.end()}, std::move(runs));
  if (!merged) return 0;
  const std::optional<Blocks> again = merge(table, {0, kFirstTexts.back()}, {*merged});
  if (again != merged) std::abort();
  return 0;
}
