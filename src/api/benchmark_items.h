// The items of the benchmarks that a corpus is searched for (paraprint/contamination.h), and what was found of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "contamination/contamination_report.h"
#include "contamination/found_items.h"
#include "contamination/item_search.h"
#include "engine/read_stage.h"
#include "paraprint/contamination.h"
#include "paraprint/result.h"

namespace paraprint::inline api {

// In the output folder: what documents hold of the items, and what write_items() makes.
inline constexpr std::string_view kFindsName = "contaminated.jsonl";
inline constexpr std::string_view kItemsName = "items.jsonl";

struct Benchmarks {
  explicit Benchmarks(const ItemRules& rules) : items(rules) {}
  std::vector<InputFile> files;
  std::vector<ItemRecord> records;
  ItemCollection items;
  std::vector<std::uint32_t> record_of_item;  // by number in `items`
  DefectTally defects;
};

// What the output calls a file: ContaminationOptions::shown_names.
const std::string& shown_name(const ContaminationOptions& options, const std::string& path);
Defect shown_defect(const ContaminationOptions& options, const Defect& defect);

// Reads ContaminationOptions::against, and counts broken items in `defects`. Errors: kInvalidArgument if there is no
// item; kLimitExceeded above 2^31 words; those of opening the files.
Result<Benchmarks> read_benchmarks(const ContaminationOptions& options, ProgressReporter& progress);

// Gives items with the words of an earlier one what was found of it.
void share_finds(Benchmarks& benchmarks);

// Writes items.jsonl, and sums up by benchmark what the report shows. After share_finds().
Status write_items(const Benchmarks& benchmarks, const ContaminationOptions& options);
std::vector<BenchmarkTotals> totals_of(const Benchmarks& benchmarks, const ContaminationOptions& options);

}  // namespace paraprint::inline api
