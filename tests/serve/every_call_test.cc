// What holds for every call of the service: the tests go through the table of calls, so that a new row is tested
// without being named here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Parts of a target are filled in such that the call can be answered.
std::string target_of(const Route& route) {
  std::string target(route.path);
  if (const std::size_t at = target.find("{id}"); at != std::string::npos) target.replace(at, 4, "known");
  return target;
}
std::string_view type_of(const Route& route) {
  return route.body == BodyKind::kStream ? "application/x-ndjson" : "text/html";
}
std::string name_of(const Route& route) {
  return std::string(route.method) + " " + std::string(route.path);
}

// Calls that answer a page or two ignore the members of each other, so this is a request of each of them.
std::string body_for_all(std::string_view text) {
  JsonWriter json;
  json.begin_object();
  json.member("id", "a");
  json.member("text", text);
  for (const char* side : {"a", "b"}) {
    json.key(side);
    json.begin_object();
    json.member("text", text);
    json.end_object();
  }
  json.end_object();
  return json.take();
}

using EveryCallTest = ServiceTest;

TEST_F(EveryCallTest, RefusesTheMethodsThatItsPathDoesNotHave) {
  for (const Route& route : kRoutes) {
    std::string all;
    for (const Route& other : kRoutes) {
      if (other.path == route.path) all.append(" ").append(other.method);
    }
    for (const char* method : {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
      if (all.find(method) != std::string::npos) continue;
      std::string allow;
      const Answer<RoutedTarget> found = find_route(method, target_of(route), allow);
      ASSERT_FALSE(found) << method << " " << route.path;
      EXPECT_EQ(found.error().refusal, Refusal::kMethodNotAllowed);
      EXPECT_THAT(allow, HasSubstr(std::string(route.method)));
    }
  }
}

TEST_F(EveryCallTest, RequiresTheTokenUnlessItsRowSaysOtherwise) {
  ServeOptions options;
  options.token = "0123456789abcdef";
  open(options);
  for (const Route& route : kRoutes) {
    RequestHead head = head_of(route.method, target_of(route), type_of(route), 0);
    std::string allow;
    EXPECT_EQ(service_->admit(head, allow).has_value(), !route.needs_token) << name_of(route);
    head.authorization = "Bearer 0123456789abcdef";
    EXPECT_TRUE(service_->admit(head, allow)) << name_of(route);
  }
}

TEST_F(EveryCallTest, RefusesOtherSites) {
  open();
  for (const Route& route : kRoutes) {
    RequestHead head = head_of(route.method, target_of(route), type_of(route), 0);
    head.origin = "http://elsewhere.example";
    EXPECT_EQ(outcome(send(head, "")), "403 foreign-origin") << name_of(route);
    head.origin.clear();
    head.host = "elsewhere.example";
    EXPECT_EQ(outcome(send(head, "")), "403 foreign-origin") << name_of(route);
  }
}

TEST_F(EveryCallTest, RefusesBodiesThatItCannotTake) {
  open();
  for (const Route& route : kRoutes) {
    SCOPED_TRACE(name_of(route));
    const std::string target = target_of(route);
    if (route.body == BodyKind::kNone) {
      EXPECT_EQ(outcome(send(route.method, target, "text/plain", "x")), "400 bad-request");
      continue;
    }
    EXPECT_EQ(outcome(send(route.method, target, "image/png", "x")), "415 unsupported-type");
    EXPECT_EQ(outcome(send(route.method, target, "", "x")), "415 unsupported-type");
    RequestHead packed = head_of(route.method, target, type_of(route), 1);
    packed.content_encoding = "gzip";
    EXPECT_EQ(outcome(send(packed, "x")), "415 unsupported-type");
    if (route.body != BodyKind::kWhole) continue;
    const RequestHead large = head_of(route.method, target, type_of(route), std::size_t{1} << 40);
    EXPECT_EQ(outcome(send(large, "")), "413 body-too-large");
    for (const char* body : {"", "{", "[]", R"({"text":7,"a":7})", R"({"a":{},"b":{}})"}) {
      EXPECT_THAT(outcome(send(route.method, target, "application/json", body)), StartsWith("400 ")) << body;
    }
    EXPECT_EQ(outcome(send(route.method, target + "?colour=red", "application/json", body_for_all("x"))),
              "400 bad-parameter");
  }
}

// A client may take an answer for HTML, and texts, ids and URLs come from strangers.
TEST_F(EveryCallTest, AnswersWithoutMarkup) {
  open();
  const std::string markup = "<script>alert('&')</script>" + made_up_text(1);
  ASSERT_EQ(outcome(post_json("/v1/pages", json_page("known", markup))), "200");
  for (const Route& route : kRoutes) {
    if (route.body != BodyKind::kWhole) continue;
    const std::string target = target_of(route);
    const HttpResponse answer = send(route.method, target, "application/json", body_for_all(markup));
    EXPECT_EQ(outcome(answer), "200") << name_of(route);
    EXPECT_EQ(answer.content_type, "application/json") << name_of(route);
    EXPECT_EQ(answer.body.find_first_of("<>&"), std::string::npos) << name_of(route);
    EXPECT_THAT(answer.body, testing::EndsWith("}\n")) << name_of(route);
  }
}

// Otherwise stopping would wait for the page that is being read.
TEST_F(EveryCallTest, LeavesALongPageInTheMiddleWhenTheServiceIsCutOff) {
  open();
  const std::string body = body_for_all(made_up_text(1, 400));
  service_->cut_off();
  for (const Route& route : kRoutes) {
    if (route.body != BodyKind::kWhole) continue;
    EXPECT_EQ(outcome(send(route.method, target_of(route), "application/json", body)), "503 stopping")
        << name_of(route);
  }
}

class EveryCallOnSocketsTest : public testing::Test {
 protected:
  static ServeOptions options(const TemporaryFolder& folder) {
    ServeOptions options;
    options.data = folder / "known";
    options.port = 0;
    options.threads = 2;
    options.index.sync = SyncMode::kNone;
    return options;
  }
  PlainHttpClient::Response exchange(std::string_view method, std::string_view target, std::string_view type,
                                     std::string_view body) {
    return client_.exchange(PlainHttpClient::request(method, target, type, body));
  }

  TemporaryFolder folder_;
  RunningService service_{options(folder_)};
  PlainHttpClient client_{service_.port()};
};

// With the same status and header as the answer to GET.
TEST_F(EveryCallOnSocketsTest, AnswersHeadWithoutABody) {
  for (const Route& route : kRoutes) {
    if (route.method != "GET") continue;
    PlainHttpClient client(service_.port());
    client.send(fmt::format("HEAD {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target_of(route)));
    const std::string response = client.receive_all();
    EXPECT_THAT(response, testing::EndsWith("\r\n\r\n")) << name_of(route);
    const int status = exchange("GET", target_of(route), "", "").status;
    EXPECT_THAT(response, StartsWith(fmt::format("HTTP/1.1 {} ", status))) << name_of(route);
  }
}

TEST_F(EveryCallOnSocketsTest, IsCountedUnderItsName) {
  for (const Route& route : kRoutes) {
    const std::string_view body = route.body == BodyKind::kNone ? "" : "x\n";
    if (route.body == BodyKind::kStream) {
      PlainHttpClient client(service_.port());
      client.send(PlainHttpClient::request(route.method, target_of(route), type_of(route), body));
      client.finish_sending();
      client.receive_all();
    } else {
      EXPECT_GT(exchange(route.method, target_of(route), type_of(route), body).status, 0) << name_of(route);
    }
  }
  const std::string metrics(exchange("GET", "/metrics", "", "").body);
  for (const Route& route : kRoutes) {
    const std::string labels = fmt::format("method=\"{}\",path=\"{}\"", route.method, route.path);
    EXPECT_THAT(metrics, HasSubstr("\nparaprint_requests_total{" + labels + ",status=\"")) << name_of(route);
    EXPECT_THAT(metrics, HasSubstr("\nparaprint_request_seconds_count{" + labels + "} 1\n")) << name_of(route);
  }
  ASSERT_TRUE(service_.stop());
  for (const Route& route : kRoutes) {
    const std::string members = fmt::format(R"("method":"{}","path":"{}")", route.method, route.path);
    EXPECT_THAT(service_.log(), HasSubstr(members));
  }
}

}  // namespace
}  // namespace paraprint
