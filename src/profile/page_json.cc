// JSON of pages, profiles and fingerprints for `paraprint extract` and `profile` and for the library. Hashes are
// strings of hexadecimal digits: many JSON readers hold numbers as doubles, which lose bits above 2^53.
#include <fmt/format.h>

#include <utility>

#include "base/base64.h"
#include "base/fingerprint_text.h"
#include "paraprint/engine.h"
#include "profile/profile_codec.h"
#include "profile/profile_members.h"
#include "report/json_lines.h"

namespace paraprint::inline profile {
namespace {

// A float has at most nine significant digits, so nine decimals lose only digits of values below 0.1.
constexpr int kWeightDecimals = 9;

void write_page(JsonWriter& json, const Page& page) {
  if (!page.id.empty()) json.member("id", page.id);
  if (!page.url.empty()) json.member("url", page.url);
}

// Extracted text ends with the line feeds of its last block; printed as a value they are noise.
std::string_view printed_text(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// The state names are part of the output of `paraprint profile`.
void write_fingerprint(JsonWriter& json, const PageFingerprint& fingerprint) {
  static constexpr std::string_view kStates[] = {"usable", "short", "empty"};
  json.key("fingerprint");
  json.begin_object();
  json.member("state", kStates[static_cast<std::size_t>(fingerprint.state)]);
  json.key("values");
  json.begin_array();
  for (const std::uint64_t value : fingerprint.values) json.value(fmt::format("{:016x}", value));
  json.end_array();
  if (!fingerprint.weights.empty()) {
    json.key("weights");
    json.begin_array();
    for (const float weight : fingerprint.weights) json.value(Real{weight, kWeightDecimals});
    json.end_array();
  }
  json.end_object();
}

}  // namespace

void write_content_members(JsonWriter& json, const Page& page, const MainContent& content) {
  write_page(json, page);
  if (!content.title.empty()) json.member("title", content.title);
  json.member("text", printed_text(content.text));
}

void write_profile_members(JsonWriter& json, const Profile& profile) {
  json.member("text_hash", hex_of({profile.text_hash[0], profile.text_hash[1]}));
  json.member("content_characters", profile.content_characters);
  json.key("paragraphs");
  json.begin_array();
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    json.begin_object();
    write_span(json, "span", paragraph.span);
    json.member("content_characters", paragraph.content_characters);
    json.member("hash", fmt::format("{:016x}", paragraph.hash));
    if (paragraph.has_simhash) json.member("simhash", hex_of(paragraph.simhash));
    json.end_object();
  }
  json.end_array();
  json.key("anchors");
  json.begin_array();
  for (const SentenceProfile& sentence : profile.sentences) {
    if (sentence.is_anchor) json.value(fmt::format("{:016x}", sentence.hash));
  }
  json.end_array();
}

}  // namespace paraprint::inline profile

namespace paraprint {

std::string_view text_of(const StreamedPage& page) {
  return printed_text(page.content.text);
}

std::string_view markdown_of(const StreamedPage& page) {
  return printed_text(page.markdown);
}

std::string content_json(const StreamedPage& page) {
  JsonWriter json;
  json.begin_object();
  write_content_members(json, page.page, page.content);
  const PageMetadata& metadata = page.metadata;
  const std::pair<std::string_view, const std::string&> members[] = {
      {"language", metadata.language},           {"declared_language", metadata.declared_language},
      {"article_title", metadata.title},         {"author", metadata.author},
      {"site_name", metadata.site_name},         {"date_published", metadata.date_published},
      {"date_modified", metadata.date_modified}, {"source_name", metadata.source_name},
      {"source_url", metadata.source_url},       {"canonical_url", metadata.canonical_url},
      {"licence_url", metadata.licence_url}};
  for (const auto& [name, value] : members) {
    if (!value.empty()) json.member(name, value);
  }
  json.end_object();
  return json.take();
}

// A default fingerprint means the paragraph method, which has none; the member is then left out.
std::string profile_json(const StreamedPage& page, std::string_view settings_identity, bool with_bytes) {
  JsonWriter json;
  json.begin_object();
  write_page(json, page.page);
  json.member("settings", settings_identity);
  write_profile_members(json, page.profile);
  if (with_bytes) json.member("profile", encoded_profile(page.profile));
  if (page.fingerprint != PageFingerprint{}) write_fingerprint(json, page.fingerprint);
  json.end_object();
  return json.take();
}

}  // namespace paraprint

namespace paraprint::inline profile {

std::string encoded_profile(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return base64(bytes);
}

}  // namespace paraprint::inline profile
