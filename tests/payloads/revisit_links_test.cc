// Which capture each revisit record refers to, on archives small enough to be written by hand.
#include "payloads/revisit_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../temporary_folder.h"
#include "archive/warc_record.h"
#include "base/base32.h"
#include "base/digest.h"

namespace paraprint {
namespace {

constexpr std::string_view kIdentical = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
constexpr std::string_view kNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

std::string digest_of(std::string_view body) {
  return "sha1:" + base32(sha1(body));
}

struct TestRecord {
  std::string id;
  std::string url;
  std::string day;  // of May 2024; empty: undated
  std::string body = "body";
  bool states_digest = true;
  std::string status = "200 OK";
};

// Empty fields are not stated.
struct TestRevisit {
  std::string id;
  std::string url;
  std::string day;
  std::string refers_to = {};
  std::string refers_to_url = {};
  std::string refers_to_day = {};
  std::string digest = {};
  std::string_view profile = kIdentical;
};

std::string date_of(const std::string& day) {
  return day.empty() ? "" : "2024-05-" + day + "T10:00:00Z";
}

std::string bracketed(const std::string& id) {
  return id.empty() ? "" : "<urn:test:" + id + ">";
}

std::string stored(const TestRecord& record) {
  const std::string http = "HTTP/1.1 " + record.status + "\r\nContent-Type: text/html\r\n\r\n" + record.body;
  const std::string id = bracketed(record.id);
  const std::string date = date_of(record.day);
  const std::string digest = record.states_digest ? digest_of(record.body) : "";
  return make_warc_record("response",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", date},
                           {"WARC-Target-URI", record.url},
                           {"WARC-Payload-Digest", digest},
                           {"Content-Type", "application/http; msgtype=response"}},
                          http);
}

std::string stored(const TestRevisit& revisit) {
  const std::string id = bracketed(revisit.id);
  const std::string date = date_of(revisit.day);
  const std::string refers_to = bracketed(revisit.refers_to);
  const std::string refers_to_date = date_of(revisit.refers_to_day);
  return make_warc_record("revisit",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", date},
                           {"WARC-Target-URI", revisit.url},
                           {"WARC-Profile", revisit.profile},
                           {"WARC-Refers-To", refers_to},
                           {"WARC-Refers-To-Target-URI", revisit.refers_to_url},
                           {"WARC-Refers-To-Date", refers_to_date},
                           {"WARC-Payload-Digest", revisit.digest},
                           {"Content-Type", "application/http; msgtype=response"}},
                          "HTTP/1.1 200 OK\r\n\r\n");
}

// Way and id of the target, by the id of the revisit record; "" for a target that was not found.
using Found = std::map<std::string, std::pair<LinkWay, std::string>>;

struct Links {
  Found found;
  std::set<std::string> referred_to;  // "file/ordinal"
};

class RevisitLinksTest : public testing::Test {
 protected:
  // Each string is the content of a file.
  Links links_of(const std::vector<std::string>& files, unsigned threads = 1) {
    std::vector<InputFile> inputs;
    std::set<std::uint32_t> with_revisits;
    for (const std::string& content : files) {
      InputFile& input = inputs.emplace_back();
      input.index = static_cast<std::uint32_t>(inputs.size() - 1);
      input.path = folder_ / (std::to_string(input.index) + ".warc");
      input.size_bytes = content.size();
      std::ofstream(input.path, std::ios::binary) << content;
      if (content.find("WARC-Type: revisit") != std::string::npos) with_revisits.insert(input.index);
    }
    const RunControl control;
    ProgressReporter progress(control);
    const ReadOptions reading;
    const std::set<std::uint32_t> none;
    const Result<RevisitLinks> links =
        find_revisit_links({inputs, with_revisits, reading, none, threads}, nullptr, progress);
    EXPECT_TRUE(links) << (links ? "" : links.error().message);
    Links result;
    if (!links) return result;
    for (const RevisitLink& link : links->links) {
      const bool is_found = link.way != LinkWay::kNotFound;
      const std::string target = is_found ? std::string(links->text(link.target_text).id) : "";
      result.found.emplace(name_of(links->text(link.revisit_text).id), std::pair(link.way, name_of(target)));
    }
    for (const RecordPlace& place : links->referred_to) {
      result.referred_to.insert(std::to_string(place.file) + "/" + std::to_string(place.ordinal));
    }
    return result;
  }

 private:
  static std::string name_of(std::string_view id) {
    return std::string(id.substr(std::min(std::string_view("urn:test:").size(), id.size())));
  }

  TemporaryFolder folder_;
};

