// Reads texts of pages again from the inputs of the run, and remembers the last ones.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/pair_view.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "report/json_writer.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

// Threads: any number. Memory: kTextsKept texts, and a hundred bytes for each of kTitlesKept titles.
class TextReader {
 public:
  // `store` is loaded, and must outlive the object. Errors: those of PairView::create().
  static Result<std::unique_ptr<TextReader>> create(const RunStore& store);

  // Titles by page, empty ones included. Pages that cannot be read again are missing. Errors: those of read_contents().
  Result<std::map<std::uint32_t, std::string>> titles(std::span<const std::uint32_t> pages);

  // Appends those of `pages`, which are ascending, that have `title` in their title and `text` in their text; empty
  // words are found anywhere. Case, width and script do not matter if the run folds them.
  Status find_in_texts(std::span<const std::uint32_t> pages, std::string_view title, std::string_view text,
                       std::vector<std::uint32_t>& found);

  // Writes the members of an object about two pages side by side: both texts line by line, with the runs of words that
  // they share, and the scores. kNotFound if a text cannot be read again; those of reading.
  Status write_pair(std::uint32_t page_a, std::uint32_t page_b, JsonWriter& json);

 private:
  static constexpr std::size_t kTextsKept = 64;
  static constexpr std::size_t kTitlesKept = 20'000;

  explicit TextReader(const RunStore& store);
  // The contents that are remembered or can be read, by page.
  Result<std::map<std::uint32_t, MainContent>> contents(std::span<const std::uint32_t> pages);
  void remember(std::uint32_t page, const MainContent& content);

  const RunStore& store_;
  Normaliser normaliser_;
  std::mutex mutex_;                                        // guards the two memories
  std::list<std::pair<std::uint32_t, MainContent>> texts_;  // the last used first
  std::unordered_map<std::uint32_t, std::string> titles_;
  std::mutex view_mutex_;
  std::unique_ptr<PairView> view_;  // has scratch memory
};

}  // namespace paraprint::inline explorer
