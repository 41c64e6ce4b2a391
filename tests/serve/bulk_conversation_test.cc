// Bulk requests without sockets: order of answers, splitting into lines, and lines that are too long.
#include "serve/bulk_conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "serve/service_fixture.h"

namespace paraprint {
namespace {

// Runs the parts in reverse order, on which answers must not depend.
void run_backwards(std::size_t count, const std::function<void(std::size_t)>& action) {
  for (; count > 0; --count) action(count - 1);
}

class BulkConversationTest : public ServiceTest {
 protected:
  // Sends `lines` in pieces of `piece_bytes`; returns the answer lines.
  std::vector<std::string> converse(Call call, std::string_view lines, std::size_t piece_bytes) {
    BulkConversation conversation(*service_, call, {});
    std::string answers;
    for (std::size_t at = 0; at < lines.size(); at += piece_bytes) {
      conversation.give(lines.substr(at, piece_bytes), at + piece_bytes >= lines.size());
      while (conversation.has_lines()) answers += conversation.answer_slice(run_backwards).value();
    }
    std::vector<std::string> split;
    for (std::size_t at = 0; at < answers.size();) {
      const std::size_t end = answers.find('\n', at);
      split.push_back(answers.substr(at, end - at));
      at = end + 1;
    }
    EXPECT_EQ(conversation.lines_answered(), split.size());
    return split;
  }
};

TEST_F(BulkConversationTest, AnswersFollowLineOrderHoweverInputIsSplit) {
  const std::string lines = json_page("a", made_up_text(1)) + "\n" + json_page("b", made_up_text(1)) + "\r\n\n  \n" +
                            "no JSON\n" + json_page("c", made_up_text(2)) + "\n" + json_page("a", made_up_text(3));
  for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, lines.size()}) {
    open("known-" + std::to_string(piece_bytes));
    const std::vector<std::string> answers = converse(Call::kBulkAdd, lines, piece_bytes);
    ASSERT_EQ(answers.size(), 5U);
    EXPECT_EQ(member_of(answers[0], "verdict"), "new");
    EXPECT_EQ(member_of(answers[1], "verdict"), "same");
    EXPECT_EQ(member_of(answers[1], "matches.0.id"), "a");
    EXPECT_EQ(member_of(answers[2], "error.reason"), "bad-json");
    EXPECT_EQ(member_of(answers[2], "line"), "5");
    EXPECT_EQ(member_of(answers[3], "line"), "6");
    EXPECT_EQ(member_of(answers[4], "change"), "changed");
    service_.reset();
  }
}

TEST_F(BulkConversationTest, OverlongLineIsRefusedAndSkipped) {
  ServeOptions options;
  options.limits.max_body_bytes = 200;
  open(options);
  const std::string just_fits = R"({"id":"a","text":")" + std::string(200 - 20, 'x') + "\"}";
  ASSERT_EQ(just_fits.size(), 200U);
  std::string longer = just_fits;
  longer.insert(20, 1, 'x');
  const std::string longest = R"({"id":"b","text":")" + std::string(5000, 'x') + "\"}";
  const std::string lines = longest + "\n" + just_fits + "\n" + longer + "\n" + just_fits + "\n" + longest;
  for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{50}, std::size_t{201}, lines.size()}) {
    const std::vector<std::string> answers = converse(Call::kBulkLookup, lines, piece_bytes);
    ASSERT_EQ(answers.size(), 5U) << piece_bytes;
    for (const std::size_t i : {0, 2, 4}) EXPECT_EQ(member_of(answers[i], "error.reason"), "body-too-large");
    for (const std::size_t i : {1, 3}) EXPECT_EQ(member_of(answers[i], "verdict"), "new") << answers[i];
  }
}

TEST_F(BulkConversationTest, LookupStoresNothing) {
  open();
  const std::string line = json_page("a", made_up_text(1)) + "\n";
  for (const std::string& answer : converse(Call::kBulkLookup, line + line, 100)) {
    EXPECT_EQ(member_of(answer, "verdict"), "new");
  }
}

TEST_F(BulkConversationTest, BreakOffReportsTheNextLine) {
  open();
  BulkConversation conversation(*service_, Call::kBulkAdd, {});
  conversation.give("x\n", false);
  ASSERT_TRUE(conversation.answer_slice(run_backwards));
  const std::string last = conversation.break_off({Refusal::kStopping, "the end"});
  EXPECT_EQ(member_of(last, "line"), "2");
  EXPECT_EQ(member_of(last, "error.reason"), "stopping");
}

// Lines with long answers: each lists a hundred pages with long ids.
TEST_F(BulkConversationTest, AnswersComeInSlices) {
  open();
  const std::string text = made_up_text(1, 5);
  std::string pages;
  for (int page = 0; page < 100; ++page) {
    const std::string number = std::to_string(page);
    pages += json_page(std::string(1000, 'x') + number, text + "Number " + number + ".") + "\n";
  }
  converse(Call::kBulkAdd, pages, pages.size());
  constexpr std::uint64_t kLines = 20;
  std::string lines;
  for (std::uint64_t line = 0; line < kLines; ++line) {
    lines += json_page("", text).insert(1, R"("matches":1000,"all":true,)") + "\n\n";
  }
  BulkConversation conversation(*service_, Call::kBulkLookup, {});
  conversation.give(lines, true);
  std::uint64_t slices = 0;
  std::size_t longest_bytes = 0;
  std::uint64_t next_line = 1;
  while (conversation.has_lines()) {
    const std::string answers = conversation.answer_slice(run_backwards).value();
    if (answers.empty()) continue;  // blank lines
    ++slices;
    const std::size_t last_begin = answers.rfind('\n', answers.size() - 2) + 1;
    EXPECT_LT(last_begin, kAnswerSliceBytes);  // only the last answer may exceed the size
    longest_bytes = std::max(longest_bytes, answers.size() - last_begin);
    EXPECT_EQ(member_of(answers.substr(0, answers.find('\n')), "line"), std::to_string(next_line));
    next_line += 2 * static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), '\n'));
  }
  EXPECT_GT(longest_bytes, 100'000U);
  EXPECT_GT(slices, kLines * longest_bytes / (kAnswerSliceBytes + longest_bytes) - 1);
  EXPECT_EQ(conversation.lines_answered(), kLines);
}

TEST_F(BulkConversationTest, LinesAreDroppedWhenTheServiceIsCutOff) {
  open();
  BulkConversation conversation(*service_, Call::kBulkAdd, {});
  conversation.give(json_page("a", made_up_text(1)) + "\n", true);
  service_->cut_off();
  EXPECT_EQ(conversation.answer_slice(run_backwards), "");
  EXPECT_EQ(conversation.lines_answered(), 0U);
  EXPECT_EQ(outcome(send("GET", "/v1/pages/a")), "404 unknown-id");
}

TEST_F(BulkConversationTest, ALostSliceCountsAsNotAnswered) {
  open();
  BulkConversation conversation(*service_, Call::kBulkLookup, {});
  conversation.give("x\n", false);
  ASSERT_TRUE(conversation.answer_slice(run_backwards));
  conversation.give("\ny\nz\n", true);
  ASSERT_TRUE(conversation.answer_slice(run_backwards));
  EXPECT_EQ(conversation.lines_answered(), 3U);
  conversation.lose_slice();
  EXPECT_EQ(conversation.lines_answered(), 1U);
  EXPECT_EQ(member_of(conversation.break_off({Refusal::kBusy, "full"}), "line"), "3");
}

}  // namespace
}  // namespace paraprint