TEST_F(RevisitLinksTest, PreferTheBestEvidence) {
  const std::string captures = stored(TestRecord{"a", "http://a.example/", "01"}) +
                               stored(TestRecord{"b", "http://b.example/", "02"}) +
                               stored(TestRecord{"c", "http://c.example/", "03"});
  const std::string revisits =
      stored(TestRevisit{"all", "http://c.example/", "09", "a", "http://b.example/", "02", digest_of("body")}) +
      stored(TestRevisit{"place", "http://c.example/", "09", "lost", "http://b.example/", "02", digest_of("body")}) +
      stored(TestRevisit{"digest", "http://c.example/", "09", "lost", "http://b.example/", "05", digest_of("body")}) +
      stored(TestRevisit{"nothing", "http://d.example/", "09", "lost", "http://b.example/", "05", digest_of("x")}) +
      stored(TestRevisit{"empty", "http://a.example/", "09"});
  const Links links = links_of({captures, revisits});
  EXPECT_EQ(links.found, (Found{{"all", {LinkWay::kId, "a"}},
                                {"place", {LinkWay::kPlace, "b"}},
                                {"digest", {LinkWay::kDigest, "b"}},
                                {"nothing", {LinkWay::kNotFound, ""}},
                                {"empty", {LinkWay::kNotFound, ""}}}));
  EXPECT_TRUE(links.referred_to.contains("0/0"));
  EXPECT_TRUE(links.referred_to.contains("0/1"));
}

// A player does not follow two revisit records in a row, and a revisit record has no body that could stay.
TEST_F(RevisitLinksTest, DoNotEndAtRevisitRecords) {
  const Links links = links_of(
      {stored(TestRecord{"a", "http://a.example/", "01"}) +
       stored(TestRevisit{"first", "http://b.example/", "02", "a", "http://a.example/", "01"}) +
       stored(TestRevisit{"second", "http://c.example/", "03", "first", "http://b.example/", "02"}) +
       stored(TestRevisit{"third", "http://a.example/", "04", "first", "http://b.example/", "02", digest_of("body")})});
  EXPECT_EQ(links.found, (Found{{"first", {LinkWay::kId, "a"}},
                                {"second", {LinkWay::kNotFound, ""}},
                                {"third", {LinkWay::kDigest, "a"}}}));
  EXPECT_EQ(links.referred_to, (std::set<std::string>{"0/0"}));
}

TEST_F(RevisitLinksTest, ByDigestLeadToTheLatestBeforeOrTheFirstAfter) {
  std::string captures;
  for (const char* day : {"12", "04", "20", "08"}) captures += stored(TestRecord{day, "http://a.example/", day});
  captures += stored(TestRecord{"other", "http://a.example/", "10", "another body"});
  captures += stored(TestRecord{"elsewhere", "http://b.example/", "10"});
  captures += stored(TestRecord{"undated", "http://a.example/", ""});
  const auto revisit = [](const char* id, const char* day) {
    return stored(TestRevisit{id, "http://a.example/", day, "", "", "", digest_of("body")});
  };
  const Links links = links_of({captures + revisit("late", "30") + revisit("middle", "11") + revisit("same", "08") +
                                revisit("early", "01") + revisit("undated", "")});
  EXPECT_EQ(links.found, (Found{{"late", {LinkWay::kDigest, "20"}},
                                {"middle", {LinkWay::kDigest, "08"}},
                                {"same", {LinkWay::kDigest, "08"}},
                                {"early", {LinkWay::kDigest, "04"}},
                                {"undated", {LinkWay::kDigest, "undated"}}}));
}

// The digest is that of the payload, whatever the status. One that is not stated is computed, but for redirects, which
// have no payload that players show.
TEST_F(RevisitLinksTest, ByDigestDoNotAskForTheStatus) {
  const auto revisit = [](const std::string& url) {
    return stored(TestRevisit{url, "http://" + url + ".example/", "09", "", "", "", digest_of("body")});
  };
  const Links links = links_of({stored(TestRecord{"a", "http://a.example/", "01", "body", true, "404 Not Found"}) +
                                stored(TestRecord{"b", "http://b.example/", "01", "body", false, "404 Not Found"}) +
                                stored(TestRecord{"c", "http://c.example/", "01", "body", true, "302 Found"}) +
                                stored(TestRecord{"d", "http://d.example/", "01", "body", false, "302 Found"}) +
                                revisit("a") + revisit("b") + revisit("c") + revisit("d")});
  EXPECT_EQ(links.found, (Found{{"a", {LinkWay::kDigest, "a"}},
                                {"b", {LinkWay::kDigest, "b"}},
                                {"c", {LinkWay::kDigest, "c"}},
                                {"d", {LinkWay::kNotFound, ""}}}));
}

