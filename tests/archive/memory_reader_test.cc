#include "archive/memory_reader.h"

#include <gtest/gtest.h>

#include <limits>
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

// More pages than a run can number; one of them is damaged.
class EndlessPages : public PageSequence {
 public:
  Result<bool> find(std::uint64_t position, Page& page) const override {
    if (position == 1) return failure(ErrorCode::kCorruptData, "page 1 is damaged");
    page = Page{};
    return true;
  }
};

std::unique_ptr<RecordReader> open_pages(
    const PageSequence& pages, DefectSink sink = [](const Defect&) {}) {
  return std::move(*open_records(memory_input(pages), ReadOptions{}, std::move(sink)));
}

TEST(MemoryReader, ReturnsPagesAsTheyAre) {
  const std::vector<Page> pages = three_pages();
  const PageSpan collection(pages);
  const auto reader = open_pages(collection);
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
  EXPECT_EQ(reader->stored_bytes_read(), memory_input(collection).size_bytes);
  EXPECT_EQ(pages[1].body, "two");  // the caller's pages are copied, not moved from
}

TEST(MemoryReader, PagesHaveNoLongNames) {
  std::vector<Page> pages = three_pages();
  pages[0].url = "http://x.test/" + std::string(kPageNameBytesMaximum, 'u');
  pages[1].id = std::string(kPageNameBytesMaximum + 1, 'i');
  const PageSpan collection(pages);
  std::vector<Defect> defects;
  const auto reader = open_pages(collection, [&](Defect defect) { defects.push_back(std::move(defect)); });
  const RawRecord first = std::move(**reader->next());
  EXPECT_EQ(first.id, "first");
  EXPECT_EQ(first.url, "");
  EXPECT_EQ((*reader->next())->id, "1");
  ASSERT_EQ(defects.size(), 2U);
  EXPECT_EQ(defects[0].kind, DefectKind::kLongUrl);
  EXPECT_EQ(defects[1].kind, DefectKind::kLongId);
  EXPECT_EQ(defects[1].offset_bytes, 1U);
}

TEST(MemoryReader, JumpsToAPage) {
  const std::vector<Page> pages = three_pages();
  const PageSpan collection(pages);
  const auto reader = open_pages(collection);
  ResumePoint point;
  point.ordinal = 2;
  ASSERT_TRUE(reader->resume(point));
  EXPECT_EQ((*reader->next())->location.ordinal, 2U);
  EXPECT_FALSE(reader->next()->has_value());
}

TEST(MemoryReader, ResumesAtAPosition) {
  const std::vector<Page> pages = three_pages();
  const PageSpan collection(pages);
  const auto first = open_pages(collection);
  ASSERT_TRUE(first->next()->has_value());
  const auto second = open_pages(collection);
  ASSERT_TRUE(second->resume(first->position()));
  EXPECT_EQ((*second->next())->location.ordinal, 1U);
  ASSERT_TRUE(second->next()->has_value());
  EXPECT_EQ(second->stored_bytes_read(), memory_input(collection).size_bytes);
}

TEST(MemoryReader, PassesErrorsOn) {
  const EndlessPages pages;
  const auto reader = open_pages(pages);
  EXPECT_EQ((*reader->next())->id, "0");
  EXPECT_EQ(reader->next().error().message, "page 1 is damaged");
}

TEST(MemoryReader, LimitsTheNumberOfPages) {
  const EndlessPages pages;
  const auto reader = open_pages(pages);
  ResumePoint point;
  point.ordinal = std::numeric_limits<std::uint32_t>::max() - 1;
  ASSERT_TRUE(reader->resume(point));
  EXPECT_TRUE(reader->next()->has_value());
  EXPECT_EQ(reader->next().error().code, ErrorCode::kLimitExceeded);
}

// As in JSON lines: otherwise "the earliest page" would be another one in memory than in a file.
TEST(MemoryReader, NormalisesDates) {
  std::vector<Page> pages = three_pages();
  pages[0].date = "2024-05";
  pages[1].date = "20240501100000";
  pages[2].date = "May";
  const PageSpan collection(pages);
  std::vector<Defect> defects;
  const auto reader = open_pages(collection, [&](const Defect& defect) { defects.push_back(defect); });
  EXPECT_EQ((*reader->next())->date, "2024-05-01T00:00:00Z");
  EXPECT_EQ((*reader->next())->date, "2024-05-01T10:00:00Z");
  EXPECT_TRUE(defects.empty());
  EXPECT_EQ((*reader->next())->date, "");
  ASSERT_EQ(defects.size(), 1U);
  EXPECT_EQ(defects[0].kind, DefectKind::kBadDate);
  EXPECT_EQ(defects[0].file, "pages in memory");
  EXPECT_EQ(defects[0].offset_bytes, 2U);
}

}  // namespace
}  // namespace paraprint
