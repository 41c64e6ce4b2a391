// What the service does with each form of HTTP/1 message that RFC 9110 and RFC 9112 speak of, over raw sockets. The
// classes are those of public conformance and smuggling tools. request_framing_test.cc has further ambiguous requests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

enum class Then {
  kNext,    // the next request on the connection is answered
  kClosed,  // nothing behind the request is executed, and the connection is closed
  kWaits,   // the request is incomplete: what follows is a part of it, and no answer comes before its end
};

struct ConformanceCase {
  std::string rule;
  std::string request;
  std::vector<int> statuses;  // of the answers to it, interim ones included
  Then then = Then::kClosed;
};
using Cases = std::vector<ConformanceCase>;

const std::string kHost = "Host: localhost\r\n";
const std::string kText = "Content-Type: text/plain\r\n";
const std::string kPost = "POST /v1/lookup HTTP/1.1\r\n" + kHost + kText;
const std::string kChunked = kPost + "Transfer-Encoding: chunked\r\n\r\n";
const std::string kEnd = "0\r\n\r\n";
const std::string kNext = "DELETE /v1/pages/victim HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n";
// Executed in place of the DELETE where the next request is to be answered.
const std::string kLast = "GET /readyz HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n";

std::string get(const std::string& fields) {
  return "GET /healthz HTTP/1.1\r\n" + kHost + fields + "\r\n\r\n";
}
std::string line(const std::string& request_line) {
  return request_line + "\r\n" + kHost + "\r\n";
}
std::string host(const std::string& value) {
  return "GET /healthz HTTP/1.1\r\nHost: " + value + "\r\n\r\n";
}

