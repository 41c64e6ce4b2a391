// The rows of the explorer's lists: pages and pairs as JSON, and as tables to be saved.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "report/json_writer.h"
#include "view/explorer.h"

namespace paraprint::inline explorer {

// The members of an object about the page.
void write_page_members(const Explorer& explorer, std::uint32_t page, JsonWriter& json);
// An object of number, id and address only, as the member `name`.
void write_page_name(const RunStore& store, std::string_view name, std::uint32_t page, JsonWriter& json);
// An object about the stored pair.
void write_pair_row(const RunStore& store, const RulingFiles& rulings, std::uint32_t pair, JsonWriter& json);

// Rows beyond this are not exported: a table is made in memory.
inline constexpr std::size_t kExportedRowsMaximum = 100'000;
// A row of tab-separated values; what would end a field or the row is escaped.
void append_fields(std::string& table, std::initializer_list<std::string_view> fields);
// The pages as tab-separated values with a header, or as JSON lines.
std::string pages_as_table(const Explorer& explorer, std::span<const std::uint32_t> pages);
std::string pages_as_lines(const Explorer& explorer, std::span<const std::uint32_t> pages);
std::string pairs_as_table(const Explorer& explorer, std::span<const std::uint32_t> pairs);
std::string pairs_as_lines(Explorer& explorer, std::span<const std::uint32_t> pairs);

std::string_view ruling_name(PairRuling ruling);

}  // namespace paraprint::inline explorer
