// Plots are written as SVG text by hand: no library, no script, and the same bytes for the same figures. Coordinates
// have one decimal, far below a pixel. Elements get classes instead of colours, which the page's style sheet defines
// for light and dark mode.
#include "lab/evaluate/evaluation_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text_safety.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

// Sizes in units of the view box. Text is 12 units high (style.css), so the height
// and width of names can be estimated here.
constexpr double kWidth = 560;
constexpr double kHeight = 400;
constexpr double kLeft = 52;
constexpr double kRight = 14;
constexpr double kTop = 12;
constexpr double kBottom = 46;
constexpr double kTickLength = 4;
constexpr double kTextHeight = 12;
constexpr double kLetterWidth = 6.2;  // average width of a letter
constexpr double kDotRadius = 4;
constexpr int kLinearSteps = 5;

constexpr double kIntervalWidth = 240;
constexpr double kIntervalHeight = 18;

// Maps values to coordinates within the axes. Holds references: the axes must outlive it.
class Frame {
 public:
  Frame(const PlotAxis& x, const PlotAxis& y) : x_(x), y_(y) {}

  double x(double value) const { return kLeft + share(x_, value) * (kWidth - kLeft - kRight); }
  double y(double value) const { return kHeight - kBottom - share(y_, value) * (kHeight - kTop - kBottom); }

  std::string axes() const {
    std::string out;
    for (const double tick : ticks(x_)) {
      out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x(tick), kTop, kHeight - kBottom);
      out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x(tick),
                         kHeight - kBottom + kTickLength + kTextHeight, tick_text(x_, tick));
    }
    for (const double tick : ticks(y_)) {
      out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", kLeft, y(tick), kWidth - kRight);
      out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                         kLeft - kTickLength - 2, y(tick) + kTextHeight / 3, tick_text(y_, tick));
    }
    out += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>", kLeft, kTop, kHeight - kBottom,
                       kWidth - kRight);
    out += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                       (kLeft + kWidth - kRight) / 2, kHeight - kTickLength, html_text(x_.label));
    out += fmt::format(
        "<text class=\"label\" transform=\"translate(13 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (kTop + kHeight - kBottom) / 2, html_text(y_.label));
    return out;
  }

 private:
  // On a logarithmic axis values below the lower end are drawn at the end; log10 of 0 would be infinite.
  static double share(const PlotAxis& axis, double value) {
    if (!axis.is_logarithmic) return (value - axis.low) / (axis.high - axis.low);
    return std::log10(std::max(value, axis.low) / axis.low) / std::log10(axis.high / axis.low);
  }
  static std::vector<double> ticks(const PlotAxis& axis) {
    std::vector<double> values;
    if (axis.is_logarithmic) {
      constexpr double kBase = 10;
      // The tolerance keeps the last tick despite rounding errors of the products.
      for (double tick = axis.low; tick <= axis.high * 1.001; tick *= kBase) values.push_back(tick);
    } else {
      for (int i = 0; i <= kLinearSteps; ++i) values.push_back(axis.low + (axis.high - axis.low) * i / kLinearSteps);
    }
    return values;
  }
  static std::string tick_text(const PlotAxis& axis, double value) {
    if (!axis.is_logarithmic) return fmt::format("{:.2f}", value);
    if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
    return value >= 1e3 ? fmt::format("{:g}k", value / 1e3) : fmt::format("{:g}", value);
  }

  const PlotAxis& x_;
  const PlotAxis& y_;
};

std::string svg_begin(const std::string& title) {
  return fmt::format(
      "<svg class=\"plot\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\" "
      "xmlns=\"http://www.w3.org/2000/svg\">",
      kWidth, kHeight, html_text(title));
}

// Series without a colour are drawn thin and grey.
std::string colour_class(const std::optional<std::size_t>& colour) {
  return colour ? fmt::format("c{}", *colour % kPlotColours) : "quiet-line";
}

std::string path_of(const Frame& frame, const std::vector<PlotPoint>& points) {
  std::string path;
  for (const PlotPoint& point : points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(point.x), frame.y(point.y));
  }
  return path;
}

std::string f1_lines(const Frame& frame, const LinePlot& plot) {
  std::string out;
  constexpr std::array kLevels = {0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98};
  constexpr int kSteps = 60;
  for (const double f1 : kLevels) {
    // P = F R / (2R - F), from (F / (2 - F), 1) to (1, F / (2 - F)).
    const double first = f1 / (2 - f1);
    // Lines that start outside of a zoomed plot would only cross its corner.
    if (first < plot.x.low && first < plot.y.low) continue;
    std::vector<PlotPoint> points;
    for (int i = 0; i <= kSteps; ++i) {
      const double recall = first + (1 - first) * i / kSteps;
      points.push_back({recall, f1 * recall / (2 * recall - f1)});
    }
    out += fmt::format("<path class=\"f1-line\" d=\"{}\"/>", path_of(frame, points));
    const double diagonal = f1;     // the point where P = R
    constexpr double kRoom = 0.07;  // room for the name at the right edge
    if (diagonal > plot.x.low && diagonal > plot.y.low && 1 - diagonal > kRoom * (1 - plot.x.low)) {
      out += fmt::format("<text class=\"f1-name\" x=\"{:.1f}\" y=\"{:.1f}\">F1 {:g}</text>", frame.x(diagonal) + 3,
                         frame.y(diagonal) - 3, f1);
    }
  }
  return out;
}

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Candidate places for a name of this width around a point, in order of preference: right, left, above, below.
std::array<Box, 4> places_around(double x, double y, double width) {
  const double gap = kDotRadius + 3;
  const double half = kTextHeight / 2;
  return {Box{x + gap, y - half, x + gap + width, y + half}, Box{x - gap - width, y - half, x - gap, y + half},
          Box{x - width / 2, y - gap - kTextHeight, x + width / 2, y - gap},
          Box{x - width / 2, y + gap, x + width / 2, y + gap + kTextHeight}};
}

}  // namespace

