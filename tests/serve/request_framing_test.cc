// Request smuggling over raw sockets: whatever another HTTP implementation could read differently is refused, the
// connection is closed, and no byte of a body is executed as a request. The families and most of the spellings are
// those of the public collections (CL.TE, TE.CL, TE.TE, CL.0, TE.0, chunk extensions and trailers, folded fields).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "serve/plain_http_client.h"
#include "serve/request_head.h"
#include "serve/routes.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What an attacker wants to have executed: it would be counted under a path of its own.
const std::string kSmuggled = "DELETE /v1/pages/victim HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string kHostLine = "Host: localhost\r\n";
const std::string kFramedText = "Content-Type: text/plain\r\n";
const std::string kPostLine = "POST /v1/lookup HTTP/1.1\r\n" + kHostLine + kFramedText;
const std::string kChunkedEnd = "0\r\n\r\n";

struct FramingCase {
  std::string family;
  std::string request;  // without what is smuggled
  std::string status;
};

std::string of_length(std::string_view bytes) {
  return std::to_string(bytes.size());
}

// A transfer coding, then a body that ends at once for who knows it, and the smuggled request behind it.
FramingCase coding(const std::string& field, const std::string& status = "400") {
  return {"TE.TE", kPostLine + field + "\r\n\r\n" + kChunkedEnd, status};
}
FramingCase length(const std::string& fields) {
  return {"CL", kPostLine + fields + "\r\n\r\n", "400"};
}
FramingCase head(const std::string& text, const std::string& status = "400") {
  return {"head", text + "\r\n\r\n", status};
}
FramingCase chunks(const std::string& body) {
  return {"chunks", kPostLine + "Transfer-Encoding: chunked\r\n\r\n" + body, "400"};
}

