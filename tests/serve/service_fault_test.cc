// The service on a full or failing disk: changes get 5xx with a reason, lookups still work, and nothing acknowledged is
// lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "failing_files.h"
#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;

class ServiceFaultTest : public testing::Test {
 protected:
  ServeOptions options() const {
    ServeOptions options;
    options.data = folder_ / "known";
    options.port = 0;
    options.threads = 2;
    options.index.head_pages = 64;
    return options;
  }
  FileFault fault_of(FileWork work, int error, const std::string& part) const {
    FileFault fault;
    fault.work = work;
    fault.error = error;
    fault.path_part = folder_ / part;
    return fault;
  }

  // "200", or status and reason.
  static std::string outcome(const PlainHttpClient::Response& answer) {
    if (answer.status == 200) return "200";
    return std::to_string(answer.status) + " " + member_of(answer.body, "error.reason");
  }
  static std::string text_of(std::uint64_t page) { return made_up_text(page, 1); }
  static PlainHttpClient::Response post(PlainHttpClient& client, std::uint64_t page) {
    return client.exchange(
        PlainHttpClient::request("POST", "/v1/pages?id=" + std::to_string(page), "text/plain", text_of(page)));
  }
  // Adds `count` pages from `first` on with one bulk request; returns the whole response.
  static std::string post_lines(std::uint16_t port, std::uint64_t first, std::uint64_t count) {
    std::string lines;
    for (std::uint64_t page = first; page < first + count; ++page) {
      lines += json_page(std::to_string(page), text_of(page)) + "\n";
    }
    PlainHttpClient bulk(port);
    bulk.send(
        "POST /v1/bulk/pages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        "Content-Type: application/x-ndjson\r\nContent-Length: " +
        std::to_string(lines.size()) + "\r\n\r\n" + lines);
    return bulk.receive_all();
  }
  static std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }
  static std::string outcome_of_get(PlainHttpClient& client, const std::string& target) {
    return outcome(client.exchange(PlainHttpClient::request("GET", target, "", "")));
  }

  // Adds pages from `first` on until one is refused; returns the outcome of that one, or "none".
  std::string post_until_refused(PlainHttpClient& client, std::uint64_t first, std::uint64_t limit) {
    for (std::uint64_t page = first; page < first + limit; ++page) {
      const auto answer = post(client, page);
      if (answer.status != 200) {
        refused_because_ = member_of(answer.body, "error.message");
        return outcome(answer);
      }
      added_.push_back(page);
    }
    return "none";
  }

  void expect_all_found(PlainHttpClient& client) {
    for (const std::uint64_t page : added_) {
      const auto found = client.exchange(PlainHttpClient::request("POST", "/v1/lookup", "text/plain", text_of(page)));
      ASSERT_EQ(found.status, 200) << found.body;
      ASSERT_EQ(member_of(found.body, "verdict"), "same") << page;
      ASSERT_EQ(member_of(found.body, "matches.0.id"), std::to_string(page));
    }
  }

  void expect_whole_after_restart() {
    RunningService service(options());
    PlainHttpClient client(service.port());
    EXPECT_EQ(outcome_of_get(client, "/readyz"), "200");
    expect_all_found(client);
    EXPECT_EQ(outcome(post(client, 777'777)), "200");
    EXPECT_TRUE(service.stop());
    Result<std::unique_ptr<PageIndex>> index = PageIndex::open(folder_ / "known", {});
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_TRUE((*index)->verify(true)->is_clean());
  }

  TemporaryFolder folder_;
  std::vector<std::uint64_t> added_;
  std::string refused_because_;
};

TEST_F(ServiceFaultTest, FullOrFailingDiskStopsChangesUntilRestart) {
  struct Case {
    FileWork work;
    int error;
    std::string reason;
  };
  for (const Case& tested : {Case{FileWork::kWrite, ENOSPC, "507 no-space"},
                             {FileWork::kWrite, EIO, "500 index-failed"},
                             {FileWork::kSync, EIO, "500 index-failed"}}) {
    SCOPED_TRACE(tested.reason);
    {
      RunningService service(options());
      PlainHttpClient client(service.port());
      ASSERT_EQ(post_until_refused(client, 1000 * (added_.size() + 1), 100), "none");
      FileFault fault = fault_of(tested.work, tested.error, "known/database");
      fault.after = 50;
      FailingFiles failing(fault);
      EXPECT_EQ(post_until_refused(client, 1000 * (added_.size() + 1), 1000), tested.reason);
      EXPECT_THAT(refused_because_, HasSubstr(folder_ / "known"));
      EXPECT_EQ(outcome_of_get(client, "/readyz"), "503 index-read-only");
      EXPECT_EQ(outcome_of_get(client, "/healthz"), "200");
      const std::string id = std::to_string(added_.front());
      EXPECT_EQ(outcome(client.exchange(PlainHttpClient::request("DELETE", "/v1/pages/" + id, "", ""))), tested.reason);
      EXPECT_THAT(post_lines(service.port(), 888'888, 1), HasSubstr(tested.reason.substr(4)));
      expect_all_found(client);
      failing.end();
      EXPECT_EQ(outcome(post(client, 777'777)), tested.reason);
      EXPECT_EQ(post_until_refused(client, 999'999, 1), tested.reason);
      EXPECT_THAT(refused_because_, HasSubstr("until it is opened again"));
      expect_all_found(client);
      EXPECT_TRUE(service.stop());
    }
    expect_whole_after_restart();
  }
}

// With --sync always, the default, a line is answered only when its page is durable, and not if the sync failed.
TEST_F(ServiceFaultTest, BulkLinesShareASyncAndAreNotAcknowledgedWithoutIt) {
  constexpr std::uint64_t kLines = 60;
  {
    ServeOptions whole = options();
    whole.index.head_pages = 16384;  // keeps search tables from being written during the test
    RunningService service(whole);
    FileFault fault = fault_of(FileWork::kSync, EIO, "known/database");
    fault.after = 1'000'000;  // none fails
    FailingFiles counted(fault);
    EXPECT_EQ(count_of("\"stored\":true", post_lines(service.port(), 0, kLines)), kLines);
    EXPECT_GE(counted.calls(), 1U);
    EXPECT_LE(counted.calls(), 10U);  // one per piece in which the request arrived
    counted.end();
    for (std::uint64_t page = 0; page < kLines; ++page) added_.push_back(page);

    fault.after = 0;
    FailingFiles failing(fault);
    const std::string refused = post_lines(service.port(), 1000, kLines);
    EXPECT_EQ(count_of("\"stored\"", refused), 0U);
    EXPECT_EQ(count_of("index-failed", refused), kLines);
    failing.end();
    EXPECT_TRUE(service.stop());
  }
  expect_whole_after_restart();
}

// Search tables can wait for the disk: pages are accepted until too many of them are only in memory.
TEST_F(ServiceFaultTest, ResumesWhenSearchTablesHaveDiskSpaceAgain) {
  {
    RunningService service(options());
    PlainHttpClient client(service.port());
    FailingFiles failing(fault_of(FileWork::kWrite, ENOSPC, "known/tables"));
    EXPECT_EQ(post_until_refused(client, 0, 2000), "507 no-space");
    EXPECT_THAT(refused_because_, HasSubstr("free disk space and try again"));
    EXPECT_GT(added_.size(), 500U);
    EXPECT_EQ(outcome_of_get(client, "/readyz"), "503 index-read-only");
    expect_all_found(client);
    failing.end();
    std::string ready;
    for (int attempt = 0; attempt < 600 && ready != "200"; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ready = outcome_of_get(client, "/readyz");
    }
    EXPECT_EQ(ready, "200");
    EXPECT_EQ(post_until_refused(client, 100'000, 100), "none");
    expect_all_found(client);
    EXPECT_TRUE(service.stop());
  }
  expect_whole_after_restart();
}

// Search tables are written, or copied, for longer than there is room in memory for the pages that come meanwhile.
// Adding may wait for that, but not on every thread.
TEST_F(ServiceFaultTest, AddingPagesKeepsNotAllThreadsWaiting) {
  struct Case {
    FileWork work;
    std::string folder;
    std::string held;
    bool is_copied;
    unsigned threads;
  };
  for (const Case& tested : {Case{FileWork::kWrite, "written", "written/tables", false, 2},
                             {FileWork::kMake, "copied", "copies/one.partial/database", true, 3}}) {
    SCOPED_TRACE(tested.held);
    ServeOptions serving = options();
    serving.data = folder_ / tested.folder;
    if (tested.is_copied) serving.backups = folder_ / "copies";
    serving.threads = tested.threads;
    serving.index.sync = SyncMode::kNone;
    RunningService service(serving);
    std::promise<void> holding;
    std::promise<void> released;
    FileFault fault = fault_of(tested.work, 0, tested.held);
    fault.moment = [&, is_released = released.get_future().share()] {
      holding.set_value();
      is_released.wait_for(std::chrono::seconds(60));
    };
    FailingFiles held(fault);
    PlainHttpClient copying(service.port());
    if (tested.is_copied) {
      copying.send(PlainHttpClient::request("POST", "/v1/backups?name=one", "", ""));
      holding.get_future().wait();
    }

    std::atomic<bool> is_over{false};
    const auto add_until_refused = [&](std::uint64_t page) {
      PlainHttpClient client(service.port());
      for (;; ++page) {
        const PlainHttpClient::Response answer = post(client, page);
        if (answer.status != 200 || is_over) return outcome(answer);
      }
    };
    std::vector<std::future<std::string>> adding;
    for (const std::uint64_t first : {1000, 2000}) {
      adding.push_back(std::async(std::launch::async, add_until_refused, first));
    }
    const auto has_ended = [](const std::future<std::string>& one) {
      return one.wait_for(std::chrono::milliseconds(10)) == std::future_status::ready;
    };
    auto refused = adding.end();
    for (int attempt = 0; attempt < 3000 && refused == adding.end(); ++attempt) {
      refused = std::find_if(adding.begin(), adding.end(), has_ended);
    }
    if (refused != adding.end()) {
      EXPECT_EQ(refused->get(), "503 busy");
      adding.erase(refused);
    }
    EXPECT_EQ(adding.size(), 1U);  // the one that waits

    PlainHttpClient other(service.port());
    EXPECT_EQ(outcome_of_get(other, "/v1/pages/1000"), "200");
    EXPECT_EQ(outcome_of_get(other, "/readyz"), "200");
    const std::string lines = post_lines(service.port(), 3000, 5);
    EXPECT_EQ(count_of("\"reason\":\"busy\"", lines), 5U);
    EXPECT_THAT(lines, HasSubstr("{\"line\":5,"));

    is_over = true;
    released.set_value();
    for (std::future<std::string>& waiting : adding) EXPECT_EQ(waiting.get(), "200");
    EXPECT_EQ(outcome(post(other, 4000)), "200");
    if (tested.is_copied) {
      EXPECT_EQ(copying.receive().status, 200);
    }
    EXPECT_TRUE(service.stop());
  }
}

// Or the request that is sent again would find no page, and the deletion would never be told.
TEST_F(ServiceFaultTest, APageIsNotDeletedBeforeItsEventIsStored) {
  ServeOptions with_feed = options();
  with_feed.feed.feed = FeedScope::kAdds;
  RunningService service(with_feed);
  PlainHttpClient client(service.port());
  ASSERT_EQ(post_until_refused(client, 1, 1), "none");
  const auto remove = [&] {
    return outcome(client.exchange(PlainHttpClient::request("DELETE", "/v1/pages/1", "", "")));
  };
  {
    const FailingFiles failing(fault_of(FileWork::kWrite, ENOSPC, "known/feed"));
    EXPECT_EQ(remove(), "507 no-space");
  }
  EXPECT_EQ(outcome_of_get(client, "/v1/pages/1"), "200");
  std::string removed = remove();
  for (int attempt = 0; attempt < 600 && removed == "507 no-space"; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    removed = remove();
  }
  EXPECT_EQ(removed, "200");
  EXPECT_EQ(remove(), "404 unknown-id");
  const std::string events(client.exchange(PlainHttpClient::request("GET", "/v1/events?after=0&wait=0", "", "")).body);
  EXPECT_EQ(count_of("\"event\":\"added\"", events), 1U);
  EXPECT_EQ(count_of("\"event\":\"deleted\"", events), 1U);
  EXPECT_TRUE(service.stop());
}

// The disk of the feed hangs while an event is written. Only requests that need it wait, and the service can be
// stopped.
TEST_F(ServiceFaultTest, AHangingFeedKeepsNeitherOtherClientsNorTheEndOfTheService) {
  ServeOptions with_feed = options();
  with_feed.feed.feed = FeedScope::kAdds;
  with_feed.limits.stop_timeout = 0;
  std::promise<std::uint16_t> listening;
  std::promise<void> hanging;
  std::promise<void> abandoned;
  const std::shared_future<void> is_abandoned = abandoned.get_future().share();
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  ServeEvents events;
  events.ready = [&](std::uint16_t port) { listening.set_value(port); };
  events.abandon = [&] { abandoned.set_value(); };
  std::thread serving([&] { EXPECT_EQ(serve(with_feed, control, events).error().code, ErrorCode::kCancelled); });
  const std::uint16_t port = listening.get_future().get();
  FileFault fault = fault_of(FileWork::kWrite, 0, "known/feed");
  fault.moment = [&] {
    hanging.set_value();
    EXPECT_EQ(is_abandoned.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  };
  const FailingFiles failing(fault);
  PlainHttpClient adding(port);
  adding.send(PlainHttpClient::request("POST", "/v1/pages?id=1", "text/plain", text_of(1)));
  hanging.get_future().wait();
  PlainHttpClient other(port);
  EXPECT_EQ(outcome_of_get(other, "/readyz"), "200");
  EXPECT_EQ(outcome_of_get(other, "/healthz"), "200");
  stop = true;
  serving.join();
  EXPECT_EQ(is_abandoned.wait_for(std::chrono::seconds(0)), std::future_status::ready);
}

TEST_F(ServiceFaultTest, ServiceWithUnreadableIndexDoesNotStart) {
  {
    RunningService service(options());
    PlainHttpClient client(service.port());
    EXPECT_EQ(post_until_refused(client, 0, 200), "none");
    EXPECT_TRUE(service.stop());
  }
  {
    const FailingFiles failing(fault_of(FileWork::kRead, EIO, "known/database"));
    const Status refused = serve(options(), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInputOutput);
    EXPECT_THAT(refused.error().message, HasSubstr(folder_ / "known"));
  }
  expect_whole_after_restart();
}

}  // namespace
}  // namespace paraprint
