// Extracts the main content of pages, for scoring an extractor by itself.
//
// usage: extract_jsonl weighted-dom|whole-page < pages.jsonl > text.jsonl     lines {"id","html"} to {"id","text"}
#include <simdjson.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "extract/extractor.h"

namespace {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out.push_back('\\');
    if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", byte);
      out.append(escape);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
  return out;
}

std::unique_ptr<paraprint::Extractor> make_extractor(std::string_view name) {
  if (name == "weighted-dom") return paraprint::make_weighted_dom_extractor();
  if (name == "whole-page") return paraprint::make_whole_page_extractor();
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<paraprint::Extractor> extractor = make_extractor(argc == 2 ? argv[1] : "");
  if (extractor == nullptr) {
    std::fprintf(stderr, "usage: extract_jsonl weighted-dom|whole-page < pages.jsonl\n");
    return 2;
  }
  paraprint::HtmlDocument document;
  paraprint::MainContent content;
  simdjson::dom::parser parser;
  std::string line;
  while (std::getline(std::cin, line)) {
    simdjson::dom::element record;
    if (parser.parse(line).get(record) != simdjson::SUCCESS) continue;
    const std::string_view id = record["id"];
    const std::string_view html = record["html"];
    if (!document.parse(html)) continue;
    extractor->extract(document, content);
    std::cout << "{\"id\":" << json_string(id) << ",\"text\":" << json_string(content.text) << "}\n";
  }
}
