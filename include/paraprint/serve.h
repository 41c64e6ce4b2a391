// The service: the index of known pages over HTTP. docs/service.md describes the calls; GET /openapi.json has them for
// programs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// What clients may ask for. Whoever passes a limit is told so with a 4xx status and a reason.
struct ServiceLimits {
  std::uint64_t body_bytes = std::uint64_t{16} << 20;  // of a request, and of a line of a bulk request
  std::uint32_t header_bytes = 16384;
  std::uint32_t connections = 1024;
  // Requests that are worked on or wait for a thread. More would only wait longer.
  std::uint32_t requests_at_once = 256;
  // Bodies held in memory, of all connections together.
  std::uint64_t buffered_bytes = std::uint64_t{512} << 20;
  // Pages a second and client address; 0: no limit. A bulk request is slowed down, others are refused.
  double pages_per_second = 0;
  double pages_burst = 100;  // what a client that has waited may ask for at once
  // Seconds. A connection without a request; from a request's first byte to the end of its header; from there to the
  // end of its body (bulk: between two pieces of it); without progress in sending the answer; for requests under way
  // when the service is asked to stop.
  std::uint32_t idle_seconds = 60;
  std::uint32_t header_seconds = 10;
  std::uint32_t body_seconds = 60;
  std::uint32_t write_seconds = 30;
  std::uint32_t stop_seconds = 30;
};

enum class ServiceLog : std::uint8_t {
  kRequests,  // a line a request, and what follows
  kErrors,    // requests that failed, start and stop
  kNone,
};

struct ServeOptions {
  std::string data;                   // folder of the index; made if missing
  std::string backups;                // folder for backups that clients ask for; empty: they may not
  std::string address = "127.0.0.1";  // an IP address of this machine
  std::uint16_t port = 8710;          // 0: one that is free
  // Who does not send it as a bearer token is refused. Empty: everyone may ask, which another address than loopback
  // needs allow_anonymous for.
  std::string token;
  bool allow_anonymous = false;
  unsigned threads = 0;  // that work on requests; 0: twice the processors, for some wait for the disk
  ProfileOptions profile;
  IndexOptions index;  // identity and create_if_missing are set by serve()
  ServiceLimits limits;
  ServiceLog log = ServiceLog::kRequests;

  Status validate() const;
};

struct ServeControl {
  // Set to true, from anywhere: no new requests, those under way are finished. Looked at several times a second.
  const std::atomic<bool>* stop = nullptr;
  // Called once the service answers, with the port.
  std::function<void(std::uint16_t)> ready;
  // Gets each line of the log, a JSON object without its line end; from one thread at a time.
  std::function<void(std::string_view)> log;
};

// Serves until asked to stop, then closes the index. Blocks; its own threads end before it returns. Errors: those of
// options and PageIndex::open(); kInputOutput when the address can't be listened on, and kCancelled when requests were
// still under way after stop_seconds.
Status serve(const ServeOptions& options, const ServeControl& control);

}  // namespace paraprint
