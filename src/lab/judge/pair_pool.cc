// Algorithms report pairs of representatives, which may differ between them: one that extracts differently sees other
// texts as equal, and one that compares bytes sees none. So every report is translated to the texts of the first way of
// reading: each group of pages becomes the set of texts in it, and each pair of groups all pairs of their texts.
#include "lab/judge/pair_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/propagate.h"
#include "base/stop.h"
#include "profile/profile_codec.h"

namespace paraprint::inline lab::inline judge {
namespace {

constexpr std::uint64_t kSorterBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kScoresBetweenChecks = 1 << 16;

}  // namespace

PairPool::PairPool(MemoryBudget& budget, const std::string& spill_folder)
    : budget_(budget), spill_folder_(spill_folder), sorter_({kSorterBytes, spill_folder}), scores_(&budget) {}

// The same score may arrive twice if an algorithm groups pages in another way; the better one counts.
bool PairPool::ScoreOrder::combine(PooledScore& into, const PooledScore& from) {
  if (into.place_a != from.place_a || into.place_b != from.place_b || into.algorithm != from.algorithm) return false;
  into.score = std::max(into.score, from.score);
  return true;
}

// Empty pages are no copies of each other.
Status PairPool::set_pages(const PageLog& profiles, const PageTable& pages) {
  const std::span<const std::uint32_t> by_id = pages.pages_by_id();
  page_of_place_.assign(by_id.begin(), by_id.end());
  place_of_page_.resize(pages.size());
  for (std::uint32_t place = 0; place < page_of_place_.size(); ++place) place_of_page_[page_of_place_[place]] = place;
  std::map<std::array<std::uint64_t, 2>, std::uint32_t> first_place;
  std::vector<std::array<std::uint64_t, 2>> text_of_page(pages.size());
  Profile head;
  std::uint32_t page = 0;
  PARAPRINT_TRY(profiles.read(
      [&](const LoggedPage& logged) -> Status {
        PARAPRINT_TRY(decode_profile_head(logged.profile, head));
        if (head.content_characters > 0) {
          text_of_page[page] = head.text_hash;
          const auto [found, is_new] = first_place.try_emplace(head.text_hash, place_of_page_[page]);
          if (!is_new) found->second = std::min(found->second, place_of_page_[page]);
        }
        ++page;
        return {};
      },
      [](const PageBatch&) -> Status { return {}; }));
  for (std::uint32_t i = 0; i < text_of_page.size(); ++i) {
    const auto found = first_place.find(text_of_page[i]);
    if (found == first_place.end() || found->second == place_of_page_[i]) continue;
    place_of_page_[i] = found->second;
    ++equal_texts_;
  }
  return {};
}

Status PairPool::push(std::uint32_t algorithm, std::span<const std::uint32_t> texts_a,
                      std::span<const std::uint32_t> texts_b, float score) {
  for (const std::uint32_t a : texts_a) {
    for (const std::uint32_t b : texts_b) {
      if (a != b) PARAPRINT_TRY(sorter_.push({std::min(a, b), std::max(a, b), algorithm, score}));
    }
  }
  return {};
}

Status PairPool::add(std::uint32_t algorithm, const std::string& label, const FoundPairs& found) {
  const auto pages = static_cast<std::uint32_t>(place_of_page_.size());
  std::vector<std::vector<std::uint32_t>> texts = equal_text_groups(found, pages);
  for (std::vector<std::uint32_t>& group : texts) {
    for (std::uint32_t& page : group) page = place_of_page_[page];
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
  }
  // Counted first: groups multiply.
  for (const std::vector<std::uint32_t>& group : texts) {
    if (group.size() > 1) pushed_ += std::uint64_t{group.size()} * (group.size() - 1) / 2;
  }
  for (const ScoredPagePair& pair : found.pairs) {
    pushed_ += std::uint64_t{texts[pair.page_a].size()} * texts[pair.page_b].size();
  }
  if (pushed_ > kPooledScoresMaximum) {
    return failure(
        ErrorCode::kLimitExceeded,
        fmt::format("{}: with its pairs, more than {} are to be sorted; give it a higher threshold, or fewer "
                    "algorithms or pages",
                    label, kPooledScoresMaximum));
  }
  StopCheck stop(StopScope::current());
  for (const std::vector<std::uint32_t>& group : texts) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::span<const std::uint32_t> rest = std::span(group).subspan(i + 1);
      PARAPRINT_TRY(push(algorithm, std::span(group).subspan(i, 1), rest, kEqualTextScore));
    }
  }
  for (const ScoredPagePair& pair : found.pairs) {
    PARAPRINT_TRY(push(algorithm, texts[pair.page_a], texts[pair.page_b], pair.score));
  }
  return stop.status();
}

Status PairPool::finish() {
  PARAPRINT_TRY(sorter_.finish());
  PooledScore score;
  while (sorter_.next(score)) {
    const bool is_new_pair =
        scores_.size() == 0 || ScoreOrder::key(scores_[scores_.size() - 1]) != ScoreOrder::key(score);
    if (is_new_pair) ++pairs_;
    PARAPRINT_TRY(scores_.push_back(score));
    budget_.tick();
  }
  return sorter_.status();
}

std::span<const PooledScore> PairPool::scores_at(std::uint64_t first) const {
  std::size_t end = first;
  const std::uint64_t key = ScoreOrder::key(scores_[first]);
  while (end < scores_.size() && ScoreOrder::key(scores_[end]) == key) ++end;
  return {&scores_[first], end - first};
}

Status PairPool::for_each(
    const std::function<void(std::span<const PooledScore> scores, std::uint64_t first)>& visit) const {
  for (std::uint64_t first = 0; first < scores_.size();) {
    budget_.tick();
    const std::span<const PooledScore> scores = scores_at(first);
    visit(scores, first);
    first += scores.size();
    if (first % kScoresBetweenChecks < scores.size()) PARAPRINT_TRY(check_stop());
  }
  return {};
}

}  // namespace paraprint::inline lab::inline judge
