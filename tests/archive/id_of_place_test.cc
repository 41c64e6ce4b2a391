// Which pages have the id of their place for want of their own, by the format of their input.
#include <fmt/format.h>

#include "archive/memory_reader.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

class IdOfPlaceTest : public ArchiveTest {
 protected:
  // Whether the pages of an input have the id of their place.
  static std::vector<bool> answers(const InputFile& input) {
    const auto reader = open_records(input, {}, [](const Defect&) {});
    EXPECT_TRUE(reader) << reader.error().message;
    std::vector<bool> found;
    while (std::optional<RawRecord> record = (*reader)->next().value()) {
      const DecodedRecord decoded = decode_page(std::move(*record), {}, input.path);
      if (decoded.outcome == PageOutcome::kAccepted) found.push_back(decoded.page.has_id_of_place);
    }
    return found;
  }
  static std::vector<bool> answers_if_nameless(InputFile input) {
    input.is_nameless = true;
    return answers(input);
  }
};

TEST_F(IdOfPlaceTest, LinesOfJsonHaveItWithoutAnId) {
  const std::string lines = R"({"text":"x"})"
                            "\n"
                            R"({"id":7,"text":"x"})"
                            "\n"
                            R"({"id":"","text":"x"})"
                            "\n";
  EXPECT_EQ(answers(input_file(write("a.jsonl", lines))), (std::vector{true, false, true}));
}

TEST_F(IdOfPlaceTest, LinesOfJsonMayNameIt) {
  ReadOptions options;
  options.place_field = "place";
  const std::string lines = R"({"place":"row 1","text":"x"})"
                            "\n"
                            R"({"id":"a","place":"row 2","text":"x"})"
                            "\n"
                            R"({"text":"x"})"
                            "\n";
  const InputFile input = input_file(write("a.jsonl", lines));
  const auto reader = open_records(input, options, [](const Defect&) {});
  ASSERT_TRUE(reader) << reader.error().message;
  std::vector<std::pair<std::string, bool>> found;
  while (std::optional<RawRecord> record = (*reader)->next().value()) {
    found.emplace_back(record->id, record->has_id_of_place);
  }
  EXPECT_EQ(found, (std::vector<std::pair<std::string, bool>>{{"row 1", true}, {"a", false}, {"a.jsonl:3", true}}));
}

TEST_F(IdOfPlaceTest, EntriesOfHarHaveIt) {
  const std::string entry = R"({"request":{"method":"GET","url":"http://x.test/"},"response":{"status":200,)"
                            R"("content":{"mimeType":"text/html","text":"<p>One"}}})";
  EXPECT_EQ(answers(input_file(write("a.har", "{\"log\":{\"entries\":[" + entry + "]}}"))), std::vector{true});
}

TEST_F(IdOfPlaceTest, PagesOfAProgramHaveItIfTheySay) {
  std::vector<Page> pages(3);
  for (Page& page : pages) page.body = "<p>One";
  pages[1].id = pages[2].id = "id";
  pages[2].has_id_of_place = true;
  const PageSpan all(pages);
  EXPECT_EQ(answers(memory_input(all)), (std::vector{true, false, true}));
}

// The name of a file stays that of the page in it, standard input has none.
TEST_F(IdOfPlaceTest, FilesThatArePagesDoNotHaveIt) {
  const InputFile page = input_file(write("a.html", "<!doctype html><p>One"));
  EXPECT_EQ(answers(page), std::vector{false});
  EXPECT_EQ(answers_if_nameless(page), std::vector{true});
}

// Archives keep their names, so the place of a capture names it for good.
TEST_F(IdOfPlaceTest, CapturesOfArchivesDoNotHaveIt) {
  const std::string payload = http_response("<p>One");
  const InputFile arc = input_file(write(
      "a.arc", fmt::format("http://x.test/ 192.0.2.1 20140216050221 text/html {}\n{}\n", payload.size(), payload)));
  EXPECT_EQ(answers(arc), std::vector{false});
  EXPECT_EQ(answers_if_nameless(arc), std::vector{true});
  const InputFile warc = input_file(write("a.warc", response_record(1)));
  EXPECT_EQ(answers(warc), std::vector{false});
  EXPECT_EQ(answers_if_nameless(warc), std::vector{false});  // its records have ids
}

}  // namespace
}  // namespace paraprint
