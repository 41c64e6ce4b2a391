// Fuzzes the reader of synonym lists with two lists, separated by a zero byte and read one after the other: a list is
// rejected with a message that names it, or the classes satisfy the contract of synonym_list.h.
#include "text/synonym_list.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace {

void check(const paraprint::SynonymLists& lists) {
  std::set<std::string_view> in_classes;
  for (const std::vector<std::string>& words : lists.classes) {
    if (words.size() < 2 || words.size() > paraprint::kSynonymClassWordsMaximum) std::abort();
    for (const std::string& word : words) {
      if (word.empty() || !in_classes.insert(word).second) std::abort();
    }
    const std::set<std::string_view> in_class(words.begin(), words.end());
    for (const std::vector<std::string>& apart : lists.apart) {
      std::size_t together = 0;
      for (const std::string& word : apart) together += in_class.count(word);
      if (together > 1) std::abort();
    }
  }
  for (const std::vector<std::string>& words : lists.apart) {
    if (words.size() < 2) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(text.find('\0'), text.size());
  const std::pair<const char*, std::string_view> files[] = {
      {"first.txt", text.substr(0, cut)}, {"second.txt", text.substr(std::min(cut + 1, text.size()))}};
  paraprint::SynonymLists lists;
  for (const auto& [name, list] : files) {
    const paraprint::Status added = lists.add(list, name);
    if (!added) {
      if (added.error().message.find(name) == std::string::npos) std::abort();
      return 0;
    }
    check(lists);
  }
  return 0;
}
