// A deadline is a point in time that the server compares with the clock at intervals (HttpSession::check_deadline), so
// a connection needs no timer of its own.
#include "serve/http_connection.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "memory/release_memory.h"

namespace paraprint::inline service {

using boost::system::error_code;

namespace {

constexpr std::size_t kReadBytes = std::size_t{16} << 10;  // per read

// Of the memory for bodies and answers, the part that the bodies of one client may take: a fraction, but in any case
// the longest line of a bulk request and what is read at once behind it (bulk_exchange.cc).
constexpr std::uint64_t kClientsSharing = 4;
constexpr std::uint64_t kBatchBytesMaximum = std::uint64_t{2} << 20;

std::uint64_t client_share_bytes(const ServiceLimits& limits) {
  return std::max(limits.max_buffered_bytes / kClientsSharing, limits.max_body_bytes + kBatchBytesMaximum);
}

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, ServerContext& context)
    : context_(context),
      socket_(std::move(socket)),
      buffer_(std::max<std::size_t>(kReadBytes, context.service.limits().max_header_bytes)) {
  error_code error;
  const auto peer = socket_.remote_endpoint(error);
  if (!error) client_ = peer.address().to_string();
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), error);  // responses are written whole
  ++context_.service.gauges().connections;
}

HttpConnection::~HttpConnection() {
  --context_.service.gauges().connections;
}

void HttpConnection::enter(SessionPhase phase, std::uint32_t seconds) {
  phase_ = phase;
  is_timed_out_ = false;
  deadline_ = seconds == 0 ? Clock::time_point::max() : Clock::now() + std::chrono::seconds(seconds);
}

boost::asio::mutable_buffer HttpConnection::room_to_read() {
  return buffer_.prepare(std::min(kReadBytes, buffer_.max_size() - buffer_.size()));
}

bool HttpConnection::expire(Clock::time_point now) {
  if (now >= deadline_) is_timed_out_ = true;
  return is_timed_out_;
}

bool HttpConnection::has_client_left() {
  pollfd state{socket_.native_handle(), POLLRDHUP, 0};
  return ::poll(&state, 1, 0) > 0;  // errors are reported without being asked for
}

void HttpConnection::cancel_read() {
  error_code ignored;
  socket_.cancel(ignored);
}

void HttpConnection::close() {
  enter(SessionPhase::kClosed, 0);
  error_code ignored;
  socket_.close(ignored);
}

RequestBody::RequestBody(ServerContext& context, std::string_view client)
    : share_(context, context.service.limits().rate > 0 ? client_network(client) : std::string()) {}

bool RequestBody::offer_room(RequestParser& parser, std::size_t room_bytes) {
  if (filled_bytes_ == bytes_.size()) {
    if (!count(room_bytes)) return false;
    bytes_.resize(filled_bytes_ + room_bytes);
  }
  parser.get().body().data = bytes_.data() + filled_bytes_;
  parser.get().body().size = bytes_.size() - filled_bytes_;
  return true;
}

// The parser counts down the room that is left.
std::size_t RequestBody::keep_filled(const RequestParser& parser) {
  const std::size_t before_bytes = std::exchange(filled_bytes_, bytes_.size() - parser.get().body().size);
  return filled_bytes_ - before_bytes;
}

void RequestBody::release() {
  release_memory(bytes_);
  filled_bytes_ = 0;
  share_.release();
}

bool BufferShare::count(std::size_t size_bytes) {
  const std::uint64_t limit = context_.service.limits().max_buffered_bytes;
  if (size_bytes > limit - std::min(limit, context_.buffered_bytes)) return false;
  if (!network_.empty()) {
    const auto found = context_.body_bytes_of.find(network_);
    const std::uint64_t taken_bytes = found == context_.body_bytes_of.end() ? 0 : found->second;
    if (taken_bytes + size_bytes > client_share_bytes(context_.service.limits())) return false;
    context_.body_bytes_of[network_] = taken_bytes + size_bytes;
  }
  counted_bytes_ += size_bytes;
  context_.buffered_bytes += size_bytes;
  context_.service.gauges().buffered_bytes = context_.buffered_bytes;
  return true;
}

void BufferShare::release() {
  const std::uint64_t released_bytes = std::exchange(counted_bytes_, 0);
  const auto found = context_.body_bytes_of.find(network_);
  if (found != context_.body_bytes_of.end() && (found->second -= released_bytes) == 0) {
    context_.body_bytes_of.erase(found);
  }
  context_.buffered_bytes -= released_bytes;
  context_.service.gauges().buffered_bytes = context_.buffered_bytes;
}

}  // namespace paraprint::inline service
