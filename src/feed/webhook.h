// Posts the events of the log to one receiver: in order, each at least once, in batches. A thread of its own tries each
// batch again until the receiver has taken it, so a receiver that fails delays no other one.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "feed/event_filter.h"
#include "feed/event_log.h"
#include "feed/event_reader.h"
#include "feed/webhook_sender.h"
#include "paraprint/result.h"

namespace paraprint::inline event_feed {

struct WebhookOptions {
  std::string url;
  std::string key;  // of signatures; empty: requests are not signed
  EventFilter filter;
  std::uint32_t batch_events = 100;      // at most, per request
  std::chrono::milliseconds delay{500};  // an incomplete batch waits this long for more events
  double timeout_seconds = 10;           // per request
  // Before a failed request is repeated: doubles with each failure.
  std::chrono::milliseconds pause_minimum{1000};
  std::chrono::milliseconds pause_maximum{300'000};
  std::string position_path;  // file with the number of the last event that was delivered
};

struct WebhookStatus {
  std::string receiver;         // scheme, host and port
  std::uint64_t delivered = 0;  // all events up to this number were delivered, or are not wanted
  std::uint64_t requests = 0;   // successful ones since the start
  std::uint64_t failures = 0;   // since the start
  std::uint64_t failures_in_a_row = 0;
  std::uint64_t too_large = 0;  // events for which the receiver got a gap because it answered 413, since the start
  bool is_gone = false;         // the receiver answered 410: nothing more is sent
  std::string problem;          // of the last request; empty: it succeeded
};

// Thread-safe. The log must outlive it.
class Webhook {
 public:
  // Gets a line for each change between delivering and failing, and for a request that is given up at the end.
  using Report = std::function<void(std::string_view)>;

  // A receiver without a stored position gets the events from now on. Errors: kInvalidArgument for an unusable URL;
  // those of curl_library() and of files.
  static Result<std::unique_ptr<Webhook>> create(const EventLog& log, WebhookOptions options, Report report);
  ~Webhook();
  Webhook(const Webhook&) = delete;
  Webhook& operator=(const Webhook&) = delete;

  Status start();
  // No further request is sent. Does not wait.
  void begin_stop();
  // Waits for the request in progress until then, gives it up, which is reported, and ends the thread.
  void stop(std::chrono::steady_clock::time_point deadline);
  WebhookStatus status() const;

 private:
  struct Batch {
    std::uint64_t begin_after = 0;  // the position before it
    std::uint64_t after = 0;        // and once it is delivered
    std::size_t events = 0;
    StoredEvent last;  // without its JSON; only if there are events
    std::string id;
    std::string body;
  };
  Webhook(const EventLog& log, WebhookOptions options, Report report);
  Status open_position();
  void run() noexcept;
  // Waits for events. Nothing if there are none that are wanted yet.
  std::optional<Batch> collect();
  void deliver(const Batch& batch);
  void on_delivered(const Batch& batch);
  // Fewer events per request, or after successes more again.
  void shrink_batches(const Batch& refused);
  void grow_batches();
  // Delivers a gap instead of the only event of the batch.
  void leave_out_event(const Batch& refused);
  void on_failed(const Batch& batch, const WebhookReply& reply);
  void save_position(std::uint64_t after);
  void report_given_up() const noexcept;
  std::chrono::milliseconds pause_after(std::uint64_t failures, std::uint64_t retry_after_seconds);
  // False if the thread shall end.
  bool sleep(std::chrono::milliseconds time);

  const EventLog& log_;
  const WebhookOptions options_;
  const Report report_;
  std::unique_ptr<WebhookSender> sender_;

  // Of the thread.
  std::optional<EventReader> reader_;
  std::optional<Batch> batch_;             // that is being delivered
  std::size_t batch_limit_;                // events per request
  std::size_t accepted_since_growth_ = 0;  // requests, since the limit was changed
  std::uint64_t saved_after_ = 0;
  std::mt19937_64 random_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  WebhookStatus status_;
  bool is_stopping_ = false;
  bool has_ended_ = true;
  std::atomic<bool> is_cancelled_{false};
  std::atomic<bool> is_sending_{false};
  std::thread thread_;
};

}  // namespace paraprint::inline event_feed
