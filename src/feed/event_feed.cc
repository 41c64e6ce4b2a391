// Connects the log with the webhooks. Events are synced as the changes of the index are: before the answer, at
// intervals, or by the system.
#include "feed/event_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "feed/webhook_signature.h"
#include "options/command_tables.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::chrono::minutes kDropPause{1};
constexpr std::size_t kWebhooksMaximum = 32;  // each has a thread

std::string position_path_of(const std::string& folder, const std::string& url) {
  return fmt::format("{}/webhook-{:016x}.position", folder, hash64(url));
}

// Secrets are one for all webhooks, or one for each.
Result<std::string> key_of(const FeedOptions& options, std::size_t webhook) {
  if (options.webhook_secrets.empty()) return std::string();
  return webhook_key(options.webhook_secrets[options.webhook_secrets.size() == 1 ? 0 : webhook]);
}

Result<EventFilter> webhook_filter(const FeedOptions& options) {
  EventFilter filter;
  if (options.webhook_verdicts.empty()) return filter;
  PARAPRINT_ASSIGN(filter.verdicts, parse_event_verdicts("webhook_verdicts",
                                                         fmt::format("{}", fmt::join(options.webhook_verdicts, ","))));
  return filter;
}

void add_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help,
                std::uint64_t value) {
  fmt::format_to(std::back_inserter(out), "# HELP paraprint_{0} {1}\n# TYPE paraprint_{0} {2}\nparaprint_{0} {3}\n",
                 name, help, type, value);
}

}  // namespace

Status check_feed_options(const FeedOptions& options) {
  PARAPRINT_TRY(check_options(feed_option_rows(), options));
  PARAPRINT_TRY(parse_feed_keep(options.feed_keep));
  PARAPRINT_TRY(webhook_filter(options));
  const std::size_t secrets = options.webhook_secrets.size();
  for (std::size_t i = 0; i < secrets; ++i) PARAPRINT_TRY(webhook_key(options.webhook_secrets[i]));
  if (options.feed == FeedScope::kOff && !options.webhook.empty()) {
    return failure(ErrorCode::kInvalidArgument, "webhooks get the events of the feed, which is off: set feed to adds");
  }
  if (options.webhook.size() > kWebhooksMaximum) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("there are {} webhooks; the limit is {}", options.webhook.size(), kWebhooksMaximum));
  }
  if (secrets > 1 && secrets != options.webhook.size()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("there are {} webhook secrets for {} webhooks; give one for all or one for each",
                               secrets, options.webhook.size()));
  }
  for (auto url = options.webhook.begin(); url != options.webhook.end(); ++url) {
    if (std::find(options.webhook.begin(), url, *url) == url) continue;
    return failure(ErrorCode::kInvalidArgument, fmt::format("the webhook {} is given twice", *url));
  }
  return {};
}

Result<std::unique_ptr<EventFeed>> EventFeed::open(const std::string& folder, const FeedOptions& options,
                                                   const IndexOptions& index) {
  PARAPRINT_TRY(check_feed_options(options));
  std::unique_ptr<EventFeed> feed(new EventFeed(options, index.sync));
  feed->folder_ = folder;
  EventLogOptions log;
  log.folder = folder;
  log.sync = index.sync;
  PARAPRINT_ASSIGN(log.keep, parse_feed_keep(options.feed_keep));
  PARAPRINT_ASSIGN(feed->log_, EventLog::open(log, feed->warnings_));
  PARAPRINT_ASSIGN(const EventFilter filter, webhook_filter(options));
  for (std::size_t i = 0; i < options.webhook.size(); ++i) {
    WebhookOptions webhook;
    webhook.url = options.webhook[i];
    PARAPRINT_ASSIGN(webhook.key, key_of(options, i));
    webhook.filter = filter;
    webhook.batch_events = options.webhook_batch;
    webhook.delay = std::chrono::milliseconds(static_cast<std::int64_t>(options.webhook_delay * 1000));
    webhook.timeout_seconds = options.webhook_timeout;
    webhook.position_path = position_path_of(folder, webhook.url);
    EventFeed* const self = feed.get();
    PARAPRINT_ASSIGN(std::unique_ptr<Webhook> created,
                     Webhook::create(*feed->log_, std::move(webhook), [self](std::string_view line) {
                       if (self->report_) self->report_(line);
                     }));
    feed->webhooks_.push_back(std::move(created));
  }
  const std::chrono::milliseconds interval(index.sync_interval_milliseconds);
  if (index.sync == SyncMode::kInterval) {
    PARAPRINT_TRY(
        feed->sync_task_.start("syncs the feed", interval, [self = feed.get()] { self->sync_in_background(); }));
  }
  PARAPRINT_TRY(
      feed->drop_task_.start("drops old events", kDropPause, [self = feed.get()] { self->log_->drop_old(); }));
  return feed;
}