std::string line_plot(const LinePlot& plot) {
  const Frame frame(plot.x, plot.y);
  std::string out = svg_begin(plot.title);
  // Curves may leave a zoomed plot. The clip area is 3 units larger, so that lines along the border keep their width.
  out += fmt::format("<clipPath id=\"{0}\"><rect x=\"{1:g}\" y=\"{2:g}\" width=\"{3:g}\" height=\"{4:g}\"/></clipPath>",
                     html_text(plot.id), kLeft, kTop - 3, kWidth - kLeft - kRight + 3, kHeight - kTop - kBottom + 3);
  out += frame.axes();
  out += fmt::format("<g clip-path=\"url(#{})\">", html_text(plot.id));
  if (plot.has_f1_lines) out += f1_lines(frame, plot);
  // The first series matter most, so they are drawn last, on top of the others.
  for (auto series = plot.series.rbegin(); series != plot.series.rend(); ++series) {
    const std::string colour = colour_class(series->colour);
    const std::string name = html_text(series->name);
    if (series->points.size() > 1) {
      out += fmt::format("<path class=\"line {}\" d=\"{}\"><title>{}</title></path>", colour,
                         path_of(frame, series->points), name);
    }
    if (series->marker) {
      out += fmt::format(
          "<circle class=\"dot-mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\"><title>{}</title></circle>", colour,
          frame.x(series->marker->x), frame.y(series->marker->y), series->colour ? kDotRadius : kDotRadius / 2, name);
    }
  }
  return out + "</g></svg>";
}

std::string scatter_plot(const std::string& title, const PlotAxis& x, const PlotAxis& y,
                         const std::vector<ScatterPoint>& points) {
  const Frame frame(x, y);
  std::string out = svg_begin(title) + frame.axes();
  // All dots are reserved before the first name is placed, so that no name covers a dot.
  std::vector<Box> taken;
  for (const ScatterPoint& point : points) {
    const double at_x = frame.x(point.at.x);
    const double at_y = frame.y(point.at.y);
    taken.push_back({at_x - kDotRadius, at_y - kDotRadius, at_x + kDotRadius, at_y + kDotRadius});
  }
  std::string names;
  for (const ScatterPoint& point : points) {
    const double at_x = frame.x(point.at.x);
    const double at_y = frame.y(point.at.y);
    out +=
        fmt::format("<circle class=\"dot-mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\"><title>{}</title></circle>",
                    colour_class(point.colour), at_x, at_y, kDotRadius, html_text(point.name));
    // Greedy: the first free place in order of preference. Points come in ranking order, so the best algorithms keep
    // their names; a name without a free place remains a tooltip.
    for (const Box& box : places_around(at_x, at_y, kLetterWidth * static_cast<double>(point.name.size()))) {
      const bool is_inside = box.left > kLeft && box.right < kWidth && box.top > 0 && box.bottom < kHeight - kBottom;
      const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); });
      if (!is_inside || !is_free) continue;
      taken.push_back(box);
      names += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.left,
                           box.bottom - kTextHeight / 6, html_text(point.name));
      break;
    }
  }
  // Names last, on top of all dots.
  return out + names + "</svg>";
}

std::string interval_plot(double low, double value, double high, double second) {
  const auto x = [](double share) { return kDotRadius + share * (kIntervalWidth - 2 * kDotRadius); };
  const double middle = kIntervalHeight / 2;
  return fmt::format(
      "<svg class=\"interval\" viewBox=\"0 0 {:g} {:g}\" aria-hidden=\"true\"><path class=\"rail\" d=\"M{:.1f} "
      "{:g}H{:.1f}\"/><path class=\"span\" d=\"M{:.1f} {:g}H{:.1f}\"/><circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:g}\" "
      "r=\"3.4\"/><circle class=\"value\" cx=\"{:.1f}\" cy=\"{:g}\" r=\"{:g}\"/></svg>",
      kIntervalWidth, kIntervalHeight, x(0), middle, x(1), x(low), middle, x(high), x(second), middle, x(value), middle,
      kDotRadius);
}

std::string interval_scale() {
  return "<span class=\"scale\"><i>0</i><i>.2</i><i>.4</i><i>.6</i><i>.8</i><i>1</i></span>";
}

PlotAxis logarithmic_axis(std::string label, const std::vector<double>& values) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    // Zeros and NaN have no place on a logarithmic axis.
    if (!(value > 0)) continue;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  // No positive value: any valid axis will do.
  if (low == 0) return {std::move(label), 1, 10, true};
  const double floor = std::pow(10, std::floor(std::log10(low)));
  const double ceiling = std::pow(10, std::ceil(std::log10(high)));
  return {std::move(label), floor, ceiling > floor ? ceiling : floor * 10, true};
}

}  // namespace paraprint::inline lab::inline evaluation
