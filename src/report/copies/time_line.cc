// Dots that would overlap are piled up. The more of them there are in a column, the flatter they are, so that the
// picture has the same height whatever the cluster.
#include "report/copies/time_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include "report/copies/copies_section.h"
#include "report/text_safety.h"

namespace paraprint::inline report::inline copies {
namespace {

constexpr int kWidth = 720;
constexpr int kMargin = 6;
constexpr int kColumnWidth = 10;
constexpr int kPileHeight = 96;
constexpr int kAxisHeight = 4;
constexpr double kDotHeightMaximum = 9;
// Days named along the axis, its ends included.
constexpr std::int64_t kTicks = 3;

std::optional<int> number_of(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string day_text(std::int64_t number) {
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{number}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

// Days to places on the axis.
struct DayAxis {
  std::int64_t first = 0;
  std::int64_t last = 0;
  double x(std::int64_t day) const {
    if (last == first) return kWidth / 2.0;
    return kMargin + static_cast<double>(day - first) / static_cast<double>(last - first) * (kWidth - 2 * kMargin);
  }
};

// Text in a picture that fits any window would be too small on a phone, so the days are below it.
std::string ticks_html(const DayAxis& axis) {
  const std::int64_t days = axis.last - axis.first;
  const std::int64_t steps = std::min<std::int64_t>(days, kTicks - 1);
  std::string out = "<div class=\"ticks\">";
  for (std::int64_t step = 0; step <= steps; ++step) {
    out += fmt::format("<span>{}</span>", day_text(axis.first + (steps == 0 ? 0 : days * step / steps)));
  }
  return out + "</div>\n";
}

}  // namespace

std::optional<std::int64_t> day_number(std::string_view day) {
  if (day.size() != 10 || day[4] != '-' || day[7] != '-') return std::nullopt;
  const std::optional<int> year = number_of(day.substr(0, 4));
  const std::optional<int> month = number_of(day.substr(5, 2));
  const std::optional<int> of_month = number_of(day.substr(8, 2));
  if (!year || !month || !of_month || *year < 0 || *month < 1 || *of_month < 1) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year{*year}, std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*of_month)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string time_line_html(const std::vector<DatedPage>& pages) {
  std::vector<std::pair<std::int64_t, const DatedPage*>> placed;
  for (const DatedPage& page : pages) {
    if (const std::optional<std::int64_t> day = day_number(page.day)) placed.emplace_back(*day, &page);
  }
  if (placed.empty()) return {};
  const auto [first, last] = std::minmax_element(placed.begin(), placed.end());
  const DayAxis axis{first->first, last->first};
  std::map<int, int> pile;
  int highest = 0;
  for (const auto& [day, page] : placed) {
    highest = std::max(highest, ++pile[static_cast<int>(axis.x(day)) / kColumnWidth]);
  }
  const double step = std::min<double>(kDotHeightMaximum + 1, static_cast<double>(kPileHeight) / highest);
  const int floor = static_cast<int>(step * highest) + 4;
  std::string dots;
  pile.clear();
  for (const auto& [day, page] : placed) {
    const int column = static_cast<int>(axis.x(day)) / kColumnWidth;
    const double y = floor - step * ++pile[column];
    const double left =
        axis.last == axis.first ? kWidth / 2.0 - 4.5 : std::min(column * kColumnWidth, kWidth - 10) + .5;
    dots += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"{:.1f}\" rx=\"{:.1f}\"><title>{}: "
        "{}</title></rect>\n",
        page->is_first ? "origin" : "near", left, y, std::max(.6, step - 1), std::min(4.5, step / 2),
        html_text(page->day), html_text(shown_name(page->page)));
  }
  return fmt::format(
             "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Pages by stated date of "
             "publication\">\n<line x1=\"0\" x2=\"{}\" y1=\"{}.5\" y2=\"{}.5\"/>\n",
             kWidth, floor + kAxisHeight, kWidth, floor, floor) +
         dots + "</svg>\n" + ticks_html(axis);
}

}  // namespace paraprint::inline report::inline copies
