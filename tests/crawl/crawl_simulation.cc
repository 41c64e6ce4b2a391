// Rounds: the crawl is begun or resumed with some options, something goes wrong or not, and what it left is compared
// with the model.
#include "crawl/crawl_simulation.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "crawl/crawl_folder.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kRounds = 10;
constexpr std::int64_t kBeginSeconds = 1'800'000'000;

}  // namespace

CrawlSimulation::CrawlSimulation(std::uint64_t seed)
    : seed_(seed), random_(seed), web_(random_(), kind_of_web()), files_(folder_ / "crawl", "warc") {
  system_.moment = {CrawlSystem::Time(std::chrono::hours(1)), kBeginSeconds};
  system_.booted_at_seconds = kBeginSeconds - 3600;
  std::filesystem::create_directory(files_.path());
  constexpr std::array kScopes = {HostScope::kHost, HostScope::kDomain, HostScope::kAny};
  base_options_.scope = kScopes[below(3)];
  base_options_.warc_bytes = 1000 + below(20'000);
  base_options_.depth = static_cast<std::uint32_t>(2 + below(4));
  base_options_.max_hosts_per_domain = 2 + below(6);
  base_options_.max_pages_per_host = below(3) == 0 ? 3 + below(20) : 0;
  if (below(2) == 0) base_options_.exclude = {"*/excluded/*"};
  base_options_.retries = static_cast<std::uint32_t>(below(4));
  base_options_.barren_limit = static_cast<std::uint32_t>(below(2) * (1 + below(8)));
}

void CrawlSimulation::choose_options() {
  options_ = base_options_;
  options_.out = files_.path();
  options_.seeds = web_.seeds(random_);
  if (below(3) == 0) options_.depth = static_cast<std::uint32_t>(below(6));
  if (below(3) == 0) options_.max_hosts_per_domain = below(12);
  if (below(4) == 0) options_.max_pages_per_host = below(60);
  if (below(4) == 0) options_.max_pages = 1 + model_.pages() + below(20);
  if (below(2) == 0) options_.refetch_after = static_cast<std::int64_t>(below(2) == 0 ? 0 : below(100'000));
  options_.connections = static_cast<std::uint32_t>(1 + below(5));
  options_.delay = static_cast<double>(below(3)) * 0.7;
  options_.pages_per_hour = below(3) == 0 ? 900 : 0;
  options_.max_delay = below(2) == 0 ? 300 : 8;
  options_.sitemaps = below(5) != 0;
  options_.copies = static_cast<CopyTreatment>(below(3));
  options_.copy_links = static_cast<std::uint32_t>(below(4));
  options_.noindex = static_cast<NoindexTreatment>(below(3));
  if (!has_soft_404s() || below(6) == 0) options_.soft_404 = Soft404Treatment::kOff;
  const Status is_good = options_.validate();
  if (!is_good) fail(is_good.error().message);
}

Boot CrawlSimulation::System::boot() const {
  return {fmt::format("boot {}", boots), booted_at_seconds};
}

std::string CrawlSimulation::describe_fault() const {
  constexpr std::array<std::string_view, 5> kNames = {"no fault", "failing calls", "failing memory", "a kill",
                                                      "a power cut"};
  constexpr std::array<std::string_view, 4> kWorkNames = {"reads", "writes", "syncs", "changes of folders"};
  const std::string name(kNames[static_cast<std::size_t>(fault_)]);
  if (!failing_files_) return name;
  return fmt::format("{} at call {} ({} seen) of the {}{}: error {}", name, file_fault_.after + 1,
                     failing_files_->calls(), kWorkNames[static_cast<std::size_t>(file_fault_.work)],
                     file_fault_.is_lasting ? ", lasting" : "", file_fault_.error);
}

void CrawlSimulation::fail(const std::string& what) const {
  const FailingMemory::Pause pause;
  fmt::print(stderr,
             "crawl simulation: {}\n  after {} answers of the run with seed {}; {}; to repeat it:\n"
             "  crawl_simulation_test --seed {}\n",
             what, answers_, seed_, describe_fault(), seed_);
  std::fflush(stderr);
  std::_Exit(1);
}

std::uint64_t CrawlSimulation::run() {
  for (std::uint64_t round = 0; round < kRounds; ++round) run_round();
  return answers_;
}

void CrawlSimulation::run_round() {
  if (below(3) == 0) web_.change();
  choose_options();
  answers_left_ = 20 + below(300);
  in_flight_.clear();
  pages_.clear();
  is_syncing_ = is_ending_ = false;
  is_stop_asked_ = false;
  opening_ = model_.begin(options_, found_, system_.moment);
  if (found_.seeds.empty()) durable_ = {opening_.front()};
  set_fault();
  crawl();
  FailingMemory::end();
  failing_files_.reset();
  const std::vector<ModelState> possible = fault_ == Fault::kPowerCut ? durable_ : possible_states();
  if (files_.is_interrupted()) resume();
  check(possible);
  if (fault_ == Fault::kPowerCut) durable_ = {found_};
  pass_time(std::chrono::hours(below(3) == 0 ? below(40) : 0));
}

void CrawlSimulation::set_fault() {
  constexpr std::array kFaults = {Fault::kNone,   Fault::kNone,     Fault::kFailedCall, Fault::kFailedCall,
                                  Fault::kKill,   Fault::kKill,     Fault::kKill,       Fault::kMemory,
                                  Fault::kMemory, Fault::kPowerCut, Fault::kPowerCut};
  fault_ = kFaults[below(kFaults.size())];
  if (fault_ == Fault::kNone) return;
  if (fault_ == Fault::kMemory) {
    // Counted from some answer on, because the allocations of RocksDB depend on what it did in the background.
    answers_before_fault_ = below(2) == 0 ? 0 : below(answers_left_);
    if (answers_before_fault_ == 0) FailingMemory::fail_after(below(3000));
    return;
  }
  constexpr std::array kWork = {FileWork::kWrite, FileWork::kWrite, FileWork::kWrite, FileWork::kSync, FileWork::kMake};
  file_fault_ = {};
  file_fault_.work = kWork[below(kWork.size())];
  file_fault_.path_part = files_.path() + "/";
  file_fault_.error = below(3) == 0 ? 0 : below(2) == 0 ? ENOSPC : EIO;
  file_fault_.after = below(file_fault_.work == FileWork::kWrite ? 400 : 60);
  file_fault_.is_lasting = below(2) == 0;
  // RocksDB works in other threads, too, whenever it wants.
  static thread_local bool is_crawler = false;
  is_crawler = true;
  file_fault_.concerns_thread = [] { return is_crawler; };
  if (fault_ != Fault::kFailedCall) file_fault_.moment = [this] { interrupt(); };
  failing_files_.emplace(file_fault_);
}

void CrawlSimulation::interrupt() {
  const FailingMemory::Pause pause;
  if (!files_.is_interrupted()) index_at_interruption_ = index_;
  files_.interrupt();
}

// How the process ends: as it should, with an error, or by an exception.
void CrawlSimulation::crawl() {
  RunControl control;
  control.stop = &is_stop_asked_;
  Status ended;
  try {
    const UnsafeMemory may_fail;
    Result<std::unique_ptr<CrawlRun>> run = CrawlRun::open(options_, *this, control, {});
    if (run) {
      const Result<CrawlOutcome> outcome = (*run)->run();
      const FailingMemory::Pause pause;
      if (outcome && !files_.is_interrupted()) {
        enter();
        check_outcome(*outcome);
      }
      if (!outcome) ended = tl::unexpected<Error>(outcome.error());
    } else {
      ended = tl::unexpected<Error>(run.error());
    }
  } catch (const Killed&) {
  } catch (const std::bad_alloc&) {
    if (fault_ != Fault::kMemory) fail("out of memory");
  }
  const FailingMemory::Pause pause;
  if (!ended && !files_.is_interrupted()) {
    const ErrorCode code = ended.error().code;
    const bool is_expected =
        fault_ == Fault::kFailedCall && (code == ErrorCode::kInputOutput || code == ErrorCode::kNoSpace);
    if (!is_expected && fault_ != Fault::kMemory) fail(ended.error().message);
  }
  // A kill that has not come comes now.
  if (fault_ == Fault::kKill || fault_ == Fault::kPowerCut) interrupt();
}

// The process is gone. After a power cut, so is what was not synced, and the machine has booted again.
void CrawlSimulation::resume() {
  const bool has_lost_power = fault_ == Fault::kPowerCut;
  // RocksDB removes old files in the background: how many there are must not decide what happens next.
  std::mt19937_64 losses(random_());
  files_.resume(has_lost_power, losses);
  index_ = index_at_interruption_;
  if (!has_lost_power) return;
  index_.lose_power(random_);
  ++system_.boots;
  pass_time(std::chrono::seconds(below(100)));
  system_.booted_at_seconds = system_.moment.unix_seconds;
  system_.moment.time = CrawlSystem::Time(std::chrono::seconds(1 + below(1000)));
  pass_time(std::chrono::seconds(below(100)));
}

// What the crawler may have written: what is certain, and the next steps, which it may have made before it ended. While
// a run is opened, that is the last of its states, and hosts may follow that have only addresses to be skipped.
std::vector<ModelState> CrawlSimulation::possible_states() const {
  std::vector<ModelState> states = opening_;
  if (model_.state_before_request()) states.push_back(*model_.state_before_request());
  states.push_back(model_.state());
  CrawlModel ahead = model_;
  while (!ahead.next_request()) {
    const bool has_answer = ahead.handle_next(system_.moment);
    if (!has_answer && (ahead.to_be_judged() != nullptr || !ahead.take_host(system_.moment))) break;
    states.push_back(ahead.state());
  }
  return states;
}

void CrawlSimulation::check(const std::vector<ModelState>& possible) {
  options_.out = files_.path();
  auto frontier = CrawlFrontier::open(options_, system_);
  if (!frontier) fail("cannot be opened again: " + frontier.error().message);
  CrawlModel ahead = model_;  // has the lines of all possible states
  while (ahead.handle_next(system_.moment) || (ahead.to_be_judged() == nullptr && ahead.take_host(system_.moment))) {
    if (ahead.next_request()) break;
  }
  const FoundState found = find_state(**frontier, files_.path(), possible, ahead.lines());
  if (!found.difference.empty()) fail(found.difference);
  found_ = possible[found.number];
  model_ = std::move(ahead);
}

void CrawlSimulation::check_outcome(const CrawlOutcome& outcome) const {
  HostRecord sum;
  for (const auto& [name, host] : model_.state().hosts) sum.add(model_.state().host_record(name));
  expect(outcome.totals.pages == sum.pages() && outcome.totals.copies == sum.copies, "another number of pages");
  expect(outcome.totals.queued == sum.queued, "another number of queued addresses");
  expect(outcome.totals.pages_of_this_run == model_.pages_of_run(), "another number of pages of this run");
  expect(outcome.is_complete == (sum.queued == 0), "the crawl is not complete, or is");
  expect(outcome.is_complete || !outcome.stopped_by.empty(), "it ended for no reason");
}

}  // namespace paraprint
