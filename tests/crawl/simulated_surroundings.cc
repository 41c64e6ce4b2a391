// What the crawler asks of its surroundings in the simulation. Each question tells the model how far the crawler is.
#include <fmt/format.h>

#include <algorithm>

#include "crawl/crawl_simulation.h"
#include "simulation/failing_memory.h"

namespace paraprint {

using std::chrono::milliseconds;

class CrawlSimulation::SimulatedFetcher final : public Fetcher {
 public:
  explicit SimulatedFetcher(CrawlSimulation& simulation) : simulation_(simulation) {}
  void start(FetchRequest request) override { simulation_.start(std::move(request)); }
  std::size_t in_flight() const override { return simulation_.in_flight_.size(); }
  std::vector<FetchResult> wait(milliseconds timeout) override { return simulation_.wait(timeout); }
  void wake() override {}
  void cancel_all() override { simulation_.cancel(); }

 private:
  CrawlSimulation& simulation_;
};

// A page is prepared when it is asked for, or some time later.
class CrawlSimulation::Preparation final : public PagePreparation {
 public:
  explicit Preparation(CrawlSimulation& simulation) : simulation_(simulation) {}
  std::shared_ptr<Job> start(const FetchResult& fetch) override { return std::make_shared<Job>(fetch); }
  std::optional<PreparedPage> take(Job& job) override { return simulation_.prepare(job.fetch); }
  std::size_t threads() const override { return 2; }

 private:
  CrawlSimulation& simulation_;
};

class CrawlSimulation::Judge final : public PageJudge {
 public:
  explicit Judge(CrawlSimulation& simulation) : simulation_(simulation) {}
  Result<PageJudgement> judge(const PreparedPage& page, bool is_noindex, std::int64_t now_seconds) override {
    return simulation_.judge(page, is_noindex, now_seconds);
  }
  Status remove(const std::string& url) override { return simulation_.remove(url); }
  Status sync() override { return simulation_.sync_index(); }
  Status forget(const LostTime& lost, const std::function<Result<bool>(const std::string& url)>& is_lost) override {
    return simulation_.forget(lost, is_lost);
  }

