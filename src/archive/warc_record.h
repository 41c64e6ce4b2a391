// WARC 1.1 records as bytes: for revisit records, for repaired ones, for whoever makes archives.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/record.h"

namespace paraprint {

// What the content of a revisit record of ours has to do with the page it names: the main text is the same or nearly
// so. The standard's own profiles promise equal payload bytes, which is another thing.
inline constexpr std::string_view kNearDuplicateProfile = "urn:paraprint:revisit:near-duplicate";

using WarcFields = std::vector<std::pair<std::string_view, std::string_view>>;

// Version line, WARC-Type, `fields` in their order (those with an empty value are left out), Content-Length, `content`
// and the blank lines that end a record. Line ends in values become spaces.
std::string make_warc_record(std::string_view type, const WarcFields& fields, std::string_view content);

// The removed page's capture as a reference to the page kept.
struct KeptPage {
  std::string_view id;
  std::string_view url;
  std::string_view date;
};
std::string make_revisit_record(const RawRecord& removed, const KeptPage& kept);

// A record whose stored length was wrong (RawRecord::is_repaired), with the right one.
std::string repaired_warc_record(const RawRecord& record);
std::string repaired_arc_record(const RawRecord& record);

}  // namespace paraprint
