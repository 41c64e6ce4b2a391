// Byte forms of what tasks exchange to write the tables (docs/formats/distributed.md), and the order of rows. Reading
// is safe on any input, as in distribute/records.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_codec.h"
#include "paraprint/model.h"

namespace paraprint::distribute::tables {

// A page, by its id, for the task that makes ids unique.
struct IdOfPage {
  std::uint32_t page = 0;
  std::string_view id;
};
void write_id_of_page(const IdOfPage& page, ByteWriter& out);
IdOfPage read_id_of_page(ByteReader& in);

// A page whose id occurs on an earlier page: "#" and the number follow its id. For the owner of the page.
struct NumberedId {
  std::uint32_t page = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const NumberedId&, const NumberedId&) = default;
};
void write_numbered_id(const NumberedId& repeated, ByteWriter& out);
NumberedId read_numbered_id(ByteReader& in);

// A page of a group of equal text, for the owner of the first page of the group.
struct GroupedPage {
  std::uint32_t first = 0;
  std::uint32_t page = 0;
  std::string_view id;
};
void write_grouped_page(const GroupedPage& page, ByteWriter& out);
GroupedPage read_grouped_page(ByteReader& in);

// A stored match, for the owner of its second page: one page with the text of the first.
struct HalfRow {
  Match match;                   // of the first pages of two texts
  std::uint32_t group_size = 0;  // pages with the first text
  std::uint32_t page = 0;        // one of these
  std::string_view id;
};
void write_half_row(const HalfRow& half, ByteWriter& out);
HalfRow read_half_row(ByteReader& in);

// A row of matches.tsv, for the task of the range of its smaller id. The match is in the order of the ids.
struct MatchRow {
  std::string_view id_a;
  std::string_view id_b;
  Match match;
  bool is_first_a = false;  // the first page of its text
  bool is_first_b = false;
};
void write_match_row(const MatchRow& row, ByteWriter& out);
MatchRow read_match_row(ByteReader& in);

// A page with its cluster: what the tables have of it. For the task of the range of the first id of its cluster, then
// with the number of the cluster, for that of its own id.
struct TablePage {
  std::string_view id;
  std::string_view url;
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  std::uint32_t kept_page = 0;  // identifies the cluster
  bool is_kept = true;
  bool is_first = true;  // has the first id of the cluster
  bool is_alone = true;  // in its cluster
  // Of removed pages only.
  std::uint64_t offset_bytes = 0;
  std::string_view date = {};
  Verdict verdict = Verdict::kSame;
  float resemblance = 0;
  float containment = 0;
  float containment_kept = 0;
  std::string_view reason = {};
  std::string_view kept_id = {};
  std::string_view kept_url = {};
  std::string_view kept_date = {};
};
void write_table_page(const TablePage& row, ByteWriter& out);
TablePage read_table_page(ByteReader& in);

struct NumberedPage {
  std::uint32_t cluster = 0;  // as in clusters.tsv
  TablePage page;
};
void write_numbered_page(const NumberedPage& numbered, ByteWriter& out);
NumberedPage read_numbered_page(ByteReader& in);

// A pair that has a row in matches.jsonl. Each task has a range of consecutive rows.
struct EvidencePair {
  std::uint64_t place = 0;  // number of the row in the range
  Match match;
  std::string_view id_a;
  std::string_view id_b;
};
void write_evidence_pair(const EvidencePair& pair, ByteWriter& out);
EvidencePair read_evidence_pair(ByteReader& in);

// Appends an id so that byte strings that begin with ids sort by these ids, whatever follows.
void append_sortable(std::string_view id, std::string& out);
// The same for numbers and for the bits of scores that are not negative.
template <std::unsigned_integral Number>
void append_sortable(Number number, std::string& out) {
  for (unsigned shift = 8 * sizeof number; shift > 0; shift -= 8)
    out += static_cast<char>(number >> (shift - 8) & 0xFF);
}
// What follows an id, and the id itself. `bytes` begins with an id as append_sortable() wrote it.
std::string_view skip_sortable_id(std::string_view bytes);
std::string unsorted_id(std::string_view bytes);
// The number at the beginning of `bytes`, likewise; they are long enough.
template <std::unsigned_integral Number>
Number unsorted_number(std::string_view bytes) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[i]));
  }
  return number;
}

}  // namespace paraprint::distribute::tables
