// A host with many addresses that may not be requested, or with unusable ones, does not keep the crawl from anything
// else.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crawl/crawl_run.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::size_t kAddresses = 2300;

// Answers every request with a robots.txt that disallows everything, and calls `look` whenever the crawl looks around.
class Refusals final : public Fetcher {
 public:
  explicit Refusals(std::function<void()> look) : look_(std::move(look)) {}
  void start(FetchRequest request) override {
    FetchResult& answer = answers_.emplace_back();
    answer.request = std::move(request);
    answer.http_status = 200;
    answer.response_header = "HTTP/1.1 200 OK\r\n\r\n";
    answer.body = "User-agent: *\nDisallow: /";
  }
  std::size_t in_flight() const override { return answers_.size(); }
  std::vector<FetchResult> wait(std::chrono::milliseconds) override {
    look_();
    return std::exchange(answers_, {});
  }
  void wake() override {}
  void cancel_all() override { answers_.clear(); }

 private:
  std::function<void()> look_;
  std::vector<FetchResult> answers_;
};

// There are no pages.
class NoPages final : public PagePreparation {
 public:
  std::shared_ptr<Job> start(const FetchResult& fetch) override { return std::make_shared<Job>(fetch); }
  std::optional<PreparedPage> take(Job&) override { return PreparedPage{}; }
  std::size_t threads() const override { return 1; }
};

class NoJudge final : public PageJudge {
 public:
  Result<PageJudgement> judge(const PreparedPage&, bool, std::int64_t) override { return PageJudgement{}; }
  Status remove(const std::string&) override { return {}; }
  Status sync() override { return {}; }
  Status forget(const LostTime&, const std::function<Result<bool>(const std::string&)>&) override { return {}; }
};

// The clock stands still, or goes on by a step with every look at it.
class Clock final : public CrawlSystem {
 public:
  Time now() const override {
    now_ += step;
    return now_;
  }
  std::chrono::microseconds step{0};

 private:
  mutable Time now_{std::chrono::hours(1)};
};

class CrawlTurns : public testing::Test, public CrawlSurroundings {
 protected:
  CrawlTurns() {
    options_.out = folder_ / "crawl";
    options_.delay = 0;
    for (std::size_t i = 0; i < kAddresses; ++i) {
      options_.seeds.push_back("http://a.example/" + std::to_string(i));
    }
  }
  const CrawlSystem& system() override { return clock_; }
  Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions&) override {
    return std::unique_ptr<Fetcher>(std::make_unique<Refusals>([this] {
      if (++looks_ == stops_at_look_) is_stop_asked_ = true;
    }));
  }
  Result<std::unique_ptr<PagePreparation>> make_preparation(const CrawlOptions&, const std::string&,
                                                            std::function<void()>) override {
    return std::unique_ptr<PagePreparation>(std::make_unique<NoPages>());
  }
  Result<std::unique_ptr<PageJudge>> make_judge(const CrawlOptions&, const std::string&, const RunControl&) override {
    return std::unique_ptr<PageJudge>(std::make_unique<NoJudge>());
  }

  CrawlOutcome crawl() {
    looks_ = 0;
    is_stop_asked_ = false;
    RunControl control;
    control.stop = &is_stop_asked_;
    return CrawlRun::open(options_, *this, control, {}).value()->run().value();
  }

  const TemporaryFolder folder_;
  CrawlOptions options_;
  Clock clock_;
  std::size_t looks_ = 0;
  std::size_t stops_at_look_ = 0;
  std::atomic<bool> is_stop_asked_ = false;
};

// The first look brings the robots.txt, the second one comes after the first turn.
TEST_F(CrawlTurns, EndAfterSomeAddresses) {
  stops_at_look_ = 2;
  clock_.step = std::chrono::microseconds(1);
  const CrawlOutcome stopped = crawl();
  EXPECT_EQ(stopped.stopped_by, "request");
  EXPECT_GT(stopped.totals.skipped, 0U);
  EXPECT_LT(stopped.totals.skipped, kAddresses / 2);
  EXPECT_EQ(stopped.totals.skipped + stopped.totals.queued, kAddresses);
  // The rest follows in further turns.
  stops_at_look_ = 0;
  const CrawlOutcome whole = crawl();
  EXPECT_TRUE(whole.is_complete);
  EXPECT_EQ(whole.totals.skipped, kAddresses);
}

// An earlier version has queued what is no URL for this one.
TEST_F(CrawlTurns, SkipInvalidAddresses) {
  options_.seeds = {"http://a.example/"};
  {
    const std::unique_ptr<CrawlFrontier> frontier = CrawlFrontier::open(options_, clock_).value();
    CrawlChanges changes;
    UrlParser parser;
    ASSERT_TRUE(frontier->add_seeds(parser, changes));
    Url invalid = parser.parse("http://a.example/").value();
    invalid.href = "http://" + std::string(300, 'a') + ".example/";
    ASSERT_TRUE(frontier->offer(changes, {invalid, "", QueueEntry::Kind::kPage, 1, 0}));
    ASSERT_TRUE(frontier->commit(changes));
    ASSERT_TRUE(frontier->sync());
    ASSERT_TRUE(frontier->close());
  }
  const CrawlOutcome outcome = crawl();
  EXPECT_TRUE(outcome.is_complete);
  EXPECT_EQ(outcome.totals.skipped, 2U);
  EXPECT_EQ(CrawlFrontier::open(options_, clock_).value()->totals().reasons.at(CrawlReason::kInvalidUrl), 1U);
  EXPECT_TRUE(crawl().is_complete);
}

TEST_F(CrawlTurns, EndAfterSomeTime) {
  stops_at_look_ = 3;
  clock_.step = std::chrono::milliseconds(20);
  const CrawlOutcome stopped = crawl();
  EXPECT_EQ(stopped.stopped_by, "request");
  EXPECT_GT(stopped.totals.skipped, 0U);
  EXPECT_LT(stopped.totals.skipped, 20U);
}

}  // namespace
}  // namespace paraprint
