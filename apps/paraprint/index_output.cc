#include "index_output.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>
#include <string_view>

namespace paraprint::cli {
namespace {

constexpr int kScoreDecimals = 6;

using JsonLine = rapidjson::Writer<rapidjson::StringBuffer>;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kDistinct:
      return "new";
    case Verdict::kSame:
      return "same";
    case Verdict::kNear:
      return "near";
    case Verdict::kContained:
      return "contained";
    case Verdict::kContains:
      return "contains";
    case Verdict::kOverlap:
      return "overlap";
  }
  return "unknown";
}

void put(JsonLine& json, const char* name, std::string_view text) {
  json.Key(name);
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
void put(JsonLine& json, const char* name, std::uint64_t number) {
  json.Key(name);
  json.Uint64(number);
}
void put_score(JsonLine& json, const char* name, float score) {
  json.Key(name);
  const std::string text = fmt::format("{:.{}f}", score, kScoreDecimals);
  json.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}
void put_flag(JsonLine& json, const char* name, bool flag) {
  json.Key(name);
  json.Bool(flag);
}

Status print_line_of(rapidjson::StringBuffer& buffer) {
  buffer.Put('\n');
  if (std::fwrite(buffer.GetString(), 1, buffer.GetSize(), stdout) == buffer.GetSize()) return {};
  return tl::unexpected<Error>(Error{ErrorCode::kInputOutput, "standard output can't be written"});
}

void put_span(JsonLine& json, const char* name, const TextSpan& span) {
  json.Key(name);
  json.StartArray();
  json.Uint(span.begin_bytes);
  json.Uint(span.end_bytes);
  json.EndArray();
}

void put_passages(JsonLine& json, const std::vector<MatchedSpan>& spans) {
  if (spans.empty()) return;
  json.Key("passages");
  json.StartArray();
  for (const MatchedSpan& span : spans) {
    json.StartObject();
    put_span(json, "span_asked", span.a);
    put_span(json, "span_known", span.b);
    put(json, "distance_bits", std::uint64_t{span.distance_bits});
    put_flag(json, "is_sentence", span.is_sentence);
    json.EndObject();
  }
  json.EndArray();
}

void put_matches(JsonLine& json, const LookupAnswer& answer) {
  json.Key("matches");
  json.StartArray();
  for (const IndexMatch& match : answer.matches) {
    json.StartObject();
    put(json, "id", match.page.id);
    if (!match.page.url.empty()) put(json, "url", match.page.url);
    put(json, "verdict", name_of(match.verdict));
    put_score(json, "resemblance", match.resemblance);
    put_score(json, "containment_asked", match.containment_asked);
    put_score(json, "containment_known", match.containment_known);
    put(json, "cluster", match.page.cluster);
    put(json, "first_seen", match.page.first_seen_seconds);
    put(json, "last_seen", match.page.last_seen_seconds);
    put_passages(json, match.spans);
    json.EndObject();
  }
  json.EndArray();
}

void put_page(JsonLine& json, const IndexPageInput& page) {
  put(json, "id", page.id.empty() ? page.url : page.id);
  if (!page.url.empty()) put(json, "url", page.url);
}

}  // namespace

Status parse_sync_mode(const std::string& name, SyncMode& mode) {
  if (name == "always") {
    mode = SyncMode::kAlways;
  } else if (name == "interval") {
    mode = SyncMode::kInterval;
  } else if (name == "none") {
    mode = SyncMode::kNone;
  } else {
    return tl::unexpected<Error>(
        Error{ErrorCode::kInvalidArgument, fmt::format("--sync {}: give always, interval or none", name)});
  }
  return {};
}

Status print_lookup(const IndexPageInput& page, const LookupAnswer& answer) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put_page(json, page);
  put(json, "verdict", name_of(answer.verdict));
  put_matches(json, answer);
  json.EndObject();
  return print_line_of(buffer);
}

Status print_added(const IndexPageInput& page, const AddAnswer& answer) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put_page(json, page);
  put(json, "verdict", name_of(answer.lookup.verdict));
  put(json, "change", page_change_name(answer.change));
  put_flag(json, "stored", answer.is_stored);
  put(json, "cluster", answer.cluster);
  if (answer.previous) {
    json.Key("previous");
    json.StartObject();
    put_score(json, "resemblance", answer.previous->resemblance);
    put_score(json, "containment_asked", answer.previous->containment_a);
    put_score(json, "containment_known", answer.previous->containment_b);
    put_passages(json, answer.previous_spans);
    json.EndObject();
  }
  put_matches(json, answer.lookup);
  json.EndObject();
  return print_line_of(buffer);
}

Status print_stored(const IndexedPage& page, const Profile* profile) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "id", page.id);
  if (!page.url.empty()) put(json, "url", page.url);
  if (!page.date.empty()) put(json, "date", page.date);
  put(json, "cluster", page.cluster);
  put(json, "first_seen", page.first_seen_seconds);
  put(json, "last_seen", page.last_seen_seconds);
  put(json, "text", page.text);
  put(json, "content_characters", std::uint64_t{page.content_characters});
  if (profile != nullptr) {
    put(json, "text_hash", fmt::format("{:016x}{:016x}", profile->text_hash[0], profile->text_hash[1]));
    json.Key("paragraphs");
    json.StartArray();
    for (const ParagraphProfile& paragraph : profile->paragraphs) {
      json.StartObject();
      put_span(json, "span", paragraph.span);
      put(json, "content_characters", std::uint64_t{paragraph.content_characters});
      put(json, "hash", fmt::format("{:016x}", paragraph.hash));
      if (paragraph.has_simhash) {
        put(json, "simhash", fmt::format("{:016x}{:016x}", paragraph.simhash.high, paragraph.simhash.low));
      }
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
  return print_line_of(buffer);
}

Status print_statistics(const IndexStatistics& statistics) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "pages", statistics.pages);
  put(json, "texts", statistics.texts);
  put(json, "texts_ever", statistics.next_text);
  put(json, "sites", statistics.sites);
  put(json, "segments", statistics.segments);
  put(json, "segment_bytes", statistics.segment_bytes);
  put(json, "head_texts", statistics.head_texts);
  put(json, "head_bytes", statistics.head_bytes);
  put(json, "template_bytes", statistics.template_bytes);
  put(json, "database_bytes", statistics.database_bytes);
  put(json, "settings", statistics.identity);
  json.Key("warnings");
  json.StartArray();
  for (const std::string& warning : statistics.warnings) json.String(warning.c_str());
  json.EndArray();
  json.EndObject();
  return print_line_of(buffer);
}

Status print_verification(const IndexVerification& verification) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put_flag(json, "clean", verification.is_clean());
  put(json, "pages", verification.pages);
  put(json, "texts", verification.texts);
  put(json, "keys_looked_up", verification.keys);
  json.Key("findings");
  json.StartArray();
  for (const IndexFinding& finding : verification.findings) {
    json.StartObject();
    put(json, "what", finding.what);
    put(json, "advice", finding.advice);
    json.EndObject();
  }
  json.EndArray();
  put(json, "findings_left_out", verification.findings_left_out);
  json.EndObject();
  return print_line_of(buffer);
}

Status print_count(const char* name, std::uint64_t count) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, name, count);
  json.EndObject();
  return print_line_of(buffer);
}

Status print_deleted(const std::string& id, bool was_there) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "id", id);
  put_flag(json, "deleted", was_there);
  json.EndObject();
  return print_line_of(buffer);
}

}  // namespace paraprint::cli
