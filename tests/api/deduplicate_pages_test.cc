// Pages in memory against the same pages in a file: both must be decided alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "paraprint/memory_pages.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

std::string sentence(std::mt19937& random) {
  static constexpr const char* kWords[] = {"river",  "bridge", "council", "market",  "winter",  "harvest", "engine",
                                           "letter", "garden", "museum",  "signal",  "teacher", "planet",  "kitchen",
                                           "forest", "bottle", "captain", "lantern", "village", "copper"};
  std::string text = "The";
  for (int i = 0; i < 14; ++i) text += std::string(" ") + kWords[random() % std::size(kWords)];
  return text + " " + std::to_string(random() % 1000) + ".";
}

std::string html_of(const std::vector<std::string>& paragraphs) {
  std::string html = "<html><body><article>";
  for (const std::string& paragraph : paragraphs) html += "<p>" + paragraph + "</p>";
  return html + "</article></body></html>";
}

// Articles with verbatim copies, edited copies and excerpts, some blank pages and a repeated id.
std::vector<Page> collection() {
  std::mt19937 random(7);
  std::vector<Page> pages;
  const auto add = [&](const std::string& id, const std::string& date, std::string body) {
    Page page;
    page.id = id;
    page.url = "https://example.org/" + id;
    page.date = date;
    page.body = std::move(body);
    page.body_is_utf8 = true;
    pages.push_back(std::move(page));
  };
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> text;
    for (int p = 0; p < 5; ++p) text.push_back(sentence(random) + " " + sentence(random));
    const std::string n = std::to_string(i);
    add("z" + n, "2024-01-01T00:00:00Z", html_of(text));
    if (i % 3 == 0) add("same" + n, "2023-01-01T00:00:00Z", html_of(text));
    if (i % 4 == 0) {
      std::swap(text[0], text[3]);
      text[1] = "Edited" + text[1].substr(3);
      add("near" + n, "2024-02-01T00:00:00Z", html_of(text));
    }
    if (i % 5 == 0) add("part" + n, "2024-03-01T00:00:00Z", html_of({text[0], text[1]}));
    if (i % 20 == 0) add("blank" + n, "", "  \n");
    if (i % 25 == 0) add("repeated", "", html_of({sentence(random)}));
  }
  return pages;
}

DedupOptions options_for_tests() {
  DedupOptions options;
  options.resources.threads = 2;
  options.survivors.keep = "earliest";
  options.survivors.remove_contained = true;
  return options;
}

// What a run over a file with the pages says, by id: page -> (cluster, id of the kept page).
struct FileAnswers {
  std::map<std::string, std::pair<std::string, std::string>> pages;
  std::map<std::string, std::string> verdicts;  // of removed pages: members of removed.jsonl, as removal_text()
  std::map<std::string, std::string> matches;   // "id_a\tid_b\tscore\tverdict", without a fixed direction
  DedupOutcome counts;
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string member(const std::string& line, const std::string& name) {
  const std::size_t begin = line.find("\"" + name + "\":\"") + name.size() + 4;
  return line.substr(begin, line.find('"', begin) - begin);
}

// The members of removed.jsonl from the verdict to the last score, without the page kept.
std::string removal_text(const PageDecision& page) {
  char text[160];
  std::snprintf(text, sizeof text, "%s \"resemblance\":%.4f,\"containment_removed\":%.4f,\"containment_kept\":%.4f",
                std::string(verdict_name(page.verdict)).c_str(), static_cast<double>(page.resemblance),
                static_cast<double>(page.containment), static_cast<double>(page.containment_kept));
  return text;
}

class DeduplicatePagesTest : public ::testing::Test {
 protected:
  FileAnswers over_file(const std::vector<Page>& pages, DedupOptions options) {
    const std::string path = folder_.path() + "/pages.jsonl";
    std::ofstream file(path);
    for (const Page& page : pages) {
      std::string body = page.body;
      std::replace(body.begin(), body.end(), '\n', ' ');
      file << "{\"id\":\"" << page.id << "\",\"url\":\"" << page.url << "\",\"date\":\"" << page.date
           << "\",\"html\":\"" << body << "\"}\n";
    }
    file.close();
    options.inputs = {path};
    options.output.out = folder_.path() + "/out";
    options.output.restart = true;
    const Result<DedupOutcome> outcome = deduplicate(options);
    EXPECT_TRUE(outcome) << outcome.error().message;
    FileAnswers answers;
    answers.counts = *outcome;
    for (const std::string& line : lines_of(options.output.out + "/clusters.tsv")) {
      const std::size_t tab = line.find('\t');
      answers.pages[line.substr(0, tab)] = {line.substr(tab + 1), line.substr(0, tab)};
    }
    for (const std::string& line : lines_of(options.output.out + "/removed.jsonl")) {
      answers.pages[member(line, "id")].second = member(line, "kept_id");
      const std::size_t begin = line.find("\"resemblance\"");
      answers.verdicts[member(line, "id")] =
          member(line, "verdict") + " " + line.substr(begin, line.find(",\"reason\"") - begin);
    }
    for (const std::string& line : lines_of(options.output.out + "/matches.tsv")) {
      std::istringstream fields(line);
      std::string id_a, id_b, score, verdict;
      fields >> id_a >> id_b >> score >> verdict;
      answers.matches[id_a + " " + id_b] = score + " " + verdict;
    }
    return answers;
  }

  // Names as a run makes them: of pages with the same id, the second one that is read becomes "id#2".
  static std::vector<std::string> names_of(const std::vector<Page>& pages, const DeduplicatePagesOutcome& outcome) {
    std::map<std::string, int> seen;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const int number = outcome.pages[i].cluster ? ++seen[pages[i].id] : 1;
      names.push_back(number == 1 ? pages[i].id : pages[i].id + "#" + std::to_string(number));
    }
    return names;
  }

