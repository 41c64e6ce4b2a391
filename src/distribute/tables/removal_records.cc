// Field by field as in docs/formats/distributed.md.
#include "distribute/tables/removal_records.h"

#include <algorithm>

#include "base/propagate.h"

namespace paraprint::distribute::tables {

void write_removal(const Removal& removal, ByteWriter& out) {
  out.variable(removal.page);
  out.variable(removal.file);
  out.variable(removal.kept_page);
  write_removed_page(removal.removed, out);
}

Removal read_removal(ByteReader& in) {
  Removal removal;
  removal.page = read_number(in);
  removal.file = read_number(in);
  removal.kept_page = read_number(in);
  removal.removed = read_removed_page(in);
  return removal;
}

void write_address(const HashedAddress& address, ByteWriter& out) {
  out.fixed(address.hash);
  out.variable(address.page.page);
  out.variable(address.page.file);
  out.variable(address.page.ordinal);
  out.fixed(static_cast<std::uint8_t>(address.page.role));
}

HashedAddress read_address(ByteReader& in) {
  HashedAddress address;
  address.hash = in.fixed<std::uint64_t>();
  address.page.page = read_number(in);
  address.page.file = read_number(in);
  address.page.ordinal = in.variable();
  const auto role = in.fixed<std::uint8_t>();
  if (role >= kAddressRoles) in.fail();
  address.page.role = static_cast<AddressRole>(in.ok() ? role : 0);
  return address;
}

void write_wanted_record(const WantedRecord& wanted, ByteWriter& out) {
  out.variable(wanted.page);
  out.variable(wanted.file);
  out.variable(wanted.ordinal);
}

WantedRecord read_wanted_record(ByteReader& in) {
  WantedRecord wanted;
  wanted.page = read_number(in);
  wanted.file = read_number(in);
  wanted.ordinal = in.variable();
  return wanted;
}

void write_target_of_page(const TargetOfPage& target, ByteWriter& out) {
  out.variable(target.page);
  out.text(target.target);
}

TargetOfPage read_target_of_page(ByteReader& in) {
  TargetOfPage target;
  target.page = read_number(in);
  target.target = in.text();
  return target;
}

void write_placed_page(const PlacedPage& placed, ByteWriter& out) {
  const ReferredPage& page = placed.page;
  out.variable(placed.place.file);
  out.variable(placed.place.ordinal);
  out.variable(page.cluster);
  out.fixed(static_cast<std::uint8_t>(page.is_kept));
  out.fixed(static_cast<std::uint8_t>(page.verdict));
  for (const std::string_view text : {page.id, page.kept_id, page.kept_url}) out.text(text);
}

PlacedPage read_placed_page(ByteReader& in) {
  PlacedPage placed;
  ReferredPage& page = placed.page;
  placed.place.file = in.variable();
  placed.place.ordinal = in.variable();
  page.cluster = read_number(in);
  page.is_kept = in.fixed<std::uint8_t>() != 0;
  page.verdict = read_verdict(in);
  for (std::string_view* text : {&page.id, &page.kept_id, &page.kept_url}) *text = in.text();
  return placed;
}

std::string write_referred_places(std::span<const RecordPlace> places) {
  std::vector<std::uint64_t> entries;
  for (const RecordPlace& place : places) entries.insert(entries.end(), {place.file, place.ordinal});
  return write_entries(entries);
}

Result<std::vector<RecordPlace>> read_referred_places(std::string_view bytes) {
  std::vector<RecordPlace> places;
  if (bytes.empty()) return places;
  PARAPRINT_ASSIGN(const std::vector<std::uint64_t> entries, read_entries(bytes));
  if (entries.size() % 2 != 0) return corrupt("referred places");
  for (std::size_t at = 0; at < entries.size(); at += 2) places.push_back({entries[at], entries[at + 1]});
  if (!std::is_sorted(places.begin(), places.end())) return corrupt("referred places");
  return places;
}

}  // namespace paraprint::distribute::tables
