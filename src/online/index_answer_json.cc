// The JSON form of the index's answers. The command line, the service and the bulk calls all write it through these
// functions, so a page has the same answer everywhere. Member names and their order are part of the interface
// (docs/service.md, openapi.json).
#include "online/index_answer_json.h"

#include <algorithm>
#include <utility>

#include "profile/profile_members.h"
#include "provenance/provenance_lines.h"
#include "report/json_lines.h"
#include "report/verdict_text.h"

namespace paraprint::inline online {
namespace {

// Scores are computed as float; further digits would be noise.
constexpr int kScoreDecimals = 6;

void write_statement(JsonWriter& json, const IndexedPage& page) {
  if (!page.stated) return;
  json.key("stated");
  json.begin_object();
  write_stated(json, page.stated->metadata, page.stated->date_place);
  json.end_object();
}

void write_matches(JsonWriter& json, const LookupOutcome& answer) {
  json.key("matches");
  json.begin_array();
  for (const IndexMatch& match : answer.matches) {
    json.begin_object();
    write_match_members(json, match);
    json.member("first_seen", match.page.first_seen_seconds);
    json.member("last_seen", match.page.last_seen_seconds);
    write_passages(json, match.spans);
    json.end_object();
  }
  json.end_array();
}

// Writes what changed: the paragraphs of the new text that no passage of the old one covers ("added"), and the reverse
// ("removed").
void write_changed_paragraphs(JsonWriter& json, const IndexPageInput& page, const AddOutcome& answer) {
  const std::vector<TextSpan> added = unmatched_paragraphs(*page.profile, answer.previous_spans, &MatchedSpan::a);
  const std::vector<TextSpan> removed =
      unmatched_paragraphs(*answer.previous_profile, answer.previous_spans, &MatchedSpan::b);
  for (const auto& [name, spans] : {std::pair{"added", &added}, std::pair{"removed", &removed}}) {
    json.key(name);
    json.begin_array();
    for (const TextSpan& span : *spans) {
      json.begin_array();
      json.value(span.begin_bytes);
      json.value(span.end_bytes);
      json.end_array();
    }
    json.end_array();
  }
}

template <class Write>
std::string object_of(Write write) {
  JsonWriter json;
  json.begin_object();
  write(json);
  json.end_object();
  return json.take();
}

}  // namespace

// A sweep over both lists in text order. Passages may overlap and be nested, so the furthest end seen so far is kept
// instead of the last one.
std::vector<TextSpan> unmatched_paragraphs(const Profile& profile, const std::vector<MatchedSpan>& matched,
                                           TextSpan MatchedSpan::*side) {
  std::vector<TextSpan> covered;
  for (const MatchedSpan& span : matched) covered.push_back(span.*side);
  std::sort(covered.begin(), covered.end(),
            [](const TextSpan& x, const TextSpan& y) { return x.begin_bytes < y.begin_bytes; });
  std::vector<TextSpan> unmatched;
  std::size_t next = 0;
  std::uint32_t covered_until = 0;  // the furthest end of all passages that begin before the paragraph's end
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    for (; next < covered.size() && covered[next].begin_bytes < paragraph.span.end_bytes; ++next) {
      covered_until = std::max(covered_until, covered[next].end_bytes);
    }
    if (covered_until <= paragraph.span.begin_bytes) unmatched.push_back(paragraph.span);
  }
  return unmatched;
}

// A page that matches nothing is "new" to an index; "distinct" would say that it was compared with one page.
std::string_view index_verdict_name(Verdict verdict) {
  return verdict == Verdict::kDistinct ? "new" : verdict_name(verdict);
}

void write_page_names(JsonWriter& json, const IndexPageInput& page) {
  const std::string_view id = page.id.empty() ? page.url : page.id;
  if (!id.empty()) json.member("id", id);
  if (!page.url.empty()) json.member("url", page.url);
}

void write_match_members(JsonWriter& json, const IndexMatch& match) {
  json.member("id", match.page.id);
  if (!match.page.url.empty()) json.member("url", match.page.url);
  write_match_scores(json, match);
  write_statement(json, match.page);
  json.member("cluster", match.page.cluster);
}

void write_match_scores(JsonWriter& json, const IndexMatch& match) {
  json.member("verdict", index_verdict_name(match.verdict));
  write_score(json, "resemblance", match.resemblance);
  write_score(json, "containment_asked", match.containment_asked);
  write_score(json, "containment_known", match.containment_known);
}

void write_score(JsonWriter& json, std::string_view name, double score) {
  json.member(name, Real{score, kScoreDecimals});
}

void write_passages(JsonWriter& json, const std::vector<MatchedSpan>& spans) {
  if (spans.empty()) return;
  json.key("passages");
  json.begin_array();
  for (const MatchedSpan& span : spans) {
    json.begin_object();
    write_span(json, "span_asked", span.a);
    write_span(json, "span_known", span.b);
    json.member("distance_bits", span.distance_bits);
    json.member("is_sentence", span.is_sentence);
    json.end_object();
  }
  json.end_array();
}

