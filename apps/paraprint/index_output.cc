#include "index_output.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>
#include <string_view>

#include "paraprint/index_json.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

using JsonLine = rapidjson::Writer<rapidjson::StringBuffer>;

void put(JsonLine& json, const char* name, std::string_view text) {
  json.Key(name);
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
void put(JsonLine& json, const char* name, std::uint64_t number) {
  json.Key(name);
  json.Uint64(number);
}
void put_flag(JsonLine& json, const char* name, bool flag) {
  json.Key(name);
  json.Bool(flag);
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

Status print_stored(const IndexedPage& page, const Profile* profile) {
  return write_output_line(stored_page_json(page, profile));
}

Status print_statistics(const IndexStatistics& statistics) {
  return write_output_line(statistics_json(statistics));
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
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

Status print_count(const char* name, std::uint64_t count) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, name, count);
  json.EndObject();
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

Status print_deleted(const std::string& id, bool was_there) {
  rapidjson::StringBuffer buffer;
  JsonLine json(buffer);
  json.StartObject();
  put(json, "id", id);
  put_flag(json, "deleted", was_there);
  json.EndObject();
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

}  // namespace paraprint::cli
