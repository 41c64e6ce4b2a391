// One run of the simulation of the crawler, decided by one seed: see crawl_simulation_test.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/crawl_model.h"
#include "crawl/crawl_run.h"
#include "crawl/simulated_index.h"
#include "crawl/simulated_web.h"
#include "failing_files.h"
#include "simulation/interrupted_folder.h"
#include "temporary_folder.h"

namespace paraprint {

class CrawlSimulation final : public CrawlSurroundings {
 public:
  explicit CrawlSimulation(std::uint64_t seed);

  // Returns the number of answers that the crawler was given. A difference between crawler and model is reported on
  // standard error and ends the process.
  std::uint64_t run();

  // What the crawler asks for.
  const CrawlSystem& system() override { return system_; }
  Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions& options) override;
  Result<std::unique_ptr<PagePreparation>> make_preparation(const CrawlOptions& options, const std::string& token,
                                                            std::function<void()> wake) override;
  Result<std::unique_ptr<PageJudge>> make_judge(const CrawlOptions& options, const std::string& index_folder,
                                                const RunControl& control) override;

 private:
  // What goes wrong during a round, at one of its calls.
  enum class Fault : std::uint8_t { kNone, kFailedCall, kMemory, kKill, kPowerCut };
  struct Killed {};  // thrown through the crawler after its folder was copied
  class SimulatedFetcher;
  class Preparation;
  class Judge;

  class System final : public CrawlSystem {
   public:
    std::int64_t unix_milliseconds() const override {
      const auto since_begin = std::chrono::duration_cast<std::chrono::milliseconds>(moment.time.time_since_epoch());
      return moment.unix_seconds * 1000 + since_begin.count() % 1000;
    }
    std::string host_name() const override { return "simulated"; }
    Time now() const override { return moment.time; }
    Boot boot() const override;
    std::string random_id() const override { return "simulated"; }
    CrawlModel::Moment moment;
    std::uint64_t boots = 1;
    std::int64_t booted_at_seconds = 0;
  };
  struct InFlight {
    SimulatedAnswer answer;
    CrawlSystem::Time arrives;
  };

  [[noreturn]] void fail(const std::string& what) const;
  void expect(bool is_true, std::string_view what) const {
    if (!is_true) fail(std::string(what));
  }
  std::string describe_fault() const;
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  // Some crawls make no requests that nobody linked to. Among them are those of the seeds that are tests of their own
  // because they found something, which must not become other crawls.
  bool has_soft_404s() const { return seed_ % 7 != 5; }
  SimulatedWeb::Kind kind_of_web() const {
    return {has_soft_404s(), has_soft_404s() && seed_ % 2 == 0, has_soft_404s() && seed_ % 3 == 0};
  }
  void choose_options();
  void run_round();
  void set_fault();
  void crawl();
  void interrupt();
  void resume();
  void check(const std::vector<ModelState>& possible);
  std::vector<ModelState> possible_states() const;
  void check_outcome(const CrawlOutcome& outcome) const;

  // Called whenever the crawler asks for something: all that it did before is certain.
  void enter();
  void catch_up();
  void pass_time(std::chrono::milliseconds time);
  void expect_requests_sent();

  void start(FetchRequest request);
  std::vector<FetchResult> wait(std::chrono::milliseconds timeout);
  void cancel();
  std::optional<PreparedPage> prepare(const FetchResult& fetch);
  Result<PageJudgement> judge(const PreparedPage& page, bool is_noindex, std::int64_t now_seconds);
  Status remove(const std::string& url);
  Status sync_index();
  Status forget(const LostTime& lost, const std::function<Result<bool>(const std::string& url)>& is_lost);

  std::uint64_t seed_;
  std::mt19937_64 random_;
  SimulatedWeb web_;
  TemporaryFolder folder_;
  InterruptedFolder files_;
  CrawlOptions base_options_;
  CrawlOptions options_;
  System system_;
  SimulatedIndex index_;
  SimulatedIndex index_at_interruption_;
  CrawlModel model_;
  ModelState found_;                 // on disk at the end of the last round
  std::vector<ModelState> opening_;  // while the run is opened: the states that it may have reached
  std::vector<ModelState> durable_;  // those that a power cut may leave
  bool is_syncing_ = false;
  bool is_ending_ = false;
  std::atomic<bool> is_stop_asked_ = false;
  std::map<std::uint64_t, InFlight> in_flight_;
  std::map<std::uint64_t, SimulatedPage> pages_;  // of answers, by the number of the request
  Fault fault_ = Fault::kNone;
  FileFault file_fault_;
  std::optional<FailingFiles> failing_files_;
  std::uint64_t answers_ = 0;
  std::uint64_t answers_left_ = 0;          // of the round
  std::uint64_t answers_before_fault_ = 0;  // of failing memory
};

}  // namespace paraprint
