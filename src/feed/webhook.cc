// The position is stored after each delivered batch. A kill between delivery and storing repeats the batch, with the
// same id if its events are the same ones.
#include "feed/webhook.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <exception>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/start_thread.h"
#include "feed/feed_event.h"
#include "feed/webhook_signature.h"
#include "web/url.h"

namespace paraprint::inline event_feed {
namespace {

// How often the thread looks for new events.
constexpr std::chrono::milliseconds kLook{100};
// A receiver may ask for a long pause, but not for an endless one.
constexpr std::uint64_t kRetryAfterSecondsMaximum = 3600;
// After so many requests of a smaller size, a receiver for which a larger one was too large may take it again.
constexpr std::size_t kRequestsBeforeGrowth = 16;
// Without deliveries, the position is stored when it has moved this far over events that are not wanted.
constexpr std::uint64_t kUnsavedMaximum = 10'000;
constexpr std::string_view kPositionBegin = "after ";

constexpr long kGone = 410;
constexpr long kContentTooLarge = 413;

// Why a reply is no delivery. A redirect could lead anywhere, and would receive the events from then on.
std::string problem_of(const WebhookReply& reply) {
  if (reply.status == 0) return reply.problem;
  if (reply.status >= 300 && reply.status < 400) {
    return fmt::format("status {}; redirects are not followed, set the address that it leads to", reply.status);
  }
  return fmt::format("status {}", reply.status);
}

// `time`: that of the last event, so that a request which is made again after a restart has the same bytes.
std::string request_body(std::uint64_t time_milliseconds, const std::optional<EventGap>& gap,
                         std::span<const StoredEvent> events) {
  std::string body =
      fmt::format(R"({{"type":"paraprint.events","timestamp":"{}","data":{{)", event_time(time_milliseconds));
  if (gap) body.append("\"gap\":").append(gap_json(*gap)).append(",");
  body += "\"events\":[";
  for (const StoredEvent& event : events) body.append(body.ends_with('[') ? "" : ",").append(event.json);
  return body += "]}}";
}

std::string request_id(std::uint64_t begin_after, std::uint64_t after, std::string_view body) {
  return fmt::format("events_{}_{}_{:016x}", begin_after + 1, after, hash64(body));
}

}  // namespace

Webhook::Webhook(const EventLog& log, WebhookOptions options, Report report)
    : log_(log),
      options_(std::move(options)),
      report_(std::move(report)),
      batch_limit_(options_.batch_events),
      random_(std::random_device{}()) {}

Result<std::unique_ptr<Webhook>> Webhook::create(const EventLog& log, WebhookOptions options, Report report) {
  const std::optional<Url> url = UrlParser().parse(options.url);
  if (!url) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("webhook '{}': expected a URL that begins with http:// or https://", options.url));
  }
  std::unique_ptr<Webhook> webhook(new Webhook(log, std::move(options), std::move(report)));
  webhook->status_.receiver = url->origin();
  PARAPRINT_ASSIGN(webhook->sender_, WebhookSender::create(webhook->options_.url, webhook->options_.timeout_seconds));
  PARAPRINT_TRY(webhook->open_position());
  return webhook;
}

Webhook::~Webhook() {
  stop(std::chrono::steady_clock::now());
}

// A damaged position repeats all that is kept, which loses nothing.
Status Webhook::open_position() {
  std::uint64_t after = 0;
  const Result<std::string> text = read_whole_file(options_.position_path);
  if (text) {
    const std::size_t begin = text->starts_with(kPositionBegin) ? kPositionBegin.size() : text->size();
    std::from_chars(text->data() + begin, text->data() + text->size(), after);
  } else if (text.error().code == ErrorCode::kNotFound) {
    after = log_.published();
    PARAPRINT_TRY(write_file_atomically(options_.position_path, fmt::format("{}{}\n", kPositionBegin, after)));
  } else {
    return tl::unexpected<Error>(text.error());
  }
  reader_.emplace(log_, options_.filter, after);
  saved_after_ = after;
  status_.delivered = after;
  return {};
}

