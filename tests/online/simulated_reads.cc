// Reading, listing, checking and backing up the pages of the simulation.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "online/index_simulation.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

constexpr int kAbsent = SimulatedPage::kAbsent;

template <class Value>
bool is_not_found(const Result<Value>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

}  // namespace

void IndexSimulation::check_page(const IndexedPage& found, Moment first) const {
  const std::size_t number = number_of(found.id);
  const SimulatedPage& page = pages_[number];
  bool is_possible = false;
  page.for_each_possible(first, now_, [&](int text) {
    is_possible =
        is_possible || (text != kAbsent &&
                        texts_.profile(static_cast<std::size_t>(text)).content_characters == found.content_characters);
  });
  if (!is_possible) fail(fmt::format("page {} has another text", found.id));
  if (page.is_uncertain() || page.changed_at() >= first) return;
  const auto expect_equal = [&](std::string_view what, const auto& value, const auto& expected) {
    if (value != expected) fail(fmt::format("the {} of page {} is {}, not {}", what, found.id, value, expected));
  };
  expect_equal("URL", found.url, page.url);
  expect_equal("date", found.date, page.date);
  expect_equal("statement", found.stated ? found.stated->metadata.date_published : std::string(), page.stated_date);
  if (!page.cluster.empty()) expect_equal("cluster", found.cluster, page.cluster);
  expect_equal("first visit", found.first_seen_seconds, page.first_seen_seconds);
  expect_equal("last visit", found.last_seen_seconds, page.last_seen_seconds);
}

void IndexSimulation::read_page(Worker& worker) {
  const std::size_t number = worker.random() % pages_.size();
  const bool wants_profile = worker.random() % 2 == 0;
  const Moment first = ++now_;
  Result<IndexedPage> page;
  Result<Profile> profile;
  const Outcome outcome = call([&]() -> Status {
    if (wants_profile) {
      profile = index_->get_profile(ids_[number]);
      if (!profile && !is_not_found(profile)) return tl::unexpected<Error>(profile.error());
    } else {
      page = index_->get(ids_[number]);
      if (!page && !is_not_found(page)) return tl::unexpected<Error>(page.error());
    }
    return {};
  });
  ++now_;
  if (is_over() || outcome != Outcome::kAnswered) return;
  if (!wants_profile && page) return check_page(*page, first);
  const bool is_there = wants_profile && profile;
  const int text = is_there ? static_cast<int>(texts_.find(*profile)) : kAbsent;
  if (!pages_[number].is_possible(text, first, now_)) {
    fail(fmt::format("page {} is read with text {}, which it did not have", ids_[number], text));
  }
}

void IndexSimulation::read_url(Worker& worker) {
  // Only the thread that changes a URL knows whose it is.
  const std::string url = fmt::format("http://b{}.example/{}", worker.number, worker.random() % 3);
  for (std::size_t number = 0; number < pages_.size(); ++number) {
    if (is_owner(worker, number) && pages_[number].is_uncertain()) return;
  }
  ++now_;
  Result<IndexedPage> page;
  const Outcome outcome = call([&]() -> Status {
    page = index_->find_by_url(url);
    if (!page && !is_not_found(page)) return tl::unexpected<Error>(page.error());
    return {};
  });
  ++now_;
  if (is_over() || outcome != Outcome::kAnswered) return;
  const auto owner = urls_.find(url);
  if (page.has_value() != (owner != urls_.end())) fail(fmt::format("URL {} is {}known", url, page ? "" : "un"));
  if (page) expect(page->id == ids_[owner->second], "a URL leads to another page");
}

void IndexSimulation::read_cluster(Worker& worker) {
  const std::size_t asked = worker.random() % pages_.size();
  const bool asks_by_id = worker.random() % 2 == 0 || pages_[asked].cluster.empty();
  const std::string id = asks_by_id ? ids_[asked] : pages_[asked].cluster;
  const Moment first = ++now_;
  Result<std::vector<IndexedPage>> found;
  const Outcome outcome = call([&]() -> Status {
    found = index_->get_cluster(id, 1000);
    if (!found && !is_not_found(found)) return tl::unexpected<Error>(found.error());
    return {};
  });
  ++now_;
  if (is_over() || outcome != Outcome::kAnswered) return;
  std::set<std::string> members;
  std::set<std::size_t> families;
  if (found) {
    for (const IndexedPage& page : *found) {
      check_page(page, first);
      const SimulatedPage& member = pages_[number_of(page.id)];
      const bool is_known = !member.is_uncertain() && member.changed_at() < first && member.is_there();
      if (is_known) families.insert(texts_.family(static_cast<std::size_t>(member.text())));
      expect(page.cluster == id, "a page is listed in another cluster");
      expect(members.insert(page.id).second, "a page is listed twice in its cluster");
    }
  }
  expect(families.size() <= 1, "a cluster has pages that are no copies of each other");
  for (std::size_t number = 0; number < pages_.size(); ++number) {
    const SimulatedPage& page = pages_[number];
    if (page.is_uncertain() || page.changed_at() >= first || !page.is_there() || page.cluster != id) continue;
    if (!members.contains(ids_[number])) fail(fmt::format("page {} is missing in its cluster {}", ids_[number], id));
  }
}