Cases request_lines() {
  Cases cases = {
      {"9110 9.1: methods are case-sensitive", line("get /healthz HTTP/1.1"), {405}, Then::kNext},
      {"9110 9.1: unknown method", line("FOO /healthz HTTP/1.1"), {405}, Then::kNext},
      {"9110 9.3.8: TRACE is not reflected", line("TRACE /healthz HTTP/1.1"), {405}, Then::kNext},
      {"9110 9.3.7: OPTIONS", line("OPTIONS /v1/lookup HTTP/1.1"), {405}, Then::kNext},
      {"9110 9.3.2: HEAD", line("HEAD /openapi.json HTTP/1.1"), {200}, Then::kNext},
      {"9110 9.3.2: HEAD of no call", line("HEAD /nothing HTTP/1.1"), {404}, Then::kNext},
      {"9110 9.3.2: HEAD of a call for POST", line("HEAD /v1/lookup HTTP/1.1"), {405}, Then::kNext},
      {"9110 9.3.2: a refused HEAD", "HEAD /healthz HTTP/1.1\r\n\r\n", {400}},
      {"9112 3.2.1: paths are not normalised", line("GET /v1/../healthz HTTP/1.1"), {404}, Then::kNext},
      {"9112 3.2.1: two slashes are no authority", line("GET //localhost/healthz HTTP/1.1"), {404}, Then::kNext},
      {"9112 3.2.1: encoded NUL", line("GET /healthz%00 HTTP/1.1"), {404}, Then::kNext},
      {"9112 3.2.1: broken encoding", line("GET /healthz%zz HTTP/1.1"), {400}, Then::kNext},
      {"9112 3.2.1: not UTF-8", line("GET /healthz\x80 HTTP/1.1"), {400}, Then::kNext},
      {"9112 3.2: fragment", line("GET /healthz#x HTTP/1.1"), {400}},
      {"9112 3.2: fragment behind a query", line("GET /v1/stats?#x HTTP/1.1"), {400}},
      {"9112 3.2: backslash", line("GET \\healthz HTTP/1.1"), {400}},
      {"9112 3.2.2: absolute form, other scheme", line("GET https://localhost/healthz HTTP/1.1"), {400}},
      {"9112 3.2.2: absolute form without path", line("GET http://localhost HTTP/1.1"), {400}},
      {"9112 3: target of 10,000 bytes", line("GET /" + std::string(10'000, 'a') + " HTTP/1.1"), {404}, Then::kNext},
      {"9112 3: target beyond the limit", line("GET /" + std::string(17'000, 'a') + " HTTP/1.1"), {431}},
      {"9112 3: method beyond the limit", line(std::string(17'000, 'G') + " / HTTP/1.1"), {431}},
      {"9112 2.2: bytes before the method", "Extra lineGET /healthz HTTP/1.1\r\n" + kHost + "\r\n", {400}},
      {"9112 2.2: empty line before a request", "\r\n" + line("GET /healthz HTTP/1.1"), {400}},
      {"9112 2.2: empty line between requests", line("GET /healthz HTTP/1.1") + "\r\n" + kLast, {200, 400}},
      {"9113 3.4: preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400}},
      {"1945 4.1: HTTP/0.9", "GET /healthz\r\n\r\n", {400}},
      {"9112 C.2.2: HTTP/1.0 is not kept alive", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", {200}},
  };
  for (const char* version : {"1.10", "1.", "1", "1.01", "11.1", "9.9", "1.1.1", "1,1", "-1.1", "1.1x"}) {
    cases.push_back({"9112 2.3: version", line(fmt::format("GET /healthz HTTP/{}", version)), {400}});
  }
  for (const char* version : {"HTTPS/1.1", "HTP/1.1", "HTTP 1.1", "HTTP\\1.1", "ICY/1.1", "Http/1.1"}) {
    cases.push_back({"9112 2.3: version", line(fmt::format("GET /healthz {}", version)), {400}});
  }
  return cases;
}

Cases hosts() {
  Cases cases;
  for (const char* value : {"localhost:", "localhost:80", "LOCALHOST", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:"}) {
    cases.push_back({"9110 7.2: valid", host(value), {200}, Then::kNext});
  }
  for (const char* value :
       {"elsewhere.example", "localhost.elsewhere.example", "elsewhere.example:80", "[2001:db8::1]"}) {
    cases.push_back({"9110 7.2: valid, of another machine", host(value), {403}, Then::kNext});
  }
  for (const char* value : {"localhost:abc",
                            "localhost:-1",
                            "localhost:80:80",
                            "localhost,elsewhere.example",
                            "local%68ost",
                            "local%zz",
                            "[::1",
                            "::1]",
                            "::1",
                            "[]",
                            "[::1]elsewhere.example",
                            "[::1]80",
                            "[::1].",
                            "[127.0.0.1]",
                            "[::g]",
                            "[[::1]]",
                            ":80",
                            ":",
                            "localhost@elsewhere.example",
                            "localhost?x",
                            "localhost#x",
                            "http://localhost",
                            "localhost\\x",
                            "localhost x",
                            "local\xC4\xB1host",
                            "\"localhost\"",
                            "<localhost>"}) {
    cases.push_back({"9112 3.2: invalid", host(value), {400}});
  }
  return cases;
}

Cases fields() {
  Cases cases = {
      {"9110 5.5: empty value", get("X-Empty: "), {200}, Then::kNext},
      {"9110 5.5: obs-text", get("X: \x80\xFF"), {200}, Then::kNext},
      {"9110 5.3: two types", kPost + "Content-Type: application/json\r\nContent-Length: 3\r\n\r\nabc", {400}},
      {"9110 5.3: two tokens", get("Authorization: Bearer a\r\nAuthorization: Bearer b"), {400}},
      {"6454 7: two origins", get("Origin: http://localhost\r\nOrigin: http://elsewhere.example"), {400}},
      {"6454 7: an image of another site has no origin", get("Sec-Fetch-Site: cross-site"), {403}, Then::kNext},
      {"6454 7: nor has a link",
       get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"),
       {200},
       Then::kNext},
      {"6454 7: nor a prefetched page",
       get("sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document\r\n"
           "sec-purpose: prefetch;prerender"),
       {403},
       Then::kNext},
      {"6454 7: nor another request with two sites",
       get("Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site"),
       {403},
       Then::kNext},
      {"9110 8.4: list in two fields",
       kPost + "Content-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
       {415}},
      {"9110 8.4: empty, then another",
       kPost + "Content-Encoding:\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
       {415}},
      {"9110 8.4.1: codings ignore case",
       kPost + "Content-Encoding: IDENTITY\r\nContent-Length: 3\r\n\r\nabc",
       {200},
       Then::kNext},
      {"9112 9.6: close among others", get("Connection: ,,close,,"), {200}},
      {"9112 9.6: close wins", get("Connection: keep-alive, close"), {200}},
      {"9110 7.6.1: invalid option", get("Connection: x;y"), {400}},
      {"9110 7.6.1: Host is not dropped", get("Connection: Host"), {200}, Then::kNext},
      {"9110 7.6.1: a length is not dropped",
       kPost + "Connection: Content-Length\r\nContent-Length: 3\r\n\r\nabc",
       {200},
       Then::kNext},
      {"9110 7.6.1: a coding is not dropped",
       kPost + "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n" + kEnd,
       {200},
       Then::kNext},
      {"9110 7.8: Upgrade to h2c is ignored", get("Connection: Upgrade\r\nUpgrade: h2c"), {200}, Then::kNext},
      {"9110 7.8: Upgrade to a WebSocket", get("Connection: upgrade\r\nUpgrade: websocket"), {200}, Then::kNext},
      {"9110 10.1.4: TE is ignored", get("TE: trailers, deflate;q=0.5\r\nConnection: TE"), {200}, Then::kNext},
      {"9110 10.1.4: TE is not Transfer-Encoding", get("TE: chunked"), {200}, Then::kNext},
      {"9110 14.2: Range is ignored", get("Range: bytes=0-1"), {200}, Then::kNext},
      {"no override of the method", get("X-HTTP-Method-Override: DELETE"), {200}, Then::kNext},
      {"9110 5.1: another name", kPost + "Content_Length: 3\r\n\r\n", {200}, Then::kNext},
      {"9110 5.1: another name", kPost + "Transfer_Encoding: chunked\r\n\r\n", {200}, Then::kNext},
      {"9110 5.1: another name", kPost + "Transfer-%45ncoding: chunked\r\n\r\n", {200}, Then::kNext},
      {"9110 5.1: not a token", kPost + "Transfer Encoding: chunked\r\n\r\n", {400}},
      {"9110 5.1: not a token", get("X-Invalid[]: test"), {400}},
      {"9112 2.2: CR before a name", get("\rSome-Header: Test"), {400}},
      {"9110 10.1.1: Expect", kPost + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc", {100, 200}, Then::kNext},
      {"9110 10.1.1: Expect ignores case",
       kPost + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc",
       {100, 200},
       Then::kNext},
      {"9110 10.1.1: Expect without a body", get("Expect: 100-continue"), {200}, Then::kNext},
      {"9110 10.1.1: Expect and an empty body",
       kPost + "Expect: 100-continue\r\nContent-Length: 0\r\n\r\n",
       {200},
       Then::kNext},
      {"9110 10.1.1: HTTP/1.0 knows no Expect",
       "POST /v1/lookup HTTP/1.0\r\n" + kText + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
       {200}},
      {"9110 10.1.1: other expectations are ignored",
       kPost + "Expect: y 100-continue\r\nContent-Length: 3\r\n\r\nabc",
       {200},
       Then::kNext},
      {"9110 10.1.1: refused before 100", kPost + "Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n", {413}},
  };
  std::string many;
  for (int field = 0; field < 3500; ++field) many += "a:\r\n";
  cases.push_back({"6585 5: 3,500 fields", get(many + "b:"), {200}, Then::kNext});
  cases.push_back({"6585 5: too many fields", get(many + many + "b:"), {431}});
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string control(1, static_cast<char>(byte));
    if (byte != '\t') cases.push_back({"9110 5.5: control byte in a value", get("X: a" + control + "b"), {400}});
    cases.push_back({"9110 5.1: control byte in a name", get("X" + control + "Y: a"), {400}});
    cases.push_back({"9112 5.1: control byte before the colon", get("Content-Length" + control + ": 0"), {400}});
  }
  for (const char byte : {'\0', '\x0B', '\x0C', '\r', '\x7F', '\x85', '\xA0', '\xFF'}) {
    const std::string odd(1, byte);
    cases.push_back({"9112 6.1: byte before a coding", kPost + "Transfer-Encoding: " + odd + "chunked\r\n\r\n", {400}});
    cases.push_back({"9112 6.1: byte behind a coding", kPost + "Transfer-Encoding: chunked" + odd + "\r\n\r\n", {400}});
    cases.push_back({"9110 8.6: byte before a length", kPost + "Content-Length: " + odd + "3\r\n\r\n", {400}});
    cases.push_back({"9110 8.6: byte behind a length", kPost + "Content-Length: 3" + odd + "\r\n\r\n", {400}});
  }
  return cases;
}

Cases lengths() {
  Cases cases = {
      {"9110 8.6: leading zeros",
       kPost + "Content-Length: " + std::string(100, '0') + "3\r\n\r\nabc",
       {200},
       Then::kNext},
      {"9110 5.5: white space around it", kPost + "Content-Length: \t 3 \t\r\n\r\nabc", {200}, Then::kNext},
      {"9112 6.3: no length, no body", kPost + "\r\n", {200}, Then::kNext},
      {"9110 8.6: 2^63", kPost + "Content-Length: 9223372036854775808\r\n\r\n", {413}},
      {"9110 8.6: 2^64 - 1", kPost + "Content-Length: 18446744073709551615\r\n\r\n", {413}},
      {"9112 6.3: more than was sent", kPost + "Content-Length: 9999\r\n\r\nabc", {}, Then::kWaits},
  };
  for (const char* value :
       {"0_3", "\xD9\xA3", "3\t3", "3,", "(3)", "3#", "1E0", "0b1", "0o3", "03h", "three", "-1234",
        "-123456789123456789123456789", "18446744073709551619", "340282366920938463463374607431768211459"}) {
    cases.push_back(
        {"9110 8.6: not a decimal number", kPost + fmt::format("Content-Length: {}\r\n\r\n", value), {400}});
  }
  cases.push_back({"9112 6.3: twice", kPost + "Content-Length: 0\r\nContent-Length: 00\r\n\r\n", {400}});
  return cases;
}

Cases chunks() {
  const auto body = [](const std::string& bytes) { return kChunked + bytes; };
  Cases cases;
  for (const char* size : {"3", "0000000000000003", "00000000000000000000000000000003", "3;a", "3 ;a", "3; a",
                           "3;a = b", "3;a=\"b\"", "3;a=\"\\\"\"", "3;a=\"\x80\"", "3;a;b=c", "3;!#$%&'*+-.^_`|~=x"}) {
    cases.push_back({"9112 7.1: valid", body(std::string(size) + "\r\nabc\r\n00;x\r\n\r\n"), {200}, Then::kNext});
  }
  for (const char* size : {"0_3",
                           "3\t",
                           "3;",
                           "3;;a",
                           "3;a\x01",
                           "3;a\x80",
                           "3x",
                           "3,",
                           ";a",
                           "\x0B"
                           "3",
                           "\xEF\xBC\x93",
                           "03h",
                           "3.",
                           "3;=b",
                           "3;a=",
                           "3;a=b c",
                           "3 a",
                           "-3",
                           "\"3\"",
                           "3;a=\"b\"c",
                           "f0000000000000003",
                           "30000000000000003",
                           "fffffffffffffffff"}) {
    cases.push_back({"9112 7.1: invalid", body(std::string(size) + "\r\nabc\r\n" + kEnd), {400}});
  }
  for (const char* size : {"100000003", "7fffffffffffffff", "8000000000000003", "fffffffffffffffd", "ffffffffffffffff",
                           "0ffffffffffffffff", "1000001"}) {
    cases.push_back({"9112 7.1: large, not overflowing", body(std::string(size) + "\r\nabc\r\n" + kEnd), {413}});
  }
  for (const char* end :
       {"3\r\nabc\r0\r\n\r\n", "3\r\nabc\r\r\n0\r\n\r\n", "3\r\nabc\n\r0\r\n\r\n", "3\rabc\r\n0\r\n\r\n",
        "3\r\nabc\r\n-0\r\n\r\n", "3\r\nabc\r\n0\r\n\n", "3\r\nabc\r\n0\n\n", "3\r\nabc\r\n0\r\r",
        "3\r\nabc\r\n\r\n0\r\n\r\n", "2\r\nabc\r\n0\r\n\r\n", "0\r\n \r\n\r\n"}) {
    cases.push_back({"9112 7.1: line ends", body(end), {400}});
  }
  cases.push_back({"9112 7.1: NUL in a size", body(std::string("3\0\r\nabc\r\n", 9) + kEnd), {400}});
  cases.push_back({"9112 7.1.1: NUL in an extension", body(std::string("3;a\0\r\nabc\r\n", 11) + kEnd), {400}});
  cases.push_back({"9112 7.1: body not ended", body("3\r\nabc\r\n"), {400}});  // a request is not a size
  cases.push_back({"9112 8: within a chunk", body("fff\r\nabc"), {}, Then::kWaits});
  cases.push_back({"9112 7.1.1: quotation not ended", body("3;a=\"x\r\nabc\r\n" + kEnd), {}, Then::kWaits});
  return cases;
}

Cases trailers() {
  const auto trailer = [](const std::string& lines) { return kChunked + "3\r\nabc\r\n0\r\n" + lines + "\r\n"; };
  Cases cases;
  for (const char* field : {"X: y", "Host: elsewhere.example", "Authorization: Bearer x", "Connection: close",
                            "Upgrade: h2c", "Content-Type: application/json", "Content-Encoding: gzip",
                            "Expect: 100-continue", "Origin: http://elsewhere.example", "X:", "X: \xFF"}) {
    cases.push_back({"9110 6.5.1: trailers are ignored", trailer(std::string(field) + "\r\n"), {200}, Then::kNext});
  }
  for (const char* field : {"Content-Length: 3", "Content-Length:", "content-length: 0", "Transfer-Encoding: identity",
                            "transfer-encoding: chunked", "GET /healthz HTTP/1.1\r\nHost: localhost", "no colon",
                            "X : y", " X: y", ": y", "X: a\rb",
                            "X: a\x01"
                            "b",
                            "X\x01: y"}) {
    cases.push_back({"9110 6.5.1: framing, or not a field", trailer(std::string(field) + "\r\n"), {400}});
  }
  cases.push_back({"9110 5.5: NUL in a trailer", trailer(std::string("X: a\0b\r\n", 8)), {400}});
  cases.push_back({"9110 6.6.2: Trailer announces nothing forbidden",
                   kPost + "Trailer: Content-Length\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n" + kEnd,
                   {200},
                   Then::kNext});
  return cases;
}

Cases queries() {
  Cases cases;
  for (const char* call :
       {"GET /healthz", "GET /readyz", "GET /metrics", "GET /openapi.json", "GET /v1/stats", "HEAD /healthz",
        "DELETE /v1/pages/victim", "POST /v1/lookup", "GET /v1/pages", "GET /v1/clusters/victim", "POST /v1/backups"}) {
    cases.push_back(
        {"unknown parameters are refused", line(fmt::format("{}?unknown=1 HTTP/1.1", call)), {400}, Then::kNext});
  }
  for (const char* call : {"GET /healthz?", "GET /healthz?&&", "GET /v1/stats?"}) {
    cases.push_back({"an empty query", line(fmt::format("{} HTTP/1.1", call)), {200}, Then::kNext});
  }
  return cases;
}

std::vector<int> statuses_of(std::string_view answers) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  std::vector<int> statuses;
  for (std::size_t at = answers.find(kVersion); at != std::string_view::npos; at = answers.find(kVersion, at + 1)) {
    statuses.push_back(std::atoi(answers.data() + at + kVersion.size()));
  }
  return statuses;
}

class HttpConformanceTest : public testing::TestWithParam<Cases (*)()> {
 protected:
  static ServeOptions options(const TemporaryFolder& folder) {
    ServeOptions options;
    options.data = folder / "known";
    options.port = 0;
    options.threads = 2;
    options.index.sync = SyncMode::kNone;
    return options;
  }

  // All statuses that one connection sees, until the service closes it.
  std::string answers_to(const ConformanceCase& tried, bool in_pieces) {
    PlainHttpClient client(service_.port());
    const std::string bytes = tried.request + (tried.then == Then::kNext ? kLast : kNext + kNext);
    if (in_pieces) {
      for (const char byte : bytes) {
        if (!client.send({&byte, 1})) break;
      }
    } else {
      client.send(bytes);
    }
    if (tried.then == Then::kWaits) client.finish_sending();
    return client.receive_all();
  }

  TemporaryFolder folder_;
  RunningService service_{options(folder_)};
};

TEST_P(HttpConformanceTest, AnswersAsTheRuleSays) {
  PlainHttpClient client(service_.port());
  ASSERT_EQ(
      client.exchange(PlainHttpClient::request("POST", "/v1/pages?id=victim", "text/plain", made_up_text(1))).status,
      200);
  for (const ConformanceCase& tried : GetParam()()) {
    std::vector<int> expected = tried.statuses;
    if (tried.then == Then::kNext) expected.push_back(200);
    for (const bool in_pieces : {false, true}) {
      if (in_pieces && tried.request.size() > 400) continue;
      SCOPED_TRACE(fmt::format("RFC {}{}: {}", tried.rule, in_pieces ? ", byte by byte" : "",
                               testing::PrintToString(tried.request.substr(0, 300))));
      const std::string answers = answers_to(tried, in_pieces);
      EXPECT_EQ(statuses_of(answers), expected) << answers.substr(0, 600);
      // Announced, so that a client knows that the rest was not executed.
      if (tried.then == Then::kClosed) {
        EXPECT_NE(answers.find("\r\nConnection: close\r\n"), std::string::npos);
      }
      if (tried.request.starts_with("HEAD ") && tried.then == Then::kClosed) {
        EXPECT_TRUE(answers.ends_with("\r\n\r\n"));
      }
    }
  }
  PlainHttpClient after(service_.port());
  EXPECT_EQ(after.exchange(PlainHttpClient::request("GET", "/v1/pages/victim", "", "")).status, 200);
}

INSTANTIATE_TEST_SUITE_P(RequestLines, HttpConformanceTest, testing::Values(request_lines));
INSTANTIATE_TEST_SUITE_P(Hosts, HttpConformanceTest, testing::Values(hosts));
INSTANTIATE_TEST_SUITE_P(Fields, HttpConformanceTest, testing::Values(fields));
INSTANTIATE_TEST_SUITE_P(Lengths, HttpConformanceTest, testing::Values(lengths));
INSTANTIATE_TEST_SUITE_P(Chunks, HttpConformanceTest, testing::Values(chunks));
INSTANTIATE_TEST_SUITE_P(Trailers, HttpConformanceTest, testing::Values(trailers));
INSTANTIATE_TEST_SUITE_P(Queries, HttpConformanceTest, testing::Values(queries));

}  // namespace
}  // namespace paraprint
