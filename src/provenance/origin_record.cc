// The order of the fields is part of the format.
#include "provenance/origin_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/byte_codec.h"

namespace paraprint::inline provenance {
namespace {

constexpr std::array<std::string PageMetadata::*, 7> kFields = {
    &PageMetadata::date_published, &PageMetadata::date_modified, &PageMetadata::author,       &PageMetadata::site_name,
    &PageMetadata::source_name,    &PageMetadata::source_url,    &PageMetadata::canonical_url};

void read_hashes(ByteReader& reader, std::size_t maximum, std::vector<std::uint64_t>& hashes) {
  const std::uint64_t count = reader.variable_below(maximum + 1);
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) hashes.push_back(reader.fixed<std::uint64_t>());
}

}  // namespace

std::string encoded_origin(StatedOrigin&& stated, const PageFeatures& features) {
  std::string bytes;
  encode_origin({std::move(stated), sentence_marks(features)}, bytes);
  return bytes;
}

void encode_origin(const OriginRecord& record, std::string& out) {
  ByteWriter writer(out);
  writer.fixed(static_cast<std::uint8_t>(record.stated.date_place));
  for (std::string PageMetadata::*const field : kFields) writer.text(record.stated.metadata.*field);
  const LinkedAddresses& linked = record.stated.linked;
  for (const std::vector<std::uint64_t>* const hashes : {&linked.links, &linked.alternates}) {
    writer.variable(hashes->size());
    for (const std::uint64_t hash : *hashes) writer.fixed(hash);
  }
  writer.variable(record.marks.size());
  for (const SentenceMarks& marks : record.marks) {
    for (const std::uint8_t mark : marks) writer.fixed(mark);
  }
}

Status decode_origin(std::string_view bytes, OriginRecord& record) {
  record = {};
  ByteReader reader(bytes);
  const auto place = reader.fixed<std::uint8_t>();
  if (place >= kDatePlaceCount) reader.fail();
  for (std::string PageMetadata::*const field : kFields) record.stated.metadata.*field = reader.text();
  read_hashes(reader, kLinkedAddressesMaximum, record.stated.linked.links);
  read_hashes(reader, kAlternateAddressesMaximum, record.stated.linked.alternates);
  const std::uint64_t sentences = reader.variable_below(reader.left_bytes() / kMarkCount + 1);
  for (std::uint64_t i = 0; i < sentences && reader.ok(); ++i) {
    SentenceMarks marks{};
    for (std::uint8_t& mark : marks) mark = reader.fixed<std::uint8_t>();
    record.marks.push_back(marks);
  }
  if (!reader.ok() || !reader.at_end()) {
    record = {};
    return failure(ErrorCode::kCorruptData, "malformed record of a page's origin");
  }
  record.stated.date_place = static_cast<DatePlace>(place);
  return {};
}

}  // namespace paraprint::inline provenance
