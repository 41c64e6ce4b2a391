// Field by field as in docs/formats/distributed.md.
#include "distribute/tables/table_records.h"

#include <array>
#include <bit>
#include <initializer_list>

#include "distribute/records.h"

namespace paraprint::distribute::tables {
namespace {

enum RowFlag : std::uint8_t { kKept = 1, kFirst = 2, kAlone = 4 };
constexpr std::uint8_t kRowFlags = 8;  // above all of them

// Ends an id. A zero byte of an id is followed by kEscaped, which is larger than kEnd.
constexpr char kZero = '\0';
constexpr char kEnd = '\x01';
constexpr char kEscaped = '\x02';

}  // namespace

void write_id_of_page(const IdOfPage& page, ByteWriter& out) {
  out.variable(page.page);
  out.text(page.id);
}

IdOfPage read_id_of_page(ByteReader& in) {
  IdOfPage page;
  page.page = read_number(in);
  page.id = in.text();
  return page;
}

void write_numbered_id(const NumberedId& repeated, ByteWriter& out) {
  out.variable(repeated.page);
  out.variable(repeated.number);
}

NumberedId read_numbered_id(ByteReader& in) {
  NumberedId repeated;
  repeated.page = read_number(in);
  repeated.number = read_number(in);
  return repeated;
}

void write_grouped_page(const GroupedPage& page, ByteWriter& out) {
  out.variable(page.first);
  out.variable(page.page);
  out.text(page.id);
}

GroupedPage read_grouped_page(ByteReader& in) {
  GroupedPage page;
  page.first = read_number(in);
  page.page = read_number(in);
  page.id = in.text();
  if (page.first >= page.page) in.fail();
  return page;
}

void write_half_row(const HalfRow& half, ByteWriter& out) {
  write_match(half.match, out);
  out.variable(half.group_size);
  out.variable(half.page);
  out.text(half.id);
}

HalfRow read_half_row(ByteReader& in) {
  HalfRow half;
  half.match = read_match(in);
  half.group_size = read_number(in);
  half.page = read_number(in);
  half.id = in.text();
  return half;
}

void write_match_row(const MatchRow& row, ByteWriter& out) {
  out.text(row.id_a);
  out.text(row.id_b);
  write_match(row.match, out);
  out.fixed(static_cast<std::uint8_t>((row.is_first_a ? 1U : 0U) | (row.is_first_b ? 2U : 0U)));
}

MatchRow read_match_row(ByteReader& in) {
  MatchRow row;
  row.id_a = in.text();
  row.id_b = in.text();
  row.match = read_match_of_any_order(in);
  const auto first = in.fixed<std::uint8_t>();
  row.is_first_a = (first & 1U) != 0;
  row.is_first_b = (first & 2U) != 0;
  if (first > 3 || row.id_a >= row.id_b) in.fail();
  return row;
}

// What a kept page has no need of is left out: most pages of a crawl are kept.
void write_table_page(const TablePage& row, ByteWriter& out) {
  out.fixed(
      static_cast<std::uint8_t>((row.is_kept ? kKept : 0) | (row.is_first ? kFirst : 0) | (row.is_alone ? kAlone : 0)));
  out.text(row.id);
  out.text(row.url);
  out.variable(row.file);
  out.variable(row.ordinal);
  out.variable(row.kept_page);
  if (row.is_kept) return;
  out.variable(row.offset_bytes);
  out.text(row.date);
  out.fixed(static_cast<std::uint8_t>(row.verdict));
  for (const float score : {row.resemblance, row.containment, row.containment_kept}) write_real(score, out);
  for (const std::string_view text : {row.reason, row.kept_id, row.kept_url, row.kept_date}) out.text(text);
}

TablePage read_table_page(ByteReader& in) {
  TablePage row;
  const auto flags = in.fixed<std::uint8_t>();
  row.is_kept = (flags & kKept) != 0;
  row.is_first = (flags & kFirst) != 0;
  row.is_alone = (flags & kAlone) != 0;
  row.id = in.text();
  row.url = in.text();
  row.file = read_number(in);
  row.ordinal = in.variable();
  row.kept_page = read_number(in);
  if (flags >= kRowFlags || (row.is_alone && !row.is_first)) in.fail();
  if (row.is_kept) return row;
  row.offset_bytes = in.variable();
  row.date = in.text();
  row.verdict = read_verdict(in);
  for (float* score : {&row.resemblance, &row.containment, &row.containment_kept}) *score = read_real(in);
  for (std::string_view* text : {&row.reason, &row.kept_id, &row.kept_url, &row.kept_date}) *text = in.text();
  return row;
}

void write_numbered_page(const NumberedPage& numbered, ByteWriter& out) {
  out.variable(numbered.cluster);
  write_table_page(numbered.page, out);
}

NumberedPage read_numbered_page(ByteReader& in) {
  NumberedPage numbered;
  numbered.cluster = read_number(in);
  numbered.page = read_table_page(in);
  return numbered;
}

// The pages of a row are in the order of their ids, not of their numbers, hence read_match_of_any_order().
void write_evidence_pair(const EvidencePair& pair, ByteWriter& out) {
  out.variable(pair.place);
  write_match(pair.match, out);
  out.text(pair.id_a);
  out.text(pair.id_b);
}

EvidencePair read_evidence_pair(ByteReader& in) {
  EvidencePair pair;
  pair.place = in.variable();
  pair.match = read_match_of_any_order(in);
  pair.id_a = in.text();
  pair.id_b = in.text();
  return pair;
}

void append_sortable(std::string_view id, std::string& out) {
  for (const char byte : id) {
    out += byte;
    if (byte == kZero) out += kEscaped;
  }
  out += kZero;
  out += kEnd;
}

std::string_view skip_sortable_id(std::string_view bytes) {
  for (std::size_t zero = bytes.find(kZero);; zero = bytes.find(kZero, zero + 2)) {
    if (bytes[zero + 1] == kEnd) return bytes.substr(zero + 2);
  }
}

std::string unsorted_id(std::string_view bytes) {
  std::string id;
  for (std::size_t at = 0; bytes[at] != kZero || bytes[at + 1] != kEnd; ++at) {
    id += bytes[at];
    if (bytes[at] == kZero) ++at;
  }
  return id;
}

}  // namespace paraprint::distribute::tables
