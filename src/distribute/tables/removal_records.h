// Byte forms of what tasks exchange to write archives without the removed pages (docs/formats/distributed.md). Reading
// is safe on any input, as in distribute/records.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "archive/record_writer.h"
#include "base/byte_codec.h"
#include "distribute/records.h"
#include "engine/output_stage.h"
#include "paraprint/result.h"
#include "payloads/revisit_names.h"

namespace paraprint::distribute::tables {

// A removed page: with revisit records for the owner of the page kept instead, which knows what they may refer to, and
// then for the owner of the page itself, which knows whether its text is a template.
struct Removal {
  std::uint32_t page = 0;
  std::uint32_t file = 0;
  std::uint32_t kept_page = 0;
  RemovedPage removed;
};
void write_removal(const Removal& removal, ByteWriter& out);
Removal read_removal(ByteReader& in);

enum class AddressRole : std::uint8_t { kKept, kKeptWithCopies, kRemoved };
inline constexpr std::uint8_t kAddressRoles = 3;

// A page that players know by its address and second, for the task of these.
struct AddressedPage {
  std::uint32_t page = 0;
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  AddressRole role = AddressRole::kKept;
  friend auto operator<=>(const AddressedPage&, const AddressedPage&) = default;
};
struct HashedAddress {
  std::uint64_t hash = 0;
  AddressedPage page;
  friend auto operator<=>(const HashedAddress&, const HashedAddress&) = default;
};
void write_address(const HashedAddress& address, ByteWriter& out);
HashedAddress read_address(ByteReader& in);

class AddressBox {
 public:
  AddressBox(ParcelBox& box, std::uint32_t partitions) : box_(box), partitions_(partitions) {}

  void give(std::uint64_t hash, const AddressedPage& page) {
    ByteWriter out(box_.record_for(static_cast<std::uint32_t>(hash % partitions_)));
    write_address({hash, page}, out);
  }

 private:
  ParcelBox& box_;
  std::uint32_t partitions_;
};

// A page that revisit records may refer to: for its owner, then for the task that reads its input.
struct WantedRecord {
  std::uint32_t page = 0;
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  friend auto operator<=>(const WantedRecord&, const WantedRecord&) = default;
};
void write_wanted_record(const WantedRecord& wanted, ByteWriter& out);
WantedRecord read_wanted_record(ByteReader& in);

// What revisit records need to know of a page (RevisitTarget::encode()), for its owner.
struct TargetOfPage {
  std::uint32_t page = 0;
  std::string_view target;
};
void write_target_of_page(const TargetOfPage& target, ByteWriter& out);
TargetOfPage read_target_of_page(ByteReader& in);

// A page that revisit records of the input refer to, for the driver.
struct PlacedPage {
  RecordPlace place;
  ReferredPage page;
};
void write_placed_page(const PlacedPage& placed, ByteWriter& out);
PlacedPage read_placed_page(ByteReader& in);

// The places that revisit records of the input refer to, as all tasks know them: ascending.
std::string write_referred_places(std::span<const RecordPlace> places);
Result<std::vector<RecordPlace>> read_referred_places(std::string_view bytes);

}  // namespace paraprint::distribute::tables
