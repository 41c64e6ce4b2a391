// Bulk requests that run out of memory: they fail, and the service continues.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> largest_allocation_bytes{kNoLimit};

}  // namespace

// Replaces the operators of the whole test program.
void* operator new(std::size_t size_bytes) {
  void* const memory = size_bytes > largest_allocation_bytes ? nullptr : std::malloc(size_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
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

  TemporaryFolder folder_;
  RunningService service_{options(folder_)};
};

// Each line, however short, needs a place in the batch.
TEST_F(ServiceMemoryTest, ABatchThatDoesNotFitIsRefused) {
  std::string lines;
  for (int line = 0; line < 300'000; ++line) lines += "x\n";
  const std::string response = post_lines_with_little_memory(lines);
  EXPECT_EQ(response.substr(0, 12), "HTTP/1.1 503");
  EXPECT_NE(response.find("\"busy\""), std::string::npos) << response;
  EXPECT_EQ(health(), 200);
}

// The header was sent with the first batch, so the missing end of the response is all that can tell.
TEST_F(ServiceMemoryTest, ALineThatDoesNotFitEndsTheResponseEarly) {
  const std::string response = post_lines_with_little_memory(json_page("a", std::string(8'000'000, 'x')) + "\n");
  EXPECT_EQ(response.find("\r\n0\r\n\r\n"), std::string::npos) << response;
  EXPECT_EQ(health(), 200);
}

}  // namespace
}  // namespace paraprint
