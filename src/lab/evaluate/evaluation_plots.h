// The plots of an evaluation as inline SVG: no script, colours from the page's style sheet, so that they follow light
// and dark. Pure functions; every text is escaped here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace paraprint {

struct PlotAxis {
  std::string label;
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;  // low and high are then powers of ten
};

struct PlotPoint {
  double x = 0;
  double y = 0;
};

// Colours that a plot tells apart; further series are drawn thin and grey.
inline constexpr std::size_t kPlotColours = 8;

struct PlotSeries {
  std::string name;
  std::optional<std::size_t> colour;  // below kPlotColours
  std::vector<PlotPoint> points;      // joined in this order
  std::optional<PlotPoint> marker;    // a dot: where the algorithm's default lies
};

struct LinePlot {
  std::string id;     // unique on the page
  std::string title;  // for readers that can't see it
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  bool has_f1_lines = false;  // curves of equal F1, where x is recall and y precision
};
std::string line_plot(const LinePlot& plot);

struct ScatterPoint {
  std::string name;
  PlotPoint at;
  std::optional<std::size_t> colour;
};
// Names stand beside the points where there is room; the rest are tooltips.
std::string scatter_plot(const std::string& title, const PlotAxis& x, const PlotAxis& y,
                         const std::vector<ScatterPoint>& points);

// A share on [0, 1] with its interval, and a second one as a ring: one cell of a table.
std::string interval_plot(double low, double value, double high, double second);

// The scale over a column of such cells.
std::string interval_scale();

// Powers of ten around positive values.
PlotAxis logarithmic_axis(std::string label, const std::vector<double>& values);

}  // namespace paraprint
