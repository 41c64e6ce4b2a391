// A fictitious run for the report's tests: Chinese and English articles written for this purpose, their copies on other
// sites, hostile pages, and the counters of a small crawl.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/comparison.h"
#include "report/html_report.h"

namespace paraprint::sample {

// A paragraph of a fictitious page.
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

// All pages; ReportPage::page is the index.
const std::vector<SamplePage>& pages();

// The pair with spans found by comparing the words of paragraphs and equal sentences: a substitute for the matcher,
// which these tests should not depend on.
Comparison compare(const SamplePage& a, const SamplePage& b);

// The complete input of a report over pages(), with the totals of a larger run.
ReportInput report_input();

// The texts of a pair of pages(), for write_html_report(). Fails for the page "lost".
Result<Comparison> texts_of(std::uint32_t page_a, std::uint32_t page_b);

}  // namespace paraprint::sample
