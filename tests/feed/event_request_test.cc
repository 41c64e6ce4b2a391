// What clients ask of the feed, hostile values included, and what they get for it.
#include "feed/event_request.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <functional>
#include <random>

#include "feed/event_reader.h"
#include "feed/feed_event.h"
#include "feed/feed_log_fixture.h"

namespace paraprint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<EventRequest> request_of(const std::vector<EventParameter>& parameters, std::string_view last_event_id = "",
                                std::string_view accept = "") {
  return parse_event_request(parameters, last_event_id, accept);
}

TEST(EventRequests, HaveDefaults) {
  const Result<EventRequest> request = request_of({});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->form, EventForm::kStream);
  EXPECT_FALSE(request->after);
  EXPECT_TRUE(request->filter.wants_all());
}

TEST(EventRequests, AreReadCompletely) {
  const Result<EventRequest> request = request_of({{"after", "17"},
                                                   {"wait", "30"},
                                                   {"limit", "5"},
                                                   {"verdict", "near,contained, deleted"},
                                                   {"host", "News.Example,b.example"},
                                                   {"min_score", "0.75"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->form, EventForm::kPage);
  EXPECT_EQ(request->after, 17U);
  EXPECT_EQ(request->wait_seconds, 30U);
  EXPECT_EQ(request->limit, 5U);
  EXPECT_THAT(request->filter.verdicts, ElementsAre("near", "contained", "deleted"));
  EXPECT_THAT(request->filter.hosts, ElementsAre("news.example", "b.example"));
  EXPECT_EQ(request->filter.min_score, 0.75);
}

// A browser that reconnects sends the address of its first request again.
TEST(EventRequests, PreferLastEventId) {
  EXPECT_EQ(request_of({{"after", "17"}}, "40")->after, 40U);
}

TEST(EventRequests, HaveTheFormThatTheClientAccepts) {
  for (const char* accept : {"", "*/*", "text/event-stream", "text/*", "application/json, */*;q=0.1"}) {
    EXPECT_EQ(request_of({}, "", accept)->form, EventForm::kStream) << accept;
  }
  for (const char* accept : {"application/x-ndjson", "application/json", "text/html"}) {
    EXPECT_EQ(request_of({}, "", accept)->form, EventForm::kPage) << accept;
  }
}

TEST(EventRequests, RefuseHostileValuesByName) {
  const std::string long_list(5000, ',');
  const std::vector<std::vector<EventParameter>> refused = {
      {{"after", ""}},
      {{"after", "-1"}},
      {{"after", "+1"}},
      {{"after", "1.5"}},
      {{"after", " 1"}},
      {{"after", "1 "}},
      {{"after", "0x10"}},
      {{"after", "18446744073709551616"}},
      {{"after", "18446744073709551615"}},
      {{"wait", "61"}},
      {{"wait", "-1"}},
      {{"limit", "0"}},
      {{"limit", "10001"}},
      {{"verdict", ""}},
      {{"verdict", "close"}},
      {{"verdict", "near,"}},
      {{"verdict", long_list}},
      {{"host", ""}},
      {{"host", ",a"}},
      {{"min_score", "nan"}},
      {{"min_score", "inf"}},
      {{"min_score", "1.01"}},
      {{"min_score", "-0.1"}},
      {{"min_score", "1e-999x"}},
      {{"colour", "red"}},
      {{"after", "1"}, {"after", "1"}},
  };
  for (const auto& parameters : refused) {
    const Result<EventRequest> request = request_of(parameters);
    ASSERT_FALSE(request) << parameters[0].name << " " << parameters[0].value;
    EXPECT_EQ(request.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(request.error().message, HasSubstr(std::string(parameters[0].name)));
    EXPECT_LT(request.error().message.size(), 300U);
  }
  for (const char* id : {"x", "-1", "1, 2", "99999999999999999999", "\xFF", "1\xC2\xA0"}) {
    EXPECT_FALSE(request_of({}, id)) << id;
  }
}

std::string event_with(std::string_view verdict, std::string_view url, double score) {
  return fmt::format(R"("event":"added","id":"i","url":"{}","verdict":"{}","matches":[{{"resemblance":{:.3f}}}])", url,
                     verdict, score);
}

class EventFilterTest : public EventLogTest {
 protected:
  std::vector<std::uint64_t> wanted(const EventFilter& filter) {
    EventReader reader(*log_, filter, 0);
    std::vector<std::uint64_t> found;
    while (reader.has_more()) {
      EXPECT_TRUE(reader.read(2));
      for (const StoredEvent& event : reader.events()) found.push_back(event.number);
    }
    return found;
  }
};

TEST_F(EventFilterTest, LeavesOutWhatIsNotWanted) {
  options_.segment_bytes = 600;
  open();
  ASSERT_TRUE(log_->append(event_with("near", "http://A.example/1", 0.9)));
  ASSERT_TRUE(log_->append(event_with("new", "http://b.example/2", 0)));
  ASSERT_TRUE(log_->append(event_with("contained", "http://a.example:8080/3", 0.4)));
  ASSERT_TRUE(log_->append(deleted_members("http://a.example/4", "")));
  EXPECT_THAT(wanted({}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(wanted({.verdicts = {"near", "contained"}}), ElementsAre(1, 3));
  EXPECT_THAT(wanted({.verdicts = {"deleted"}}), ElementsAre(4));
  EXPECT_THAT(wanted({.hosts = {"a.example"}}), ElementsAre(1, 3, 4));
  EXPECT_THAT(wanted({.min_score = 0.5}), ElementsAre(1));
  EXPECT_THAT(wanted({.verdicts = {"contained"}, .hosts = {"a.example"}, .min_score = 0.4}), ElementsAre(3));
}

// The reference is a filter over all events at once.
TEST_F(EventFilterTest, FindsTheSameAsALookAtEachEvent) {
  options_.segment_bytes = 5000;
  open();
  std::mt19937_64 random(3);
  constexpr std::string_view kVerdicts[] = {"new", "same", "near", "contained"};
  std::vector<std::uint64_t> expected;
  for (std::uint64_t number = 1; number <= 3000; ++number) {
    const std::string_view verdict = kVerdicts[random() % 4];
    const bool is_here = random() % 3 == 0;
    const double score = static_cast<double>(random() % 1000) / 1000;
    ASSERT_TRUE(log_->append(event_with(verdict, is_here ? "http://a.example/" : "http://b.example/", score)));
    if (verdict == "near" && is_here && score >= 0.5) expected.push_back(number);
  }
  EXPECT_EQ(wanted({.verdicts = {"near"}, .hosts = {"a.example"}, .min_score = 0.5}), expected);
}

TEST_F(EventFilterTest, WritesTheFormsInWhichEventsAreSent) {
  options_.keep.events = 10;
  open();
  append_numbered(30);
  const std::uint64_t first = log_->statistics().first_number;
  EventReader reader(*log_, {}, 2);
  const EventPage gap = read_stream(reader).value();
  EXPECT_EQ(gap.text, fmt::format("event: gap\nid: {}\ndata: {{\"gap\":{{\"after\":2,\"first\":{},\"missed\":{},"
                                  "\"reason\":\"dropped\"}}}}\n\n",
                                  first - 1, first, first - 3));
  const EventPage events = read_stream(reader).value();
  EXPECT_TRUE(events.text.starts_with(fmt::format("id: {0}\ndata: {{\"number\":{0},", first)));
  EXPECT_TRUE(events.text.ends_with("\"}\n\n"));
  EventReader page_reader(*log_, {}, 2);
  const EventPage page = read_page(page_reader, 3).value();
  EXPECT_EQ(page.events, 3U);
  EXPECT_EQ(std::count(page.text.begin(), page.text.end(), '\n'), 4);
  EXPECT_TRUE(page.text.starts_with("{\"gap\":{\"after\":2,"));
  EXPECT_EQ(position_line(page_reader), fmt::format("{{\"after\":{},\"last\":30}}\n", first + 2));
}

// A lookup with `count` matches of which those for which `is_long` have names of 8192 bytes, each six when escaped.
LookupOutcome outcome_with(std::size_t count, const std::function<bool(std::size_t)>& is_long) {
  LookupOutcome outcome;
  for (std::size_t i = 0; i < count; ++i) {
    IndexMatch& match = outcome.matches.emplace_back();
    match.page.id = fmt::format("{}-{}", i, std::string(is_long(i) ? 8188 : 10, '&'));
    match.page.url = match.page.id;
    match.page.cluster = match.page.id;
    match.verdict = Verdict::kNear;
  }
  return outcome;
}

// The numbers of the matches that an event lists, or "" of one without an id, and how many it says are left out.
std::pair<std::vector<std::string>, std::uint64_t> listed_in(const std::string& members) {
  std::vector<std::string> listed;
  simdjson::dom::parser parser;
  const simdjson::dom::object event = parser.parse(event_json(1, 0, members));
  for (const simdjson::dom::element match : event["matches"].get_array()) {
    EXPECT_EQ(match["verdict"].get_string().value(), "near");
    EXPECT_TRUE(match["containment_known"].is_number());
    std::string_view id;
    if (match["id"].get(id) != simdjson::SUCCESS) id = "";
    listed.emplace_back(id.substr(0, id.find('-')));
  }
  std::uint64_t left_out = 0;
  if (event["matches_left_out"].get(left_out) != simdjson::SUCCESS) left_out = 0;
  return {listed, left_out};
}

// Or nobody would learn of the copies of pages whose author chose their names for that.
TEST(FeedEvents, StayShortWhateverTheNamesAre) {
  constexpr std::size_t kOwnNamesBytes = std::size_t{3 * 6 * 8192} + 2048;  // id, URL, cluster; and the date
  Profile profile;
  const std::string name(8192, '<');
  IndexPageInput page;
  page.id = name;
  page.url = name;
  page.date = std::string_view(name).substr(0, 256);
  page.profile = &profile;
  AddOutcome added;
  added.cluster = name;
  added.lookup = outcome_with(20, [](std::size_t) { return true; });
  const std::string longest = added_members(page, added);
  EXPECT_LT(longest.size(), kOwnNamesBytes);
  EXPECT_EQ(listed_in(longest), std::pair(std::vector<std::string>{""}, std::uint64_t{19}));
  EXPECT_LT(looked_up_members(page, added.lookup).size(), kEventMembersBytes);
  EXPECT_LT(deleted_members(name, name).size(), kEventMembersBytes);
}

// The fewer names there is room for behind those of the page itself.
TEST(FeedEvents, AreNoLongerThanARequestToAWebhook) {
  Profile profile;
  const auto event_of = [&](std::size_t own_bytes, bool is_long) {
    const std::string name(own_bytes, 'x');
    IndexPageInput page;
    page.id = name;
    page.profile = &profile;
    const std::string members =
        looked_up_members(page, outcome_with(3, [&](std::size_t i) { return is_long && i == 0; }));
    EXPECT_LE(members.size(), kEventMembersBytes);
    return members;
  };
  // A match with long names takes 150 KB, its id alone 49 KB.
  const std::string with_id = event_of(10, true);
  EXPECT_EQ(listed_in(with_id), std::pair(std::vector<std::string>({"0"}), std::uint64_t{2}));
  EXPECT_EQ(with_id.find("\"cluster\""), std::string::npos);
  EXPECT_EQ(listed_in(event_of(100'000, true)), std::pair(std::vector<std::string>({"", "1", "2"}), std::uint64_t{0}));
  EXPECT_EQ(listed_in(event_of(100'000, false)),
            std::pair(std::vector<std::string>({"0", "1", "2"}), std::uint64_t{0}));
  const std::string full = event_of(kEventMembersBytes - 400, false);
  EXPECT_EQ(listed_in(full), std::pair(std::vector<std::string>({"0"}), std::uint64_t{2}));
}

TEST(FeedEvents, ListTheMatchesThatFitAndSayHowManyDoNot) {
  Profile profile;
  IndexPageInput page;
  page.id = "a";
  page.profile = &profile;
  const auto listed_of = [&](std::size_t count, const std::function<bool(std::size_t)>& is_long) {
    return listed_in(looked_up_members(page, outcome_with(count, is_long)));
  };
  const auto none_is_long = [](std::size_t) { return false; };
  std::vector<std::string> all;
  for (std::size_t i = 0; i < kEventMatches; ++i) all.push_back(fmt::format("{}", i));
  EXPECT_EQ(listed_of(kEventMatches, none_is_long), std::pair(all, std::uint64_t{0}));
  EXPECT_EQ(listed_of(100, none_is_long), std::pair(all, std::uint64_t{84}));
  EXPECT_EQ(listed_of(6, [](std::size_t i) { return i == 2 || i == 3; }),
            std::pair(std::vector<std::string>{"0", "1", "4", "5"}, std::uint64_t{2}));
}

TEST_F(EventFilterTest, EventsHaveNoMarkup) {
  Profile profile;
  IndexPageInput page;
  page.id = "<script>&\n\x01\"";
  page.profile = &profile;
  const std::string members = added_members(page, {});
  EXPECT_EQ(members.find_first_of("<>&\n\x01"), std::string::npos) << members;
}

}  // namespace
}  // namespace paraprint