std::vector<FramingCase> framing_cases() {
  std::vector<FramingCase> cases = {
      // CL.TE and TE.CL: both lengths, in either order and spelling
      {"CL.TE", kPostLine + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + kChunkedEnd, "400"},
      {"TE.CL", kPostLine + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + kChunkedEnd, "400"},
      {"CL.TE", kPostLine + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + kChunkedEnd, "400"},
      {"TE.CL", kPostLine + "Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\n", "400"},
      {"TE.CL", kPostLine + "Content-Length: 4\r\nTransfer-Encoding: xchunked\r\n\r\n", "400"},
      // TE.TE: codings that one side may take for "chunked" and the other for none
      coding("Transfer-Encoding: xchunked"),
      coding("Transfer-Encoding: identity"),
      coding("Transfer-Encoding: gzip"),
      coding("Transfer-Encoding: chunked, identity"),
      coding("Transfer-Encoding: chunked, gzip"),
      coding("Transfer-Encoding: gzip, chunked", "501"),
      coding("Transfer-Encoding: identity, chunked", "501"),
      coding("Transfer-Encoding: chunked, chunked", "501"),
      coding("Transfer-Encoding: , chunked", "501"),
      coding("Transfer-Encoding: chunked,"),
      coding("Transfer-Encoding: \"chunked\""),
      coding("Transfer-Encoding: 'chunked'"),
      coding("Transfer-Encoding: chunked;q=1"),
      coding("Transfer-Encoding: chunk"),
      coding("Transfer-Encoding: chunke\xC4\x91"),
      coding("Transfer-Encoding:"),
      coding("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      coding("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
      coding("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked"),
      coding("Transfer-Encoding: x\r\ntransfer-encoding: chunked"),
      coding("Transfer-Encoding : chunked"),
      coding("Transfer-Encoding\t: chunked"),
      coding("Transfer-Encoding: \x0B"
             "chunked"),
      coding("Transfer-Encoding: \x0C"
             "chunked"),
      coding("Transfer-Encoding: chunked\x01"),
      coding(std::string("Transfer-Encoding: chunked\0", 27)),
      coding("Transfer-Encoding:\xA0"
             "chunked"),
      coding("Transfer-Encoding:\r\n chunked"),
      coding("Transfer-Encoding:\n chunked"),
      coding("Transfer-Encoding: chunked\r\n\tx"),
      coding("X: y\rTransfer-Encoding: chunked"),
      coding("X: y\nTransfer-Encoding: chunked"),
      coding(" Transfer-Encoding: chunked"),
      coding("Transfer\\Encoding: chunked\r\n: x"),
      coding("Transfer-Encoding\x80: chunked"),
      // Lengths
      length("Content-Length: 3\r\nContent-Length: 0"),
      length("Content-Length: 3\r\nContent-Length: 3"),
      length("Content-Length: 3, 3"),
      length("Content-Length: 3,0"),
      length("Content-Length: +3"),
      length("Content-Length: -0"),
      length("Content-Length: 0x3"),
      length("Content-Length: 3 0"),
      length("Content-Length: 3;"),
      length("Content-Length: \"3\""),
      length("Content-Length: 3.0"),
      length("Content-Length: 3e0"),
      length("Content-Length:"),
      length("Content-Length: ,3"),
      length("Content-Length: 18446744073709551616"),
      length("Content-Length: 99999999999999999999999999"),
      length("Content-Length : 3"),
      length("Content-Length\r\n: 3"),
      length("Content-Length:\r\n 3"),
      length(" Content-Length: 3"),
      // CL.0 and TE.0: a body where the call takes none
      {"CL.0", "GET /v1/stats HTTP/1.1\r\n" + kHostLine + "Content-Length: " + of_length(kSmuggled) + "\r\n\r\n",
       "400"},
      {"CL.0", "HEAD /healthz HTTP/1.1\r\n" + kHostLine + "Content-Length: " + of_length(kSmuggled) + "\r\n\r\n",
       "400"},
      {"CL.0", "POST /v1/nothing HTTP/1.1\r\n" + kHostLine + "Content-Length: " + of_length(kSmuggled) + "\r\n\r\n",
       "404"},
      {"CL.0", "GET /v1/lookup HTTP/1.1\r\n" + kHostLine + "Content-Length: " + of_length(kSmuggled) + "\r\n\r\n",
       "405"},
      {"TE.0", "GET /v1/stats HTTP/1.1\r\n" + kHostLine + "Transfer-Encoding: chunked\r\n\r\n" + kChunkedEnd, "400"},
      {"TE.0", "OPTIONS /v1/stats HTTP/1.1\r\n" + kHostLine + "Transfer-Encoding: chunked\r\n\r\n" + kChunkedEnd,
       "405"},
      {"TE.0", "POST /v1/lookup HTTP/1.0\r\n" + kFramedText + "Transfer-Encoding: chunked\r\n\r\n" + kChunkedEnd,
       "400"},
      {"TE.0",
       "POST /v1/lookup HTTP/1.0\r\n" + kFramedText + "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
           kChunkedEnd,
       "400"},
      // Host
      head("GET /healthz HTTP/1.1"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nhost: elsewhere.example"),
      head("GET /healthz HTTP/1.0\r\nHost: localhost\r\nHost: elsewhere.example"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost, elsewhere.example"),
      head("GET /healthz HTTP/1.1\r\nHost: local host"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost/x"),
      head("GET /healthz HTTP/1.1\r\nHost: user@localhost"),
      head("GET /healthz HTTP/1.1\r\nHost : localhost"),
      head("GET /healthz HTTP/1.1\r\n Host: localhost"),
      // Request line
      head("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost"),
      head("GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: localhost"),
      head("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80"),
      head("OPTIONS * HTTP/1.1\r\nHost: localhost"),
      head("GET healthz HTTP/1.1\r\nHost: localhost"),
      head("GET  /healthz HTTP/1.1\r\nHost: localhost"),
      head("GET /healthz  HTTP/1.1\r\nHost: localhost"),
      head("GET\t/healthz HTTP/1.1\r\nHost: localhost"),
      head("GET /healthz HTTP/1.1 \r\nHost: localhost"),
      head("GET /healthz x HTTP/1.1\r\nHost: localhost"),
      head("GET /healthz\r\nHost: localhost"),
      head("GET /healthz HTTP/0.9\r\nHost: localhost"),
      head("GET /healthz HTTP/2.0\r\nHost: localhost"),
      head("GET /healthz HTTP/1.2\r\nHost: localhost"),
      head("GET /healthz HTTP/01.1\r\nHost: localhost"),
      head("GET /healthz http/1.1\r\nHost: localhost"),
      head("\r\nGET /healthz HTTP/1.1\r\nHost: localhost"),
      head("\nGET /healthz HTTP/1.1\r\nHost: localhost"),
      head(" GET /healthz HTTP/1.1\r\nHost: localhost"),
      head("G(T /healthz HTTP/1.1\r\nHost: localhost"),
      head(std::string("GET /heal\0thz HTTP/1.1\r\nHost: localhost", 40)),
      head("GET /heal\x7Fthz HTTP/1.1\r\nHost: localhost"),
      head("GET /healthz HTTP/1.1\rHost: localhost"),
      head("GET /healthz HTTP/1.1\nHost: localhost"),
      // Field names
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX Y: z"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX(: z"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\n: z"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nno colon"),
      head("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\r\n folded"),
      // Chunks: sizes, line ends, extensions, trailers
      chunks("0x0\r\n\r\n"),
      chunks("+0\r\n\r\n"),
      chunks("-1\r\n\r\n"),
      chunks(" 0\r\n\r\n"),
      chunks("0 \r\n\r\n"),
      chunks("\r\n0\r\n\r\n"),
      chunks("g\r\n\r\n"),
      chunks("10000000000000003\r\nabc\r\n" + kChunkedEnd),
      chunks("ffffffffffffffffffff\r\n"),
      chunks("0\n\r\n"),
      chunks("0\r\r\n\r\n"),
      chunks("3\nabc\r\n" + kChunkedEnd),
      chunks("3\r\nabc\n" + kChunkedEnd),
      chunks("3\r\nabcd\r\n" + kChunkedEnd),
      chunks("3\r\nab\r\n" + kChunkedEnd),
      chunks("3\r\nabc" + kChunkedEnd),
      chunks("3\r\nabcXX0\r\n\r\n"),
      chunks("3;\nx\r\nabc\r\n" + kChunkedEnd),
      chunks("3;a=\"\n\"\r\nabc\r\n" + kChunkedEnd),
      chunks("3;a=\"\r\"\r\nabc\r\n" + kChunkedEnd),
      chunks("3;a=\"\r\n\"\r\nabc\r\n" + kChunkedEnd),
      chunks("0;a=\"\n\"\r\n\r\n"),
      chunks("3;a=" + std::string(5000, 'x') + "\r\nabc\r\n" + kChunkedEnd),
      chunks("0;a=" + std::string(100'000, 'x') + "\r\n\r\n"),
      chunks("0\r\nContent-Length: 9\r\n\r\n"),
      chunks("0\r\nTransfer-Encoding: chunked\r\n\r\n"),
      chunks("0\r\nX : y\r\n\r\n"),
      chunks("0\r\nX: y\nZ: a\r\n\r\n"),
      chunks("0\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n"),
  };
  std::string many_extensions;
  for (int chunk = 0; chunk < 1000; ++chunk) many_extensions += "1;x=yyyyyyyy\r\na\r\n";
  cases.push_back(chunks(many_extensions + kChunkedEnd));
  return cases;
}

class RequestFramingTest : public testing::Test {
 protected:
  static ServeOptions options(const TemporaryFolder& folder) {
    ServeOptions options;
    options.data = folder / "known";
    options.port = 0;
    options.threads = 2;
    options.index.sync = SyncMode::kNone;
    return options;
  }
  std::string metrics() {
    PlainHttpClient client(service_.port());
    return std::string(client.exchange(PlainHttpClient::request("GET", "/metrics", "", "")).body);
  }
  // All requests that were counted, whatever their outcome.
  std::uint64_t requests_counted() {
    const std::string text = metrics();
    constexpr std::string_view kSample = "\nparaprint_requests_total{";
    std::uint64_t sum = 0;
    for (std::size_t at = text.find(kSample); at != std::string::npos; at = text.find(kSample, at + 1)) {
      sum += std::strtoull(text.c_str() + text.find("} ", at) + 2, nullptr, 10);
    }
    return sum;
  }
  bool knows_victim() {
    PlainHttpClient client(service_.port());
    return client.exchange(PlainHttpClient::request("GET", "/v1/pages/victim", "", "")).status == 200;
  }

  TemporaryFolder folder_;
  RunningService service_{options(folder_)};
};

TEST_F(RequestFramingTest, AmbiguousRequestsAreRefusedAndNothingBehindThemIsExecuted) {
  PlainHttpClient adding(service_.port());
  ASSERT_EQ(
      adding.exchange(PlainHttpClient::request("POST", "/v1/pages?id=victim", "text/plain", made_up_text(1))).status,
      200);
  std::uint64_t counted = requests_counted();
  for (const FramingCase& bad : framing_cases()) {
    SCOPED_TRACE(bad.family + ": " + testing::PrintToString(bad.request.substr(0, 300)));
    PlainHttpClient client(service_.port());
    client.send(bad.request + kSmuggled + kSmuggled);
    const std::string response = client.receive_all();  // until the service closes the connection
    EXPECT_THAT(response, StartsWith("HTTP/1.1 " + bad.status + " "));
    EXPECT_THAT(response, HasSubstr("\r\nConnection: close\r\n"));
    EXPECT_EQ(response.find("\r\nDate: "), response.rfind("\r\nDate: "));  // one response only
    const std::uint64_t now = requests_counted();
    EXPECT_EQ(now, counted + 2);  // the refused one and the metrics read before
    counted = now;
  }
  EXPECT_TRUE(knows_victim());
}

// The same bytes in pieces of one byte give the same refusal: nothing depends on how the network splits them.
TEST_F(RequestFramingTest, RefusalsDoNotDependOnHowTheBytesArrive) {
  for (const FramingCase& bad : framing_cases()) {
    if (bad.request.size() > 400) continue;
    SCOPED_TRACE(testing::PrintToString(bad.request));
    PlainHttpClient client(service_.port());
    for (const char byte : bad.request + kSmuggled) {
      if (!client.send({&byte, 1})) break;
    }
    EXPECT_THAT(client.receive_all(), StartsWith("HTTP/1.1 " + bad.status + " "));
  }
}

TEST_F(RequestFramingTest, EveryCallRefusesThemAlike) {
  const std::string cases[] = {
      "Transfer-Encoding: xchunked\r\n\r\n",
      "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
      "Transfer-Encoding: chunked\r\n\r\n1;a=\"\n\"\r\nx\r\n" + kChunkedEnd,
      "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + kChunkedEnd,
      "Content-Length: 3\r\nContent-Length: 0\r\n\r\n",
      "Content-Length : 3\r\n\r\n",
  };
  for (const Route& route : kRoutes) {
    std::string target(route.path);
    if (const std::size_t at = target.find("{id}"); at != std::string::npos) target.replace(at, 4, "other");
    const std::string_view type = route.body == BodyKind::kStream ? "application/x-ndjson" : "text/plain";
    for (const std::string& rest : cases) {
      SCOPED_TRACE(fmt::format("{} {}: {}", route.method, target, testing::PrintToString(rest)));
      PlainHttpClient client(service_.port());
      client.send(fmt::format("{} {} HTTP/1.1\r\n{}Content-Type: {}\r\n", route.method, target, kHostLine, type) +
                  rest + kSmuggled);
      const std::string response = client.receive_all();
      EXPECT_THAT(response, StartsWith("HTTP/1.1 400 "));
      EXPECT_THAT(response, HasSubstr("\r\nConnection: close\r\n"));
      EXPECT_EQ(response.find("\r\nDate: "), response.rfind("\r\nDate: "));
    }
  }
}

TEST_F(RequestFramingTest, AcceptsWhatIsUnusualButClear) {
  const std::string text = made_up_text(1, 1);
  const std::string chunk = fmt::format("{:X}", text.size()) + "\r\n" + text + "\r\n";
  const std::string accepted[] = {
      "GET /healthz HTTP/1.1\r\nHost:localhost\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHOST: \t localhost:8710 \t\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: [::1]:8710\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX:\r\nY!#$%&'*+-.^_`|~: \xC3\xA9\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
      kPostLine + "Content-Length: 00" + of_length(text) + "\r\n\r\n" + text,
      kPostLine + "Transfer-Encoding: CHUNKED\r\n\r\n" + chunk + "0\r\n\r\n",
      kPostLine + "Transfer-Encoding:chunked \t\r\n\r\n" + chunk + "000\r\nX: trailer\r\n\r\n",
      kPostLine + "Transfer-Encoding: chunked\r\n\r\n" + "0;a;b=c; d = \"e;\"\r\n\r\n",
  };
  PlainHttpClient client(service_.port());
  for (const std::string& request : accepted) {
    EXPECT_EQ(client.exchange(request).status, 200) << request.substr(0, 200);  // all on one connection
  }
  EXPECT_EQ(client.exchange("GET /healthz HTTP/1.0\r\n\r\n").status, 200);
}

// The read buffer is then full, so no further byte can show that the header is too large.
TEST_F(RequestFramingTest, RefusesAHeaderThatFillsTheLimit) {
  std::string request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ";
  request.resize(ServiceLimits().max_header_bytes, 'x');
  PlainHttpClient client(service_.port());
  client.send(request);
  EXPECT_THAT(client.receive_all(), StartsWith("HTTP/1.1 431 "));
}

// A client with another protocol need not wait for a deadline.
TEST_F(RequestFramingTest, RefusesTheFirstInvalidByte) {
  PlainHttpClient client(service_.port());
  client.send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  EXPECT_THAT(client.receive_all(), StartsWith("HTTP/1.1 400 "));
}

TEST(RequestHeadScanner, LooksAtEveryByteOnce) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(1000, 'y') + "\r\n\r\n";
  RequestHeadScanner scanner(head.size());
  for (std::size_t size = 0; size < head.size(); ++size) {
    const Answer<bool> is_complete = scanner.scan(std::string_view(head).substr(0, size));
    ASSERT_TRUE(is_complete);
    EXPECT_FALSE(*is_complete);
    EXPECT_EQ(scanner.size_bytes(), size);
  }
  EXPECT_EQ(scanner.scan(head + "behind it\x01"), true);
  EXPECT_EQ(scanner.size_bytes(), head.size());
  RequestHeadScanner limited(head.size() - 1);
  const Answer<bool> too_large = limited.scan(head);
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().refusal, Refusal::kHeaderTooLarge);
}

}  // namespace
}  // namespace paraprint
