// Requests that run out of memory: they fail, and the service continues. Idle connections keep none.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <list>
#include <new>
#include <string>
#include <utility>

#include "feed/event_reader.h"
#include "serve/http_session.h"
#include "serve/page_request.h"
#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"
#include "simulation/failing_memory.h"

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> largest_allocation_bytes{kNoLimit};
// The number of allocations until one fails; negative: none fails any more.
std::atomic<std::int64_t> allocations_left{-1};
std::atomic<std::int64_t> service_bytes{0};       // allocated by its threads, and not released by them
std::atomic<std::int64_t> most_service_bytes{0};  // at once, since a test has set it
thread_local bool is_test_thread = false;

bool is_to_fail(std::size_t size_bytes) {
  if (paraprint::FailingMemory::fails_now()) return true;
  if (is_test_thread) return false;
  if (size_bytes > largest_allocation_bytes) return true;
  if (allocations_left.load(std::memory_order_relaxed) < 0) return false;
  return allocations_left.fetch_sub(1) == 0;
}

void* allocate(std::size_t size_bytes) {
  void* const memory = is_to_fail(size_bytes) ? nullptr : std::malloc(size_bytes);
  if (is_test_thread) return memory;
  const std::int64_t bytes = service_bytes += static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::int64_t most = most_service_bytes;
  while (bytes > most && !most_service_bytes.compare_exchange_weak(most, bytes)) {
  }
  return memory;
}

