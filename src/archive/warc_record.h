// Serialises WARC 1.1 records: revisit records, repaired records, and records of new archives.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/record.h"

namespace paraprint {

// WARC-Profile of our revisit records: the main text equals that of the referenced page, or nearly so. The standard's
// own profiles cannot be used, because they promise identical payloads.
inline constexpr std::string_view kNearDuplicateProfile = "urn:paraprint:revisit:near-duplicate";

using WarcFields = std::vector<std::pair<std::string_view, std::string_view>>;

// Writes the version line, WARC-Type, `fields` in order (skipping empty values), Content-Length, `content` and the
// blank lines that end a record. Line ends in values become spaces.
std::string make_warc_record(std::string_view type, const WarcFields& fields, std::string_view content);

// Replaces the capture of a removed page by a reference to the kept page.
struct KeptPage {
  std::string_view id;
  std::string_view url;
  std::string_view date;
};
std::string make_revisit_record(const RawRecord& removed, const KeptPage& kept);

// Serialise a record whose stored length was wrong (RawRecord::is_repaired) with its actual length.
std::string repaired_warc_record(const RawRecord& record);
std::string repaired_arc_record(const RawRecord& record);

}  // namespace paraprint
