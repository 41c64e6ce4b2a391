// An invented run for the report's tests: Chinese and English articles of our own, their copies on other sites, hostile
// pages, and the counters of a small crawl.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/comparison.h"
#include "report/html_report.h"

namespace paraprint::sample {

// A paragraph of an invented page.
struct SampleParagraph {
  std::string text;
  BlockRole role = BlockRole::kParagraph;
  bool is_boilerplate = false;
};

struct SamplePage {
  std::string id;
  std::string url;
  std::string title;
  std::string date;
  std::vector<SampleParagraph> paragraphs;
};

// All pages; ReportPage::page counts them.
const std::vector<SamplePage>& pages();

// The pair with spans found by comparing paragraphs by words, and sentences by equality: a stand-in for the matcher
// that the tests do not want to depend on.
Comparison compare(const SamplePage& a, const SamplePage& b);

// The whole input of a report over pages(), with totals as of a larger run.
ReportInput report_input();

// The texts of a pair of pages(), as write_html_report asks for them. Fails for the page named "lost".
Result<Comparison> texts_of(std::uint32_t page_a, std::uint32_t page_b);

}  // namespace paraprint::sample
