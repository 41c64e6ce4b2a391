// The calls of the service without sockets: answers, options, refusals, authentication, metrics and backups.
#include "serve/page_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
using testing::Not;

using PageServiceTest = ServiceTest;

TEST_F(PageServiceTest, PageIsNewOnlyOnce) {
  open();
  const std::string page = html_page(made_up_text(1));
  HttpResponse answer = send("POST", "/v1/pages?url=https://a.example/", "text/html", page);
  ASSERT_EQ(outcome(answer), "200");
  EXPECT_EQ(member_of(answer.body, "verdict"), "new");
  EXPECT_EQ(member_of(answer.body, "change"), "new");
  EXPECT_EQ(member_of(answer.body, "id"), "https://a.example/");
  answer = send("POST", "/v1/pages?url=https://b.example/", "text/html", page);
  EXPECT_EQ(member_of(answer.body, "verdict"), "same");
  EXPECT_EQ(member_of(answer.body, "matches.0.id"), "https://a.example/");
  EXPECT_EQ(member_of(answer.body, "cluster"), "https://a.example/");
  answer = send("POST", "/v1/pages?url=https://a.example/", "text/html", page);
  EXPECT_EQ(member_of(answer.body, "change"), "unchanged");
}

TEST_F(PageServiceTest, LookupStoresNothingAndNeedsNoId) {
  open();
  const std::string text = made_up_text(1);
  EXPECT_EQ(member_of(send("POST", "/v1/lookup", "text/plain", text).body, "verdict"), "new");
  EXPECT_EQ(member_of(send("POST", "/v1/lookup", "text/plain", text).body, "verdict"), "new");
  EXPECT_EQ(outcome(send("POST", "/v1/pages", "text/plain", text)), "400 missing-id");
  EXPECT_EQ(member_of(send("GET", "/v1/stats").body, "pages"), "0");
}

TEST_F(PageServiceTest, EvidenceShowsWhatChanged) {
  open();
  const std::string kept = made_up_text(1, 3);
  const std::string removed = made_up_text(2, 1);
  const std::string added = made_up_text(3, 1);
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", kept + removed))), "200");
  const HttpResponse answer = post_json("/v1/pages?evidence=true", json_page("a", kept + added));
  EXPECT_EQ(member_of(answer.body, "change"), "changed");
  const std::string text = member_of(answer.body, "text");
  ASSERT_GT(text.size(), added.size());
  const std::size_t begin = std::stoul(member_of(answer.body, "previous.added.0.0"));
  EXPECT_EQ(text.substr(begin, 30), added.substr(0, 30));
  EXPECT_EQ(member_of(answer.body, "previous.added.1"), "(none)");
  EXPECT_NE(member_of(answer.body, "previous.removed.0"), "(none)");
  EXPECT_EQ(member_of(answer.body, "previous.removed.1"), "(none)");
  EXPECT_NE(member_of(answer.body, "previous.passages.2"), "(none)");
}

TEST_F(PageServiceTest, ReplacingCanBeDisabled) {
  open();
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", made_up_text(1)))), "200");
  EXPECT_EQ(outcome(post_json("/v1/pages?replace=false", json_page("a", made_up_text(2)))), "409 id-exists");
  EXPECT_EQ(outcome(post_json("/v1/pages?replace=false", json_page("a", made_up_text(1)))), "200");
  EXPECT_EQ(member_of(post_json("/v1/lookup", json_page("b", made_up_text(1))).body, "verdict"), "same");
  EXPECT_EQ(member_of(post_json("/v1/lookup", json_page("b", made_up_text(2))).body, "verdict"), "new");
}

TEST_F(PageServiceTest, DeclaredCharsetsAreUsed) {
  open();
  // "One day in spring the old master of the tea house walked ..." in GBK, declared by the header alone.
  std::string gbk;
  std::string utf8;
  for (int i = 0; i < 30; ++i) {
    gbk += "\xB4\xBA\xCC\xEC\xB5\xC4\xB2\xE8\xB9\xDD";
    utf8 += "\xE6\x98\xA5\xE5\xA4\xA9\xE7\x9A\x84\xE8\x8C\xB6\xE9\xA6\x86";
  }
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", utf8))), "200");
  EXPECT_EQ(member_of(send("POST", "/v1/lookup", "text/plain; charset=gbk", gbk).body, "verdict"), "same");
  const std::string body = R"({"body_base64":")" + [&] {
    std::string out;
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < gbk.size(); i += 3) {  // its length is a multiple of three
      const unsigned bits = static_cast<unsigned char>(gbk[i]) << 16 | static_cast<unsigned char>(gbk[i + 1]) << 8 |
                            static_cast<unsigned char>(gbk[i + 2]);
      for (int shift = 18; shift >= 0; shift -= 6) out += digits[bits >> shift & 63];
    }
    return out;
  }() + R"(","content_type":"Text/Plain; charset=gb2312"})";
  EXPECT_EQ(member_of(post_json("/v1/lookup", body).body, "verdict"), "same");
}

