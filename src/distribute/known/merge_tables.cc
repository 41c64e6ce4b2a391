// Merges the tables of consecutive runs into those of one run. Lines with the same key stay in the order of their runs,
// even where they would sort otherwise within one: a look-up takes the first lines of a key, up to a limit, and has to
// take the same ones before and after a merge.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tables.h"
#include "paraprint/known_folder.h"

namespace paraprint {

using namespace distribute;
using namespace distribute::known;

namespace {

using NextBlock = std::function<Result<std::optional<std::string>>(std::uint32_t run)>;
using Give = std::function<Status(Parcel&&)>;

// What the lines of a table are sorted by across runs.
struct LineOrder {
  std::uint64_t key = 0;  // as it is looked up
  std::uint64_t entry = 0;
  friend auto operator<=>(const LineOrder&, const LineOrder&) = default;
};

// The lines of a run, one at a time.
class RunLines {
 public:
  RunLines(const LineTable& table, std::uint32_t run, const NextBlock& next_block)
      : table_(table), run_(run), next_block_(next_block) {}

  // Moves to the next line; false at the end. kCorruptData if the lines are not in order.
  Result<bool> advance() {
    at_ += at_ < block_.size() ? table_.line_bytes : 0;
    if (at_ == block_.size()) {
      PARAPRINT_ASSIGN(std::optional<std::string> block, next_block_(run_));
      if (!block) return false;
      if (block->empty() || block->size() % table_.line_bytes != 0) return corrupt(table_.blocks);
      block_ = std::move(*block);
      at_ = 0;
    }
    const LineOrder order = order_of_line();
    if (order < order_) return corrupt(table_.blocks);
    order_ = order;
    return true;
  }

  std::string_view line() const { return std::string_view(block_).substr(at_, table_.line_bytes); }
  const LineOrder& order() const { return order_; }

 private:
  LineOrder order_of_line() const {
    const std::uint64_t key = key_of_line(line());
    if (table_.name == kNearLines.name) return {key & kNearKeyMask, 0};
    if (table_.name == kTemplateLines.name) return {key, entry_of_line(line())};
    return {key, 0};
  }

  const LineTable& table_;
  const std::uint32_t run_;
  const NextBlock& next_block_;
  std::string block_;
  std::size_t at_ = 0;
  LineOrder order_;
};

// Templates that several runs have are stored once, and belong to no text.
Result<std::uint64_t> merge_lines(const LineTable& table, std::span<const std::uint64_t> first_texts,
                                  const NextBlock& next_block, const Give& give) {
  using Head = std::pair<LineOrder, std::uint32_t>;  // with its run
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  std::vector<RunLines> runs;
  runs.reserve(first_texts.size() - 1);
  const auto advance = [&](std::uint32_t run) -> Status {
    PARAPRINT_ASSIGN(const bool has_line, runs[run].advance());
    if (has_line) heads.emplace(runs[run].order(), run);
    return {};
  };
  for (std::uint32_t run = 0; run + 1 < first_texts.size(); ++run) {
    runs.emplace_back(table, run, next_block);
    PARAPRINT_TRY(advance(run));
  }
  const bool has_texts = table.name != kTemplateLines.name;
  ParcelBox box(table.blocks, 1);
  BlockBox blocks(box, 0, kLineBlockBytes);
  std::string line;
  std::optional<LineOrder> last;
  std::uint64_t lines = 0;
  while (!heads.empty()) {
    const auto [order, run] = heads.top();
    heads.pop();
    line.clear();
    if (has_texts) {
      const std::uint64_t number = first_texts[run] + text_of_line(runs[run].line()).text;
      if (number >= first_texts[run + 1]) return corrupt(table.blocks);
      append_renumbered(runs[run].line(), static_cast<std::uint32_t>(number), line);
    } else {
      line = runs[run].line();
    }
    if (has_texts || last != order) {
      blocks.add(order.key, line);
      ++lines;
    }
    last = order;
    PARAPRINT_TRY(give_parcels(box, false, give));
    PARAPRINT_TRY(advance(run));
  }
  blocks.end();
  PARAPRINT_TRY(give_parcels(box, true, give));
  return lines;
}

Result<std::uint64_t> merge_texts(std::span<const std::uint64_t> first_texts, const NextBlock& next_block,
                                  const Give& give) {
  ParcelBox box(kTextBlocks, 1);
  BlockBox blocks(box, 0, kTextBlockBytes);
  std::uint64_t texts = 0;
  std::string renumbered;
  for (std::uint32_t run = 0; run + 1 < first_texts.size(); ++run) {
    std::uint64_t least = first_texts[run];
    for (;;) {
      PARAPRINT_ASSIGN(const std::optional<std::string> block, next_block(run));
      if (!block) break;
      PARAPRINT_TRY(for_each_record(*block, kTextBlocks, read_numbered_text, [&](NumberedText text) -> Status {
        if (text.text >= first_texts[run + 1] - first_texts[run]) return corrupt(kTextBlocks);
        text.text += first_texts[run];
        if (text.text < least) return corrupt(kTextBlocks);
        least = text.text + 1;
        renumbered.clear();
        ByteWriter out(renumbered);
        write_numbered_text(text, out);
        blocks.add(text.text, renumbered);
        ++texts;
        return give_parcels(box, false, give);
      }));
    }
  }
  blocks.end();
  PARAPRINT_TRY(give_parcels(box, true, give));
  return texts;
}

}  // namespace

Result<std::uint64_t> merge_known_table(std::string_view table, std::span<const std::uint64_t> first_texts,
                                        const NextBlock& next_block, const Give& give) {
  if (first_texts.empty() || first_texts.front() != 0 || !std::is_sorted(first_texts.begin(), first_texts.end()) ||
      first_texts.back() > std::numeric_limits<std::uint32_t>::max()) {
    return failure(ErrorCode::kInvalidArgument, "runs to be merged have at most 4,294,967,295 numbers of texts");
  }
  if (table == kTextsTable) return merge_texts(first_texts, next_block, give);
  const auto lines =
      std::find_if(kLineTables.begin(), kLineTables.end(), [&](const LineTable& row) { return row.name == table; });
  if (lines == kLineTables.end()) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("'{}' is no table of known texts", table));
  }
  return merge_lines(*lines, first_texts, next_block, give);
}

}  // namespace paraprint
