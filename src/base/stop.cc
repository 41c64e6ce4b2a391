// The flag is thread-local, so that independent calls on different threads can be stopped separately. Code that starts
// threads must pass StopScope::current() on to them (base/ordered_parallel.h does).
#include "base/stop.h"

#include <utility>

namespace paraprint {
namespace {

// Of the innermost StopScope, which restores the outer one's flag when it ends.
thread_local const std::atomic<bool>* flag_of_thread = nullptr;

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

// A relaxed load suffices: no other data is published with the flag, and a delay does no harm.
Status check_stop() {
  if (flag_of_thread == nullptr || !flag_of_thread->load(std::memory_order_relaxed)) return {};
  return failure(ErrorCode::kCancelled, "stopped before completion");
}

}  // namespace paraprint
