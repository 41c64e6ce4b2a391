// Lets few readers of the log work at once, in the order in which they asked, so that threads stay free for other work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace paraprint::inline event_feed {

// A reader that asks for its turn.
class TurnTaker {
 public:
  // Its turn has come. False if it cannot take it.
  virtual bool begin_turn() noexcept = 0;

 protected:
  ~TurnTaker() = default;
};

// Not thread-safe.
class ReadTurns {
 public:
  explicit ReadTurns(std::size_t at_once) : at_once_(at_once) {}
  ReadTurns(const ReadTurns&) = delete;
  ReadTurns& operator=(const ReadTurns&) = delete;

  // `taker` gets a turn, now or in a later call of end(), unless it is withdrawn before. It may not wait already.
  void ask(TurnTaker& taker) {
    waiting_.push_back(&taker);
    begin();
  }
  // Costs a look at all that wait. Does nothing if `taker` does not.
  void withdraw(const TurnTaker& taker) {
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), &taker), waiting_.end());
  }
  // Call it once for each turn that was taken.
  void end() {
    --taken_;
    begin();
  }

 private:
  void begin() {
    while (taken_ < at_once_ && !waiting_.empty()) {
      TurnTaker& next = *waiting_.front();
      waiting_.pop_front();
      if (next.begin_turn()) ++taken_;
    }
  }

  const std::size_t at_once_;
  std::size_t taken_ = 0;
  std::deque<TurnTaker*> waiting_;
};

}  // namespace paraprint::inline event_feed
