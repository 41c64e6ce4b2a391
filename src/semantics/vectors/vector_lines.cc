#include "semantics/vectors/vector_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace paraprint {
namespace {

// A number in text, with what may stand around it; longer ones are none.
constexpr std::size_t kNumberCharactersMaximum = 64;

std::string_view without_line_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

// Takes the last field of a line away; false if there is but one.
bool take_last_field(std::string_view& line, std::string_view& field) {
  const std::size_t space = line.find_last_of(" \t");
  if (space == std::string_view::npos) return false;
  field = line.substr(space + 1);
  line = without_line_end(line.substr(0, space));
  return true;
}

bool read_number(std::string_view text, float& number) {
  if (text.empty() || text.size() > kNumberCharactersMaximum) return false;
  if (text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // Numbers too small for a float are zeros; others out of range are found by their value.
  if (error == std::errc::result_out_of_range) {
    double wide = 0;
    const auto again = std::from_chars(text.data(), text.data() + text.size(), wide);
    const bool is_small = again.ec == std::errc() && std::abs(wide) < 1;
    number = is_small ? 0 : HUGE_VALF;
    return again.ptr == text.data() + text.size();
  }
  return error == std::errc() && end == text.data() + text.size();
}

tl::unexpected<Error> wrong_line(const std::string& name, std::uint64_t line, std::string_view what) {
  return failure(ErrorCode::kCorruptData,
                 fmt::format("{}:{}: {}; the file is damaged or no text of word vectors", name, line, what));
}

// The numbers of a line, last first; leaves the word in `line`.
Status read_numbers(std::string_view& line, const std::string& name, std::uint64_t number, std::vector<float>& vector) {
  for (std::size_t i = vector.size(); i-- > 0;) {
    std::string_view field;
    if (!take_last_field(line, field)) {
      return wrong_line(name, number, fmt::format("{} numbers where {} are due", vector.size() - 1 - i, vector.size()));
    }
    if (!read_number(field, vector[i])) {
      return wrong_line(name, number, fmt::format("'{}' is no number", field.substr(0, kNumberCharactersMaximum)));
    }
  }
  return {};
}

}  // namespace

bool read_vector_heading(std::string_view bytes, VectorHeading& heading) {
  constexpr std::size_t kHeadingBytesMaximum = 64;
  const std::size_t end = bytes.substr(0, kHeadingBytesMaximum).find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = without_line_end(bytes.substr(0, end));
  const char* const line_end = line.data() + line.size();
  const auto words = std::from_chars(line.data(), line_end, heading.words);
  if (words.ec != std::errc() || words.ptr == line_end || *words.ptr != ' ') return false;
  const auto dimension = std::from_chars(words.ptr + 1, line_end, heading.dimension);
  heading.size_bytes = end + 1;
  return dimension.ec == std::errc() && dimension.ptr == line_end;
}

Status check_vector_heading(const VectorHeading& heading, const std::string& name) {
  if (heading.words == 0 || heading.dimension == 0) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}:1: says that there is nothing in the file", name));
  }
  if (heading.dimension > kVectorDimensionMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}:1: vectors of {} numbers; at most {} are read (kVectorDimensionMaximum)", name,
                               heading.dimension, kVectorDimensionMaximum));
  }
  return {};
}

std::size_t count_vector_numbers(std::string_view line) {
  line = without_line_end(line);
  std::size_t count = 0;
  float number = 0;
  for (std::string_view field; take_last_field(line, field) && read_number(field, number);) ++count;
  return count;
}

Status add_vector_lines(const VectorLines& lines, const std::string& name, WordVectorsBuilder& builder) {
  std::vector<float> vector(builder.facts().dimension);
  std::string_view rest = lines.bytes;
  std::uint64_t number = lines.first_line;
  std::uint64_t read = 0;
  for (; !rest.empty() && !builder.is_full(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = without_line_end(rest.substr(0, end));
    const bool is_whole = end != std::string_view::npos;
    rest.remove_prefix(is_whole ? end + 1 : rest.size());
    if (line.empty()) continue;
    if (lines.expected > 0 && read == lines.expected) {
      return wrong_line(name, number, fmt::format("more lines than the {} words of the heading", lines.expected));
    }
    if (Status numbers = read_numbers(line, name, number, vector); !numbers) return numbers;
    ++read;
    if (!builder.add(line, vector, 0)) return wrong_line(name, number, "a number is infinite or none (NaN)");
  }
  if (!builder.is_full() && read < lines.expected) {
    return wrong_line(name, number, fmt::format("the file ends after {} of {} words", read, lines.expected));
  }
  return {};
}

}  // namespace paraprint
