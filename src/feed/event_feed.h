// The feed of a service: the log of its events, and the webhooks that get them (docs/feed.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "feed/event_log.h"
#include "feed/webhook.h"
#include "online/repeated_task.h"
#include "paraprint/index.h"
#include "paraprint/result.h"
#include "paraprint/serve.h"
#include "report/json_writer.h"

namespace paraprint::inline event_feed {

// kInvalidArgument if `options` contradict themselves or have a value that cannot be read.
Status check_feed_options(const FeedOptions& options);

// Thread-safe.
class EventFeed {
 public:
  // Opens or creates the log in `folder`. `index` says when events are synced: as the changes of the index are. Errors:
  // those of check_feed_options(), EventLog::open() and Webhook::create().
  static Result<std::unique_ptr<EventFeed>> open(const std::string& folder, const FeedOptions& options,
                                                 const IndexOptions& index);
  ~EventFeed();

  bool has_lookups() const { return options_.feed == FeedScope::kAll; }
  // Ask before a change is made that will be an event: fails if that event could not be stored.
  Status check_writable() const { return log_->check_writable(); }
  // Stores an event (feed_event.h). With `waits` and SyncMode::kAlways, returns when it is durable; otherwise call
  // make_durable() before the call that the event tells is acknowledged. Errors: those of EventLog.
  Status append(std::string_view members, bool waits);
  Status make_durable();

  const EventLog& log() const { return *log_; }
  // What was cut off or is damaged, since the feed was opened.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Begins to call the webhooks. `report` gets what their receivers do wrong; it is called by several threads.
  Status start_webhooks(const Webhook::Report& report);
  // Sends nothing more; requests in progress may end until stop().
  void begin_stop();
  // Waits for at most this long, and ends all threads.
  void stop(std::chrono::milliseconds time);

  // Writes the members of the currently open object that tell the state of the feed.
  void write_statistics(JsonWriter& json) const;
  // The same for Prometheus.
  std::string metrics() const;

 private:
  EventFeed(const FeedOptions& options, SyncMode sync) : options_(options), sync_(sync) {}
  void sync_in_background() noexcept;

  FeedOptions options_;
  SyncMode sync_;
  std::string folder_;
  std::unique_ptr<EventLog> log_;
  std::vector<std::string> warnings_;
  Webhook::Report report_;
  std::vector<std::unique_ptr<Webhook>> webhooks_;
  // Their threads use everything declared above.
  RepeatedTask sync_task_;
  RepeatedTask drop_task_;
};

}  // namespace paraprint::inline event_feed
