// Tasks filter captures by the claimed names, or by a table of bits that also contains others when there are too many
// to send. The driver has the exact names, so its answer is the same in both cases.
#include "distribute/revisit_plan.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "base/propagate.h"
#include "distribute/records.h"

namespace paraprint::distribute {
namespace {

enum class NamesForm : std::uint8_t { kNames, kBitTable };

// A hash and how it was found.
constexpr std::size_t kNameBytes = 9;

template <class Add>
Status add_each(std::string_view parcel, std::string_view what, std::size_t input_count, Add&& add) {
  for (ByteReader in(parcel); !in.at_end();) {
    const LinkedRecord record = read_linked_record(in);
    if (!in.ok() || record.place.file >= input_count) return corrupt(what);
    PARAPRINT_TRY(add(record));
  }
  return {};
}

}  // namespace

void write_linked_record(const LinkedRecord& record, ByteWriter& out) {
  out.variable(record.place.file);
  out.variable(record.place.ordinal);
  out.fixed(static_cast<std::uint64_t>(record.seconds));
  out.text(record.text);
  out.variable(record.names.size());
  for (const LinkName& name : record.names) {
    out.fixed(name.name);
    out.fixed(static_cast<std::uint8_t>(name.way));
  }
}

LinkedRecord read_linked_record(ByteReader& in) {
  LinkedRecord record;
  record.place.file = in.variable();
  record.place.ordinal = in.variable();
  record.seconds = static_cast<std::int64_t>(in.fixed<std::uint64_t>());
  record.text = in.text();
  record.names.resize(in.variable_below(in.left_bytes() / kNameBytes + 1));
  for (LinkName& name : record.names) {
    name.name = in.fixed<std::uint64_t>();
    const auto way = in.fixed<std::uint8_t>();
    if (way >= kLinkWayCount) in.fail();
    name.way = static_cast<LinkWay>(in.ok() ? way : 0);
  }
  return record;
}

// The larger the table, the fewer captures are sent for nothing.
std::string write_claimed_names(const ClaimedNames& claimed, std::size_t bytes_maximum) {
  std::string bytes;
  ByteWriter out(bytes);
  out.fixed(kDistributedFormatVersion);
  std::vector<std::uint64_t> table;
  if (claimed.words.size_bytes() > bytes_maximum) {
    table = make_bit_table(claimed.words, std::bit_floor(std::max(bytes_maximum, sizeof(std::uint64_t))));
  }
  out.fixed(static_cast<std::uint8_t>(table.empty() ? NamesForm::kNames : NamesForm::kBitTable));
  const std::span<const std::uint64_t> words = table.empty() ? claimed.words : std::span<const std::uint64_t>(table);
  bytes.reserve(bytes.size() + words.size_bytes());
  for (const std::uint64_t word : words) out.fixed(word);
  return bytes;
}

Result<StoredNames> read_claimed_names(std::string_view bytes) {
  ByteReader in(bytes);
  StoredNames names;
  const auto version = in.fixed<std::uint8_t>();
  const auto form = in.fixed<std::uint8_t>();
  if (!in.ok() || version != kDistributedFormatVersion || form > static_cast<std::uint8_t>(NamesForm::kBitTable)) {
    return corrupt("claimed names");
  }
  names.is_bit_table = form == static_cast<std::uint8_t>(NamesForm::kBitTable);
  names.words.reserve(in.left_bytes() / sizeof(std::uint64_t));
  while (!in.at_end()) names.words.push_back(in.fixed<std::uint64_t>());
  const bool fits = names.is_bit_table ? std::has_single_bit(names.words.size())
                                       : std::is_sorted(names.words.begin(), names.words.end());
  if (!in.ok() || !fits) return corrupt("claimed names");
  return names;
}

Status RevisitPlan::add_claims(std::string_view parcel) {
  return add_each(parcel, "claims", input_count_,
                  [this](const LinkedRecord& record) { return tables_.add_revisit(record); });
}

Result<std::string> RevisitPlan::end_claims(std::size_t bytes_maximum) {
  PARAPRINT_TRY(tables_.end_revisits());
  return write_claimed_names(tables_.claimed(), bytes_maximum);
}

Status RevisitPlan::add_captures(std::string_view parcel) {
  return add_each(parcel, "captures", input_count_,
                  [this](const LinkedRecord& record) { return tables_.add_capture(record); });
}

}  // namespace paraprint::distribute
