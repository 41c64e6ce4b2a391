// Writes the members of the index's answers into an enclosing JSON object. include/paraprint/index.h has the complete
// objects.
#pragma once

#include <string_view>
#include <vector>

#include "paraprint/index.h"
#include "report/json_writer.h"

namespace paraprint::inline online {

// "new", "same", "near", "contained", "contains", "overlap": a verdict against all known pages.
std::string_view index_verdict_name(Verdict verdict);

// Each writes members of the currently open object. `page.profile` must not be null.
void write_lookup_members(JsonWriter& json, const IndexPageInput& page, const LookupOutcome& answer);
void write_added_members(JsonWriter& json, const IndexPageInput& page, const AddOutcome& answer);
void write_stored_page_members(JsonWriter& json, const IndexedPage& page, const Profile* profile);
void write_trace_members(JsonWriter& json, std::string_view id, const TracedCopies& traced);
void write_deletion_members(JsonWriter& json, std::string_view id, bool was_there);
void write_statistics_members(JsonWriter& json, const IndexStatistics& statistics);
// The id as the index would store it, which is the URL if the page has no id of its own, and the URL.
void write_page_names(JsonWriter& json, const IndexPageInput& page);
// A known page that matches, without its visits and passages.
void write_match_members(JsonWriter& json, const IndexMatch& match);
// Those of them that are no names: verdict and scores.
void write_match_scores(JsonWriter& json, const IndexMatch& match);
// Writes "passages"; omitted if there are none.
void write_passages(JsonWriter& json, const std::vector<MatchedSpan>& spans);
void write_score(JsonWriter& json, std::string_view name, double score);

// Spans of the paragraphs of `profile` that no matched passage touches. `side`: &MatchedSpan::a or &MatchedSpan::b.
std::vector<TextSpan> unmatched_paragraphs(const Profile& profile, const std::vector<MatchedSpan>& matched,
                                           TextSpan MatchedSpan::*side);

}  // namespace paraprint::inline online