TEST_F(RevisitLinksTest, ForNotModifiedTheCaptureBeforeAlsoStays) {
  const std::string captures = stored(TestRecord{"a", "http://a.example/", "02"}) +
                               stored(TestRecord{"b", "http://a.example/", "05", "changed"}) +
                               stored(TestRecord{"c", "http://a.example/", "08", "changed again"});
  const auto revisit = [](const char* id, const char* day, const char* refers_to) {
    return stored(TestRevisit{id, "http://a.example/", day, refers_to, "", "", "", kNotModified});
  };
  const Links plain = links_of({captures + revisit("early", "01", "") + revisit("middle", "06", "")});
  EXPECT_EQ(plain.found, (Found{{"early", {LinkWay::kNotFound, ""}}, {"middle", {LinkWay::kPrevious, "b"}}}));
  EXPECT_EQ(plain.referred_to, (std::set<std::string>{"0/1"}));
  const Links stated = links_of({captures + revisit("middle", "06", "a")});
  EXPECT_EQ(stated.found, (Found{{"middle", {LinkWay::kId, "a"}}}));
  EXPECT_EQ(stated.referred_to, (std::set<std::string>{"0/0", "0/1"}));
}

// The earliest capture is the target, but a player may show any of them.
TEST_F(RevisitLinksTest, KeepAllCapturesOfAnIdOrAPlaceThatIsRepeated) {
  const Links ids = links_of(
      {stored(TestRecord{"twice", "http://a.example/", "05"}) + stored(TestRecord{"once", "http://a.example/", "06"}),
       stored(TestRecord{"twice", "http://b.example/", "02", "another body"}) +
           stored(TestRevisit{"revisit", "http://c.example/", "09", "twice"})});
  EXPECT_EQ(ids.found, (Found{{"revisit", {LinkWay::kId, "twice"}}}));
  EXPECT_EQ(ids.referred_to, (std::set<std::string>{"0/0", "1/0"}));
  const Links places =
      links_of({stored(TestRecord{"first", "http://a.example/", "05"}) +
                    stored(TestRecord{"second", "http://a.example/", "05", "another body"}),
                stored(TestRevisit{"revisit", "http://c.example/", "09", "", "http://a.example/", "05"})});
  EXPECT_EQ(places.found, (Found{{"revisit", {LinkWay::kPlace, "first"}}}));
  EXPECT_EQ(places.referred_to, (std::set<std::string>{"0/0", "0/1"}));
}

TEST_F(RevisitLinksTest, DoNotDependOnTheOrderOfFilesOrOnThreads) {
  std::vector<std::string> files;
  for (int number = 0; number < 6; ++number) {
    const std::string name = std::to_string(number);
    const std::string next = std::to_string((number + 1) % 6);
    std::string content;
    for (const char* day : {"03", "07", "11"}) {
      content += stored(TestRecord{name + "-" + day, "http://" + name + ".example/", day, day});
    }
    content += stored(TestRevisit{"id-" + name, "http://x.example/", "20", next + "-07"});
    content +=
        stored(TestRevisit{"place-" + name, "http://x.example/", "20", "", "http://" + next + ".example/", "11"});
    content += stored(TestRevisit{"digest-" + name, "http://" + next + ".example/", "20", "", "", "", digest_of("03")});
    content +=
        stored(TestRevisit{"before-" + name, "http://" + next + ".example/", "09", "", "", "", "", kNotModified});
    files.push_back(content);
  }
  const Links expected = links_of(files);
  EXPECT_EQ(expected.found.at("id-5"), std::pair(LinkWay::kId, std::string("0-07")));
  EXPECT_EQ(expected.found.at("place-2"), std::pair(LinkWay::kPlace, std::string("3-11")));
  EXPECT_EQ(expected.found.at("digest-0"), std::pair(LinkWay::kDigest, std::string("1-03")));
  EXPECT_EQ(expected.found.at("before-1"), std::pair(LinkWay::kPrevious, std::string("2-07")));
  EXPECT_EQ(links_of(files, 4).found, expected.found);
  EXPECT_EQ(links_of(files, 4).referred_to, expected.referred_to);
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(links_of(files, 3).found, expected.found);
}

TEST_F(RevisitLinksTest, AreNoneWithoutRevisitRecords) {
  const Links links = links_of({stored(TestRecord{"a", "http://a.example/", "01"})});
  EXPECT_TRUE(links.found.empty());
  EXPECT_TRUE(links.referred_to.empty());
}

}  // namespace
}  // namespace paraprint
