// Measures the steps from bytes to blocks on real pages, as multiples of a bare lexbor parse
// of the same decoded pages in the same run.
//
// usage: html_parse < pages.jsonl     lines {"html"}; the argument is the number
// of rounds (default 3, the best counts)
#include <lexbor/html/html.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "extract/extractor.h"
#include "html/charset.h"
#include "html/document.h"
#include "html/walker.h"

namespace {

using namespace paraprint;

double best_seconds(int rounds, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

std::vector<std::string> read_pages(std::size_t& total_bytes) {
  std::vector<std::string> pages;
  simdjson::dom::parser parser;
  std::string line;
  while (std::getline(std::cin, line)) {
    simdjson::dom::element record;
    if (parser.parse(line).get(record) != simdjson::SUCCESS) continue;
    pages.emplace_back(std::string_view(record["html"]));
    total_bytes += pages.back().size();
  }
  return pages;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kDefaultRounds = 3;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
  std::size_t total_bytes = 0;
  const std::vector<std::string> pages = read_pages(total_bytes);
  const double megabytes = static_cast<double>(total_bytes) / 1e6;
  std::printf("%zu pages, %.1f MB\n", pages.size(), megabytes);
  if (pages.empty()) return 1;

  const double bare = best_seconds(rounds, [&] {
    lxb_html_document_t* document = lxb_html_document_create();
    for (const std::string& page : pages) {
      lxb_html_document_parse(document, reinterpret_cast<const lxb_char_t*>(page.data()), page.size());
      lxb_html_document_clean(document);
    }
    lxb_html_document_destroy(document);
  });
  const auto report = [&](const char* what, double seconds) {
    std::printf("%-34s %7.1f MB/s %7.1f us/page  %5.2f x bare\n", what, megabytes / seconds,
                seconds * 1e6 / static_cast<double>(pages.size()), seconds / bare);
  };
  report("bare lexbor", bare);
  PageDecoder decoder;
  HtmlDocument document;
  MainContent content;
  std::size_t sink = 0;
  report("decode", best_seconds(rounds, [&] {
           for (const std::string& page : pages) {
             sink += decoder.decode(page, "text/html; charset=utf-8", PageFormat::kHtml, false).text.size();
           }
         }));
  report("decode + parse", best_seconds(rounds, [&] {
           for (const std::string& page : pages) {
             sink += document.parse(decoder.decode(page, "text/html; charset=utf-8", PageFormat::kHtml, false).text)
                         .has_value();
           }
         }));
  report("decode + parse + walk", best_seconds(rounds, [&] {
           for (const std::string& page : pages) {
             sink += document.parse(decoder.decode(page, "text/html; charset=utf-8", PageFormat::kHtml, false).text)
                         .has_value();
             for (const HtmlNode* node = document.root(); node; node = next_in_document_order(node, document.root())) {
               sink += is_text(node);
             }
           }
         }));
  for (const auto& extractor : {make_whole_page_extractor(), make_weighted_dom_extractor()}) {
    report(("decode + parse + " + std::string(extractor->name())).c_str(), best_seconds(rounds, [&] {
             for (const std::string& page : pages) {
               sink += document.parse(decoder.decode(page, "text/html; charset=utf-8", PageFormat::kHtml, false).text)
                           .has_value();
               extractor->extract(document, content);
               sink += content.text.size();
             }
           }));
  }
  std::printf("(%zu)\n", sink);
}