void write_lookup_members(JsonWriter& json, const IndexPageInput& page, const LookupOutcome& answer) {
  write_page_names(json, page);
  json.member("content_characters", page.profile->content_characters);
  json.member("verdict", index_verdict_name(answer.verdict));
  write_matches(json, answer);
}

void write_added_members(JsonWriter& json, const IndexPageInput& page, const AddOutcome& answer) {
  write_page_names(json, page);
  json.member("content_characters", page.profile->content_characters);
  json.member("verdict", index_verdict_name(answer.lookup.verdict));
  json.member("change", page_change_name(answer.change));
  json.member("stored", answer.is_stored);
  json.member("cluster", answer.cluster);
  if (answer.previous) {
    json.key("previous");
    json.begin_object();
    write_score(json, "resemblance", answer.previous->resemblance);
    write_score(json, "containment_asked", answer.previous->containment_a);
    write_score(json, "containment_known", answer.previous->containment_b);
    write_passages(json, answer.previous_spans);
    if (answer.previous_profile) write_changed_paragraphs(json, page, answer);
    json.end_object();
  }
  write_matches(json, answer.lookup);
}

void write_stored_page_members(JsonWriter& json, const IndexedPage& page, const Profile* profile) {
  json.member("id", page.id);
  if (!page.url.empty()) json.member("url", page.url);
  if (!page.date.empty()) json.member("date", page.date);
  write_statement(json, page);
  json.member("cluster", page.cluster);
  json.member("first_seen", page.first_seen_seconds);
  json.member("last_seen", page.last_seen_seconds);
  json.member("text", page.text);
  if (profile == nullptr) {
    json.member("content_characters", page.content_characters);
  } else {
    write_profile_members(json, *profile);
  }
}

void write_trace_members(JsonWriter& json, std::string_view id, const TracedCopies& traced) {
  json.member("id", id);
  json.member("cluster", traced.cluster);
  json.key("pages");
  json.begin_array();
  for (const std::string& page : traced.pages) json.json_value(page);
  json.end_array();
  json.member("pages_filtered_out", traced.pages_filtered_out);
  json.member("has_more", traced.has_more);
}

void write_deletion_members(JsonWriter& json, std::string_view id, bool was_there) {
  json.member("id", id);
  json.member("deleted", was_there);
}

void write_statistics_members(JsonWriter& json, const IndexStatistics& statistics) {
  json.member("pages", statistics.pages);
  json.member("texts", statistics.texts);
  json.member("texts_ever", statistics.next_text);
  json.member("sites", statistics.sites);
  json.member("segments", statistics.segments);
  json.member("segment_bytes", statistics.segment_bytes);
  json.member("head_texts", statistics.head_texts);
  json.member("head_bytes", statistics.head_bytes);
  json.member("template_bytes", statistics.template_bytes);
  json.member("database_bytes", statistics.database_bytes);
  json.member("settings", statistics.identity);
  json.member("read_only", statistics.read_only);
  json.member("snapshot", statistics.snapshot);
  json.member("snapshot_taken", statistics.snapshot_seconds);
  json.key("generations");
  json.begin_array();
  for (const IndexGeneration& generation : statistics.generations) {
    json.begin_object();
    json.member("settings", generation.identity);
    json.member("first_text", generation.first_text);
    json.member("texts_added", generation.added);
    json.end_object();
  }
  json.end_array();
  json.member("warnings", statistics.warnings);
}

}  // namespace paraprint::inline online

namespace paraprint {

std::string lookup_json(const IndexPageInput& page, const LookupOutcome& answer) {
  return object_of([&](JsonWriter& json) { write_lookup_members(json, page, answer); });
}

std::string added_json(const IndexPageInput& page, const AddOutcome& answer) {
  return object_of([&](JsonWriter& json) { write_added_members(json, page, answer); });
}

std::string stored_page_json(const IndexedPage& page, const Profile* profile) {
  return object_of([&](JsonWriter& json) { write_stored_page_members(json, page, profile); });
}

std::string trace_json(std::string_view id, const TracedCopies& traced) {
  return object_of([&](JsonWriter& json) { write_trace_members(json, id, traced); });
}

std::string statistics_json(const IndexStatistics& statistics) {
  return object_of([&](JsonWriter& json) { write_statistics_members(json, statistics); });
}

std::string verification_json(const VerifyOutcome& verification) {
  return object_of([&](JsonWriter& json) {
    json.member("clean", verification.is_clean());
    json.member("pages", verification.pages);
    json.member("texts", verification.texts);
    json.member("keys_looked_up", verification.keys);
    json.key("findings");
    json.begin_array();
    for (const IndexFinding& finding : verification.findings) {
      json.begin_object();
      json.member("what", finding.what);
      json.member("advice", finding.advice);
      json.end_object();
    }
    json.end_array();
    json.member("findings_left_out", verification.findings_left_out);
  });
}

std::string deletion_json(std::string_view id, bool was_there) {
  return object_of([&](JsonWriter& json) { write_deletion_members(json, id, was_there); });
}

std::string migration_json(const IndexMigration& migration, bool is_done) {
  return object_of([&](JsonWriter& json) {
    json.member("from", migration.from);
    json.member("to", migration.to);
    json.member("steps", migration.steps);
    json.member("done", is_done);
  });
}

}  // namespace paraprint
