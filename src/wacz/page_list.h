// The list of pages in a WACZ file (pages/pages.jsonl): what was found in its records, and what other lists had, with
// marks on pages that another page stands for.
//
//   read_removed, (add_listed | add_found | add_place | see)*  ->  write(kExtra), write(kPages)
//
// Pages are kept as lines of JSON, on the memory budget. The order is that of adding; pages without a body of their own
// that no other list has are last.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "archive/input_window.h"
#include "archive/record.h"
#include "base/atomic_file.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "report/json_writer.h"

namespace paraprint::inline wacz {

struct FoundPage {
  std::string_view url;
  std::string_view date;   // "2024-05-01T10:00:00Z"
  std::string_view title;  // empty: none
  std::string_view text;   // empty: none
};

// pages.jsonl, and extraPages.jsonl with pages that crawlers found on the way.
enum class PageListKind : std::uint8_t { kPages, kExtra };

struct PageListCounts {
  std::uint64_t pages = 0;          // lines written, without the first
  std::uint64_t duplicates = 0;     // of them, marked
  std::uint64_t without_place = 0;  // no address or date, which every page needs: left out
  std::uint64_t broken_lines = 0;   // of lists that were read: left out
};

// Not thread-safe. Errors of all functions: those of the budget's disk, kInputOutput, kCancelled.
class PageList {
 public:
  explicit PageList(MemoryBudget* budget);

  // removed.jsonl of a run (docs/output.md). Pages of inputs for which `has_list` is true are only marked where they
  // are listed. Errors: kNotFound.
  Status read_removed(const std::string& path, const std::function<bool(std::string_view file)>& has_list);

  Status add_found(const FoundPage& page);
  // A capture with a body, of an input that another list describes.
  Status add_place(std::string_view url, std::string_view date);
  // All lines of another list of pages.
  Status add_listed(InputWindow& list, PageListKind kind);
  // Every record that is not a page. With `has_list`, a revisit record is only a mark.
  Status see(const RawRecord& record, bool has_list);

  bool has_extra_pages() const { return has_extra_pages_; }
  // The other pages first, because the last call adds those that are in neither list. Errors: those of `sink`.
  Status write(PageListKind kind, ByteSink& sink);
  const PageListCounts& counts() const { return counts_; }

 private:
  enum class MarkKind : std::uint8_t { kRemoved, kRevisit };
  // A line of the list, without the brace at its end.
  struct ListedLine {
    std::uint64_t place = 0;
    std::uint64_t begin = 0;  // in `texts_`
    std::uint64_t size = 0;
    PageListKind kind = PageListKind::kPages;
    bool is_open = false;  // a mark may be added
  };
  // A page without a body of its own. Its texts are its line and the members of the mark.
  struct Mark {
    std::uint64_t place = 0;
    std::uint64_t id = 0;              // of the record
    std::uint64_t original_place = 0;  // of the page that stands for it; 0 if unknown
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    MarkKind kind = MarkKind::kRemoved;
    bool is_mark_only = false;  // the page is in the list only if another list has it
    bool is_used = false;
  };
  struct PlacedMark {
    std::uint64_t place = 0;
    std::uint64_t number = 0;  // in `marks_`
    friend auto operator<=>(const PlacedMark&, const PlacedMark&) = default;
  };

  Status add_line(ListedLine line, std::string_view open_object);
  Status add_listed_line(std::string_view line, PageListKind kind);
  Status add_removed_line(std::string_view line, const std::function<bool(std::string_view file)>& has_list);
  Status add_mark(Mark mark, std::string_view line, std::string_view members);
  std::string page_line(std::string_view url, std::string_view date);
  Status prepare();
  Status write_unlisted(ByteSink& sink);
  bool is_wanted(const Mark& mark) const;
  Mark* find_mark(std::uint64_t place);
  std::string duplicate_member(const Mark& mark) const;
  Status write_line(ByteSink& sink, std::string_view open_object, Mark* mark);

  SpillArray<char> texts_;
  SpillArray<ListedLine> lines_;
  SpillArray<Mark> marks_;
  SpillArray<PlacedMark> marks_by_place_;
  SpillArray<std::uint64_t> page_places_;  // of pages with a body
  SpillArray<std::uint64_t> removed_ids_;
  SpillArray<std::uint64_t> revisit_ids_;   // of revisit records
  SpillArray<std::uint64_t> relation_ids_;  // of pages that have a metadata record in their place
  bool has_text_ = false;
  bool has_extra_pages_ = false;
  bool is_prepared_ = false;
  JsonWriter json_;
  PageListCounts counts_;
};

}  // namespace paraprint::inline wacz