Status Webhook::start() {
  has_ended_ = false;
  Result<std::thread> thread = start_thread("calls a webhook", [this] { run(); });
  if (!thread) {
    has_ended_ = true;
    return tl::unexpected<Error>(thread.error());
  }
  thread_ = std::move(*thread);
  return {};
}

void Webhook::begin_stop() {
  const std::lock_guard lock(mutex_);
  is_stopping_ = true;
  changed_.notify_all();
}

void Webhook::stop(std::chrono::steady_clock::time_point deadline) {
  if (!thread_.joinable()) return;
  begin_stop();
  bool has_ended = false;
  {
    std::unique_lock lock(mutex_);
    has_ended = changed_.wait_until(lock, deadline, [this] { return has_ended_; });
  }
  if (!has_ended && is_sending_) report_given_up();
  is_cancelled_ = true;
  sender_->wake();
  thread_.join();
}

// Before the thread is waited for: if that takes long, this says why.
void Webhook::report_given_up() const noexcept {
  try {
    report_(fmt::format("webhook {}: the request in progress is given up; its events are sent after the next start",
                        status_.receiver));
  } catch (const std::exception&) {  // out of memory
  }
}

WebhookStatus Webhook::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

bool Webhook::sleep(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return is_stopping_; });
}

// Out of memory, the same step is tried again.
void Webhook::run() noexcept {
  while (sleep(std::chrono::milliseconds(0))) {
    try {
      if (!batch_) batch_ = collect();
      if (batch_) deliver(*batch_);
      if (status().is_gone) break;
    } catch (const std::exception&) {
      is_sending_ = false;
      // What was read and has not become a batch would be lost.
      if (!batch_) reader_->restart(status_.delivered);
      if (!sleep(options_.pause_minimum)) break;
    }
  }
  if (saved_after_ != status_.delivered) {
    try {
      save_position(status_.delivered);
    } catch (const std::exception&) {  // out of memory: a little is repeated
    }
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  changed_.notify_all();
}

std::optional<Webhook::Batch> Webhook::collect() {
  while (!reader_->has_more()) {
    if (!sleep(kLook)) return std::nullopt;
  }
  const auto complete_at = std::chrono::steady_clock::now() + options_.delay;
  while (log_.published() < reader_->after() + batch_limit_ && std::chrono::steady_clock::now() < complete_at) {
    if (!sleep(std::min(kLook, options_.delay))) return std::nullopt;
  }
  Batch batch;
  batch.begin_after = reader_->after();
  if (const Status read = reader_->read(batch_limit_); !read) {
    report_(fmt::format("webhook {}: {}", status_.receiver, read.error().message));
    sleep(options_.pause_minimum);
    return std::nullopt;
  }
  batch.after = reader_->after();
  batch.events = reader_->events().size();
  if (batch.events == 0 && !reader_->gap()) {
    {
      const std::lock_guard lock(mutex_);
      status_.delivered = batch.after;
    }
    if (batch.after >= saved_after_ + kUnsavedMaximum) save_position(batch.after);
    return std::nullopt;
  }
  if (batch.events > 0) {
    batch.last = reader_->events().back();
    batch.last.json = {};
  }
  batch.body = request_body(batch.last.time_milliseconds, reader_->gap(), reader_->events());
  batch.id = request_id(batch.begin_after, batch.after, batch.body);
  return batch;
}

void Webhook::deliver(const Batch& batch) {
  const auto now = static_cast<std::uint64_t>(std::time(nullptr));
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:", "webhook-id: " + batch.id,
                                      fmt::format("webhook-timestamp: {}", now)};
  if (!options_.key.empty()) {
    headers.push_back("webhook-signature: " + webhook_signature(options_.key, batch.id, now, batch.body));
  }
  is_sending_ = true;
  const WebhookReply reply = sender_->post(batch.body, headers, is_cancelled_);
  is_sending_ = false;
  if (is_cancelled_) return;
  reply.status >= 200 && reply.status < 300 ? on_delivered(batch) : on_failed(batch, reply);
}

