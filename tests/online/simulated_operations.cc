// Lookups and changes in the simulation, and what the model says about their answers.
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "online/index_simulation.h"
#include "provenance/origin_record.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

constexpr int kAbsent = SimulatedPage::kAbsent;
// Pages of the first thread are old, so that it can expire them without touching those of others.
constexpr std::uint64_t kOldSeconds = 1000;

template <class Value>
bool is_not_found(const Result<Value>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

}  // namespace

IndexSimulation::Outcome IndexSimulation::call(const std::function<Status()>& made) {
  try {
    const UnsafeMemory may_fail;
    const Status status = made();
    if (status) return Outcome::kAnswered;
    const FailingMemory::Pause pause;
    const ErrorCode code = status.error().code;
    if (code == ErrorCode::kLimitExceeded && fault_ == Fault::kMemory) return Outcome::kNoMemory;
    if (fault_ == Fault::kNone || fault_ == Fault::kMemory) fail(status.error().message);
    if (code != ErrorCode::kInputOutput && code != ErrorCode::kNoSpace) fail(status.error().message);
    is_broken_ = true;
    return Outcome::kFailed;
  } catch (const std::bad_alloc&) {
    if (fault_ != Fault::kMemory) fail("out of memory");
    return Outcome::kNoMemory;
  }
}

void IndexSimulation::operate(Worker& worker) {
  const std::uint64_t kind = worker.random() % 1000;
  if (kind < 350) return lookup(worker);
  if (kind < 650) return lookup_or_add(worker);
  if (kind < 700) return add(worker);
  if (kind < 800) return remove(worker);
  if (kind < 900) return read_page(worker);
  if (kind < 930) return read_url(worker);
  if (kind < 950) return read_cluster(worker);
  if (kind < 970) return walk(worker);
  if (kind < 980) return expire(worker);
  if (kind < 999) return maintain(worker);
  back_up(worker);
}

std::size_t IndexSimulation::number_of(std::string_view id) const {
  const auto found = numbers_.find(id);
  if (found == numbers_.end()) fail(fmt::format("unknown id {}", id));
  return found->second;
}

std::size_t IndexSimulation::own_page(Worker& worker) const {
  const std::size_t count = (pages_.size() - worker.number + workers_ - 1) / workers_;
  return worker.number + worker.random() % count * workers_;
}

int IndexSimulation::certain_rank(std::size_t text, Moment first, std::optional<std::size_t> without) const {
  int best = SimulatedTexts::kNoMatch;
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    if (page == without) continue;
    int worst = 0;
    pages_[page].for_each_possible(first, now_, [&](int known) {
      const int rank = known == kAbsent ? SimulatedTexts::kNoMatch
                                        : SimulatedTexts::rank(texts_.verdict(text, static_cast<std::size_t>(known)));
      worst = std::max(worst, rank);
    });
    best = std::min(best, worst);
  }
  return best;
}

void IndexSimulation::check_answer(const LookupOutcome& answer, std::size_t text, Moment first,
                                   const LookupOptions& options, std::optional<std::size_t> asked) const {
  const int rank = SimulatedTexts::rank(answer.verdict);
  const int certain = certain_rank(text, first, asked);
  if (rank > certain) {
    fail(fmt::format("text {} is answered with verdict {}, but a page of rank {} was there all the time", text, rank,
                     certain));
  }
  expect(answer.matches.empty() == (answer.verdict == Verdict::kDistinct), "a verdict without a match");
  expect(answer.matches.size() <= std::max(1U, options.matches), "too many matches");
  std::set<std::uint64_t> seen;
  int rank_before = 0;
  for (const IndexMatch& match : answer.matches) {
    const std::size_t page = number_of(match.page.id);
    if (asked.has_value()) expect(page != *asked, "a page is answered with itself");
    expect(seen.insert(match.page.text).second, "a text is answered twice");
    expect(SimulatedTexts::rank(match.verdict) >= rank_before, "matches are not sorted");
    rank_before = SimulatedTexts::rank(match.verdict);
    bool is_possible = false;
    pages_[page].for_each_possible(first, now_, [&](int known) {
      is_possible =
          is_possible ||
          (known != kAbsent && texts_.verdict(text, static_cast<std::size_t>(known)) == match.verdict &&
           texts_.profile(static_cast<std::size_t>(known)).content_characters == match.page.content_characters);
    });
    if (!is_possible) fail(fmt::format("text {} matches page {}, which never had such a text", text, match.page.id));
  }
  // With one thread, all matches are known.
  if (workers_ > 1 || !options.all || is_broken_ || fault_ == Fault::kMemory) return;
  std::set<int> expected;
  for (std::size_t page = 0; page < pages_.size(); ++page) {
    const int known = pages_[page].text();
    if (page == asked || known == kAbsent) continue;
    if (texts_.verdict(text, static_cast<std::size_t>(known)) != Verdict::kDistinct) expected.insert(known);
  }
  const std::size_t limit = std::max(1U, options.matches);
  if (answer.matches.size() != std::min(expected.size(), limit)) {
    fail(fmt::format("text {} has {} matches, not {}", text, answer.matches.size(), expected.size()));
  }
  if (asked.has_value()) return;  // the page may be one of those with the text
  for (const IndexMatch& match : answer.matches) {
    const int known = pages_[number_of(match.page.id)].text();
    const auto count =
        std::count_if(pages_.begin(), pages_.end(), [&](const auto& page) { return page.text() == known; });
    if (match.pages_of_text != std::min<std::uint64_t>(2, static_cast<std::uint64_t>(count))) {
      fail(fmt::format("text {} has {} pages, but is said to have {}", known, count, match.pages_of_text));
    }
  }
}

