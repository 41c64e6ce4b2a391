// A finished run of made-up pages, opened as the explorer opens it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/progress.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"
#include "view/run_store.h"

namespace paraprint {

// Groups of pages that share paragraphs in many proportions, so that scores are spread over the whole range, with pages
// of equal text among them.
class FinishedRun {
 public:
  explicit FinishedRun(std::uint64_t seed, int groups = 12, const SurvivorOptions& survivors = {},
                       bool provenance = false)
      : random_(seed) {
    write_pages(groups);
    options_.inputs = {folder_ / "pages.jsonl"};
    options_.output.out = folder_ / "clean";
    options_.output.report = false;
    options_.output.provenance = provenance;
    options_.survivors = survivors;
    options_.resources.threads = 2;
    const Result<DedupOutcome> outcome = deduplicate(options_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(store_options(options_.output.out, "# as the program stores them\n"));
  }

  std::unique_ptr<RunStore> load() const {
    Result<std::unique_ptr<RunStore>> store = RunStore::open(options_);
    EXPECT_TRUE(store) << store.error().message;
    const RunControl silent;
    ProgressReporter progress(silent);
    const Status loaded = (*store)->load(progress);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return std::move(*store);
  }

  const DedupOptions& options() const { return options_; }
  std::string folder() const { return options_.output.out; }

 private:
  std::uint64_t below(std::uint64_t count) { return random_() % count; }

  std::string paragraph() {
    std::string text;
    for (int word = 0; word < 40; ++word) {
      text += fmt::format("{}{}", word == 0 ? "W" : " w", below(100'000));
      if (word % 13 == 12) text += ".";
    }
    return text + ".";
  }

  void write_pages(int groups) {
    std::ofstream file(folder_ / "pages.jsonl");
    for (int group = 0; group < groups; ++group) {
      std::vector<std::string> stock;
      for (int i = 0; i < 10; ++i) stock.push_back(paragraph());
      const auto pages = 1 + below(9);
      std::string text;
      for (std::uint64_t page = 0; page < pages; ++page) {
        if (text.empty() || below(4) != 0) {  // otherwise the text of the page before
          text.clear();
          for (const std::string& each : stock) {
            const auto choice = below(10);
            if (choice < 7) text += each + "\\n\\n";
            if (choice == 9) text += paragraph() + "\\n\\n";
          }
        }
        file << fmt::format(
            "{{\"id\":\"{}-{}\",\"url\":\"https://host{}.example/{}/{}\",\"date\":\"2025-0{}-01T00:00:00Z\","
            "\"text\":\"{}\"}}\n",
            group, page, below(4), group, page, 1 + below(9), text);
      }
    }
  }

  TemporaryFolder folder_;
  std::mt19937_64 random_;
  DedupOptions options_;
};

}  // namespace paraprint