void Webhook::on_delivered(const Batch& batch) {
  std::uint64_t failures = 0;
  {
    const std::lock_guard lock(mutex_);
    failures = std::exchange(status_.failures_in_a_row, 0);
    status_.problem.clear();
    status_.delivered = batch.after;
    ++status_.requests;
  }
  const std::uint64_t after = batch.after;
  batch_.reset();
  grow_batches();
  save_position(after);
  if (failures > 0) report_(fmt::format("webhook {}: delivering again after {} failures", status_.receiver, failures));
}

void Webhook::on_failed(const Batch& batch, const WebhookReply& reply) {
  const std::string problem = problem_of(reply);
  bool is_news = false;
  std::uint64_t failures = 0;
  {
    const std::lock_guard lock(mutex_);
    ++status_.failures;
    failures = ++status_.failures_in_a_row;
    is_news = failures == 1 || status_.problem != problem;
    status_.problem = problem;
    status_.is_gone = reply.status == kGone;
  }
  if (reply.status == kGone) {
    return report_(
        fmt::format("webhook {}: status 410, so nothing more is sent to it until the service is restarted; "
                    "events up to {} were delivered",
                    status_.receiver, batch.begin_after));
  }
  const auto pause = pause_after(failures, reply.retry_after_seconds);
  if (is_news) {
    report_(fmt::format("webhook {}: {}; next attempt in {:.1f} s, and so on until it succeeds", status_.receiver,
                        problem, static_cast<double>(pause.count()) / 1000));
  }
  if (reply.status == kContentTooLarge && batch.events > 1) {
    shrink_batches(batch);
  } else if (reply.status == kContentTooLarge && batch.events == 1 && reply.retry_after_seconds == 0) {
    leave_out_event(batch);  // 413 with Retry-After says that the condition is temporary (RFC 9110 15.5.14)
  }
  sleep(pause);
}

// Otherwise the events behind it would never be delivered. The gap has to be, so a receiver that answers 413 to
// everything while it is out of order loses one event at most.
void Webhook::leave_out_event(const Batch& refused) {
  const std::uint64_t number = refused.last.number;
  Batch gap;
  gap.begin_after = refused.begin_after;
  gap.after = refused.after;
  gap.body = request_body(refused.last.time_milliseconds, EventGap{number - 1, number + 1, GapReason::kTooLarge}, {});
  gap.id = request_id(gap.begin_after, gap.after, gap.body);
  batch_ = std::move(gap);
  {
    const std::lock_guard lock(mutex_);
    ++status_.too_large;
  }
  report_(fmt::format("webhook {}: event {} is too large for the receiver, which gets a gap in its place",
                      status_.receiver, number));
}

void Webhook::shrink_batches(const Batch& refused) {
  batch_limit_ = refused.events / 2;
  accepted_since_growth_ = 0;
  reader_->restart(refused.begin_after);
  batch_.reset();
}

void Webhook::grow_batches() {
  if (++accepted_since_growth_ < kRequestsBeforeGrowth) return;
  accepted_since_growth_ = 0;
  batch_limit_ = std::min<std::size_t>(2 * batch_limit_, options_.batch_events);
}

// A position that cannot be stored repeats events after a restart; delivering continues.
void Webhook::save_position(std::uint64_t after) {
  const Status saved = write_file_atomically(options_.position_path, fmt::format("{}{}\n", kPositionBegin, after));
  if (saved) {
    saved_after_ = after;
  } else {
    report_(fmt::format("webhook {}: {}", status_.receiver, saved.error().message));
  }
}

// Random, so that the services which a receiver has lost do not all come back at the same moment.
std::chrono::milliseconds Webhook::pause_after(std::uint64_t failures, std::uint64_t retry_after_seconds) {
  constexpr std::uint64_t kDoublingsMaximum = 20;
  const double doubled = static_cast<double>(options_.pause_minimum.count()) *
                         static_cast<double>(1U << std::min(failures - 1, kDoublingsMaximum));
  const double bounded = std::min(doubled, static_cast<double>(options_.pause_maximum.count()));
  const auto pause = static_cast<std::uint64_t>(bounded * std::uniform_real_distribution<double>(0.5, 1.0)(random_));
  const std::uint64_t asked = 1000 * std::min(retry_after_seconds, kRetryAfterSecondsMaximum);
  return std::chrono::milliseconds(std::max(pause, asked));
}

}  // namespace paraprint::inline event_feed
