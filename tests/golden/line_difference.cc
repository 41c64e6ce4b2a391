#include "line_difference.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace paraprint {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (!text.empty() && !text.ends_with('\n')) lines.back() += " [no line end]";
  return lines;
}

}  // namespace

std::string line_difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return {};
  const std::vector<std::string> x = lines_of(expected);
  const std::vector<std::string> y = lines_of(actual);
  // common[i][j] is the length of the longest common subsequence of x from i on and y from j on.
  std::vector<std::vector<std::size_t>> common(x.size() + 1, std::vector<std::size_t>(y.size() + 1, 0));
  for (std::size_t i = x.size(); i-- > 0;) {
    for (std::size_t j = y.size(); j-- > 0;) {
      common[i][j] = x[i] == y[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string text;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.size() || j < y.size()) {
    if (i < x.size() && j < y.size() && x[i] == y[j]) {
      text += "  " + x[i++] + "\n";
      ++j;
    } else if (j == y.size() || (i < x.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += "- " + x[i++] + "\n";
    } else {
      text += "+ " + y[j++] + "\n";
    }
  }
  return text;
}

}  // namespace paraprint
