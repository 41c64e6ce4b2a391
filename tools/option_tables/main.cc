// Rewrites the tables of options in a Markdown page from the option tables, between markers:
//
//   <!-- options: run, Deciding -->   one group of a run's options (also: crawl, serve, ... in command_tables.h)
//   <!-- end of options -->
//
// usage: paraprint_option_tables PAGE [--check]
// --check only compares, and fails if the page is out of date. `make option-tables` runs it.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "options/command_tables.h"
#include "options/option_table.h"

namespace paraprint {
namespace {

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string flag_of(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

template <class Options>
std::string row_text(const OptionRow<Options>& row) {
  const std::string flag = flag_of(row.name);
  const OptionValue value_in_force = option_value(row, Options{});
  const std::string value =
      row.has(kSize) ? size_text(std::get<std::uint64_t>(value_in_force)) : option_text(row, Options{});
  if (is_switch(row)) {
    return fmt::format("| `{}`, `--no-{}` | {} | {} |\n", flag, flag.substr(2), value == "true" ? "on" : "off",
                       escaped(std::string(row.help)));
  }
  std::string range = row.range.text(row.has(kSize));
  if (!range.empty()) range = "; " + range;
  return fmt::format("| `{} {}` | {} | {}{} |\n", flag, kind_name(row), value.empty() ? "" : "`" + value + "`",
                     escaped(std::string(row.help)), range);
}

// The rows by table and group, as the markers name them.
std::map<std::string, std::string, std::less<>> blocks() {
  std::map<std::string, std::string, std::less<>> found;
  const auto add = [&](const std::string& table, const auto rows) {
    for (const auto& row : rows) {
      found[table] += row_text(row);
      found[fmt::format("{}, {}", table, row.group)] += row_text(row);
    }
  };
  DedupOptions run;
  for_each_run_table(run, [&](const auto rows, auto&) { add("run", rows); });
  add("eval", labelled_input_option_rows());
  add("eval", evaluate_option_rows());
  add("simulate", simulate_option_rows());
  add("crawl", crawl_option_rows());
  add("serve", serve_option_rows());
  add("serve", service_limit_option_rows());
  add("topics", topic_option_rows());
  add("vectors file", vector_file_option_rows());
  add("vectors", vector_option_rows());
  add("vectors reduce", reduction_option_rows());
  return found;
}

constexpr std::string_view kBegin = "<!-- options: ";
constexpr std::string_view kBeginEnd = " -->\n";
constexpr std::string_view kEnd = "<!-- end of options -->\n";

// Throws for a marker without its end or of an unknown name.
std::string rewritten(const std::string& page) {
  const auto known = blocks();
  std::string result;
  std::size_t at = 0;
  for (std::size_t begin; (begin = page.find(kBegin, at)) != std::string::npos;) {
    const std::size_t name_end = page.find(kBeginEnd, begin);
    const std::size_t end = page.find(kEnd, begin);
    if (name_end == std::string::npos || end == std::string::npos) throw std::runtime_error("a marker has no end");
    const std::string name = page.substr(begin + kBegin.size(), name_end - begin - kBegin.size());
    const auto block = known.find(name);
    if (block == known.end()) throw std::runtime_error("there is no table '" + name + "'");
    result += page.substr(at, name_end + kBeginEnd.size() - at);
    result += "| Option | Default | Meaning |\n|---|---|---|\n" + block->second;
    at = end;
  }
  return result + page.substr(at);
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: paraprint_option_tables PAGE [--check]\n";
    return 2;
  }
  const std::string path = argv[1];
  const bool checks = argc > 2 && std::string_view(argv[2]) == "--check";
  std::ifstream file(path, std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  try {
    const std::string wanted = paraprint::rewritten(page);
    if (wanted == page) return 0;
    if (checks) {
      std::cerr << path << " is out of date: run `make option-tables`\n";
      return 1;
    }
    std::ofstream(path, std::ios::binary) << wanted;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << path << ": " << error.what() << '\n';
    return 2;
  }
}
