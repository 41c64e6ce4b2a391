// Lines are parsed from their end, because words may contain spaces and numbers may not. Numbers are read with
// from_chars, which ignores the locale: with strtof, a German locale would read "0,5" and stop at the point of "0.5".
#include "semantics/vectors/vector_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// Longer fields are not numbers; the limit also bounds what an error message quotes.
constexpr std::size_t kNumberCharactersMaximum = 64;

// Also removes trailing blanks, which some programs write after the last number.
std::string_view without_line_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

// Removes the last field of a line; returns false if there is only one.
bool take_last_field(std::string_view& line, std::string_view& field) {
  const std::size_t space = line.find_last_of(" \t");
  if (space == std::string_view::npos) return false;
  field = line.substr(space + 1);
  line = without_line_end(line.substr(0, space));
  return true;
}

bool read_whole_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_number(std::string_view text, float& number) {
  if (text.empty() || text.size() > kNumberCharactersMaximum) return false;
  if (text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // from_chars reports underflow and overflow alike. Numbers too small for a float become zero; larger ones become
  // infinite, which the builder rejects with the number of the word.
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
                 fmt::format("{}:{}: {}; the file is damaged or not a text file of word vectors", name, line, what));
}

// Reads the numbers of a line, from the last to the first, and leaves the word in `line`.
Status read_numbers(std::string_view& line, const std::string& name, std::uint64_t number, std::vector<float>& vector) {
  for (std::size_t i = vector.size(); i-- > 0;) {
    std::string_view field;
    if (!take_last_field(line, field)) {
      return wrong_line(name, number,
                        fmt::format("expected {1} numbers, found {0}", vector.size() - 1 - i, vector.size()));
    }
    if (!read_number(field, vector[i])) {
      return wrong_line(name, number, fmt::format("'{}' is not a number", field.substr(0, kNumberCharactersMaximum)));
    }
  }
  return {};
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  return bytes;
}

// Only the first 64 bytes are searched for the line end: two numbers need no more, and a binary file may have none at
// all.
bool read_vector_heading(std::string_view bytes, VectorHeading& heading) {
  constexpr std::size_t kHeadingBytesMaximum = 64;
  const std::string_view text = without_byte_order_mark(bytes);
  const std::size_t end = text.substr(0, kHeadingBytesMaximum).find('\n');
  if (end == std::string_view::npos) return false;
  heading.size_bytes = bytes.size() - text.size() + end + 1;
  std::string_view words = without_line_end(text.substr(0, end));
  std::string_view dimension;
  if (!take_last_field(words, dimension)) return false;
  words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
  return read_whole_number(words, heading.words) && read_whole_number(dimension, heading.dimension);
}

// Before a builder is made: it allocates by the dimension.
Status check_vector_heading(const VectorHeading& heading, const std::string& name) {
  if (heading.words == 0 || heading.dimension == 0) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}:1: the heading says that the file is empty", name));
  }
  if (heading.dimension > kVectorDimensionMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}:1: vectors have {} numbers; at most {} are supported (kVectorDimensionMaximum)",
                               name, heading.dimension, kVectorDimensionMaximum));
  }
  return {};
}

// Used to guess formats and dimensions, so anything that is not a number ends the count without an error.
std::size_t count_vector_numbers(std::string_view line) {
  line = without_line_end(line);
  std::size_t count = 0;
  float number = 0;
  for (std::string_view field; take_last_field(line, field) && read_number(field, number);) ++count;
  return count;
}

// A file with a heading is checked in both directions: too many lines are an error as well as too few, unless the
// builder is full before.
Status add_vector_lines(const VectorLines& lines, const std::string& name, WordVectorsBuilder& builder) {
  std::vector<float> vector(builder.facts().dimension);
  std::string_view rest = lines.bytes;
  std::uint64_t number = lines.first_line;
  std::uint64_t read = 0;
  for (; !rest.empty() && !builder.is_full(); ++number) {
    PARAPRINT_TRY(check_stop());
    const std::size_t end = rest.find('\n');
    std::string_view line = without_line_end(rest.substr(0, end));
    const bool is_whole = end != std::string_view::npos;
    rest.remove_prefix(is_whole ? end + 1 : rest.size());
    if (line.empty()) continue;
    if (lines.expected > 0 && read == lines.expected) {
      return wrong_line(name, number, fmt::format("more lines than the {} words of the heading", lines.expected));
    }
    PARAPRINT_TRY(read_numbers(line, name, number, vector));
    ++read;
    if (!builder.add(line, vector, 0)) return wrong_line(name, number, "the vector contains infinity or NaN");
  }
  if (!builder.is_full() && read < lines.expected) {
    return wrong_line(name, number, fmt::format("the file ends after {} of {} words", read, lines.expected));
  }
  return {};
}

}  // namespace paraprint::inline semantics::inline vectors