 private:
  CrawlSimulation& simulation_;
};

Result<std::unique_ptr<Fetcher>> CrawlSimulation::make_fetcher(const CrawlOptions&) {
  return std::unique_ptr<Fetcher>(std::make_unique<SimulatedFetcher>(*this));
}

Result<std::unique_ptr<PagePreparation>> CrawlSimulation::make_preparation(const CrawlOptions&, const std::string&,
                                                                           std::function<void()>) {
  return std::unique_ptr<PagePreparation>(std::make_unique<Preparation>(*this));
}

Result<std::unique_ptr<PageJudge>> CrawlSimulation::make_judge(const CrawlOptions&, const std::string&,
                                                               const RunControl&) {
  return std::unique_ptr<PageJudge>(std::make_unique<Judge>(*this));
}

void CrawlSimulation::enter() {
  if (files_.is_interrupted()) throw Killed();
  if (is_syncing_) {
    durable_.erase(durable_.begin(), durable_.end() - 1);
    is_syncing_ = false;
  }
  model_.confirm();
}

void CrawlSimulation::catch_up() {
  while (model_.handle_next(system_.moment)) {
  }
}

// Clocks of the world are set back and forward.
void CrawlSimulation::pass_time(milliseconds time) {
  system_.moment.time += time;
  const auto since_begin = std::chrono::duration_cast<milliseconds>(system_.moment.time.time_since_epoch()).count();
  const auto before = since_begin - time.count();
  system_.moment.unix_seconds += since_begin / 1000 - before / 1000;
  if (below(300) != 0) return;
  const auto jump_seconds = static_cast<std::int64_t>(below(200'000)) - 100'000;
  constexpr std::int64_t kMonthSeconds = std::int64_t{30} * 86'400;
  system_.moment.unix_seconds += jump_seconds + (jump_seconds % 8 == 0 ? kMonthSeconds : 0);
}

void CrawlSimulation::start(FetchRequest request) {
  const FailingMemory::Pause pause;
  enter();
  opening_.clear();
  catch_up();
  while (!model_.next_request() && model_.take_host(system_.moment)) {
  }
  if (!model_.next_request()) fail(fmt::format("{} is requested, which nothing asks for", request.url));
  CrawlModel::Expected expected = std::move(*model_.next_request());
  model_.next_request().reset();
  expect(!is_ending_ || !expected.queued, "a page is requested although the crawl ends");
  if (request.url != expected.url || request.if_none_match != expected.if_none_match) {
    fail(fmt::format("{} ({}) is requested instead of {} ({})", request.url, request.if_none_match, expected.url,
                     expected.if_none_match));
  }
  const bool is_own = UrlParser().parse(request.url)->host == expected.host;
  expect(!is_own || !model_.is_asking(expected.host), "a host has two requests at once: " + request.url);
  model_.started(request.number, std::move(expected));
  InFlight sent{web_.answer(request, random_),
                system_.moment.time + milliseconds(below(20) == 0 ? below(30'000) : below(200))};
  sent.answer.fetch.began_at_seconds = system_.moment.unix_seconds;
  sent.answer.fetch.seconds = static_cast<double>(below(100)) / 10;
  in_flight_.emplace(request.number, std::move(sent));
}

// Hosts whose turn it is have only addresses that may not be requested.
void CrawlSimulation::expect_requests_sent() {
  while (model_.take_host(system_.moment)) {
    if (model_.next_request()) fail(fmt::format("{} is not requested", model_.next_request()->url));
  }
}

std::vector<FetchResult> CrawlSimulation::wait(milliseconds timeout) {
  const FailingMemory::Pause pause;
  enter();
  opening_.clear();
  catch_up();
  if (model_.to_be_judged() != nullptr) fail(model_.to_be_judged()->fetch.request.url + " is not judged");
  if (model_.next_request()) fail(model_.next_request()->url + " is not requested");
  if (is_stop_asked_ || model_.is_page_limit_reached()) is_ending_ = true;
  if (!is_ending_) expect_requests_sent();
  // The crawler looks again now and then, and finds nothing to do before the next of these moments.
  std::optional<CrawlSystem::Time> next;
  for (const auto& [number, sent] : in_flight_) next = std::min(next.value_or(sent.arrives), sent.arrives);
  if (!is_ending_ && model_.is_waiting()) next = std::min(next.value_or(model_.next_due()), model_.next_due());
  if (next && *next > system_.moment.time) {
    const auto left = std::chrono::ceil<milliseconds>(*next - system_.moment.time);
    pass_time(model_.has_received() || is_ending_ ? std::min(left, timeout) : left);
  } else {
    pass_time(std::min(timeout, milliseconds(1)));
  }
  std::vector<FetchResult> arrived;
  for (auto it = in_flight_.begin(); it != in_flight_.end();) {
    if (it->second.arrives > system_.moment.time) {
      ++it;
      continue;
    }
    SimulatedAnswer& answer = it->second.answer;
    pages_[it->first] = answer.page;
    arrived.push_back(answer.fetch);
    model_.received(std::move(answer));
    it = in_flight_.erase(it);
    ++answers_;
    if (answers_left_ > 0) --answers_left_;
    if (fault_ == Fault::kMemory && answers_before_fault_ > 0 && --answers_before_fault_ == 0) {
      FailingMemory::fail_after(below(600));
    }
  }
  if (answers_left_ == 0) {
    if (fault_ == Fault::kKill || fault_ == Fault::kPowerCut) interrupt();
    is_stop_asked_ = true;
  }
  return arrived;
}

void CrawlSimulation::cancel() {
  const FailingMemory::Pause pause;
  enter();
  catch_up();
  in_flight_.clear();
  model_.cancel();
}

std::optional<PreparedPage> CrawlSimulation::prepare(const FetchResult& fetch) {
  const FailingMemory::Pause pause;
  enter();
  catch_up();
  if (below(4) == 0) return std::nullopt;
  const SimulatedPage& page = pages_.at(fetch.request.number);
  PreparedPage prepared;
  prepared.refusal = page.refusal;
  if (prepared.refusal == CrawlReason::kNone) {
    prepared.url = fetch.request.url;
    prepared.profile.text_hash = {page.text, 0};
    prepared.profile.content_characters = SimulatedWeb::characters(page.text);
    prepared.payload_digest = sha1_label(fetch.body);
    prepared.links.is_noindex = page.is_noindex;
    prepared.links.unusable = page.unusable_links;
    UrlParser parser;
    for (const std::string& link : page.links) prepared.links.urls.push_back(*parser.parse(link));
  }
  model_.prepared(fetch.request.number);
  return prepared;
}

Result<PageJudgement> CrawlSimulation::judge(const PreparedPage& page, bool is_noindex, std::int64_t now_seconds) {
  const FailingMemory::Pause pause;
  enter();
  catch_up();
  const SimulatedAnswer* const answer = model_.to_be_judged();
  if (answer == nullptr || answer->fetch.request.url != page.url) fail(page.url + " is judged out of turn");
  const bool is_left_out = answer->page.is_noindex && options_.noindex != NoindexTreatment::kIndex;
  expect(is_noindex == is_left_out, "a page is indexed that should not be, or is not");
  expect(now_seconds >= system_.moment.unix_seconds, "a page is judged at another time");
  PageJudgement judgement = index_.judge(page.url, answer->page.text, is_noindex, now_seconds);
  if (judgement.is_copy()) {
    const auto known = model_.state().addresses.find(judgement.known_url);
    const bool is_settled = known != model_.state().addresses.end() && known->second.was_judged;
    if (!is_settled) fail(fmt::format("{} is a copy of {}, which is not settled", page.url, judgement.known_url));
  }
  model_.judged(page.url, judgement, system_.moment);
  if (below(4) == 0) pass_time(milliseconds(below(500)));
  return judgement;
}

Status CrawlSimulation::remove(const std::string& url) {
  const FailingMemory::Pause pause;
  enter();
  index_.remove(url);
  return {};
}

Status CrawlSimulation::sync_index() {
  const FailingMemory::Pause pause;
  enter();
  catch_up();
  index_.sync();
  if (!opening_.empty()) {
    durable_.insert(durable_.end(), opening_.begin(), opening_.end());
  } else {
    durable_.push_back(model_.state());
  }
  is_syncing_ = true;
  return {};
}

Status CrawlSimulation::forget(const LostTime& lost,
                               const std::function<Result<bool>(const std::string& url)>& is_lost) {
  const FailingMemory::Pause pause;
  enter();
  for (const std::string& url : index_.seen_in(lost)) {
    const Result<bool> is = is_lost(url);
    if (!is) return tl::unexpected<Error>(is.error());
    if (*is) index_.remove(url);
  }
  return {};
}

}  // namespace paraprint
