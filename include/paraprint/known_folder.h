// Known texts outside of an index: the tables that divided runs (distributed.h) keep of earlier runs, made from an
// index of known pages, merged, and added to one. docs/formats/known-folder.md describes them.
//
// Example:
//
//   Result<std::unique_ptr<PageIndex>> index = PageIndex::open("pages.index", {});
//   if (!index) return;  // index.error().message
//   const auto store = [](Parcel&& parcel) -> Status {
//     const Result<std::vector<KnownBlock>> blocks = read_known_blocks(parcel.bytes);
//     return blocks ? Status{} : tl::unexpected<Error>(blocks.error());  // or to a file, with their keys
//   };
//   Result<std::uint32_t> texts = make_known_tables(**index, 1 << 30, "scratch", store);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/distributed.h"
#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint {

// Makes the tables of all texts of an index, in the order in which these were added, each with its first page. `give`
// gets parcels of blocks (read_known_blocks()), those of a table in ascending order of keys. Returns the number of
// texts. Memory: about a quarter of `memory_bytes` for each of four sorters, the rest is in `temporary_folder`. Errors:
// kUnsupported for an index of a page-level algorithm; those of reading the index, of the disk, and of `give`.
Result<std::uint32_t> make_known_tables(const PageIndex& index, std::uint64_t memory_bytes,
                                        const std::string& temporary_folder,
                                        const std::function<Status(Parcel&&)>& give);

// Merges a table of consecutive runs, the oldest first, into that of one run that gives the same answers: its texts are
// those of all, one run after the other. `first_texts` has for each run the number of its first text among all, and
// then the number after the last one. `next_block` gets the index of a run, and gives the next block of its table; none
// at the end. `give` gets parcels of blocks, as above. Returns the number of lines, or of texts for the table "texts".
// Memory: a block of each run, and a few megabytes. Errors: kInvalidArgument for an unknown table and for more than
// 4,294,967,295 numbers; kCorruptData; those of `next_block` and `give`.
Result<std::uint64_t> merge_known_table(
    std::string_view table, std::span<const std::uint64_t> first_texts,
    const std::function<Result<std::optional<std::string>>(std::uint32_t run)>& next_block,
    const std::function<Status(Parcel&&)>& give);

struct AddedTexts {
  std::uint64_t added = 0;
  std::uint64_t left_out = 0;  // those of pages that no index takes (PageIndex::is_about_page())
};

// Adds the texts in a block of the table "texts" to an index, with their pages. What the index knows already is not
// added twice. Errors: kCorruptData; those of PageIndex::add() that are not about the page.
Result<AddedTexts> add_known_texts(PageIndex& index, std::string_view texts);

}  // namespace paraprint
