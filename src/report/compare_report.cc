#include "report/compare_report.h"

#include "report/match_view.h"

namespace paraprint {

std::string comparison_html(const Comparison& comparison) {
  PageFrame frame;
  frame.title = "paraprint compare";
  frame.name = "paraprint compare";
  return match_page(std::move(frame), comparison);
}

}  // namespace paraprint