void IndexSimulation::walk(Worker& worker) {
  const bool with_profiles = worker.random() % 2 == 0;
  const bool only_ids = worker.random() % 3 == 0;
  const Moment first = ++now_;
  std::vector<std::string> ids;
  const Outcome outcome = call([&]() -> Status {
    ids.clear();
    if (only_ids) {
      Result<std::vector<std::string>> found = index_->ids_after("", 1000);
      if (!found) return tl::unexpected<Error>(found.error());
      ids = std::move(*found);
      return {};
    }
    return index_->for_each_page(with_profiles, [&](const IndexedPage& page, const Profile* profile) -> Status {
      const FailingMemory::Pause pause;
      ids.push_back(page.id);
      if (is_over()) return {};
      check_page(page, first);
      if (profile == nullptr) return {};
      if (!pages_[number_of(page.id)].is_possible(static_cast<int>(texts_.find(*profile)), first, now_)) {
        fail(fmt::format("page {} is listed with another text", page.id));
      }
      return {};
    });
  });
  ++now_;
  if (is_over() || outcome != Outcome::kAnswered) return;
  expect(std::is_sorted(ids.begin(), ids.end()), "pages are not listed in the order of their ids");
  for (const std::string& id : ids) {
    bool is_possible = false;
    pages_[number_of(id)].for_each_possible(first, now_,
                                            [&](int text) { is_possible = is_possible || text != kAbsent; });
    if (!is_possible) fail(fmt::format("page {} is listed, but was not there", id));
  }
  for (std::size_t number = 0; number < pages_.size(); ++number) {
    const bool may_be_absent = pages_[number].is_possible(kAbsent, first, now_);
    const bool is_listed = std::binary_search(ids.begin(), ids.end(), ids_[number]);
    if (!may_be_absent && !is_listed) fail(fmt::format("page {} is not listed", ids_[number]));
  }
}

void IndexSimulation::maintain(Worker& worker) {
  const std::uint64_t kind = worker.random() % 10;
  const Moment first = ++now_;
  Result<VerifyOutcome> verification;
  const Outcome outcome = call([&]() -> Status {
    if (kind < 3) {
      verification = index_->verify(true);
      if (!verification) return tl::unexpected<Error>(verification.error());
      return {};
    }
    if (kind < 8) return index_->sync();
    if (kind < 9) return index_->compact();
    const Result<IndexStatistics> statistics = index_->statistics();
    if (!statistics) return tl::unexpected<Error>(statistics.error());
    return {};
  });
  ++now_;
  if (is_over() || outcome != Outcome::kAnswered) return;
  if (kind < 3) {
    for (const IndexFinding& finding : verification->findings) fail(finding.what);
  } else if (kind < 8) {
    durable_since_ = std::max(durable_since_, first);
  }
}

// A backup has, of each page, a text that it had while the backup was made.
void IndexSimulation::back_up(Worker&) {
  const std::string copy = folder_ / fmt::format("backup{}", backups_++);
  const Moment first = ++now_;
  const Outcome outcome = call([&] { return index_->backup(copy); });
  ++now_;
  if (outcome == Outcome::kAnswered && !is_over()) {
    auto opened = PageIndex::open(copy, options_);
    if (!opened) fail(opened.error().message);
    const Result<VerifyOutcome> verification = (*opened)->verify(true);
    if (!verification) fail(verification.error().message);
    for (const IndexFinding& finding : verification->findings) fail("backup: " + finding.what);
    for (std::size_t number = 0; number < pages_.size() && !is_over(); ++number) {
      const Result<Profile> profile = (*opened)->get_profile(ids_[number]);
      const int text = profile ? static_cast<int>(texts_.find(*profile)) : kAbsent;
      if (!pages_[number].is_possible(text, first, now_)) {
        fail(fmt::format("page {} has text {} in a backup, which it did not have", ids_[number], text));
      }
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(copy, ignored);
}

}  // namespace paraprint
