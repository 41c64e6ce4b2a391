// A fixture with a service over its own index, without sockets, and generators of pages.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "serve/page_service.h"
#include "temporary_folder.h"

namespace paraprint {

// Sentences of random words: with so many distinct ones, texts of different seeds have nothing in common.
inline std::string made_up_text(std::uint64_t seed, int paragraphs = 5) {
  std::mt19937_64 random(seed);
  std::string text;
  for (int p = 0; p < paragraphs; ++p) {
    for (int word = 0; word < 60; ++word) {
      for (int syllable = 0; syllable < 3; ++syllable) {
        text += "bdfgklmnprstv"[random() % 13];
        text += "aeiou"[random() % 5];
      }
      text += word % 15 == 14 ? ". " : " ";
    }
    text += "\n\n";
  }
  return text;
}

inline std::string html_page(std::string_view text) {
  std::string html = "<!DOCTYPE html><html><head><meta charset=utf-8></head><body><article><p>";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    html.append(text, at, end - at).append("</p><p>");
    at = end + 2;
  }
  return html + "</p></article></body></html>";
}

inline std::string json_page(std::string_view id, std::string_view text) {
  JsonWriter json;
  json.begin_object();
  json.member("id", id);
  json.member("text", text);
  json.end_object();
  return json.take();
}

// The value of a member of the answer, addressed as "a.b.0": strings as they are, others as JSON; "(none)" if missing.
inline std::string member_of(std::string_view answer, std::string_view path) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(answer.data(), answer.size());
  std::string pointer = "/";
  for (const char character : path) pointer += character == '.' ? '/' : character;
  simdjson::dom::element element;
  if (document.at_pointer(pointer).get(element) != simdjson::SUCCESS) return "(none)";
  std::string_view text;
  if (element.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(element);
}

class ServiceTest : public testing::Test {
 protected:
  void open(const std::string& name) {
    ServeOptions options;
    options.data = folder_ / name;
    open(options);
  }
  void open(ServeOptions options = {}) {
    if (options.data.empty()) options.data = folder_ / "known";
    options.index.sync = SyncMode::kNone;
    Result<std::unique_ptr<PageService>> opened = PageService::open(options);
    ASSERT_TRUE(opened) << opened.error().message;
    service_ = std::move(*opened);
  }

  static RequestHead head_of(std::string_view method, std::string_view target, std::string_view type,
                             std::size_t body_bytes) {
    RequestHead head;
    head.method = method;
    head.target = target;
    head.client = "127.0.0.1";
    head.host = "127.0.0.1:8710";
    head.content_type = type;
    head.has_body = body_bytes > 0;
    if (body_bytes > 0) head.content_length = body_bytes;
    return head;
  }

  HttpResponse send(const RequestHead& head, std::string_view body) {
    std::string allow;
    const Answer<RoutedTarget> target = service_->admit(head, allow);
    return target ? service_->answer(*target, head, body) : response_of(target.error());
  }
  HttpResponse send(std::string_view method, std::string_view target, std::string_view type = "",
                    std::string_view body = "") {
    return send(head_of(method, target, type, body.size()), body);
  }
  HttpResponse post_json(std::string_view target, std::string_view body) {
    return send("POST", target, "application/json", body);
  }
  // "200", or status and reason of a refusal, e.g. "404 unknown-id".
  static std::string outcome(const HttpResponse& response) {
    if (response.status == 200) return "200";
    return std::to_string(response.status) + " " + member_of(response.body, "error.reason");
  }

  TemporaryFolder folder_;
  std::unique_ptr<PageService> service_;
};

}  // namespace paraprint
