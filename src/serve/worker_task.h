// Runs the work of a request on a worker thread and continues on the I/O thread, without depending on memory in
// between.
#pragma once

#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "serve/http_session.h"

namespace paraprint::inline service {

// Memory for the completion that one connection posts at a time. It is reserved before the work begins: an exception
// on a worker thread would end the process, and a result that cannot be handed over would keep its connection forever.
class CompletionMemory {
 public:
  CompletionMemory() = default;
  CompletionMemory(const CompletionMemory&) = delete;
  CompletionMemory& operator=(const CompletionMemory&) = delete;

  void* allocate(std::size_t size_bytes) {
    if (is_used_ || size_bytes > sizeof bytes_) return ::operator new(size_bytes);
    is_used_ = true;
    return bytes_;
  }
  void deallocate(void* memory) {
    if (memory != bytes_) return ::operator delete(memory);
    is_used_ = false;
  }

 private:
  alignas(std::max_align_t) std::byte bytes_[256];
  bool is_used_ = false;  // passed between the threads together with the completion
};

// For Asio, which takes the memory of a handler from the allocator associated with it.
template <class Value>
class CompletionAllocator {
 public:
  using value_type = Value;
  explicit CompletionAllocator(CompletionMemory& memory) : memory_(&memory) {}
  template <class Other>
  CompletionAllocator(const CompletionAllocator<Other>& other) : memory_(&other.memory()) {}

  Value* allocate(std::size_t count) { return static_cast<Value*>(memory_->allocate(count * sizeof(Value))); }
  void deallocate(Value* memory, std::size_t) { memory_->deallocate(memory); }
  CompletionMemory& memory() const { return *memory_; }
  template <class Other>
  bool operator==(const CompletionAllocator<Other>& other) const {
    return memory_ == &other.memory();
  }

 private:
  CompletionMemory* memory_;
};

template <class Action>
struct Completion {
  using allocator_type = CompletionAllocator<void>;
  allocator_type get_allocator() const noexcept { return allocator_type(*memory); }
  void operator()() { action(); }

  CompletionMemory* memory;
  Action action;
};

// Whether what a worker thread does counts as a request in progress (ServiceLimits::max_requests).
enum class WorkKind : std::uint8_t { kRequest, kUncounted };

// Calls work() on a worker thread and then finish() on the I/O thread; in between it counts as `kind` says.
// `finish` keeps the session alive, and with it everything that `work` uses: it moves back to the I/O thread, where
// sessions must be destroyed. std::bad_alloc if nothing was started.
template <class Work, class Finish>
void run_on_worker(ServerContext& context, CompletionMemory& memory, Work work, Finish finish,
                   WorkKind kind = WorkKind::kRequest) {
  static_assert(std::is_nothrow_invocable_v<Work&>);
  static_assert(std::is_nothrow_move_constructible_v<Finish>);
  const auto count = [&context, kind](bool begins) {
    if (kind == WorkKind::kUncounted) return;
    context.requests_at_once += begins ? 1U : -1U;
    context.service.gauges().requests_at_once = context.requests_at_once;
  };
  auto completion = [count, finish = std::move(finish)]() mutable {
    count(false);
    finish();
  };
  // Asio's operation adds a few pointers to the handler.
  static_assert(sizeof(Completion<decltype(completion)>) + 8 * sizeof(void*) <= sizeof(CompletionMemory));
  count(true);
  try {
    boost::asio::post(context.workers,
                      [&context, &memory, work = std::move(work), completion = std::move(completion)]() mutable {
                        work();
                        boost::asio::post(context.io, Completion<decltype(completion)>{&memory, std::move(completion)});
                      });
  } catch (const std::exception&) {
    count(false);
    throw;
  }
}

}  // namespace paraprint::inline service
