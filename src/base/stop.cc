#include "paraprint/stop.h"

#include <utility>

namespace paraprint {
namespace {

thread_local const std::atomic<bool>* flag_of_thread = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* flag) : outer_(std::exchange(flag_of_thread, flag)) {}

StopScope::~StopScope() {
  flag_of_thread = outer_;
}

const std::atomic<bool>* StopScope::current() {
  return flag_of_thread;
}

Status check_stop() {
  if (flag_of_thread == nullptr || !flag_of_thread->load(std::memory_order_relaxed)) return {};
  return failure(ErrorCode::kCancelled, "stopped before it was done");
}

}  // namespace paraprint