void IndexSimulation::lookup(Worker& worker) {
  const std::size_t text = worker.random() % texts_.size();
  LookupOptions options;
  options.all = worker.random() % 2 != 0;
  options.matches = worker.random() % 2 == 0 ? 100 : 1;
  IndexPageInput input;
  input.url = "http://elsewhere.example/";
  input.profile = &texts_.profile(text);
  input.fingerprint = &texts_.fingerprint(text);
  const Moment first = ++now_;
  Result<LookupOutcome> answer;
  const Outcome outcome = call([&]() -> Status {
    answer = index_->lookup(input, options);
    if (!answer) return tl::unexpected<Error>(answer.error());
    return {};
  });
  ++now_;
  if (!is_over() && outcome == Outcome::kAnswered) check_answer(*answer, text, first, options, std::nullopt);
}

IndexSimulation::Incoming IndexSimulation::incoming(Worker& worker) {
  Incoming made;
  made.page = own_page(worker);
  made.text = worker.random() % texts_.size();
  const bool id_is_url = made.page % 2 == 0;
  // Few URLs, which the pages of a thread take from each other.
  made.url = id_is_url ? ids_[made.page] : fmt::format("http://b{}.example/{}", worker.number, worker.random() % 3);
  if (worker.random() % 8 == 0) made.url.clear();
  if (worker.random() % 2 == 0) made.date = fmt::format("day {}", worker.random() % 5);
  seconds_ += worker.random() % 3;
  const std::uint64_t jump = worker.random() % 50 == 0 ? 1000 : 0;  // a clock that is set back
  made.seen_at_seconds = worker.number == 0 ? 1 + worker.random() % kOldSeconds : seconds_ - jump;
  if (has_statements() && (made.text + made.seen_at_seconds) % 3 != 0) {
    made.stated_date = fmt::format("2024-05-0{}", 1 + made.seen_at_seconds % 5);
    OriginRecord record;
    record.stated.metadata.date_published = made.stated_date;
    record.stated.date_place = DatePlace::kMeta;
    encode_origin(record, made.origin);
  }
  return made;
}

IndexPageInput IndexSimulation::input_of(const Incoming& page) const {
  IndexPageInput input;
  input.id = ids_[page.page];
  input.url = page.url;
  input.date = page.date;
  input.seen_at_seconds = page.seen_at_seconds;
  input.profile = &texts_.profile(page.text);
  input.fingerprint = &texts_.fingerprint(page.text);
  input.origin = page.origin;
  return input;
}

void IndexSimulation::leave_url(std::size_t page) {
  const auto found = urls_.find(pages_[page].url);
  if (found != urls_.end() && found->second == page) urls_.erase(found);
}

void IndexSimulation::take_url(std::size_t page, const std::string& url) {
  pages_[page].url = url;
  if (!url.empty() && url != ids_[page]) urls_[url] = page;
}