TEST_F(PageServiceTest, ProfileCanBeSentInPlaceOfThePage) {
  open();
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", made_up_text(1)))), "200");
  const HttpResponse stored = send("GET", "/v1/pages/a?profile=true");
  const std::string settings = member_of(stored.body, "settings");
  const std::string profile = member_of(stored.body, "profile");
  const auto ask = [&](const std::string& with_settings, const std::string& with_profile) {
    return post_json("/v1/lookup", R"({"settings":")" + with_settings + R"(","profile":")" + with_profile + "\"}");
  };
  EXPECT_EQ(member_of(ask(settings, profile).body, "verdict"), "same");
  EXPECT_EQ(outcome(ask("other", profile)), "400 other-settings");
  EXPECT_EQ(outcome(ask(settings, profile.substr(0, 40))), "400 bad-profile");
  EXPECT_EQ(outcome(ask(settings, "%%%")), "400 bad-field");
}

TEST_F(PageServiceTest, PagesCanBeReadFoundAndDeleted) {
  open();
  ASSERT_EQ(
      outcome(send("POST", "/v1/pages?id=1&url=https://a.example/x&date=2024-05-01", "text/plain", made_up_text(1))),
      "200");
  EXPECT_EQ(member_of(send("GET", "/v1/pages/1").body, "date"), "2024-05-01T00:00:00Z");
  EXPECT_EQ(member_of(send("GET", "/v1/pages?url=https%3A%2F%2Fa.example/x").body, "id"), "1");
  EXPECT_EQ(outcome(send("GET", "/v1/pages?url=https://nobody.example/")), "404 unknown-id");
  EXPECT_EQ(outcome(send("GET", "/v1/pages")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/2")), "404 unknown-id");
  EXPECT_EQ(member_of(send("DELETE", "/v1/pages/1").body, "deleted"), "true");
  EXPECT_EQ(outcome(send("DELETE", "/v1/pages/1")), "404 unknown-id");
}

TEST_F(PageServiceTest, ClustersAreTruncatedAtTheLimit) {
  open();
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_EQ(outcome(post_json("/v1/pages", json_page(id, made_up_text(1)))), "200");
  }
  const HttpResponse cut = send("GET", "/v1/clusters/a?limit=2");
  EXPECT_EQ(member_of(cut.body, "complete"), "false");
  EXPECT_EQ(member_of(cut.body, "pages.1.cluster"), "a");
  EXPECT_EQ(member_of(cut.body, "pages.2"), "(none)");
  EXPECT_EQ(member_of(send("GET", "/v1/clusters/a").body, "complete"), "true");
  EXPECT_EQ(outcome(send("GET", "/v1/clusters/b")), "404 unknown-id");
  for (const char* limit : {"0", "10001", "-1", "many", "99999999999999999999"}) {
    EXPECT_EQ(outcome(send("GET", std::string("/v1/clusters/a?limit=") + limit)), "400 bad-parameter") << limit;
  }
}

TEST_F(PageServiceTest, ComparesTwoPages) {
  open();
  const std::string text = made_up_text(1);
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", text))), "200");
  const std::string page = json_page("x", text + made_up_text(2, 1));
  const HttpResponse answer = post_json("/v1/compare", R"({"a":{"known_id":"a"},"b":)" + page + R"(,"evidence":true})");
  EXPECT_EQ(outcome(answer), "200");
  EXPECT_EQ(member_of(answer.body, "containment_a"), "1.0");
  EXPECT_EQ(member_of(answer.body, "a.text"), "(none)");
  EXPECT_THAT(member_of(answer.body, "b.text"), HasSubstr(text.substr(0, 50)));
  EXPECT_NE(member_of(answer.body, "passages.4"), "(none)");
  EXPECT_EQ(outcome(post_json("/v1/compare", R"({"a":{"known_id":"b"},"b":)" + page + "}")), "404 unknown-id");
  EXPECT_EQ(outcome(post_json("/v1/compare", R"({"a":)" + page + "}")), "400 bad-field");
  EXPECT_EQ(outcome(post_json("/v1/compare", R"({"a":{},"b":)" + page + "}")), "400 missing-page");
  EXPECT_EQ(outcome(send("POST", "/v1/compare", "text/html", "<p>")), "415 unsupported-type");
}

// Edited in one place, so that a SimHash differs in few bits.
TEST_F(PageServiceTest, OtherAlgorithmsCompareFingerprints) {
  ServeOptions options;
  options.profile.algorithm = "simhash-64";
  open(options);
  const std::string text = made_up_text(1, 20);
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", text))), "200");
  const std::string near = json_page("b", text + "One more sentence at the end.");
  EXPECT_EQ(member_of(post_json("/v1/lookup", near).body, "verdict"), "near");
  EXPECT_EQ(member_of(post_json("/v1/lookup", json_page("c", made_up_text(2, 20))).body, "verdict"), "new");
  const HttpResponse compared = post_json("/v1/compare", R"({"a":{"known_id":"a"},"b":)" + near + "}");
  EXPECT_EQ(member_of(compared.body, "verdict"), "near");
  const std::string profile = member_of(send("GET", "/v1/pages/a?profile=true").body, "profile");
  const std::string settings = member_of(send("GET", "/v1/pages/a?profile=true").body, "settings");
  EXPECT_THAT(settings, HasSubstr("simhash-64"));
  JsonWriter json;
  json.begin_object();
  json.member("id", "d");
  json.member("settings", settings);
  json.member("profile", profile);
  json.end_object();
  EXPECT_EQ(outcome(post_json("/v1/lookup", json.take())), "400 bad-profile");
}

TEST_F(PageServiceTest, ComparisonsRefuseWhatOtherCallsRefuse) {
  open();
  const std::string sides = R"("a":{"text":"one"},"b":{"text":"two"})";
  EXPECT_EQ(outcome(post_json("/v1/compare", "{" + sides + "}")), "200");
  EXPECT_EQ(outcome(post_json("/v1/compare", "{" + sides + R"(,"evidence":null})")), "200");
  EXPECT_EQ(outcome(post_json("/v1/compare", "{" + sides + R"(,"evidence":"yes"})")), "400 bad-field");
  EXPECT_EQ(outcome(post_json("/v1/compare", "{" + sides + R"(,"b":{"text":"three"}})")), "400 duplicate-field");
  EXPECT_EQ(outcome(post_json("/v1/compare", "{" + sides + R"(,"evidence":true,"evidence":false})")),
            "400 duplicate-field");
}

TEST_F(PageServiceTest, ExtractsWhatTheCommandLinePrints) {
  open();
  const std::string html = "<html><head><title>A & B</title></head>" + html_page(made_up_text(1));
  HttpResponse answer = send("POST", "/v1/extract?id=a&url=https://a.example/", "text/html; charset=utf-8", html);
  ASSERT_EQ(outcome(answer), "200");
  PageStreamOptions options;
  options.inputs = {folder_ / "page.html"};
  options.with_profiles = false;
  std::ofstream(options.inputs[0]) << html;
  StreamedPage printed;
  ASSERT_TRUE(for_each_page(options, [&](const StreamedPage& page) -> Status {
    printed = page;
    return {};
  }));
  printed.page.id = "a";
  printed.page.url = "https://a.example/";
  simdjson::dom::parser parser;
  EXPECT_EQ(simdjson::minify(parser.parse(answer.body)), content_json(printed));
  EXPECT_EQ(member_of(answer.body, "title"), "A & B");
  EXPECT_THAT(member_of(answer.body, "text"), HasSubstr(made_up_text(1).substr(0, 100)));
  // The same page in its other forms, without an id.
  answer = post_json("/v1/extract", R"({"url":"https://b.example/","text":"One paragraph.\n\nAnother one.\n"})");
  EXPECT_EQ(answer.body,
            R"({"id":"https://b.example/","url":"https://b.example/","text":"One paragraph.\nAnother one."})"
            "\n");
  answer = post_json("/v1/extract", R"({"body_base64":"tLrM7A==","content_type":"text/plain; charset=gbk"})");
  EXPECT_EQ(answer.body, "{\"text\":\"\xE6\x98\xA5\xE5\xA4\xA9\"}\n");
  EXPECT_EQ(send("POST", "/v1/extract", "text/html", "<p></p>").body, "{\"text\":\"\"}\n");
  EXPECT_EQ(member_of(send("GET", "/v1/stats").body, "pages"), "0");
}

TEST_F(PageServiceTest, ExtractionNeedsAPageWithText) {
  open();
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", made_up_text(1)))), "200");
  const HttpResponse stored = send("GET", "/v1/pages/a?profile=true");
  const std::string sent = R"({"settings":")" + member_of(stored.body, "settings") + R"(","profile":")" +
                           member_of(stored.body, "profile") + "\"}";
  ASSERT_EQ(outcome(post_json("/v1/lookup", sent)), "200");
  EXPECT_EQ(outcome(post_json("/v1/extract", sent)), "400 missing-page");
  EXPECT_EQ(outcome(post_json("/v1/extract", R"({"known_id":"a"})")), "400 missing-page");
}

TEST_F(PageServiceTest, ParametersAreRefusedTwiceEvenIfTheFirstIsEmpty) {
  open();
  ASSERT_EQ(outcome(post_json("/v1/pages", R"({"id":"a","text":"one"})")), "200");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/a?profile=")), "200");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/a?profile=&profile=true")), "400 bad-parameter");
}

