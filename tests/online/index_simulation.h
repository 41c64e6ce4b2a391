// One run of the simulation of the index, decided by one seed: see index_simulation_test.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "failing_files.h"
#include "online/simulated_pages.h"
#include "paraprint/index.h"
#include "simulation/interrupted_folder.h"
#include "simulation/seeded_scheduler.h"
#include "temporary_folder.h"

namespace paraprint {

class IndexSimulation {
 public:
  IndexSimulation(const SimulatedTexts& texts, std::uint64_t seed);

  // Returns the number of operations. A difference between index and model is reported on standard error and ends the
  // process.
  std::uint64_t run();

 private:
  // What goes wrong during a round, from one of its operations on.
  enum class Fault : std::uint8_t { kNone, kFailedCall, kMemory, kKill, kPowerCut };
  struct Worker {
    std::size_t number = 0;
    std::mt19937_64 random;
  };
  // How a call ended: by an answer (of any kind), an error of the system, or an exception.
  enum class Outcome : std::uint8_t { kAnswered, kFailed, kNoMemory };

  static IndexOptions options_of(std::mt19937_64& random);
  [[noreturn]] void fail(const std::string& what) const;
  std::string describe_fault() const;  // of this round
  void expect(bool is_true, std::string_view what) const {
    if (!is_true) fail(std::string(what));
  }
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  // Of some seeds only: reading statements adds points at which threads take turns, and seeds that found something are
  // to be repeated as they were.
  bool has_statements() const { return seed_ % 4 == 2; }

  // Rounds.
  void open();
  void run_round();
  void set_fault();
  void interrupt();
  void work(Worker& worker, std::uint64_t operations);
  void settle_all(bool has_lost_power);
  void check_all();

  // Operations. Each calls the index once or a few times and compares the answers with the model.
  void operate(Worker& worker);
  void lookup(Worker& worker);
  void lookup_or_add(Worker& worker);
  void add(Worker& worker);
  void remove(Worker& worker);
  void expire(Worker& worker);
  void read_page(Worker& worker);
  void read_url(Worker& worker);
  void read_cluster(Worker& worker);
  void walk(Worker& worker);
  void maintain(Worker& worker);
  void back_up(Worker& worker);

  // Makes a call, of which `made` keeps the answer and returns whether the system failed.
  Outcome call(const std::function<Status()>& made);
  // Whether the index was killed: then nothing that it answers counts.
  bool is_over() const { return files_.is_interrupted(); }

  struct Incoming {
    std::size_t page = 0;
    std::size_t text = 0;
    std::string url;
    std::string date;
    std::string stated_date;  // empty: no statement is given
    std::string origin;       // that date, encoded
    std::uint64_t seen_at_seconds = 0;
  };
  Incoming incoming(Worker& worker);
  IndexPageInput input_of(const Incoming& page) const;
  void begin(std::size_t page, int text);
  void finish_adding(const Incoming& page, PageChange change, bool is_stored);
  void finish_unknown(std::size_t page);
  void settle(std::size_t page, const std::vector<int>& possible);
  void take_url(std::size_t page, const std::string& url);
  void leave_url(std::size_t page);

  // At least this good a match is certain to be found for a page that is asked from `first` on.
  int certain_rank(std::size_t text, Moment first, std::optional<std::size_t> without) const;
  void check_answer(const LookupOutcome& answer, std::size_t text, Moment first, const LookupOptions& options,
                    std::optional<std::size_t> asked) const;
  void check_called_new(std::size_t page) const;
  void check_page(const IndexedPage& found, Moment first) const;
  std::size_t number_of(std::string_view id) const;
  bool is_owner(const Worker& worker, std::size_t page) const { return page % workers_ == worker.number; }
  std::size_t own_page(Worker& worker) const;

  const SimulatedTexts& texts_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  TemporaryFolder folder_;
  IndexOptions options_;
  std::size_t workers_;
  SeededScheduler scheduler_;
  std::vector<std::string> ids_;
  std::vector<SimulatedPage> pages_;
  InterruptedFolder files_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of ids
  std::map<std::string, std::size_t> urls_;                  // URL -> page, of certain pages
  std::unique_ptr<PageIndex> index_;
  std::uint64_t operations_ = 0;
  std::uint64_t backups_ = 0;
  std::uint64_t seconds_ = 1'000'000;
  Moment now_ = 0;
  Moment durable_since_ = 0;  // what was acknowledged before is on disk
  Fault fault_ = Fault::kNone;
  FileFault file_fault_;
  std::optional<FailingFiles> failing_files_;
  bool is_broken_ = false;  // a call has failed: changes are refused until the index is opened again
};

}  // namespace paraprint
