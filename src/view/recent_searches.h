// The results of the last searches: turning the pages of a list, or saving it, repeats the search that made it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "serve/target.h"

namespace paraprint::inline explorer {

// For what does not change any more: results stay valid. Threads: any number. Memory: 4 bytes per page found, of
// kSearchesKept searches.
class RecentSearches {
 public:
  using Pages = std::shared_ptr<const std::vector<std::uint32_t>>;

  // The result of the search with these parameters, whatever part of it is asked for; `search` makes it if it is not
  // kept any more. Two threads may make the same one at a time.
  template <class Search>
  Pages find(const std::vector<TargetParameter>& parameters, Search&& search) {
    const std::string key = key_of(parameters);
    if (Pages kept = take(key)) return kept;
    Pages made = std::make_shared<const std::vector<std::uint32_t>>(search());
    const std::lock_guard lock(mutex_);
    searches_.emplace_front(key, made);
    if (searches_.size() > kSearchesKept) searches_.pop_back();
    return made;
  }

 private:
  static constexpr std::size_t kSearchesKept = 4;

  static std::string key_of(const std::vector<TargetParameter>& parameters) {
    std::string key;
    for (const TargetParameter& parameter : parameters) {
      if (parameter.name == "offset" || parameter.name == "limit" || parameter.name == "format") continue;
      key += parameter.name + "=" + std::to_string(parameter.value.size()) + ":" + parameter.value;
    }
    return key;
  }

  Pages take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    for (auto at = searches_.begin(); at != searches_.end(); ++at) {
      if (at->first != key) continue;
      searches_.splice(searches_.begin(), searches_, at);
      return searches_.front().second;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::list<std::pair<std::string, Pages>> searches_;  // the last used first
};

}  // namespace paraprint::inline explorer