TEST_F(PageServiceTest, InvalidBodiesAreRefusedWithReasons) {
  open();
  const std::pair<const char*, const char*> cases[] = {
      {"", "400 bad-json"},
      {"{", "400 bad-json"},
      {"[]", "400 bad-json"},
      {"{\"text\":\"\xFF\"}", "400 bad-utf8"},
      {R"({"id":"a"})", "400 missing-page"},
      {R"({"id":"a","html":null})", "400 missing-page"},
      {R"({"id":"a","html":7})", "400 bad-field"},
      {R"({"id":["a"],"html":""})", "400 bad-field"},
      {R"({"id":"a","id":"b","html":""})", "400 duplicate-field"},
      {R"({"id":"a","html":"","matches":0})", "400 bad-field"},
      {R"({"id":"a","html":"","matches":"3"})", "400 bad-field"},
      {R"({"id":"a","html":"","evidence":1})", "400 bad-field"},
      {R"({"id":"a","html":"","date":"yesterday"})", "400 bad-field"},
      {R"({"id":"a","body_base64":"PHA+","content_type":"image/png"})", "415 unsupported-type"},
      {R"({"html":""})", "400 missing-id"},
  };
  for (const auto& [body, expected] : cases) EXPECT_EQ(outcome(post_json("/v1/pages", body)), expected) << body;
  EXPECT_EQ(outcome(post_json("/v1/pages", R"({"id":")" + std::string(9000, 'x') + R"(","html":""})")),
            "400 name-too-long");
  std::string deep = R"({"id":"a","html":"","other":)";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  EXPECT_EQ(outcome(post_json("/v1/pages", deep)), "400 bad-json");
  EXPECT_EQ(outcome(post_json("/v1/pages", R"({"id":7,"html":"","other":{"id":"b"}})")), "200");
}

