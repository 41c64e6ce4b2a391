// Parallel work with a serial source and a serial sink in the source's order: the loop under every stage that goes over
// a whole crawl. What comes out does not depend on the number of threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

// Runs `threads` workers until the source is empty or something fails.
//   produce() -> Result<std::optional<Input>>   the next piece, nullopt at the end; one call at a time
//   process(worker, Input&&) -> Output          on any thread; `worker` is 0 to threads - 1, for scratch memory
//   consume(Output&&) -> Status                 in the order of produce; one call at a time
// At most `threads` * 4 pieces are under way, so memory is bounded by the size of a piece. The first error ends the run
// and is returned; what consume() accepted before is a prefix of the source. A worker that is done with a piece drains
// every piece that is next in order, so no thread is reserved for reading or writing.
template <class Input, class Output, class Produce, class Process, class Consume>
Status run_in_order(unsigned threads, Produce produce, Process process, Consume consume) {
  const std::uint64_t window = std::uint64_t{threads} * 4;
  std::mutex source_mutex;
  std::mutex order_mutex;
  std::condition_variable room;
  std::map<std::uint64_t, Output> waiting;  // finished, not yet in order
  std::uint64_t next_sequence = 0;          // under source_mutex
  std::uint64_t next_consumed = 0;          // under order_mutex
  bool draining = false;                    // under order_mutex: somebody is in consume()
  bool stopped = false;                     // under order_mutex
  Status status;                            // under order_mutex

  const auto stop = [&](Status&& error) {
    const std::lock_guard lock(order_mutex);
    if (!stopped && !error) status = std::move(error);
    stopped = true;
    room.notify_all();
  };
  const auto drain = [&](std::uint64_t sequence, Output&& output) {
    std::unique_lock lock(order_mutex);
    waiting.emplace(sequence, std::move(output));
    while (!draining && !stopped && !waiting.empty() && waiting.begin()->first == next_consumed) {
      auto node = waiting.extract(waiting.begin());
      draining = true;
      lock.unlock();
      Status consumed = consume(std::move(node.mapped()));
      lock.lock();
      draining = false;
      ++next_consumed;
      if (!consumed && !stopped) {
        status = std::move(consumed);
        stopped = true;
      }
      room.notify_all();
    }
  };
  const auto work = [&](unsigned worker) {
    for (;;) {
      std::optional<Input> input;
      std::uint64_t sequence = 0;
      {
        const std::lock_guard source_lock(source_mutex);
        {
          std::unique_lock lock(order_mutex);
          room.wait(lock, [&] { return stopped || next_sequence < next_consumed + window; });
          if (stopped) return;
        }
        Result<std::optional<Input>> produced = produce();
        if (!produced) return stop(tl::unexpected<Error>(std::move(produced.error())));
        if (!produced->has_value()) return;
        input = std::move(*produced);
        sequence = next_sequence++;
      }
      drain(sequence, process(worker, std::move(*input)));
    }
  };

  if (threads <= 1) {
    work(0);
  } else {
    std::vector<std::thread> workers;
    for (unsigned worker = 0; worker < threads; ++worker) workers.emplace_back(work, worker);
    for (std::thread& worker : workers) worker.join();
  }
  return status;
}

}  // namespace paraprint
