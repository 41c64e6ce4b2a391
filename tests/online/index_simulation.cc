// Rounds: the index is opened, threads work on it, something goes wrong or not, and it is closed or killed.
#include "online/index_simulation.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

constexpr std::size_t kPages = 24;
constexpr std::uint64_t kRounds = 8;

}  // namespace

IndexSimulation::IndexSimulation(const SimulatedTexts& texts, std::uint64_t seed)
    : texts_(texts),
      seed_(seed),
      random_(seed),
      options_(options_of(random_)),
      workers_(1 + below(4)),
      scheduler_(random_(), 1 + below(6)),
      pages_(kPages),
      files_(folder_ / "index") {
  options_.algorithm = texts.algorithm();
  for (std::size_t page = 0; page < kPages; ++page) {
    // Half of the ids are URLs.
    ids_.push_back(fmt::format("{}{:02}", page % 2 == 0 ? "http://a.example/" : "page", page));
    numbers_.emplace(ids_.back(), page);
  }
  scheduler_.at_begin([] { FailingMemory::set_may_fail(true); });
}

IndexOptions IndexSimulation::options_of(std::mt19937_64& random) {
  IndexOptions options;
  options.identity = "simulation";
  options.head_pages = 64;  // small, so that files are written and merged all the time
  options.candidates.boilerplate = false;
  options.candidates.group_cap = 10'000;
  options.sync = random() % 2 == 0 ? SyncMode::kAlways : random() % 2 == 0 ? SyncMode::kInterval : SyncMode::kNone;
  return options;
}

std::string IndexSimulation::describe_fault() const {
  constexpr std::array<std::string_view, 5> kNames = {"no fault", "failing calls", "failing memory", "a kill",
                                                      "a power cut"};
  constexpr std::array<std::string_view, 4> kWorkNames = {"reads", "writes", "syncs", "changes of folders"};
  const std::string name(kNames[static_cast<std::size_t>(fault_)]);
  if (!failing_files_) return name;
  return fmt::format("{} at call {} ({} seen) of the {}{}: error {}", name, file_fault_.after + 1,
                     failing_files_->calls(), kWorkNames[static_cast<std::size_t>(file_fault_.work)],
                     file_fault_.is_lasting ? ", lasting" : "", file_fault_.error);
}

void IndexSimulation::fail(const std::string& what) const {
  fmt::print(stderr,
             "index simulation: {}\n  after {} operations of the run with seed {}; {}; to repeat it:\n"
             "  index_simulation_test --seed {}\n",
             what, operations_, seed_, describe_fault(), seed_);
  std::fflush(stderr);
  std::_Exit(1);
}

std::uint64_t IndexSimulation::run() {
  open();
  for (std::uint64_t round = 0; round < kRounds; ++round) run_round();
  index_.reset();
  return operations_;
}

void IndexSimulation::open() {
  auto opened = PageIndex::open(files_.path(), options_);
  if (!opened) fail(opened.error().message);
  index_ = std::move(*opened);
  const Result<IndexStatistics> statistics = index_->statistics();
  if (!statistics) fail(statistics.error().message);
  for (const std::string& warning : statistics->warnings) fail("unexpected warning: " + warning);
}

void IndexSimulation::run_round() {
  const std::uint64_t operations = 100 + below(300);
  is_broken_ = false;
  set_fault();
  {
    std::vector<ScheduledThread> threads;
    std::vector<Worker> workers(workers_);
    for (std::size_t number = 0; number < workers_; ++number) {
      workers[number] = {number, std::mt19937_64(random_())};
      if (number == 0) continue;  // this thread
      threads.push_back(*ScheduledThread::start("uses the index", [this, &workers, number, operations] {
        FailingMemory::set_may_fail(false);
        work(workers[number], operations / workers_);
      }));
    }
    work(workers[0], operations / workers_);
    for (ScheduledThread& thread : threads) thread.join();
    // A kill that has not come comes now.
    if (fault_ == Fault::kKill || fault_ == Fault::kPowerCut) interrupt();
    FailingMemory::end();
    if (below(2) == 0) failing_files_.reset();  // else closing fails, too
    index_.reset();
    failing_files_.reset();
  }
  const bool has_lost_power = fault_ == Fault::kPowerCut;
  if (files_.is_interrupted()) files_.resume(has_lost_power, random_);
  open();
  settle_all(has_lost_power);
  check_all();
}

void IndexSimulation::set_fault() {
  fault_ = Fault::kNone;
  switch (below(8)) {
    case 0:
    case 1:
      fault_ = Fault::kFailedCall;
      break;
    case 2:
      fault_ = Fault::kMemory;
      FailingMemory::fail_after(below(20'000));
      return;
    case 3:
    case 4:
      fault_ = Fault::kKill;
      break;
    case 5:
      fault_ = Fault::kPowerCut;
      break;
    default:
      return;
  }
  constexpr std::array kWork = {FileWork::kWrite, FileWork::kWrite, FileWork::kSync, FileWork::kMake};
  file_fault_ = {};
  file_fault_.work = kWork[below(kWork.size())];
  file_fault_.path_part = files_.path() + "/";
  file_fault_.error = below(2) == 0 ? ENOSPC : EIO;
  file_fault_.after = below(file_fault_.work == FileWork::kWrite ? 400 : 40);
  file_fault_.is_lasting = below(2) == 0;
  file_fault_.concerns_thread = SeededScheduler::has_this_thread;
  if (fault_ != Fault::kFailedCall) file_fault_.moment = [this] { interrupt(); };
  failing_files_.emplace(file_fault_);
}

// What a kill leaves: the files as they are now. The index goes on, but nothing that it does counts.
void IndexSimulation::interrupt() {
  const FailingMemory::Pause pause;
  files_.interrupt();
}

void IndexSimulation::work(Worker& worker, std::uint64_t operations) {
  for (std::uint64_t i = 0; i < operations && !is_over(); ++i) {
    ++operations_;
    operate(worker);
  }
}

// After an interruption, each page has one of the texts that it may have had.
void IndexSimulation::settle_all(bool has_lost_power) {
  const bool may_lose = has_lost_power && options_.sync != SyncMode::kAlways;
  urls_.clear();
  for (std::size_t page = 0; page < kPages; ++page) {
    std::vector<int> possible;
    const Moment since = may_lose ? durable_since_ : now_;
    pages_[page].for_each_possible(since, now_, [&](int text) { possible.push_back(text); });
    settle(page, possible);
    pages_[page].forget_past();
  }
  durable_since_ = ++now_;
}

// No thread works on the index: everything is exact.
void IndexSimulation::check_all() {
  std::uint64_t pages = 0;
  std::set<std::size_t> texts;
  std::uint64_t empty_pages = 0;
  for (const SimulatedPage& page : pages_) {
    if (!page.is_there()) continue;
    ++pages;
    const auto text = static_cast<std::size_t>(page.text());
    if (texts_.profile(text).content_characters == 0) {
      ++empty_pages;  // each is a text of its own
    } else {
      texts.insert(text);
    }
  }
  const Result<VerifyOutcome> verification = index_->verify(true);
  if (!verification) fail(verification.error().message);
  for (const IndexFinding& finding : verification->findings) fail(finding.what);
  if (verification->pages != pages) fail(fmt::format("{} pages are stored, not {}", verification->pages, pages));
  if (verification->texts != texts.size() + empty_pages) {
    fail(fmt::format("{} texts are stored, not {}", verification->texts, texts.size() + empty_pages));
  }
}

}  // namespace paraprint