TEST_F(PageServiceTest, InvalidRequestsAreRefusedWithReasons) {
  open();
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a&colour=red", "text/html", "x")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a&id=b", "text/html", "x")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a&evidence=maybe", "text/html", "x")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a&matches=1001", "text/html", "x")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a", "image/png", "x")), "415 unsupported-type");
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a", "", "x")), "415 unsupported-type");
  EXPECT_EQ(outcome(send("GET", "/v1/stats", "text/html", "x")), "400 bad-request");
  EXPECT_EQ(outcome(send("PATCH", "/v1/stats")), "405 method-not-allowed");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/../../etc/passwd")), "404 no-such-call");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/..%2F..%2Fetc%2Fpasswd")), "404 unknown-id");
  RequestHead packed = head_of("POST", "/v1/pages?id=a", "text/html", 4);
  packed.content_encoding = "gzip";
  EXPECT_EQ(outcome(send(packed, "xxxx")), "415 unsupported-type");
  RequestHead large = head_of("POST", "/v1/pages?id=a", "text/html", std::size_t{1} << 40);
  EXPECT_EQ(outcome(send(large, "")), "413 body-too-large");
}

TEST_F(PageServiceTest, MarkupInAnswersIsEscaped) {
  open();
  const HttpResponse answer = post_json("/v1/pages", R"({"id":"<script>alert('&')</script>","html":"<p>x"})");
  ASSERT_EQ(outcome(answer), "200");
  EXPECT_THAT(answer.body, Not(HasSubstr("<")));
  EXPECT_THAT(answer.body, HasSubstr("\\u003cscript\\u003e"));
  EXPECT_EQ(member_of(answer.body, "id"), "<script>alert('&')</script>");
}

