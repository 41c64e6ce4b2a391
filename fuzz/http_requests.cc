// Fuzzes a connection of the service with any bytes, in pieces of the size that the first byte says. A second parser,
// as strict as RFC 9112 without its allowances, says which requests the bytes hold: exactly those are answered, in
// their order and with their bodies, until a response announces the end of the connection. Nothing else is executed,
// and the responses are as well-formed as the requests have to be.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "scratch_service.h"
#include "serve/http_session.h"

namespace {

using namespace paraprint;

// Longer inputs find nothing more, only more slowly.
constexpr std::size_t kInputBytes = 8192;
// Low enough for inputs to exceed them.
constexpr std::uint32_t kHeaderBytesMaximum = 1024;
constexpr std::uint64_t kBodyBytesMaximum = 1024;

// Before the client closes a connection that it has ended.
constexpr int kWaitsMaximum = 20;
// Longer than any wait for events, and shorter than the limit for sending what then comes.
constexpr std::chrono::hours kLongWait{1};

ServeOptions service_options() {
  ServeOptions options;
  options.feed.feed = FeedScope::kAdds;
  options.feed.feed_keep = "1000";
  options.limits.max_header_bytes = kHeaderBytesMaximum;
  options.limits.max_body_bytes = kBodyBytesMaximum;
  options.limits.write_timeout = 2 * std::chrono::seconds(kLongWait).count();
  return options;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_token(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

bool is_text(std::string_view text, std::string_view also) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (static_cast<unsigned char>(c) > ' ' && c != '\x7F') || also.find(c) != std::string_view::npos;
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

struct HttpMessage {
  std::string_view first_line;
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::string body;

  std::vector<std::string_view> values(std::string_view name) const {
    std::vector<std::string_view> found;
    for (const auto& [field, value] : fields) {
      if (equals_ignoring_case(field, name)) found.push_back(value);
    }
    return found;
  }
};

// Takes the messages of one direction of a connection one after the other. Once something is not valid or not complete,
// nothing more is taken.
class StrictReader {
 public:
  explicit StrictReader(std::string_view bytes) : rest_(bytes) {}

  std::optional<HttpMessage> take_head() {
    HttpMessage message;
    const std::optional<std::string_view> line = take_line();
    if (!line) return std::nullopt;
    message.first_line = *line;
    if (!take_fields(message)) return std::nullopt;
    return message;
  }

  bool take_body(HttpMessage& message) {
    const auto codings = message.values("Transfer-Encoding");
    const auto lengths = message.values("Content-Length");
    if (codings.size() + lengths.size() > 1) return false;
    if (!codings.empty()) return equals_ignoring_case(codings.front(), "chunked") && take_chunks(message.body);
    if (lengths.empty()) return true;
    const std::optional<std::uint64_t> size_bytes = number(lengths.front(), 10);
    return size_bytes && take_bytes(*size_bytes, message.body);
  }

  bool is_at_end() const { return rest_.empty(); }

 private:
  static std::optional<std::uint64_t> number(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  }

  // A line feed alone, and a carriage return elsewhere, end nothing.
  std::optional<std::string_view> take_line() {
    const std::size_t end = rest_.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    if (line.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(end + 2);
    return line;
  }

  bool take_bytes(std::uint64_t size_bytes, std::string& bytes) {
    if (size_bytes > rest_.size()) return false;
    bytes.append(rest_.substr(0, size_bytes));
    rest_.remove_prefix(size_bytes);
    return true;
  }

  bool take_fields(HttpMessage& message) {
    for (;;) {
      const std::optional<std::string_view> line = take_line();
      if (!line) return false;
      if (line->empty()) return true;
      const std::size_t colon = line->find(':');
      if (colon == std::string_view::npos || !is_token(line->substr(0, colon))) return false;
      const std::string_view value = line->substr(colon + 1);
      if (!is_text(value, " \t")) return false;
      message.fields.emplace_back(line->substr(0, colon), trimmed(value));
    }
  }

  bool take_chunks(std::string& body) {
    for (;;) {
      const std::optional<std::string_view> line = take_line();
      if (!line) return false;
      const std::string_view digits = line->substr(0, line->find_first_not_of("0123456789abcdefABCDEF"));
      const std::string_view extensions = line->substr(digits.size());
      if (!is_text(extensions, " \t") || (!extensions.empty() && !trimmed(extensions).starts_with(';'))) return false;
      const std::optional<std::uint64_t> size_bytes = number(digits, 16);
      if (!size_bytes) return false;
      HttpMessage trailer;
      if (*size_bytes == 0) return take_fields(trailer);
      if (!take_bytes(*size_bytes, body) || !rest_.starts_with("\r\n")) return false;
      rest_.remove_prefix(2);
    }
  }

  std::string_view rest_;
};

struct WantedRequest {
  std::string method;
  std::string target;
  std::string body;
};

// The requests that the bytes hold, as far as they are valid and complete.
std::vector<WantedRequest> requests_of(std::string_view bytes) {
  std::vector<WantedRequest> requests;
  for (StrictReader reader(bytes);;) {
    std::optional<HttpMessage> message = reader.take_head();
    if (!message) return requests;
    const std::string_view line = message->first_line;
    const std::size_t method_end = std::min(line.find(' '), line.size());
    const std::size_t target_end = line.rfind(' ');
    if (method_end >= line.size() || target_end <= method_end) return requests;
    const std::string_view method = line.substr(0, method_end);
    const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
    const std::string_view version = line.substr(target_end + 1);
    if (!is_token(method) || target.empty() || !is_text(target, "")) return requests;
    const bool is_old = version == "HTTP/1.0";
    if (!is_old && version != "HTTP/1.1") return requests;
    if (is_old && !message->values("Transfer-Encoding").empty()) return requests;
    if (!reader.take_body(*message)) return requests;
    requests.push_back({std::string(method), std::string(target), std::move(message->body)});
  }
}

// What the session tells of each request: the record when it is over, and what was answered.
class RecordingService final : public HttpService {
 public:
  explicit RecordingService(PageService& service) : service_(service) {}

  struct Answered {
    std::string target;
    std::string body;
  };
  struct Record {
    std::string method;
    unsigned status = 0;
    bool is_stream = false;
    std::optional<Answered> answered;  // unless it was refused by its header, or is a stream
  };

  Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const override {
    Answer<RoutedTarget> routed = service_.admit(head, allow);
    if (routed && routed->route->sends_events) reads_events_ = true;
    return routed;
  }
  HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) override {
    {
      const std::lock_guard lock(mutex_);
      PARAPRINT_ASSERT(!answered_.has_value());  // one request at a time
      answered_ = Answered{head.target, std::string(body)};
    }
    return service_.answer(target, head, body);
  }
  PageService* line_service() override { return service_.line_service(); }
  void cut_off() override {}
  bool is_cut_off() const override { return false; }
  const ServiceLimits& limits() const override { return service_.limits(); }
  TransportGauges& gauges() override { return service_.gauges(); }
  void count_request(const RequestRecord& record) override {
    const std::lock_guard lock(mutex_);
    const bool is_stream =
        record.route != nullptr && (record.route->body == BodyKind::kStream || record.route->sends_events);
    records_.push_back({std::string(record.method), record.status, is_stream, std::exchange(answered_, std::nullopt)});
  }
  // Whether events were asked for since the last take_records().
  bool reads_events() const { return reads_events_; }
  std::vector<Record> take_records() {
    answered_.reset();
    reads_events_ = false;
    return std::exchange(records_, {});
  }

 private:
  PageService& service_;
  std::mutex mutex_;
  std::optional<Answered> answered_;
  std::vector<Record> records_;
  mutable bool reads_events_ = false;
};

// The client's end of a connection, which never waits.
class Client {
 public:
  explicit Client(int descriptor) : descriptor_(descriptor) {}
  ~Client() { leave(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Returns how many bytes were taken.
  std::size_t send(std::string_view bytes) const {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  void end() const { ::shutdown(descriptor_, SHUT_WR); }
  void leave() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  void receive() {
    char piece[16384];
    for (;;) {
      const ssize_t size = ::recv(descriptor_, piece, sizeof piece, MSG_DONTWAIT);
      if (size <= 0) return;
      received_.append(piece, static_cast<std::size_t>(size));
    }
  }
  const std::string& received() const { return received_; }

 private:
  int descriptor_;
  std::string received_;
};

class Connection {
 public:
  Connection(RecordingService& service, boost::asio::thread_pool& workers)
      : service_(service),
        context_{.service = service,
                 .logger = logger_,
                 .io = io_,
                 .workers = workers,
                 .run = run_parts,
                 .limiter = RateLimiter(0, 0),
                 .date = "Thu, 01 Jan 1970 00:00:00 GMT"} {}

  // Returns all that the service sends.
  std::string exchange(std::string_view bytes, std::size_t piece_bytes) {
    int ends[2];
    PARAPRINT_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    Client client(ends[0]);
    boost::asio::ip::tcp::socket socket(io_);
    socket.assign(boost::asio::ip::tcp::v4(), ends[1]);
    const std::shared_ptr<HttpSession> session = make_http_session(std::move(socket), context_);
    session->start();
    while (!bytes.empty() && !session->is_closed()) {
      bytes.remove_prefix(client.send(bytes.substr(0, piece_bytes)));
      run_ready();
      client.receive();
    }
    client.end();
    // What still waits, waits for events. A stream of them only ends when it cannot be sent.
    for (int waits = 0; !session->is_closed(); ++waits) {
      run_ready();
      client.receive();
      if (waits == kWaitsMaximum) client.leave();
      if (waits > 0) session->check_deadline(HttpSession::Clock::now() + kLongWait);
    }
    client.receive();
    run_ready();  // the handlers of what was cancelled
    PARAPRINT_ASSERT(session.use_count() == 1);
    return client.received();
  }

 private:
  // Until there is nothing to do but to wait for the client. Reading events does not count as a request.
  void run_ready() {
    do {
      io_.poll();
      while (context_.requests_at_once > 0) {
        io_.run_one();
        io_.poll();
      }
      if (service_.reads_events()) finish_work();
    } while (io_.poll() > 0);
  }

  // There is one worker, which takes one task after the other.
  void finish_work() {
    std::promise<void> done;
    boost::asio::post(context_.workers, [&done] { done.set_value(); });
    done.get_future().wait();
  }

  RecordingService& service_;
  boost::asio::io_context io_{1};
  // Also waits for what the workers hand over.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
  ServiceLogger logger_{ServiceLog::kNone, nullptr};
  ServerContext context_;
};

// Compares each record with the request that it belongs to. What is not a request is refused, as the last.
void check_records(const std::vector<RecordingService::Record>& records, const std::vector<WantedRequest>& wanted) {
  PARAPRINT_ASSERT(records.size() <= wanted.size() + 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordingService::Record& record = records[i];
    if (i == wanted.size()) {
      // A stream has begun to answer before its request is complete.
      PARAPRINT_ASSERT(!record.answered && (record.is_stream || record.status == 0 || record.status >= 400));
      return;
    }
    PARAPRINT_ASSERT(record.method.empty() || record.method == wanted[i].method);
    if (record.answered) {
      PARAPRINT_ASSERT(record.answered->target == wanted[i].target && record.answered->body == wanted[i].body);
    }
  }
}

// Reads the responses. Only the last one may announce the end, and if none does, all requests have been answered.
void check_responses(std::string_view received, const std::vector<RecordingService::Record>& records,
                     const std::vector<WantedRequest>& wanted) {
  StrictReader reader(received);
  bool is_last = false;
  for (const RecordingService::Record& record : records) {
    if (record.status == 0) break;  // the client left before there was a response
    PARAPRINT_ASSERT(!is_last);
    std::optional<HttpMessage> response = reader.take_head();
    while (response && response->first_line == "HTTP/1.1 100 Continue") response = reader.take_head();
    PARAPRINT_ASSERT(response.has_value() && response->first_line.starts_with("HTTP/1.1 "));
    PARAPRINT_ASSERT(response->first_line.substr(9, 3) == std::to_string(record.status));
    PARAPRINT_ASSERT(response->values("Content-Type").size() == 1);
    if (record.method == kHeadMethod) {
      PARAPRINT_ASSERT(response->values("Content-Length").size() == 1);
    } else if (!reader.take_body(*response)) {
      PARAPRINT_ASSERT(record.is_stream);  // which was cut off
      return;
    }
    is_last = !response->values("Connection").empty();
  }
  if (!records.empty() && records.back().status == 0) return;
  PARAPRINT_ASSERT(reader.is_at_end());
  if (is_last) return;
  // The answers of a stream begin before it is known whether it ends well.
  const bool ends_broken = records.size() == wanted.size() + 1 && records.back().is_stream;
  PARAPRINT_ASSERT(records.size() == wanted.size() || ends_broken);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ScratchService scratch(service_options());
  static RecordingService service(*scratch);
  static boost::asio::thread_pool workers(1);
  if (size == 0 || size > kInputBytes) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece_bytes = data[0] == 0 ? kInputBytes : data[0];
  const std::string received = Connection(service, workers).exchange(bytes, piece_bytes);
  const std::vector<WantedRequest> wanted = requests_of(bytes);
  const std::vector<RecordingService::Record> records = service.take_records();
  check_records(records, wanted);
  check_responses(received, records, wanted);
  return 0;
}
