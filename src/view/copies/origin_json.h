// What provenance.jsonl says of pages, as JSON for the explorer's page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "profile/page_table.h"
#include "report/json_writer.h"
#include "view/copies/run_origins.h"

namespace paraprint::inline explorer::inline copies {

// Pages that one picture shows.
inline constexpr std::size_t kPagesDrawn = 40;
inline constexpr std::size_t kDatedPagesDrawn = 120;
inline constexpr std::size_t kUndatedPagesNamed = 20;

// An object of number, id and address only, as the member `name`.
void write_named_page(const PageTable& pages, std::string_view name, std::uint32_t page, JsonWriter& json);

// The member "origin": an object with what the page states, its source, and what speaks for that; null if the file says
// nothing of it. Reads its line again; of a line that cannot be read, the object has the member "unreadable" with the
// reason.
void write_origin(const RunOrigins& origins, const PageTable& pages, std::uint32_t page, ProvenanceParser& parser,
                  JsonWriter& json);

// Of a row in a list, without reading its line: the members "published" and "copied_from" of the open object, each only
// if there is one.
void write_origin_in_list(const RunOrigins& origins, const PageTable& pages, std::uint32_t page, JsonWriter& json);

// The tree of copies and the time line of a cluster, as members of the open object: "tree" with up to kPagesDrawn
// pages, "dated" with the first ones by date, and "undated". `members`: the pages of the cluster, ascending. With
// `from`, one of them, only it and its copies are drawn, without the first `skipped` of its direct copies. Cost:
// O(n log n) for n members, and reading the lines of the pages drawn.
void write_copy_graph(const RunOrigins& origins, const PageTable& pages, std::span<const std::uint32_t> members,
                      std::optional<std::uint32_t> from, std::uint64_t skipped, JsonWriter& json);

// The member "provenance": whether there is a file, how many lines it has, and what is wrong with others.
void write_provenance_state(const RunOrigins& origins, JsonWriter& json);

}  // namespace paraprint::inline explorer::inline copies
