// The text of Markdown as this project writes it: markup is taken off again, by other rules than those that put it on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paraprint::testing {

// Without emphasis, links and escapes.
inline std::string inline_text(std::string_view markdown) {
  std::string text;
  for (std::size_t at = 0; at < markdown.size();) {
    const char c = markdown[at];
    if (c == '\\' && at + 1 < markdown.size()) {
      text += markdown[at + 1];
      at += 2;
    } else if (c == '`') {
      const std::size_t fence = std::min(markdown.find_first_not_of('`', at), markdown.size()) - at;
      std::size_t end = at + fence;
      for (;; ++end) {  // the next run of backticks of that length
        end = markdown.find('`', end);
        if (end == std::string_view::npos) return text + "<unclosed code>";
        const std::size_t run = std::min(markdown.find_first_not_of('`', end), markdown.size()) - end;
        if (run == fence) break;
        end += run - 1;
      }
      std::string_view code = markdown.substr(at + fence, end - at - fence);
      if (code.size() > 1 && code.front() == ' ' && code.back() == ' ') code = code.substr(1, code.size() - 2);
      text += code;
      at = end + fence;
    } else if (c == '*' || c == '~' || c == '[') {
      ++at;
    } else if (c == ']') {
      if (markdown.substr(at, 2) != "](") return text + "<bracket>";
      at = markdown.find(')', at) + 1;
      if (at == 0) return text + "<unclosed link>";
    } else {
      text += c;
      ++at;
    }
  }
  return text;
}

// Cells of a row, "| a | b |"; those without text are left out.
inline std::string row_text(std::string_view row) {
  std::string text;
  std::string cell;
  for (std::size_t at = 1; at < row.size(); ++at) {
    if (row[at] == '\\' && at + 1 < row.size() && row[at + 1] == '|') {
      cell += '\xFF';  // a border that is text, in code as well; no byte of UTF-8
      ++at;
    } else if (row[at] == '\\' && at + 1 < row.size()) {
      cell += row.substr(at++, 2);
    } else if (row[at] == '|') {
      std::string shown = inline_text(cell);
      for (char& c : shown) c = c == '\xFF' ? '|' : c;
      if (shown.find_first_not_of(' ') != std::string::npos) text += (text.empty() ? "" : " | ") + shown;
      cell.clear();
    } else {
      cell += row[at];
    }
  }
  return text;
}

// Bytes of quotes, markers and indentation before the text of a line. A number of more than nine digits is no marker.
inline std::size_t prefix_bytes(std::string_view line) {
  std::size_t at = 0;
  for (;;) {
    const std::string_view rest = line.substr(at);
    std::size_t digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
    if (rest.starts_with("> ") || rest.starts_with("- ") || rest.starts_with("* ")) {
      at += 2;
    } else if (rest.starts_with(' ')) {
      at += 1;
    } else if (digits > 0 && digits <= 9 &&
               (rest.substr(digits).starts_with(". ") || rest.substr(digits).starts_with(") "))) {
      at += digits + 2;
    } else {
      return rest == ">" ? at + 1 : at;
    }
  }
}

inline std::string text_of_markdown(std::string_view markdown) {
  std::string text;
  std::string fence;  // of the open block of code
  std::size_t fence_begin = 0;
  std::size_t table_lines = 0;  // of the open table
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (!fence.empty()) {
      const std::string_view code = line.substr(std::min(fence_begin, line.size()));
      if (code == fence) {
        fence.clear();
      } else {
        text += std::string(code) + "\n";
      }
      continue;
    }
    fence_begin = prefix_bytes(line);
    std::string_view rest = line.substr(fence_begin);
    if (!rest.starts_with("|")) table_lines = 0;
    const std::size_t backticks = std::min(rest.find_first_not_of('`'), rest.size());
    if (backticks >= 3 && rest.find('`', backticks) == std::string_view::npos) {
      fence = rest.substr(0, backticks);
    } else if (rest.starts_with("|")) {
      // The second line of a table is the border below its header.
      if (++table_lines != 2) text += row_text(rest) + "\n";
    } else {
      const std::size_t level = std::min(rest.find_first_not_of('#'), rest.size());
      if (level > 0 && rest.substr(level).starts_with(' ')) rest.remove_prefix(level + 1);
      text += inline_text(rest) + "\n";
    }
  }
  return text;
}

inline std::string without_white_space(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\f') kept += c;
  }
  return kept;
}

}  // namespace paraprint::testing
