// The plots of an evaluation as inline SVG without scripts. Colours come from the page's style sheet, so they follow
// light and dark mode. Pure functions; all texts are escaped here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace paraprint::inline lab::inline evaluation {

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

// Number of distinct colours in a plot; further series are drawn thin and grey.
inline constexpr std::size_t kPlotColours = 8;

struct PlotSeries {
  std::string name;
  std::optional<std::size_t> colour;  // below kPlotColours
  std::vector<PlotPoint> points;      // joined in this order
  std::optional<PlotPoint> marker;    // a dot, at the algorithm's default threshold
};

struct LinePlot {
  std::string id;     // unique on the page
  std::string title;  // for screen readers
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  bool has_f1_lines = false;  // draw curves of equal F1; x must be recall and y precision
};
std::string line_plot(const LinePlot& plot);

struct ScatterPoint {
  std::string name;
  PlotPoint at;
  std::optional<std::size_t> colour;
};
// Names are written next to the points if there is room; the others are tooltips.
std::string scatter_plot(const std::string& title, const PlotAxis& x, const PlotAxis& y,
                         const std::vector<ScatterPoint>& points);

// One table cell: a share in [0, 1] with its interval, and a second share as a ring.
std::string interval_plot(double low, double value, double high, double second);

// The scale above a column of such cells.
std::string interval_scale();

// An axis from the power of ten below the positive values to the one above.
PlotAxis logarithmic_axis(std::string label, const std::vector<double>& values);

}  // namespace paraprint::inline lab::inline evaluation
