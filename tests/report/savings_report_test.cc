// savings.json and savings.html: the order of rows, the sums of the others, and text of strangers.
#include "report/savings_report.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

constexpr std::size_t kEqual = 0;
constexpr std::size_t kNear = 1;

SavingsRow row(std::string name, std::uint64_t bytes_before, std::uint64_t bytes_after) {
  SavingsRow made;
  made.name = std::move(name);
  made.classes[kEqual] = {1, bytes_before, bytes_after};
  made.classes[kSavingsKept] = {2, 50, 50};
  return made;
}

TEST(SavingsReport, KeepsTheRowsThatSavedMostWhateverTheirOrder) {
  const std::vector<SavingsRow> rows = {row("b", 100, 10), row("a", 100, 10), row("loss", 10, 300), row("most", 500, 0),
                                        row("none", 0, 0)};
  for (std::size_t turn = 0; turn < rows.size(); ++turn) {
    SavingsTable table(3);
    for (std::size_t i = 0; i < rows.size(); ++i) table.add(rows[(turn + i) % rows.size()]);
    std::string names;
    for (const SavingsRow& shown : table.rows()) names += shown.name + " ";
    EXPECT_EQ(names, "most a b ");
    EXPECT_EQ(table.size(), 5U);
    EXPECT_EQ(table.other().classes[kEqual].records, 2U);
    EXPECT_EQ(table.other().all().bytes_saved(), -290);
    EXPECT_EQ(table.other().records_removed(), 2U);
  }
}

TEST(SavingsReport, WritesJson) {
  SavingsReport report;
  report.totals = row("", 10, 300);
  report.file_bytes_before = 7;
  report.file_bytes_after = 9;
  const std::string json = savings_json(report);
  EXPECT_TRUE(json.starts_with(R"({
  "totals": {
    "records": 3,
    "bytes_before": 60,
    "bytes_after": 350,
    "bytes_saved": -290,
    "records_removed": 1,
    "classes": {
      "equal-payload": {
        "records": 1,
        "bytes_before": 10,
        "bytes_after": 300,
        "bytes_saved": -290
      },
      "kept": {
        "records": 2,
        "bytes_before": 50,
        "bytes_after": 50,
        "bytes_saved": 0
      }
    },
    "file_bytes_before": 7,
    "file_bytes_after": 9
  },
  "media_types": {
    "total": 0,
    "rows": [],
    "other": {
)")) << json;
  EXPECT_TRUE(json.ends_with("}\n"));
}

TEST(SavingsReport, SaysWhatWasSavedInOneSentence) {
  SavingsReport report;
  EXPECT_NE(savings_page(report).find("Nothing was left out or replaced"), std::string::npos);
  report.totals = row("", 2'000, 500);
  EXPECT_NE(savings_page(report).find("1 of 3 records was left out or replaced by a short record about it, which saves "
                                      "1.5\u00A0kB of 2.0\u00A0kB of records (73\u00A0%)."),
            std::string::npos);
  report.totals.classes[kNear] = {1'000, 3'000, 3'500};
  EXPECT_NE(savings_page(report).find("1,001 of 1,003 records were"), std::string::npos);
  report.totals = row("", 10, 300);
  EXPECT_NE(savings_page(report).find("larger"), std::string::npos);
}

TEST(SavingsReport, LinksToTheReportIfThereIsOne) {
  SavingsReport report;
  EXPECT_EQ(savings_page(report).find("index.html"), std::string::npos);
  report.report_href = "report/index.html";
  EXPECT_NE(savings_page(report).find("<a href=\"report/index.html\">"), std::string::npos);
}

TEST(SavingsReport, EscapesNames) {
  SavingsReport report;
  const std::string attack = "<script>alert('x')</script>\" onload=\"y\xFF\xE2\x80\xAE";
  for (const char* other : {"a", "b"}) {
    report.totals.add(row("", 5'000, 0));
    report.media_types.add(row(attack + other, 5'000, 0));
    report.hosts.add(row(attack + other, 5'000, 0));
  }
  const std::string page = savings_page(report);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("\" onload"), std::string::npos);
  EXPECT_EQ(page.find('\xFF'), std::string::npos);
  EXPECT_EQ(page.find("\u202E"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(page.find("<svg class=\"chart\""), std::string::npos);
}

}  // namespace
}  // namespace paraprint
