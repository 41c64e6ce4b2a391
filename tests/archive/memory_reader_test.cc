#include "archive/memory_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "archive/http_payload.h"

namespace paraprint {
namespace {

std::vector<Page> three_pages() {
  std::vector<Page> pages(3);
  pages[0].id = "first";
  pages[0].body = "<p>one</p>";
  pages[1].body = "two";
  pages[1].format = PageFormat::kPlainText;
  pages[1].body_is_utf8 = true;
  pages[2].body = " \n";
  return pages;
}

std::unique_ptr<RecordReader> open_pages(const std::vector<Page>& pages) {
  return std::move(*open_records(memory_input(pages), ReadOptions{}, [](const Defect&) {}));
}

TEST(MemoryReader, ReturnsPagesAsTheyAre) {
  const std::vector<Page> pages = three_pages();
  const auto reader = open_pages(pages);
  DecodedRecord decoded = decode_page(std::move(**reader->next()), ReadOptions{}, "");
  EXPECT_EQ(decoded.outcome, PageOutcome::kAccepted);
  EXPECT_EQ(decoded.page.id, "first");
  EXPECT_EQ(decoded.page.body, pages[0].body);
  EXPECT_FALSE(decoded.page.body_is_utf8);
  decoded = decode_page(std::move(**reader->next()), ReadOptions{}, "");
  EXPECT_EQ(decoded.page.id, "1");
  EXPECT_EQ(decoded.page.format, PageFormat::kPlainText);
  EXPECT_TRUE(decoded.page.body_is_utf8);
  EXPECT_EQ(decode_page(std::move(**reader->next()), ReadOptions{}, "").outcome, PageOutcome::kEmptyBody);
  EXPECT_FALSE(reader->next()->has_value());
  EXPECT_EQ(reader->stored_bytes_read(), memory_input(pages).size_bytes);
  EXPECT_EQ(pages[1].body, "two");  // the caller's pages are copied, not moved from
}

TEST(MemoryReader, JumpsToAPage) {
  const std::vector<Page> pages = three_pages();
  const auto reader = open_pages(pages);
  ResumePoint point;
  point.ordinal = 2;
  ASSERT_TRUE(reader->resume(point));
  EXPECT_EQ((*reader->next())->location.ordinal, 2U);
  EXPECT_FALSE(reader->next()->has_value());
}

}  // namespace
}  // namespace paraprint
