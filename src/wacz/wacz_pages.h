// Where the pages of a WACZ file come from: the records that were written to it, and the lists of its inputs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "memory/memory_budget.h"
#include "paraprint/result.h"
#include "wacz/page_list.h"

namespace paraprint::inline wacz {

// The WACZ file, or the folder with its unpacked content, that `path` leads into: "a/b.wacz" of
// "a/b.wacz/archive/c.warc.gz" and of "a/b.wacz"; empty if there is none.
std::string_view wacz_above(std::string_view path);

// The WACZ files among the inputs that have a list of pages.
class ListedWacz {
 public:
  // Adds the lines of all lists to `pages`. Errors: kInputOutput, kCancelled, and those of `pages`.
  static Result<ListedWacz> read(const std::vector<InputFile>& inputs, PageList& pages);

  bool has_list(std::string_view path) const;
  // For inputs of the run that wrote the records, whose folder may be another one by now.
  bool has_list_of_name(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> paths_;
  std::set<std::string, std::less<>> names_;
};

struct PageSearch {
  bool with_text = false;
  unsigned threads = 1;
  MemoryBudget& budget;
};

// Adds the HTML pages of these inputs, in their order. Progress: stage "pages". Errors: those of reading, kCancelled,
// and those of `pages`.
Status find_pages(const std::vector<InputFile>& inputs, const PageSearch& search, PageList& pages,
                  ProgressReporter& progress);

}  // namespace paraprint::inline wacz
