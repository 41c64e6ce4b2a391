// The request and metadata records that belong to pages of a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "archive/record.h"
#include "base/hash.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline archive {

// The ids of removed pages, and the ids they declare as captured together with them (WARC-Concurrent-To points either
// way). Several records may have one id: what refers to it stays while one of its pages does. Memory: the ids of
// removed pages, and 8 bytes per kept page.
class PageCompanions {
 public:
  void add_removed(const RawRecord& page) {
    removed_.insert(page.id);
    for_each_id(page.concurrent_to, [this](const std::string& id) { named_.insert(id); });
  }
  void add_kept(const RawRecord& page) {
    kept_.push_back(hash64(page.id));
    for_each_id(page.concurrent_to, [this](const std::string& id) { kept_.push_back(hash64(id)); });
  }
  // Call once, after all pages were added.
  void finish() {
    std::sort(kept_.begin(), kept_.end());
    const auto is_kept = [this](const std::string& id) {
      return std::binary_search(kept_.begin(), kept_.end(), hash64(id));
    };
    std::erase_if(removed_, is_kept);
    std::erase_if(named_, is_kept);
    kept_ = {};
  }

  // Whether the record belongs to removed pages only. One that is shared with a surviving page stays: all pages it
  // refers to must be removed.
  bool belongs(const RawRecord& record) const {
    if (record.kind != RecordKind::kRequest && record.kind != RecordKind::kMetadata) return false;
    if (named_.contains(record.id)) return true;
    const bool by_concurrent = all_removed(record.concurrent_to);
    return by_concurrent || (record.concurrent_to.empty() && all_removed(record.refers_to));
  }

 private:
  template <class Action>
  static void for_each_id(std::string_view ids, Action action) {
    while (!ids.empty()) {
      const std::size_t end = std::min(ids.find(' '), ids.size());
      if (end > 0) action(std::string(ids.substr(0, end)));
      ids.remove_prefix(std::min(end + 1, ids.size()));
    }
  }

  bool all_removed(std::string_view ids) const {
    bool any = false;
    bool all = true;
    for_each_id(ids, [&](const std::string& id) {
      any = true;
      all = all && removed_.contains(id);
    });
    return any && all;
  }

  std::unordered_set<std::string, SeededHash> removed_;
  std::unordered_set<std::string, SeededHash> named_;
  std::vector<std::uint64_t> kept_;  // hashes of ids
};

}  // namespace paraprint::inline archive
