// A page that no index takes is archived and counted, and keeps the crawl from nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawl/crawl_run.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::string_view kLargePage = "http://a.example/large";

Profile profile_for(std::uint64_t text, bool is_too_large) {
  Profile profile;
  profile.text_hash = {text, text};
  profile.content_characters = 500;
  ParagraphProfile& paragraph = profile.paragraphs.emplace_back();
  paragraph.hash = text;
  paragraph.content_characters = 500;
  constexpr std::uint64_t kKeysMaximum = 1 << 20;
  for (std::uint64_t i = 0; is_too_large && i <= kKeysMaximum; ++i) {
    SentenceProfile sentence;
    sentence.hash = i * 0x9E3779B97F4A7C15U;
    sentence.content_characters = 30;
    sentence.is_anchor = true;
    profile.sentences.push_back(sentence);
  }
  return profile;
}

PreparedPage page_of(const std::string& url, std::uint64_t text, bool is_too_large) {
  PreparedPage page;
  page.url = url;
  page.payload_digest = "sha1:" + std::to_string(text);
  page.profile = profile_for(text, is_too_large);
  return page;
}

// Has no robots.txt, and a page at every other address.
class Site final : public Fetcher {
 public:
  void start(FetchRequest request) override {
    FetchResult& answer = answers_.emplace_back();
    const bool is_page = !request.url.ends_with("/robots.txt");
    answer.http_status = is_page ? 200 : 404;
    answer.response_header = is_page ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 404 Not Found\r\n\r\n";
    answer.body = request.url;
    answer.request = std::move(request);
  }
  std::size_t in_flight() const override { return answers_.size(); }
  std::vector<FetchResult> wait(std::chrono::milliseconds) override { return std::exchange(answers_, {}); }
  void wake() override {}
  void cancel_all() override { answers_.clear(); }

 private:
  std::vector<FetchResult> answers_;
};

class SitePages final : public PagePreparation {
 public:
  std::shared_ptr<Job> start(const FetchResult& fetch) override { return std::make_shared<Job>(fetch); }
  std::optional<PreparedPage> take(Job& job) override {
    const std::string& url = job.fetch.request.url;
    return page_of(url, ++pages_, url == kLargePage);
  }
  std::size_t threads() const override { return 1; }

 private:
  std::uint64_t pages_ = 0;
};

class UnindexedPage : public testing::Test, public CrawlSurroundings {
 protected:
  UnindexedPage() {
    options_.out = folder_ / "crawl";
    options_.seeds = {"http://a.example/first", std::string(kLargePage), "http://a.example/last"};
    options_.delay = 0;
    options_.pages_per_hour = 0;
    options_.soft_404 = Soft404Treatment::kOff;
  }
  Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions&) override {
    return std::unique_ptr<Fetcher>(std::make_unique<Site>());
  }
  Result<std::unique_ptr<PagePreparation>> make_preparation(const CrawlOptions&, const std::string&,
                                                            std::function<void()>) override {
    return std::unique_ptr<PagePreparation>(std::make_unique<SitePages>());
  }
  std::vector<std::string> known_urls(const std::string& index_folder) const {
    IndexOptions reading;
    reading.read_only = true;
    return PageIndex::open(index_folder, reading).value()->ids_after("", 10).value();
  }

  const TemporaryFolder folder_;
  CrawlOptions options_;
};

TEST_F(UnindexedPage, EndsNoCrawl) {
  const Result<CrawlOutcome> outcome = CrawlRun::open(options_, *this, {}, {}).value()->run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->is_complete);
  EXPECT_EQ(outcome->totals.pages, 3U);
  EXPECT_EQ(outcome->totals.copies, 0U);
  EXPECT_EQ(outcome->totals.failed, 0U);
  EXPECT_EQ(known_urls(options_.out + "/.paraprint/index"), (std::vector{options_.seeds[0], options_.seeds[2]}));
  std::ifstream log(options_.out + "/log.jsonl");
  std::string line;
  for (std::size_t lines = 0; std::getline(log, line); ++lines) {
    EXPECT_NE(line.find(R"("status":"stored")"), std::string::npos) << line;
    EXPECT_NE(line.find("\"record_id\""), std::string::npos) << line;
    EXPECT_EQ(line.find(R"("reason":"not-indexed")") != std::string::npos, lines == 1) << line;
  }
  std::ifstream summary(options_.out + "/summary.json");
  const std::string text{std::istreambuf_iterator<char>(summary), {}};
  EXPECT_NE(text.find("\"not-indexed\": 1"), std::string::npos) << text;
}

TEST_F(UnindexedPage, IsNotKnownByItsEarlierText) {
  const std::string index = folder_ / "index";
  const std::string url(kLargePage);
  {
    const std::unique_ptr<PageJudge> judge = std::move(make_page_judge(options_, index, {}).value());
    ASSERT_TRUE(judge->judge(page_of("http://a.example/other", 1, false), false, 1));
    ASSERT_TRUE(judge->judge(page_of(url, 2, false), false, 2));
    const Result<PageJudgement> judgement = judge->judge(page_of(url, 3, true), false, 3);
    ASSERT_TRUE(judgement) << judgement.error().message;
    EXPECT_TRUE(judgement->is_too_large);
    EXPECT_EQ(judgement->verdict, Verdict::kDistinct);
  }
  EXPECT_EQ(known_urls(index), std::vector<std::string>{"http://a.example/other"});
}

}  // namespace
}  // namespace paraprint