// What was appended since the last sync is synced by the system, as after a kill.
EventFeed::~EventFeed() {
  stop(std::chrono::milliseconds(0));
  if (sync_ == SyncMode::kInterval) sync_in_background();
}

// A failure is lasting: the next append reports it.
void EventFeed::sync_in_background() noexcept {
  try {
    static_cast<void>(log_->sync());
  } catch (const std::exception&) {  // out of memory; the next interval tries again
  }
}

Status EventFeed::append(std::string_view members, bool waits) {
  PARAPRINT_ASSIGN(const EventLog::AppendTicket ticket, log_->append(members));
  if (!waits || sync_ != SyncMode::kAlways) return {};
  return log_->wait(ticket);
}

Status EventFeed::make_durable() {
  return sync_ == SyncMode::kAlways ? log_->sync() : Status{};
}

Status EventFeed::start_webhooks(const Webhook::Report& report) {
  report_ = report;
  for (const auto& webhook : webhooks_) PARAPRINT_TRY(webhook->start());
  return {};
}

void EventFeed::begin_stop() {
  for (const auto& webhook : webhooks_) webhook->begin_stop();
}

void EventFeed::stop(std::chrono::milliseconds time) {
  begin_stop();
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (const auto& webhook : webhooks_) webhook->stop(deadline);
  sync_task_.stop();
  drop_task_.stop();
}

void EventFeed::write_statistics(JsonWriter& json) const {
  const EventLogStatistics statistics = log_->statistics();
  json.member("first", statistics.first_number);
  json.member("last", statistics.last_number);
  json.member("bytes", statistics.bytes);
  json.member("dropped", statistics.dropped);
  json.member("warnings", warnings_);
  json.key("webhooks");
  json.begin_array();
  for (const auto& webhook : webhooks_) {
    const WebhookStatus status = webhook->status();
    json.begin_object();
    json.member("receiver", status.receiver);
    json.member("delivered", status.delivered);
    json.member("lag", statistics.last_number - std::min(status.delivered, statistics.last_number));
    json.member("requests", status.requests);
    json.member("failures", status.failures);
    json.member("failures_in_a_row", status.failures_in_a_row);
    json.member("too_large", status.too_large);
    json.member("gone", status.is_gone);
    if (!status.problem.empty()) json.member("problem", status.problem);
    json.end_object();
  }
  json.end_array();
}

std::string EventFeed::metrics() const {
  std::string out;
  const EventLogStatistics statistics = log_->statistics();
  add_metric(out, "feed_first_number", "gauge", "Number of the oldest event that is kept.", statistics.first_number);
  add_metric(out, "feed_last_number", "counter", "Number of the newest event.", statistics.last_number);
  add_metric(out, "feed_bytes", "gauge", "Bytes of the events on disk.", statistics.bytes);
  add_metric(out, "feed_dropped_total", "counter", "Events deleted because they exceeded --feed-keep.",
             statistics.dropped);
  if (webhooks_.empty()) return out;
  std::vector<WebhookStatus> states;
  for (const auto& webhook : webhooks_) states.push_back(webhook->status());
  const auto add_per_webhook = [&](std::string_view name, std::string_view type, std::string_view help, auto value_of) {
    fmt::format_to(std::back_inserter(out), "# HELP paraprint_{0} {1}\n# TYPE paraprint_{0} {2}\n", name, help, type);
    for (std::size_t i = 0; i < states.size(); ++i) {
      fmt::format_to(std::back_inserter(out), "paraprint_{}{{webhook=\"{}\",receiver=\"{}\"}} {}\n", name, i + 1,
                     states[i].receiver, value_of(states[i]));
    }
  };
  add_per_webhook("webhook_delivered_number", "gauge", "All events up to this number were delivered.",
                  [](const WebhookStatus& status) { return status.delivered; });
  add_per_webhook("webhook_lag", "gauge", "Events that were not delivered yet.", [&](const WebhookStatus& status) {
    return statistics.last_number - std::min(status.delivered, statistics.last_number);
  });
  add_per_webhook("webhook_requests_total", "counter", "Batches delivered since the start.",
                  [](const WebhookStatus& status) { return status.requests; });
  add_per_webhook("webhook_failures_total", "counter", "Failed requests since the start.",
                  [](const WebhookStatus& status) { return status.failures; });
  add_per_webhook("webhook_too_large_total", "counter", "Events that the receiver did not take, as too large.",
                  [](const WebhookStatus& status) { return status.too_large; });
  add_per_webhook("webhook_gone", "gauge", "1 if the receiver answered 410 and gets nothing more.",
                  [](const WebhookStatus& status) { return status.is_gone ? 1 : 0; });
  return out;
}

}  // namespace paraprint::inline event_feed