TEST_F(PageServiceTest, TokenIsRequired) {
  ServeOptions options;
  options.token = "0123456789abcdef";
  open(options);
  RequestHead head = head_of("GET", "/v1/stats", "", 0);
  EXPECT_EQ(outcome(send(head, "")), "401 unauthorized");
  for (const char* wrong : {"Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
                            "Basic 0123456789abcdef", "0123456789abcdef"}) {
    head.authorization = wrong;
    EXPECT_EQ(outcome(send(head, "")), "401 unauthorized") << wrong;
  }
  head.authorization = "bearer 0123456789abcdef";
  EXPECT_EQ(outcome(send(head, "")), "200");
  for (const Route& route : kRoutes) {
    const bool is_open = route.path == "/healthz" || route.path == "/readyz" || route.path == "/openapi.json";
    EXPECT_EQ(route.needs_token, !is_open) << route.path;
  }
  EXPECT_EQ(outcome(send("GET", "/healthz")), "200");
}

TEST_F(PageServiceTest, OptionsAreValidated) {
  const auto error_of = [](const auto& change) {
    ServeOptions options;
    options.data = "known";
    change(options);
    const Status status = options.validate();
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(error_of([](ServeOptions&) {}), "");
  EXPECT_THAT(error_of([](ServeOptions& o) { o.address = "0.0.0.0"; }), HasSubstr("token"));
  EXPECT_EQ(error_of([](ServeOptions& o) { o.address = "0.0.0.0", o.allow_anonymous = true; }), "");
  EXPECT_EQ(error_of([](ServeOptions& o) { o.address = "::1"; }), "");
  EXPECT_THAT(error_of([](ServeOptions& o) { o.token = "short"; }), HasSubstr("16"));
  EXPECT_THAT(error_of([](ServeOptions& o) { o.limits.max_body_bytes = 0; }), HasSubstr("body"));
  EXPECT_THAT(error_of([](ServeOptions& o) { o.limits.idle_timeout = 0; }), HasSubstr("idle_timeout is 0"));
  EXPECT_EQ(error_of([](ServeOptions& o) { o.profile.algorithm = "simhash-64"; }), "");
  EXPECT_THAT(error_of([](ServeOptions& o) { o.profile.algorithm = "minhash-forest"; }), HasSubstr("nearest pages"));
}

TEST_F(PageServiceTest, MetricsReportTheCounters) {
  open();
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("a", made_up_text(1)))), "200");
  RequestRecord record;
  record.route = &kRoutes[0];
  record.status = 200;
  record.duration = std::chrono::milliseconds(3);
  service_->metrics().count_request(record);
  record.status = 413;
  record.reason = "body-too-large";
  service_->metrics().count_request(record);
  const std::string text = send("GET", "/metrics").body;
  EXPECT_THAT(text, HasSubstr("paraprint_requests_total{method=\"POST\",path=\"/v1/pages\",status=\"413\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("paraprint_refused_total{reason=\"body-too-large\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("paraprint_pages_total{call=\"add\",verdict=\"new\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("path=\"/v1/pages\",le=\"0.002\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("path=\"/v1/pages\",le=\"0.005\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("path=\"/v1/pages\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("paraprint_index_pages 1\n"));
}

TEST_F(PageServiceTest, BackupsAreCreatedInTheConfiguredFolderOnly) {
  open();
  EXPECT_EQ(outcome(send("POST", "/v1/backups?name=monday")), "403 backups-off");
  ServeOptions options;
  options.data = folder_ / "with-backups";
  options.backups = folder_ / "backups/of-this";
  open(options);
  EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a", "text/plain", made_up_text(1))), "200");
  const HttpResponse made = send("POST", "/v1/backups?name=monday");
  EXPECT_EQ(member_of(made.body, "backup"), "monday");
  EXPECT_EQ(outcome(send("POST", "/v1/backups?name=monday")), "409 backup-exists");
  for (const char* name : {"..", "a%2Fb", "a.b", "%00", "a b", "mond%C3%A4y"}) {
    EXPECT_EQ(outcome(send("POST", std::string("/v1/backups?name=") + name)), "400 bad-parameter") << name;
  }
  EXPECT_EQ(outcome(send("POST", "/v1/backups?name=" + std::string(65, 'a'))), "400 bad-parameter");
  EXPECT_EQ(outcome(send("POST", "/v1/backups?folder=a")), "400 bad-parameter");
  EXPECT_EQ(outcome(send("GET", "/v1/backups")), "405 method-not-allowed");
  EXPECT_EQ(outcome(send("POST", "/v1/backups")), "200");  // named by the time
  EXPECT_EQ(outcome(send("DELETE", "/v1/pages/a")), "200");
  service_.reset();
  const Status restored = restore_index(folder_ / "backups/of-this/monday", folder_ / "restored");
  ASSERT_TRUE(restored) << restored.error().message;
  open("restored");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/a")), "200");
}

TEST_F(PageServiceTest, BackupsMayBeInsideTheFolderOfANewIndex) {
  ServeOptions options;
  options.data = folder_ / "new";
  options.backups = folder_ / "new/backups";
  for (const char* name : {"first", "second"}) {  // of the new index, and of the one that is there
    ASSERT_NO_FATAL_FAILURE(open(options));
    EXPECT_EQ(outcome(send("POST", std::string("/v1/pages?id=") + name, "text/plain", made_up_text(1))), "200");
    EXPECT_EQ(outcome(send("POST", std::string("/v1/backups?name=") + name)), "200");
    service_.reset();
  }
  ASSERT_TRUE(restore_index(folder_ / "new/backups/second", folder_ / "restored"));
  open("restored");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/first")), "200");
}

TEST_F(PageServiceTest, ReadinessEndsWhenTheServiceStops) {
  open();
  EXPECT_EQ(outcome(send("GET", "/readyz")), "200");
  service_->begin_stop();
  EXPECT_EQ(outcome(send("GET", "/readyz")), "503 stopping");
  EXPECT_EQ(outcome(send("GET", "/healthz")), "200");
}

// Models are read when the service starts; what happens to their files later does not matter to it.
// Otherwise stopping would wait for the page that is being read.
TEST_F(PageServiceTest, LongPagesAndBackupsEndWhenTheServiceIsCutOff) {
  ServeOptions options;
  options.backups = folder_ / "backups";
  open(options);
  const std::string text = made_up_text(1, 400);
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("before", text))), "200");
  service_->cut_off();
  EXPECT_EQ(outcome(post_json("/v1/pages", json_page("after", text))), "503 stopping");
  EXPECT_EQ(outcome(post_json("/v1/lookup", json_page("", text))), "503 stopping");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/before")), "200");
  EXPECT_EQ(outcome(send("GET", "/v1/pages/after")), "404 unknown-id");
  EXPECT_EQ(outcome(send("POST", "/v1/backups?name=one")), "503 stopping");
  EXPECT_TRUE(names_in_folder(options.backups)->empty());
}

TEST_F(PageServiceTest, ModelFilesMayDisappearWhileItRuns) {
  ServeOptions options;
  options.threads = 3;
  const std::string list = folder_ / "synonyms.txt";
  std::ofstream(list) << "big large\n";
  options.profile.synonyms = SynonymMode::kList;
  options.profile.synonym_list = {list};
  open(options);
  const std::string identity = service_->index().identity();
  std::filesystem::remove(list);
  std::vector<std::thread> threads;
  std::barrier together(3);
  std::atomic<int> answered{0};
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t round = 0; round < 10; ++round) {
        together.arrive_and_wait();
        const std::string id = std::to_string(thread) + "-" + std::to_string(round);
        if (outcome(post_json("/v1/pages", json_page(id, made_up_text(round)))) == "200") ++answered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 30);
  EXPECT_EQ(service_->index().identity(), identity);
}

}  // namespace
}  // namespace paraprint
