#include "profile/page_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace paraprint {
namespace {

class PageLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("paraprint-page-log-" + std::to_string(::getpid()) + "-" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "pages.log";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<PageLog> open(std::string_view identity = "settings") {
    Result<std::unique_ptr<PageLog>> log = PageLog::open(path_, identity);
    EXPECT_TRUE(log.has_value()) << (log ? "" : log.error().message);
    return log ? std::move(*log) : nullptr;
  }

  static PageBatch batch(std::uint32_t file, int first, int count, bool ends_file) {
    PageBatch result;
    result.file_index = file;
    result.ends_file = ends_file;
    result.resume.ordinal = static_cast<std::uint64_t>(first + count);
    result.resume.stored_offset_bytes = static_cast<std::uint64_t>(first + count) * 100;
    paraprint::count(result.counters, "pages_accepted", static_cast<std::uint64_t>(count));
    result.defects.push_back({DefectKind::kBadJson, "in.jsonl", 17, 3, 2, "no value"});
    for (int i = first; i < first + count; ++i) {
      Page page;
      page.id = "page-" + std::to_string(i);
      page.url = "https://example.org/" + std::to_string(i);
      page.location.ordinal = static_cast<std::uint64_t>(i);
      if (i % 3 == 0) page.score = -0.1 * i;
      page.has_id_of_place = i % 4 == 0;
      result.append_page(page, *LanguageCode::of_tag(i % 2 == 0 ? "zh" : "yue"), "profile of " + std::to_string(i),
                         "fingerprint of " + std::to_string(i));
    }
    return result;
  }

  static std::vector<std::string> ids(const PageLog& log) {
    std::vector<std::string> result;
    const Status status = log.read(
        [&](const LoggedPage& page) -> Status {
          result.emplace_back(page.id);
          EXPECT_EQ(page.language.text(), page.location.ordinal % 2 == 0 ? "zh" : "yue");
          const auto i = static_cast<int>(page.location.ordinal);
          EXPECT_EQ(page.score, i % 3 == 0 ? std::optional(-0.1 * i) : std::nullopt);
          EXPECT_EQ(page.has_id_of_place, i % 4 == 0);
          std::string bytes;
          EXPECT_TRUE(
              log.read_bytes(page.profile_offset_bytes, static_cast<std::uint32_t>(page.profile.size()), bytes));
          EXPECT_EQ(bytes, page.profile);
          return {};
        },
        [](const PageBatch&) -> Status { return {}; });
    EXPECT_TRUE(status.has_value());
    return result;
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(PageLogTest, KeepsPagesCountersDefectsAndPosition) {
  {
    auto log = open();
    ASSERT_TRUE(log->append(batch(0, 0, 3, false)).has_value());
    ASSERT_TRUE(log->append(batch(0, 3, 2, true)).has_value());
    ASSERT_TRUE(log->append(batch(1, 0, 4, false)).has_value());
  }
  auto log = open();
  EXPECT_EQ(ids(*log).size(), 9U);
  EXPECT_EQ(log->position().file_index, 1U);
  EXPECT_TRUE(log->position().has_resume);
  EXPECT_EQ(log->position().resume.ordinal, 4U);
  Counters counters;
  std::vector<Defect> defects;
  ASSERT_TRUE(log->read([](const LoggedPage&) -> Status { return {}; },
                        [&](const PageBatch& logged) -> Status {
                          add_counters(counters, logged.counters);
                          defects.insert(defects.end(), logged.defects.begin(), logged.defects.end());
                          return {};
                        })
                  .has_value());
  EXPECT_EQ(counters["pages_accepted"], 9U);
  ASSERT_EQ(defects.size(), 3U);
  EXPECT_EQ(defects[0].kind, DefectKind::kBadJson);
  EXPECT_EQ(defects[0].message, "no value");
  EXPECT_EQ(defects[0].line, 2U);
}

TEST_F(PageLogTest, KeepsOriginsOfPagesThatHaveThem) {
  {
    auto log = open();
    PageBatch batch;
    batch.ends_file = true;
    for (const char* origin : {"", "origin of b", "", "origin of d"}) {
      Page page;
      page.id = fmt::format("page {}", origin);
      if (batch.page_count > 1) page.score = 0.5;
      batch.append_page(page, {}, "profile", "", origin);
    }
    ASSERT_TRUE(log->append(batch).has_value());
  }
  auto log = open();
  std::vector<std::string> origins;
  std::vector<bool> scores;
  ASSERT_TRUE(log->read(
                     [&](const LoggedPage& page) -> Status {
                       EXPECT_EQ(page.id, fmt::format("page {}", page.origin));
                       std::string bytes;
                       if (!page.origin.empty()) {
                         EXPECT_TRUE(log->read_bytes(page.origin_offset_bytes,
                                                     static_cast<std::uint32_t>(page.origin.size()), bytes));
                       }
                       origins.push_back(bytes);
                       scores.push_back(page.score.has_value());
                       return {};
                     },
                     [](const PageBatch&) -> Status { return {}; })
                  .has_value());
  EXPECT_EQ(origins, (std::vector<std::string>{"", "origin of b", "", "origin of d"}));
  EXPECT_EQ(scores, (std::vector<bool>{false, false, true, true}));
}

TEST_F(PageLogTest, MarksPagesInOtherLanguages) {
  auto log = open();
  ASSERT_TRUE(log->append(batch(0, 0, 5, true)).has_value());
  const auto compared = [&] {
    std::vector<bool> found;
    EXPECT_TRUE(log->read(
                       [&](const LoggedPage& page) -> Status {
                         found.push_back(page.is_compared);
                         return {};
                       },
                       [](const PageBatch&) -> Status { return {}; })
                    .has_value());
    return found;
  };
  EXPECT_EQ(compared(), std::vector<bool>(5, true));
  log->compare_only(*LanguageSet::parse(std::vector<std::string>{"zh", "en"}));
  EXPECT_EQ(compared(), (std::vector<bool>{true, false, true, false, true}));
}

// A kill in the middle of a write: complete batches survive for any length that reached the disk.
TEST_F(PageLogTest, TruncationAnywhereKeepsCompleteBatches) {
  std::uint64_t after_first = 0;
  {
    auto log = open();
    ASSERT_TRUE(log->append(batch(0, 0, 2, false)).has_value());
    after_first = log->size_bytes();
    ASSERT_TRUE(log->append(batch(0, 2, 2, true)).has_value());
  }
  std::ifstream file(path_, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string bytes = all.str();
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    auto log = open();
    ASSERT_NE(log, nullptr) << size;
    const std::size_t expected = size == bytes.size() ? 4 : size >= after_first ? 2 : 0;
    ASSERT_EQ(ids(*log).size(), expected) << size;
    ASSERT_TRUE(log->append(batch(0, static_cast<int>(expected), 1, false)).has_value());
    ASSERT_EQ(ids(*log).size(), expected + 1) << size;
  }
}

TEST_F(PageLogTest, DamageDropsTheBatchAndAllAfterIt) {
  std::uint64_t after_first = 0;
  {
    auto log = open();
    ASSERT_TRUE(log->append(batch(0, 0, 2, false)).has_value());
    after_first = log->size_bytes();
    ASSERT_TRUE(log->append(batch(0, 2, 2, true)).has_value());
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(after_first + 40));
  file.put('\x7F');
  file.close();
  auto log = open();
  EXPECT_EQ(ids(*log).size(), 2U);
  EXPECT_EQ(log->size_bytes(), after_first);
}

TEST_F(PageLogTest, RejectsOtherSettings) {
  ASSERT_TRUE(open("one")->append(batch(0, 0, 1, true)).has_value());
  for (const std::string_view other : {"two", "o", "one and more"}) {
    const Result<std::unique_ptr<PageLog>> log = PageLog::open(path_, other);
    ASSERT_FALSE(log.has_value()) << other;
    EXPECT_EQ(log.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(ids(*open("one")).size(), 1U);
}

// The size alone decides, so the bytes are never touched and take no memory.
TEST_F(PageLogTest, RefusesAnIdentityThatIsTooLong) {
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  const std::unique_ptr<char[]> bytes(new char[kBytes]);
  const Result<std::unique_ptr<PageLog>> log = PageLog::open(path_, {bytes.get(), kBytes});
  ASSERT_FALSE(log.has_value());
  EXPECT_EQ(log.error().code, ErrorCode::kLimitExceeded);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace paraprint