  void expect_same_answers(const std::vector<Page>& pages, const DedupOptions& options) {
    const FileAnswers expected = over_file(pages, options);
    const Result<DeduplicatePagesOutcome> outcome = deduplicate_pages(pages, options);
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_EQ(outcome->pages.size(), pages.size());
    EXPECT_EQ(outcome->counts.pages, expected.counts.pages);
    EXPECT_EQ(outcome->counts.pages_removed, expected.counts.pages_removed);
    EXPECT_EQ(outcome->counts.clusters, expected.counts.clusters);
    const std::vector<std::string> names = names_of(pages, *outcome);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const PageDecision& decision = outcome->pages[i];
      if (!decision.cluster) {
        EXPECT_TRUE(pages[i].id.starts_with("blank")) << pages[i].id;
        EXPECT_TRUE(outcome->is_kept(i));
        continue;
      }
      ++compared;
      const auto found = expected.pages.find(names[i]);
      ASSERT_NE(found, expected.pages.end()) << names[i];
      EXPECT_EQ(std::to_string(*decision.cluster), found->second.first) << names[i];
      EXPECT_EQ(names[decision.kept_page], found->second.second) << names[i];
      if (outcome->is_kept(i)) {
        EXPECT_EQ(removal_text(decision), removal_text(PageDecision())) << names[i];
      } else {
        EXPECT_EQ(removal_text(decision), expected.verdicts.at(names[i])) << names[i];
      }
    }
    EXPECT_EQ(compared, expected.pages.size());
    ASSERT_EQ(outcome->matches.size(), expected.matches.size());
    for (const Match& match : outcome->matches) {
      ASSERT_LT(match.page_a, match.page_b);
      const bool is_turned = names[match.page_b] < names[match.page_a];
      const std::string& first = names[is_turned ? match.page_b : match.page_a];
      const std::string& second = names[is_turned ? match.page_a : match.page_b];
      const auto found = expected.matches.find(first + " " + second);
      ASSERT_NE(found, expected.matches.end()) << first << ' ' << second;
      Verdict verdict = match.verdict;
      if (is_turned && verdict == Verdict::kContained) {
        verdict = Verdict::kContains;
      } else if (is_turned && verdict == Verdict::kContains) {
        verdict = Verdict::kContained;
      }
      char score[16];
      std::snprintf(score, sizeof score, "%.4f", static_cast<double>(match.resemblance));
      EXPECT_EQ(score + std::string(" ") + std::string(verdict_name(verdict)), found->second);
    }
    EXPECT_TRUE(std::is_sorted(outcome->matches.begin(), outcome->matches.end(), [](const Match& x, const Match& y) {
      return std::pair(x.page_a, x.page_b) < std::pair(y.page_a, y.page_b);
    }));
    EXPECT_GT(outcome->counts.pages_removed, 20U);
  }

  TemporaryFolder folder_;
};

TEST_F(DeduplicatePagesTest, DecidesLikeARunOverAFile) {
  expect_same_answers(collection(), options_for_tests());
}

TEST_F(DeduplicatePagesTest, LearnsWordWeightsFromThePages) {
  DedupOptions options = options_for_tests();
  options.profile.idf = IdfSource::kCorpus;
  expect_same_answers(collection(), options);
}

TEST_F(DeduplicatePagesTest, AgreesWithTheLeastMemoryAndOneThread) {
  DedupOptions options = options_for_tests();
  options.resources.memory = std::uint64_t{64} << 20;
  options.resources.threads = 1;
  expect_same_answers(collection(), options);
}

TEST_F(DeduplicatePagesTest, DecidesTheSameWithoutMatches) {
  const std::vector<Page> pages = collection();
  const Result<DeduplicatePagesOutcome> all = deduplicate_pages(pages, options_for_tests());
  const Result<DeduplicatePagesOutcome> none =
      deduplicate_pages(PageSpan(pages), options_for_tests(), {}, MatchList::kNone);
  ASSERT_TRUE(all && none);
  EXPECT_TRUE(none->matches.empty());
  EXPECT_EQ(none->counts.matches, 0U);
  EXPECT_EQ(none->counts.clusters, all->counts.clusters);
  ASSERT_EQ(none->pages.size(), all->pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(none->pages[i].cluster, all->pages[i].cluster);
    EXPECT_EQ(none->pages[i].kept_page, all->pages[i].kept_page);
    EXPECT_EQ(removal_text(none->pages[i]), removal_text(all->pages[i]));
  }
}

TEST_F(DeduplicatePagesTest, LeavesNoFilesBehind) {
  DedupOptions options = options_for_tests();
  options.resources.tmp = folder_.path() + "/scratch";
  ASSERT_TRUE(deduplicate_pages(collection(), options));
  EXPECT_TRUE(fs::is_empty(options.resources.tmp));
  const std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  EXPECT_EQ(deduplicate_pages(collection(), options, control).error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(fs::is_empty(options.resources.tmp));
}

TEST_F(DeduplicatePagesTest, NamesPagesWithoutIdByPosition) {
  std::mt19937 random(1);
  const std::string body = html_of({sentence(random) + " " + sentence(random), sentence(random)});
  Page page;
  page.body = body;
  const std::vector<Page> pages(3, page);
  const Result<DeduplicatePagesOutcome> outcome = deduplicate_pages(pages, DedupOptions{});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->counts.pages_kept, 1U);
  EXPECT_EQ(outcome->matches.size(), 3U);
  EXPECT_TRUE(deduplicate_pages(std::span<const Page>{}, DedupOptions{})->pages.empty());
}

}  // namespace
}  // namespace paraprint
