// What the text of a page says of its origin: "Posted on January 7th, 2008", "发布时间：2008-01-07 10:25 来源：新华网".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "corpus/written_date.h"
#include "html/document.h"

namespace paraprint::inline corpus {

struct Byline {
  std::string published;  // "2008-01-07"; empty if the text states none
  std::string modified;
  std::string source_name;  // stated_source.h
  std::string source_href;  // of the link that the source's name is; not resolved
};

// What a date is said to be.
enum class DateLabel : std::uint8_t { kNone, kPublished, kModified, kOther };

// Keeps its memory from page to page. Not thread-safe.
class BylineReader {
 public:
  // The attributes it reads.
  static HtmlAttributeSet attributes_read() {
    return {HtmlAttribute::kClass, HtmlAttribute::kHref, HtmlAttribute::kId};
  }

  // A date counts if what stands before it says what it is, or if it has a line of its own close to the heading. Dates
  // of comments, of lists of other articles, of events in the text and the current date at the top of a page do not.
  // `title` is that of the page, by which its heading is recognised. Without `with_dates`, none are looked for.
  // Incomplete if `stop` is stopped in between. Cost: O(nodes + text).
  Byline read(const HtmlDocument& document, std::string_view title, bool with_dates, StopCheck& stop);

 private:
  struct LineLink {
    std::size_t begin_bytes = 0;  // in the line
    std::string_view href;
  };
  // Text between two borders of blocks, with single spaces.
  struct Line {
    std::string text;
    std::vector<LineLink> links;
    std::size_t bytes_before = 0;  // of the lines above
    std::size_t link_bytes = 0;
    bool is_heading = false;
    bool is_aside = false;       // in comments, or in a list of other articles
    bool names_weekday = false;  // known for lines with dates
  };
  struct Candidate {
    WrittenDate date;
    std::size_t line = 0;
  };

  struct LineVisitor;

  void find_dates(std::string_view title, Byline& byline, StopCheck& stop);
  void find_source(Byline& byline) const;
  // The line that is the heading of the article; npos if there is none.
  std::size_t heading_line(std::string_view title) const;
  int score_of(const Candidate& candidate, DateLabel label, std::size_t heading) const;
  std::string_view before(const Candidate& candidate) const;
  void settle_order_of_days();

  std::vector<Line> lines_;
  std::vector<WrittenDate> dates_;  // of one line
  std::vector<Candidate> candidates_;
};

}  // namespace paraprint::inline corpus