void IndexSimulation::finish_adding(const Incoming& added, PageChange change, bool is_stored) {
  SimulatedPage& page = pages_[added.page];
  if (!is_stored) return page.cancel_change();
  page.end_change(now_);
  if (change == PageChange::kUnchanged) {
    page.last_seen_seconds = std::max(page.last_seen_seconds, added.seen_at_seconds);
    if (!added.date.empty()) page.date = added.date;
    if (!added.stated_date.empty()) page.stated_date = added.stated_date;
    if (added.url.empty()) return;
    if (added.url != page.url) leave_url(added.page);
    return take_url(added.page, added.url);
  }
  if (change == PageChange::kChanged && added.url != page.url) leave_url(added.page);
  if (change == PageChange::kNew) page.first_seen_seconds = page.last_seen_seconds = added.seen_at_seconds;
  page.last_seen_seconds = std::max(page.last_seen_seconds, added.seen_at_seconds);
  page.date = added.date;
  page.stated_date = added.stated_date;
  take_url(added.page, added.url);
}

// A change that failed may have been made all the same. Unless it can turn out so when the index is opened again, it is
// known at once.
void IndexSimulation::finish_unknown(std::size_t page) {
  if (is_over() || is_broken_) return;
  std::vector<int> possible;
  pages_[page].for_each_possible(now_, now_, [&](int text) { possible.push_back(text); });
  settle(page, possible);
}

void IndexSimulation::settle(std::size_t number, const std::vector<int>& possible) {
  SimulatedPage& page = pages_[number];
  const Result<Profile> profile = index_->get_profile(ids_[number]);
  if (!profile && !is_not_found(profile)) fail(profile.error().message);
  const int text = profile ? static_cast<int>(texts_.find(*profile)) : kAbsent;
  if (std::find(possible.begin(), possible.end(), text) == possible.end()) {
    fail(fmt::format("page {} has text {}, which it never had or no longer has", ids_[number], text));
  }
  const bool was_certain = !page.is_uncertain() && page.text() == text;
  page.settle(text, now_);
  if (text == kAbsent) return leave_url(number);
  const Result<IndexedPage> found = index_->get(ids_[number]);
  if (!found) fail(found.error().message);
  if (was_certain && fault_ != Fault::kPowerCut) check_page(*found, now_);
  if (!was_certain) page.was_called_new = false;
  if (found->url != page.url) leave_url(number);
  page.cluster = found->cluster;
  page.date = found->date;
  page.stated_date = found->stated ? found->stated->metadata.date_published : "";
  page.first_seen_seconds = found->first_seen_seconds;
  page.last_seen_seconds = found->last_seen_seconds;
  page.url = found->url;
  if (page.url.empty() || page.url == ids_[number]) return;
  const Result<IndexedPage> of_url = index_->find_by_url(page.url);
  if (of_url && of_url->id == ids_[number]) urls_[page.url] = number;
  if (!of_url && !is_not_found(of_url)) fail(of_url.error().message);
}

// Two pages of one text, of which neither was removed since, cannot both have been called new.
void IndexSimulation::check_called_new(std::size_t number) const {
  const SimulatedPage& page = pages_[number];
  for (std::size_t other = 0; other < pages_.size(); ++other) {
    const SimulatedPage& known = pages_[other];
    if (other == number || known.is_uncertain() || !known.is_there() || !known.was_called_new) continue;
    if (texts_.is_equal(static_cast<std::size_t>(known.text()), static_cast<std::size_t>(page.text()))) {
      fail(fmt::format("pages {} and {} have the same text, and both were called new", ids_[number], ids_[other]));
    }
  }
}

