// The flag is thread-local, so that independent calls on different threads can be stopped separately. Code that starts
// threads must pass StopScope::current() on to them (base/ordered_parallel.h does).
#include "base/stop.h"

#include <utility>

namespace paraprint::inline base {
namespace {

// Of the innermost StopScope, which restores the outer one's flag when it ends.
thread_local const std::atomic<bool>* flag_of_thread = nullptr;

// A relaxed load suffices: no other data is published with the flag, and a delay does no harm.
bool is_set(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

tl::unexpected<Error> stopped() {
  return failure(ErrorCode::kCancelled, "stopped before completion");
}

}  // namespace

// Null keeps the flag: a call made by another long call, without a control of its own, stops with it.
StopScope::StopScope(const std::atomic<bool>* flag)
    : outer_(std::exchange(flag_of_thread, flag != nullptr ? flag : flag_of_thread)) {}

StopScope::~StopScope() {
  flag_of_thread = outer_;
}

const std::atomic<bool>* StopScope::current() {
  return flag_of_thread;
}

Status check_stop() {
  if (is_set(flag_of_thread)) return stopped();
  return {};
}

Status StopCheck::status() const {
  if (is_stopped_) return stopped();
  return {};
}

bool StopCheck::is_asked(std::uint64_t) {
  return is_set(flag_);
}

bool StopCheck::look() {
  is_stopped_ = is_asked(units_) || is_stopped_;
  units_ = 0;
  return is_stopped_;
}

}  // namespace paraprint::inline base
