// When a host may be asked again: after a delay, and after a longer pause if it is in trouble.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_schedule.h"
#include "memory/seeded_hash.h"
#include "paraprint/crawl.h"

namespace paraprint::inline crawler {

// When a host may be asked for a robots.txt that another host redirects to. It need not be a host of the crawl, so it
// has no turns in the schedule, and any number of hosts may redirect to it.
//
// One request at a time and a pause after each. Who has to wait is given a turn of its own, so that many don't come
// back at once. Memory grows with the hosts that are asked or waited for now. Used by one thread.
class RedirectTurns {
 public:
  using Time = HostSchedule::Time;
  // Also without --delay: who has to wait must not come back at once.
  static constexpr std::chrono::milliseconds kPauseMinimum{100};

  explicit RedirectTurns(Time::duration pause) : pause_(std::max<Time::duration>(pause, kPauseMinimum)) {}

  // Empty: the host may be asked now, and is busy until end(). Otherwise the time of the caller's turn, at which it
  // calls again. `has_turn`: the turn that it was given has come.
  std::optional<Time> begin(const std::string& host, Time now, bool has_turn);

  // The answer of the host has arrived. `asked_for`: how long it wants to be left alone.
  void end(const std::string& host, Time now, Time::duration asked_for);

  std::size_t size() const { return hosts_.size(); }

 private:
  struct Host {
    Time rested{};     // the pause after the last answer is over
    Time next_turn{};  // not given to anybody yet
    bool is_busy = false;
  };
  static constexpr std::size_t kForgetsAtMinimum = 1000;

  void forget_idle(Time now);

  Time::duration pause_;
  std::unordered_map<std::string, Host, SeededHash> hosts_;
  std::size_t forgets_at_ = kForgetsAtMinimum;
};

// True for failures that may pass. A refused address, a bad certificate or a 404 will be the same in five seconds.
bool is_worth_another_attempt(const FetchResult& fetch);

// Options and frontier must outlive it.
class HostPacing {
 public:
  HostPacing(const CrawlOptions& options, CrawlFrontier& frontier) : options_(options), frontier_(frontier) {}

  // Ends the request that keeps the host busy and puts the host back into the schedule, if it has queued addresses. The
  // pause after failures doubles with each one in a row, whatever address it was: a host in trouble is left alone as a
  // whole.
  void release(std::size_t host, const FetchResult& fetch, bool has_failed);

  // Keeps the host away until `due`, without an answer: its request could not be sent yet.
  void postpone(std::size_t host, HostSchedule::Time due);

  // The pause between two requests to a host that has asked for nothing.
  HostSchedule::Time::duration usual_pause() const;
  // The pause that an answer asks for, by Retry-After or as a failure.
  HostSchedule::Time::duration pause_after(const FetchResult& fetch) const;

 private:
  double own_delay_seconds() const;
  double delay_of_seconds(const CrawlHost& host) const;

  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
};

}  // namespace paraprint::inline crawler