void IndexSimulation::lookup_or_add(Worker& worker) {
  const Incoming added = incoming(worker);
  SimulatedPage& page = pages_[added.page];
  if (page.is_uncertain()) return lookup(worker);
  AddOptions options;
  options.lookup.all = worker.random() % 2 != 0;
  options.lookup.matches = worker.random() % 2 == 0 ? 100 : 1;
  options.copies = worker.random() % 4 != 0;
  options.replace_known = worker.random() % 4 != 0;
  const int before = page.text();
  const Moment first = ++now_;
  page.begin_change(static_cast<int>(added.text), first);
  Result<AddOutcome> answer;
  const Outcome outcome = call([&]() -> Status {
    answer = index_->lookup_or_add(input_of(added), options);
    if (!answer) return tl::unexpected<Error>(answer.error());
    return {};
  });
  ++now_;
  if (is_over()) return;
  if (outcome != Outcome::kAnswered) return finish_unknown(added.page);
  check_answer(answer->lookup, added.text, first, options.lookup, added.page);
  const bool is_same = before != kAbsent && texts_.is_equal(static_cast<std::size_t>(before), added.text);
  const PageChange change = before == kAbsent ? PageChange::kNew
                            : is_same         ? PageChange::kUnchanged
                                              : PageChange::kChanged;
  const bool is_copy = SimulatedTexts::rank(answer->lookup.verdict) <= 1;
  const bool is_stored = change == PageChange::kNew       ? options.copies || !is_copy
                         : change == PageChange::kChanged ? options.replace_known
                                                          : true;
  if (answer->change != change)
    fail(fmt::format("the change of page {} is {}", ids_[added.page], page_change_name(answer->change)));
  expect(answer->is_stored == is_stored, "a page is stored, or is not, against the options");
  finish_adding(added, change, is_stored);
  if (!is_stored || change == PageChange::kUnchanged) return;
  page.cluster = answer->cluster;
  const bool is_empty = texts_.profile(added.text).content_characters == 0;
  page.was_called_new = answer->lookup.verdict != Verdict::kSame && !is_empty;
  if (page.was_called_new) check_called_new(added.page);
}

void IndexSimulation::add(Worker& worker) {
  const Incoming added = incoming(worker);
  SimulatedPage& page = pages_[added.page];
  if (page.is_uncertain()) return lookup(worker);
  const int before = page.text();
  page.begin_change(static_cast<int>(added.text), ++now_);
  Result<PageChange> change;
  const Outcome outcome = call([&]() -> Status {
    change = index_->add(input_of(added));
    if (!change) return tl::unexpected<Error>(change.error());
    return {};
  });
  ++now_;
  if (is_over()) return;
  if (outcome != Outcome::kAnswered) return finish_unknown(added.page);
  const bool is_same = before != kAbsent && texts_.is_equal(static_cast<std::size_t>(before), added.text);
  expect(*change == (before == kAbsent ? PageChange::kNew
                     : is_same         ? PageChange::kUnchanged
                                       : PageChange::kChanged),
         "add() reports another change");
  finish_adding(added, *change, true);
  if (is_same) return;
  page.was_called_new = false;
  page.cluster.clear();  // unknown until it is read
  const Result<IndexedPage> found = index_->get(ids_[added.page]);
  if (found && !is_over()) page.cluster = found->cluster;
}

void IndexSimulation::remove(Worker& worker) {
  const std::size_t number = own_page(worker);
  SimulatedPage& page = pages_[number];
  if (page.is_uncertain()) return lookup(worker);
  const bool was_there = page.is_there();
  page.begin_change(kAbsent, ++now_);
  Result<bool> removed;
  const Outcome outcome = call([&]() -> Status {
    removed = index_->remove(ids_[number]);
    if (!removed) return tl::unexpected<Error>(removed.error());
    return {};
  });
  ++now_;
  if (is_over()) return;
  if (outcome != Outcome::kAnswered) return finish_unknown(number);
  expect(*removed == was_there, "remove() reports whether the page was there");
  page.end_change(now_);
  leave_url(number);
}

// Only the first thread's pages are old enough.
void IndexSimulation::expire(Worker& worker) {
  if (worker.number != 0) return;
  const std::uint64_t before = worker.random() % kOldSeconds;
  std::vector<std::size_t> expired;
  ++now_;
  for (std::size_t number = 0; number < pages_.size(); ++number) {
    SimulatedPage& page = pages_[number];
    if (!is_owner(worker, number)) continue;
    if (page.is_uncertain()) return;
    if (page.is_there() && page.last_seen_seconds < before) expired.push_back(number);
  }
  for (const std::size_t number : expired) pages_[number].begin_change(kAbsent, now_);
  Result<std::uint64_t> removed;
  const Outcome outcome = call([&]() -> Status {
    removed = index_->expire(before);
    if (!removed) return tl::unexpected<Error>(removed.error());
    return {};
  });
  ++now_;
  if (is_over()) return;
  if (outcome == Outcome::kAnswered) expect(*removed == expired.size(), "expire() removes as many pages as it says");
  for (const std::size_t number : expired) {
    if (outcome != Outcome::kAnswered) {
      finish_unknown(number);
      continue;
    }
    pages_[number].end_change(now_);
    leave_url(number);
  }
}

}  // namespace paraprint
