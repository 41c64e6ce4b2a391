// The index of known pages of a simulated crawl: a table that survives kills, and power cuts as far as it was synced.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "crawl/crawl_journal.h"
#include "crawl/page_judge.h"
#include "crawl/simulated_web.h"

namespace paraprint {

class SimulatedIndex {
 public:
  PageJudgement judge(const std::string& url, std::size_t text, bool is_noindex, std::int64_t now_seconds) {
    PageJudgement judgement;
    judgement.content_characters = SimulatedWeb::characters(text);
    judgement.is_short = judgement.content_characters < 100;
    judgement.cluster_url = url;
    judgement.is_noindex = is_noindex;
    const auto before = pages_.find(url);
    judgement.is_known = !is_noindex && before != pages_.end();
    judgement.has_changed = judgement.is_known && before->second.text != text;
    const Page* best = nullptr;
    for (const auto& [known_url, page] : pages_) {
      const Verdict verdict = SimulatedWeb::verdict(text, page.text);
      if (known_url == url || verdict == Verdict::kDistinct) continue;
      const bool is_better = best == nullptr || verdict < judgement.verdict ||
                             (verdict == judgement.verdict && page.number < best->number);
      if (!is_better) continue;
      best = &page;
      judgement.verdict = verdict;
      judgement.known_url = known_url;
      judgement.cluster_url = page.cluster;
    }
    judgement.resemblance = best == nullptr ? 0 : 1;
    if (is_noindex) {
      remove(url);
    } else {
      set(url, Page{text, next_number_++, judgement.cluster_url, now_seconds});
    }
    return judgement;
  }
  void remove(const std::string& url) {
    if (pages_.contains(url)) set(url, std::nullopt);
  }
  std::vector<std::string> seen_in(const LostTime& time) const {
    std::vector<std::string> urls;
    for (const auto& [url, page] : pages_) {
      if (page.seen_at_seconds >= time.since_seconds && page.seen_at_seconds < time.until_seconds) urls.push_back(url);
    }
    return urls;
  }
  void sync() { unsynced_.clear(); }
  // A power cut undoes the last changes.
  void lose_power(std::mt19937_64& random) {
    for (std::size_t lost = random() % (unsynced_.size() + 1); lost > 0; --lost) {
      auto& [url, before] = unsynced_.back();
      put(url, before);
      unsynced_.pop_back();
    }
    sync();
  }

 private:
  struct Page {
    std::size_t text = 0;
    std::uint64_t number = 0;
    std::string cluster;
    std::int64_t seen_at_seconds = 0;
  };
  void set(const std::string& url, const std::optional<Page>& page) {
    const auto found = pages_.find(url);
    unsynced_.emplace_back(url, found == pages_.end() ? std::nullopt : std::optional<Page>(found->second));
    put(url, page);
  }
  void put(const std::string& url, const std::optional<Page>& page) {
    if (page) {
      pages_.insert_or_assign(url, *page);
    } else {
      pages_.erase(url);
    }
  }

  std::map<std::string, Page> pages_;
  std::vector<std::pair<std::string, std::optional<Page>>> unsynced_;  // what was there before each change
  std::uint64_t next_number_ = 0;
};

}  // namespace paraprint