void release(void* memory) {
  if (!is_test_thread) service_bytes -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// Replaces the operators of the whole test program.
void* operator new(std::size_t size_bytes) {
  void* const memory = allocate(size_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Libraries use it, too, and release with the operators below.
void* operator new(std::size_t size_bytes, const std::nothrow_t&) noexcept {
  return allocate(size_bytes);
}
// The compiler takes this for a mistake where it sees both operators inlined.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

namespace paraprint {
namespace {

class ServiceMemoryTest : public testing::Test {
 protected:
  static ServeOptions options(const TemporaryFolder& folder) {
    ServeOptions options;
    options.data = folder / "known";
    options.port = 0;
    options.threads = 2;
    return options;
  }

  // The whole response to a bulk request of which no single allocation may exceed 3 MB.
  std::string post_lines_with_little_memory(const std::string& lines) {
    PlainHttpClient client(service_.port());
    const std::string request =
        "POST /v1/bulk/pages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        "Content-Type: application/x-ndjson\r\nContent-Length: " +
        std::to_string(lines.size()) + "\r\n\r\n" + lines;
    largest_allocation_bytes = 3'000'000;
    client.send(request);
    std::string response = client.receive_all();
    largest_allocation_bytes = kNoLimit;
    return response;
  }
  int health() {
    PlainHttpClient client(service_.port());
    return client.exchange(PlainHttpClient::request("GET", "/healthz", "", "")).status;
  }

  void SetUp() override { is_test_thread = true; }
  void TearDown() override { is_test_thread = false; }

  TemporaryFolder folder_;
  RunningService service_{options(folder_)};
};

// Names of 8 KiB, six times as long when they are escaped: what is made of them is bounded before it is made.
TEST_F(ServiceMemoryTest, AnswersHaveALimitedNumberOfLongNames) {
  constexpr std::size_t kPages = 400;
  const std::string name(8000, 'x');
  const std::string text = made_up_text(1, 5);
  const auto answer_to = [&](const std::string& request) {
    PlainHttpClient client(service_.port());
    client.send(request);
    client.finish_sending();
    return client.receive_all();
  };
  const auto get = [&](const std::string& target) {
    return answer_to("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  };
  const auto count_of = [](const std::string& answer, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = answer.find(part); at != std::string::npos; at = answer.find(part, at + 1)) ++count;
    return count;
  };
  constexpr std::size_t kNamesPerPage = 3;  // id, URL and cluster
  const std::size_t expected = kNamedBytesMaximum / (kNamesPerPage * name.size());
  ASSERT_LT(expected, kPages);
  const auto stored_pages = [&](std::size_t first, std::size_t last) {
    std::size_t stored = 0;
    std::string lines;
    for (std::size_t page = first; page <= last; ++page) {
      const std::string id = name + std::to_string(page);
      JsonWriter json;
      json.begin_object();
      json.member("id", id);
      json.member("url", "http://a.example/" + id);
      json.member("text", text);
      json.end_object();
      lines += json.take() + "\n";
      if (page % 20 != 0) continue;
      const std::string answers = answer_to(PlainHttpClient::request("POST", "/v1/bulk/pages?matches=1",
                                                                     "application/x-ndjson", std::exchange(lines, {})));
      stored += count_of(answers, "\"stored\":true");
    }
    return stored;
  };
  ASSERT_EQ(stored_pages(1, kPages), kPages);

  const std::string cluster = get("/v1/clusters/" + name + "1?limit=10000");
  EXPECT_NE(cluster.find("\"complete\":false"), std::string::npos);
  EXPECT_NEAR(static_cast<double>(count_of(cluster, "\"first_seen\":")), static_cast<double>(expected), 2);
  EXPECT_NE(get("/v1/clusters/" + name + "1?limit=300").find("\"complete\":false"), std::string::npos);

  const std::string traced = get("/v1/provenance/" + name + "1");
  EXPECT_NE(traced.find("\"has_more\":true"), std::string::npos);
  const std::size_t traced_pages = count_of(traced, "\"is_traced\":");
  EXPECT_GT(traced_pages, kPages / 2);
  EXPECT_LE(traced_pages, expected);

  // Further pages are not even read: what is named, and the answer, which doubles while it grows.
  ASSERT_EQ(stored_pages(kPages + 1, 4 * kPages), 3 * kPages);
  const std::int64_t before = service_bytes;
  most_service_bytes = before;
  EXPECT_NE(get("/v1/clusters/" + name + "1?limit=10000").find("\"complete\":false"), std::string::npos);
  EXPECT_LT(most_service_bytes - before, static_cast<std::int64_t>(6 * kNamedBytesMaximum));
}

// Memory does not depend on how many lines a batch has.
TEST_F(ServiceMemoryTest, TheShortestLinesTakeLittleMemory) {
  constexpr std::size_t kLines = 300'000;
  std::string lines;
  for (std::size_t line = 0; line < kLines; ++line) lines += "x\n";
  const std::string response = post_lines_with_little_memory(lines);
  EXPECT_EQ(response.substr(0, 12), "HTTP/1.1 200");
  EXPECT_NE(response.find("\n{\"line\":300000,"), std::string::npos);
  EXPECT_TRUE(response.ends_with("\r\n0\r\n\r\n"));
  EXPECT_EQ(health(), 200);
}

// A client may leave its connection open after each request, and `max_buffered_bytes` no longer counts what was in it.
TEST_F(ServiceMemoryTest, IdleConnectionsKeepNeitherBodiesNorAnswers) {
  constexpr int kConnections = 100;
  std::string page = "<p>";
  while (page.size() < 500'000) page += "The ferry crosses the river. ";
  const std::string request = PlainHttpClient::request("POST", "/v1/extract", "text/html", page);
  std::list<PlainHttpClient> clients;
  const auto ask = [&] {
    const PlainHttpClient::Response answer = clients.emplace_back(service_.port()).exchange(request);
    EXPECT_EQ(answer.status, 200);
    EXPECT_GT(answer.body.size(), page.size() / 2);
  };
  for (int i = 0; i < 10; ++i) ask();  // each thread keeps the memory of ordinary pages
  const std::int64_t before = service_bytes;
  for (int i = 0; i < kConnections; ++i) ask();
  EXPECT_LT(service_bytes - before, static_cast<std::int64_t>(kConnections * page.size() / 2));
}

// The same of bulk requests that are finished, with a last line without an end or not, and of those between two lines.
TEST_F(ServiceMemoryTest, BulkRequestsWithNothingToAnswerKeepNoLines) {
  constexpr int kConnections = 50;
  const std::string line = R"({"text":"One two three.","ignored":")" + std::string(200'000, 'x') + "\"}";
  const std::string half = line.substr(0, line.size() / 2);
  const std::string rest = line.substr(half.size());
  struct Case {
    std::string end_of_line;
    std::string end_of_request;
  };
  for (const Case& tested : {Case{"\n", "0\r\n\r\n"}, Case{"", "0\r\n\r\n"}, Case{"\n", "1\r\n\n\r\n"}}) {
    SCOPED_TRACE(tested.end_of_line + tested.end_of_request);
    std::list<PlainHttpClient> clients;
    const auto ask = [&] {
      PlainHttpClient& client = clients.emplace_back(service_.port());
      const auto chunk = [](const std::string& bytes) {
        return chunk_begin(bytes.size()).append(bytes).append(kChunkEnd);
      };
      client.send(
          "POST /v1/bulk/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
          "Transfer-Encoding: chunked\r\n\r\n" +
          chunk(half) + chunk(rest + tested.end_of_line));
      if (tested.end_of_line.empty()) client.send(tested.end_of_request);
      const std::string end = tested.end_of_line.empty() ? "0\r\n\r\n" : "}\n\r\n";
      EXPECT_TRUE(client.receive_until(end).ends_with(end));
      if (!tested.end_of_line.empty()) client.send(tested.end_of_request);
    };
    for (int i = 0; i < 5; ++i) ask();
    EXPECT_EQ(health(), 200);  // what was sent before is dealt with
    const std::int64_t before = service_bytes;
    for (int i = 0; i < kConnections; ++i) ask();
    EXPECT_EQ(health(), 200);
    EXPECT_LT(service_bytes - before, static_cast<std::int64_t>(kConnections * line.size() / 2));
  }
}

TEST_F(ServiceMemoryTest, IdleConnectionsKeepNoEvents) {
  constexpr int kConnections = 50;
  ServeOptions with_feed = options(folder_);
  with_feed.data = folder_ / "with feed";
  with_feed.feed.feed = FeedScope::kAdds;
  RunningService service(with_feed);
  std::list<PlainHttpClient> clients;
  const auto ask = [&](const std::string& request) {
    EXPECT_EQ(clients.emplace_back(service.port()).exchange(request).status, 200);
  };
  ask(PlainHttpClient::request("POST", "/v1/pages?id=a", "text/plain", made_up_text(1, 1)));
  const std::string events = PlainHttpClient::request("GET", "/v1/events?after=0&wait=1", "", "");
  for (int i = 0; i < 5; ++i) ask(events);
  const std::int64_t before = service_bytes;
  for (int i = 0; i < kConnections; ++i) ask(events);
  EXPECT_LT(service_bytes - before, static_cast<std::int64_t>(kConnections * EventReader::kSliceBytes / 2));
}

// The parser of a thread takes ten times as much as such a text.
TEST_F(ServiceMemoryTest, ThreadsKeepNothingOfLongJson) {
  constexpr std::size_t kBytes = 16'000'000;
  std::string numbers = R"({"text":"One two three.","ignored":[0)";
  while (numbers.size() < kBytes) numbers += ",0";
  numbers += "]}";
  const auto ask = [&](const std::string& page) {
    PlainHttpClient client(service_.port());
    EXPECT_EQ(client.exchange(PlainHttpClient::request("POST", "/v1/lookup", "application/json", page)).status, 200);
  };
  ask(R"({"text":"One two three."})");
  const std::int64_t before = service_bytes;
  for (int i = 0; i < 4; ++i) ask(numbers);
  EXPECT_LT(service_bytes - before, static_cast<std::int64_t>(kBytes));
}

// The header was sent with the first batch, so the missing end of the response is all that can tell.
TEST_F(ServiceMemoryTest, ALineThatDoesNotFitEndsTheResponseEarly) {
  const std::string response = post_lines_with_little_memory(json_page("a", std::string(8'000'000, 'x')) + "\n");
  EXPECT_EQ(response.find("\r\n0\r\n\r\n"), std::string::npos) << response;
  EXPECT_EQ(health(), 200);
}

// Every allocation of the service fails once, in turn, while it answers requests that do not touch the index: the
// client may miss its answer, but the service continues, keeps no request in progress, and answers the same request
// afterwards.
TEST_F(ServiceMemoryTest, AnyAllocationMayFail) {
  const auto post = [](std::string_view target, std::string_view type, std::string_view body) {
    return PlainHttpClient::request("POST", target, type, body);
  };
  const std::string requests[] = {
      post("/v1/compare", "application/json", R"({"a": {"text": "One two three."}, "b": {"text": "Four."}})"),
      post("/v1/bulk/lookup", "application/x-ndjson", "no JSON\n{}\n"),
      "GET /nothing HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(5000, 'x') + "\r\n\r\n",
      "POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n",
  };
  // It says that it is ready before it runs. What fails in between ends it, as it may at its start.
  ASSERT_EQ(health(), 200);
  for (const std::string& request : requests) {
    SCOPED_TRACE(request.substr(0, 40));
    std::int64_t failing = 0;
    for (bool has_failed = true; has_failed; ++failing) {
      ASSERT_LT(failing, 20'000);
      allocations_left = failing;
      {
        PlainHttpClient client(service_.port());
        client.send(request);
        client.finish_sending();
        client.receive_all();
      }
      has_failed = allocations_left.exchange(-1) < 0;
      ASSERT_EQ(health(), 200) << failing;
    }
    EXPECT_GT(failing, 10);
    PlainHttpClient client(service_.port());
    client.send(request);
    client.finish_sending();
    EXPECT_EQ(client.receive_all().substr(0, 9), "HTTP/1.1 ");
  }
  PlainHttpClient client(service_.port());
  const auto metrics = client.exchange(PlainHttpClient::request("GET", "/metrics", "", ""));
  EXPECT_NE(metrics.body.find("\nparaprint_requests_at_once 1\n"), std::string::npos);  // this one
}

class ServiceMemoryDeathTest : public ServiceTest {
 protected:
  // Lets a read of the index run out of memory, and ends the process: with 0 if the service then says of itself that it
  // has failed, else with 1.
  [[noreturn]] void fail_in_a_read(bool read_only) {
    open();
    const std::string text = made_up_text(1);
    EXPECT_EQ(outcome(send("POST", "/v1/pages?id=a", "text/plain", text)), "200");
    if (read_only) {
      service_.reset();
      ServeOptions reading;
      reading.read_only = true;
      open(reading);
    }
    EXPECT_EQ(outcome(send("GET", "/v1/pages/a")), "200");
    EXPECT_EQ(outcome(send("GET", "/readyz")), "200");
    // How many allocations come before those within the read.
    for (std::uint64_t good = 0; good < 20 && service_->index().check_readable(); ++good) {
      FailingMemory::fail_in_database_after(good);
      {
        const UnsafeMemory may_fail;
        static_cast<void>(send("GET", "/v1/pages/a"));
      }
      FailingMemory::end();
    }
    EXPECT_EQ(service_->index().check_readable().error().code, ErrorCode::kInputOutput);
    EXPECT_EQ(outcome(send("GET", "/v1/pages/a")), "500 index-failed");
    EXPECT_EQ(outcome(send("POST", "/v1/lookup", "text/plain", text)), "500 index-failed");
    EXPECT_EQ(outcome(send("POST", "/v1/pages?id=b", "text/plain", text)),
              read_only ? "403 read-only" : "500 index-failed");
    EXPECT_EQ(outcome(send("GET", "/readyz")), "500 index-failed");
    EXPECT_EQ(outcome(send("GET", "/healthz")), "200");
    std::_Exit(HasFailure() ? 1 : 0);
  }
};

// A client sends what is refused with 400 never again, and a load balancer asks /readyz. In a process of its own, which
// ends without closing the index: RocksDB does not survive that.
TEST_F(ServiceMemoryDeathTest, AfterAReadWithoutItTheServiceIsNotReady) {
  EXPECT_EXIT(fail_in_a_read(false), testing::ExitedWithCode(0), "");
}

TEST_F(ServiceMemoryDeathTest, AfterAReadWithoutItAReaderIsNotReady) {
  EXPECT_EXIT(fail_in_a_read(true), testing::ExitedWithCode(0), "");
}

// A parser that got only a part of its memory must not be used for the next request.
TEST(RequestDecoderMemoryTest, AnyAllocationMayFail) {
  constexpr std::string_view kRequest = R"({"a": {"text": "One two three."}, "b": {"text": "Four."}})";
  std::int64_t failing = 0;
  for (bool has_failed = true; has_failed; ++failing) {
    ASSERT_LT(failing, 1000);
    service::RequestDecoder decoder("identity");
    allocations_left = failing;
    try {
      static_cast<void>(decoder.decode_comparison(kRequest));
    } catch (const std::bad_alloc&) {
    }
    has_failed = allocations_left.exchange(-1) < 0;
    EXPECT_TRUE(decoder.decode_comparison(kRequest).has_value()) << failing;
  }
  EXPECT_GT(failing, 5);
}

}  // namespace
}  // namespace paraprint
