// The passages that a run takes out of the pages that stay (OutputOptions::trim), and what is written about them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/counters.h"
#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "memory/external_sort.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "trim/passages.h"
#include "trim/repeated_paragraphs.h"

namespace paraprint::inline engine {

// Threads: any number that read, or that write the records of different inputs.
class PageTrims {
 public:
  // Reads the profiles of all pages that stay, twice, and the pages that have a paragraph whose fingerprint is near
  // that of another one. A passage stays in the page that the survivor policy prefers. Memory: that of the finders, the
  // texts of these pages on the budget, and an eighth of --memory, or one text, for those that are being read. Errors:
  // those of reading the log and the pages, kCorruptData for a page that is gone, those of sorting, and of the budget's
  // disk.
  static Result<PageTrims> find(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                const ExternalSortOptions& sorting, ProgressReporter& progress);

  // What is taken out of a page, ascending: ranks are page numbers. Empty for most pages.
  std::span<const RepeatedPassage> of(std::uint32_t page) const;
  std::vector<TextSpan> spans_of(std::uint32_t page) const;

  // A record that was written without them.
  void mark_record_trimmed(std::uint32_t page) { has_trimmed_record_[page] = 1; }

  // trimmed.jsonl: a row per passage, in the order of the input.
  Status write_passages(const std::string& path, const PageTable& pages) const;

  // texts.jsonl: the remaining text of each page whose record does not have it, in the order of the input; no file if
  // there is none. Reads these pages again. Call it after the records were written.
  Status write_texts(const std::string& path, const RunSetup& run, const ReadOutcome& read,
                     ProgressReporter& progress) const;

  Counters counters() const;

 private:
  struct ComparedPage {
    std::uint32_t page = 0;
    std::uint64_t begin = 0;
    std::uint64_t size_bytes = 0;
  };

  explicit PageTrims(MemoryBudget* budget)
      : passages_(budget), has_trimmed_record_(budget), text_bytes_(budget), stored_texts_(budget), text_(budget) {}

  Status compare_texts(const RunSetup& run, const ReadOutcome& read, const SpillArray<std::uint32_t>& kept,
                       RepeatedParagraphs& paragraphs, ProgressReporter& progress);
  std::optional<std::string_view> stored_text(std::uint32_t page) const;

  SpillArray<RepeatedPassage> passages_;
  SpillArray<std::uint8_t> has_trimmed_record_;  // by page
  SpillArray<std::uint32_t> text_bytes_;         // by page, up to the end of its last paragraph
  SpillArray<ComparedPage> stored_texts_;        // of the pages read to find passages, ascending
  SpillArray<char> text_;                        // one after the other
};

}  // namespace paraprint::inline engine
