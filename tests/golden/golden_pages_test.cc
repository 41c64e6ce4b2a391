// Golden pages: each folder of tests/golden/pages holds a page and its expected results, compared byte by byte.
//
//   page.html or page.txt  the page as stored, in its own charset
//   case.txt               what the page tests, its content type, and the extractors that must give these results
//   expected.txt           the extracted text, one line per block
//   paragraphs.tsv         the profile: a header, then one line per paragraph
//
// Extractors known to fail on a page are not listed in its case, so wrong text is never expected. With
// PARAPRINT_GOLDEN_WRITE=NAME, the results of the first extractor are written instead (tools/add_golden_page.sh).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "line_difference.h"
#include "paraprint/engine.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

const fs::path kPages = fs::path(PARAPRINT_SOURCE_ROOT) / "tests/golden/pages";

// Indexed by BlockRole.
constexpr std::array<std::string_view, 7> kRoleNames = {"paragraph", "heading", "list-item", "table-row",
                                                        "quote",     "code",    "title"};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// "name: value" lines.
std::map<std::string, std::string> read_case(const fs::path& path) {
  std::map<std::string, std::string> values;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ', colon + 1);
    values[line.substr(0, colon)] = begin == std::string::npos ? "" : line.substr(begin);
  }
  return values;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Page read_page(const fs::path& folder, const std::string& content_type) {
  Page page;
  page.id = folder.filename().string();
  page.content_type = content_type;
  const bool is_text = fs::exists(folder / "page.txt");
  page.format = is_text ? PageFormat::kPlainText : PageFormat::kHtml;
  page.body = read_file(folder / (is_text ? "page.txt" : "page.html"));
  return page;
}

std::string paragraph_table(const Profile& profile) {
  std::string table = fmt::format("# text_hash={:016x}{:016x} content_characters={}\n", profile.text_hash[0],
                                  profile.text_hash[1], profile.content_characters);
  table += "begin\tend\trole\tlist_level\tafter_heading\tcontent_characters\thash\tsimhash\n";
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    table += fmt::format(
        "{}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}\n", paragraph.span.begin_bytes, paragraph.span.end_bytes,
        kRoleNames.at(static_cast<std::size_t>(paragraph.role)), paragraph.list_level,
        paragraph.after_heading ? "yes" : "no", paragraph.content_characters, paragraph.hash,
        paragraph.has_simhash ? fmt::format("{:016x}{:016x}", paragraph.simhash.high, paragraph.simhash.low) : "-");
  }
  return table;
}

struct Answer {
  std::string text;
  std::string paragraphs;
};

Answer answer_of(const Page& page, const std::string& extractor) {
  ProfileOptions options;
  options.extractor = extractor;
  Result<Profiler> profiler = Profiler::create(options);
  EXPECT_TRUE(profiler.has_value()) << extractor;
  if (!profiler) return {};
  const Profile& profile = profiler->profile(page);
  return {profiler->content().text, paragraph_table(profile)};
}

void expect_equal(const fs::path& path, const std::string& actual, const std::string& extractor) {
  const std::string expected = read_file(path);
  EXPECT_TRUE(expected == actual) << path.lexically_relative(PARAPRINT_SOURCE_ROOT).string() << " with " << extractor
                                  << ": - expected, + actual\n"
                                  << line_difference(expected, actual);
}

std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kPages)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class GoldenPage : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenPage, HasExpectedTextAndParagraphs) {
  const fs::path folder = kPages / GetParam();
  const std::map<std::string, std::string> values = read_case(folder / "case.txt");
  ASSERT_TRUE(values.contains("extractors") && values.contains("content-type")) << "case.txt of " << GetParam();
  const Page page = read_page(folder, values.at("content-type"));
  const std::vector<std::string> extractors = words_of(values.at("extractors"));
  ASSERT_FALSE(extractors.empty());
  const char* written = std::getenv("PARAPRINT_GOLDEN_WRITE");
  if (written != nullptr && GetParam() == written) {
    const Answer answer = answer_of(page, extractors.front());
    std::ofstream(folder / "expected.txt", std::ios::binary) << answer.text;
    std::ofstream(folder / "paragraphs.tsv", std::ios::binary) << answer.paragraphs;
  }
  for (const std::string& extractor : extractors) {
    const Answer answer = answer_of(page, extractor);
    expect_equal(folder / "expected.txt", answer.text, extractor);
    expect_equal(folder / "paragraphs.tsv", answer.paragraphs, extractor);
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, GoldenPage, ::testing::ValuesIn(page_names()), [](const auto& page) {
  std::string name = page.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(LineDifference, MarksLinesOfOneSide) {
  EXPECT_EQ(line_difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_difference("a\nb\nc\n", "a\nx\nc\n"), "  a\n- b\n+ x\n  c\n");
  EXPECT_EQ(line_difference("", "a\n"), "+ a\n");
  EXPECT_EQ(line_difference("a\n", "a"), "- a\n+ a [no line end]\n");
}

}  // namespace
}  // namespace paraprint
