// Neighbouring questions are about the same pages: a list asks for titles, then a pair of its pages is opened, then its
// texts are scrolled. So a few texts are kept, and many titles.
#include "view/text_reader.h"

#include <algorithm>

#include "base/propagate.h"
#include "engine/shown_page.h"
#include "engine/stored_page_reader.h"
#include "report/comparison.h"
#include "report/text_safety.h"
#include "view/pair_json.h"

namespace paraprint::inline explorer {
namespace {

constexpr std::size_t kTitleBytesKept = 300;

}  // namespace

TextReader::TextReader(const RunStore& store)
    : store_(store), normaliser_(NormaliseOptions{store.options().profile.fold_traditional}) {}

Result<std::unique_ptr<TextReader>> TextReader::create(const RunStore& store) {
  std::unique_ptr<TextReader> reader(new TextReader(store));
  PARAPRINT_ASSIGN(reader->view_,
                   PairView::create(store.options(), *store.read().log, store.pages(), store.matched().basis));
  return reader;
}

void TextReader::remember(std::uint32_t page, const MainContent& content) {
  if (titles_.size() >= kTitlesKept) titles_.clear();
  titles_[page] = utf8_prefix(content.title, kTitleBytesKept);
  texts_.remove_if([page](const auto& entry) { return entry.first == page; });
  texts_.emplace_front(page, content);
  if (texts_.size() > kTextsKept) texts_.pop_back();
}

Result<std::map<std::uint32_t, MainContent>> TextReader::contents(std::span<const std::uint32_t> pages) {
  std::map<std::uint32_t, MainContent> contents;
  std::vector<std::uint32_t> missing;
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t page : pages) {
      const auto known =
          std::find_if(texts_.begin(), texts_.end(), [&](const auto& text) { return text.first == page; });
      if (known == texts_.end()) {
        missing.push_back(page);
      } else {
        contents[page] = known->second;
        texts_.splice(texts_.begin(), texts_, known);
      }
    }
  }
  if (missing.empty() || !store_.no_texts().empty()) return contents;
  PARAPRINT_ASSIGN(auto read, read_contents(store_.setup(), store_.read(), std::move(missing)));
  const std::lock_guard lock(mutex_);
  for (auto& [page, content] : read) {
    remember(page, content);
    contents[page] = std::move(content);
  }
  return contents;
}

Result<std::map<std::uint32_t, std::string>> TextReader::titles(std::span<const std::uint32_t> pages) {
  std::map<std::uint32_t, std::string> titles;
  std::vector<std::uint32_t> missing;
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t page : pages) {
      const auto known = titles_.find(page);
      if (known == titles_.end()) {
        missing.push_back(page);
      } else {
        titles[page] = known->second;
      }
    }
  }
  PARAPRINT_ASSIGN(const auto read, contents(missing));
  for (const auto& [page, content] : read) titles[page] = utf8_prefix(content.title, kTitleBytesKept);
  return titles;
}

// Texts that were searched are not remembered, or a search would drop those that are shown.
Status TextReader::find_in_texts(std::span<const std::uint32_t> pages, std::string_view title, std::string_view text,
                                 std::vector<std::uint32_t>& found) {
  if (pages.empty()) return {};
  const std::string title_words = normaliser_.normalised(title);
  const std::string text_words = normaliser_.normalised(text);
  const auto contains = [this](std::string_view where, const std::string& words) {
    return words.empty() || normaliser_.normalised(where).find(words) != std::string::npos;
  };
  PARAPRINT_ASSIGN(const auto contents, read_contents(store_.setup(), store_.read(), {pages.begin(), pages.end()}));
  for (const auto& [page, content] : contents) {
    if (contains(content.title, title_words) && contains(content.text, text_words)) found.push_back(page);
  }
  return {};
}

Status TextReader::write_pair(std::uint32_t page_a, std::uint32_t page_b, JsonWriter& json) {
  if (!store_.no_texts().empty()) return failure(ErrorCode::kNotFound, store_.no_texts());
  const std::uint32_t pages[] = {page_a, page_b};
  PARAPRINT_ASSIGN(const auto read, contents(pages));
  const std::lock_guard lock(view_mutex_);
  PARAPRINT_ASSIGN(Comparison comparison, view_->compare(page_a, page_b, read));
  store_.matched().aligned.words.decide(comparison.match, store_.options().match);
  store_.matched().rulings.decide(comparison.match);
  write_comparison(comparison, json);
  return {};
}

}  // namespace paraprint::inline explorer
