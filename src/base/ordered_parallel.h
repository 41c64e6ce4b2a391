// Parallel processing between a serial source and a serial sink in source order: the loop of every stage that processes
// a whole crawl. The output does not depend on the number of threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "base/stop.h"
#include "paraprint/result.h"

namespace paraprint::inline base {

// The implementation of run_in_order() below, which has the contract.
template <class Input, class Output, class Produce, class Process, class Consume>
class OrderedRun {
 public:
  OrderedRun(unsigned threads, Produce produce, Process process, Consume consume)
      : threads_(threads),
        window_(std::uint64_t{threads} * kPiecesPerThread),
        produce_(std::move(produce)),
        process_(std::move(process)),
        consume_(std::move(consume)) {}

  Status run() {
    std::vector<std::thread> workers;
    workers.reserve(threads_);
    for (unsigned worker = 0; threads_ > 1 && worker < threads_; ++worker) {
      Result<std::thread> started = start_thread("processes input", [this, worker, flag = StopScope::current()] {
        const StopScope scope(flag);
        work(worker);
      });
      if (!started) break;  // fewer threads give the same result
      workers.push_back(std::move(*started));
    }
    if (workers.empty()) work(0);
    for (std::thread& worker : workers) worker.join();
    if (exception_) std::rethrow_exception(exception_);
    return status_;
  }

 private:
  static constexpr unsigned kPiecesPerThread = 4;

  struct Piece {
    std::uint64_t sequence = 0;
    Input input;
  };

  void work(unsigned worker) {
    try {
      while (std::optional<Piece> piece = take()) {
        drain(piece->sequence, process_(worker, std::move(piece->input)));
      }
    } catch (...) {  // out of memory: rethrown by run()
      const std::lock_guard lock(order_mutex_);
      if (!exception_) exception_ = std::current_exception();
      stop({});
    }
  }

  // Waits for room in the window, then returns the next piece; nullopt at the end or after an error.
  std::optional<Piece> take() {
    const std::lock_guard source_lock(source_mutex_);
    {
      std::unique_lock lock(order_mutex_);
      room_.wait(lock, [this] { return stopped_ || next_sequence_ < next_consumed_ + window_; });
      if (stopped_) return std::nullopt;
    }
    Result<std::optional<Input>> produced = next_input();
    if (!produced) {
      const std::lock_guard lock(order_mutex_);
      stop(tl::unexpected<Error>(std::move(produced.error())));
      return std::nullopt;
    }
    if (!produced->has_value()) return std::nullopt;
    return Piece{next_sequence_++, std::move(**produced)};
  }

  Result<std::optional<Input>> next_input() {
    PARAPRINT_TRY(check_stop());
    return produce_();
  }

  // Stores an output, then consumes all outputs that are next in order, unless another thread is doing so.
  void drain(std::uint64_t sequence, Output&& output) {
    std::unique_lock lock(order_mutex_);
    waiting_.emplace(sequence, std::move(output));
    while (!is_draining_ && !stopped_ && !waiting_.empty() && waiting_.begin()->first == next_consumed_) {
      auto node = waiting_.extract(waiting_.begin());
      is_draining_ = true;
      lock.unlock();
      Status consumed = consume_(std::move(node.mapped()));
      lock.lock();
      is_draining_ = false;
      ++next_consumed_;
      if (!consumed) stop(std::move(consumed));
      room_.notify_all();
    }
  }

  // Requires order_mutex_. The first error is kept.
  void stop(Status&& error) {
    if (!stopped_) status_ = std::move(error);
    stopped_ = true;
    room_.notify_all();
  }

  const unsigned threads_;
  const std::uint64_t window_;  // maximum number of pieces in flight
  Produce produce_;
  Process process_;
  Consume consume_;
  std::mutex source_mutex_;
  std::uint64_t next_sequence_ = 0;  // under source_mutex_
  std::mutex order_mutex_;           // guards all below
  std::condition_variable room_;
  std::map<std::uint64_t, Output> waiting_;  // processed, but not yet consumed
  std::uint64_t next_consumed_ = 0;
  bool is_draining_ = false;  // a thread is in consume_()
  bool stopped_ = false;
  Status status_;
  std::exception_ptr exception_;
};

// Runs `threads` workers until the source is empty or something fails.
//   produce() -> Result<std::optional<Input>>   the next piece, nullopt at the end; one call at a time
//   process(worker, Input&&) -> Output          on any thread; `worker` is 0 to threads - 1, to select scratch memory
//   consume(Output&&) -> Status                 in the order of produce; one call at a time
//
// At most `threads` * 4 pieces are in flight, so memory is bounded by the size of a piece. A worker that finishes a
// piece consumes all pieces that are next in order, so no thread is reserved for reading or writing.
//
// The first error ends the run and is returned, as is a stop request (base/stop.h); the pieces consumed before
// then are a prefix of the source. An exception in one of the three functions (std::bad_alloc) ends the run like an
// error and is rethrown. If the system provides fewer threads, those do all the work.
template <class Input, class Output, class Produce, class Process, class Consume>
Status run_in_order(unsigned threads, Produce produce, Process process, Consume consume) {
  return OrderedRun<Input, Output, Produce, Process, Consume>(threads, std::move(produce), std::move(process),
                                                              std::move(consume))
      .run();
}

}  // namespace paraprint::inline base
