// The members of the index's answers, for who puts them into larger JSON objects. include/paraprint/index_json.h has
// the objects.
#pragma once

#include <string_view>
#include <vector>

#include "paraprint/index.h"
#include "report/json_writer.h"

namespace paraprint {

// Each writes members of the object that is open.
void write_lookup_members(JsonWriter& json, const IndexPageInput& page, const LookupAnswer& answer);
void write_added_members(JsonWriter& json, const IndexPageInput& page, const AddAnswer& answer);
void write_stored_page_members(JsonWriter& json, const IndexedPage& page, const Profile* profile);
void write_deletion_members(JsonWriter& json, std::string_view id, bool was_there);
void write_statistics_members(JsonWriter& json, const IndexStatistics& statistics);
// "passages", left out when there are none.
void write_passages(JsonWriter& json, const std::vector<MatchedSpan>& spans);
void write_score(JsonWriter& json, std::string_view name, double score);

// Spans of the paragraphs of `profile` that none of the passages touches. `side`: &MatchedSpan::a or b.
std::vector<TextSpan> unmatched_paragraphs(const Profile& profile, const std::vector<MatchedSpan>& matched,
                                           TextSpan MatchedSpan::*side);

}  // namespace paraprint
