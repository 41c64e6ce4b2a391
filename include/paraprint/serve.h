// The service: the index of known pages over HTTP. docs/service.md describes its API; GET /openapi.json is the
// machine-readable description.
//
// Example:
//
//   std::atomic<bool> stop = false;  // set by a signal handler or another thread
//   ServeOptions options;
//   options.data = "pages.index";
//   RunControl control;
//   control.stop = &stop;
//   Status ended = serve(options, control);  // returns after `stop` has been set
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// Limits for clients. A request that exceeds one is rejected with an HTTP error and a reason.
struct ServiceLimits {
  std::uint64_t max_body_bytes = std::uint64_t{16} << 20;  // per request, or per line of a bulk request
  std::uint32_t max_header_bytes = 16384;
  std::uint32_t max_connections = 1024;
  // Requests being processed or waiting for a thread. More would only wait longer.
  std::uint32_t max_requests = 256;
  // Clients that follow the feed. They count as connections, but not as requests while they wait for events.
  std::uint32_t max_streams = 256;
  // Total size of the bodies held in memory for all connections.
  std::uint64_t max_buffered_bytes = std::uint64_t{512} << 20;
  // Pages per second for each client address; 0: no limit. Bulk requests are slowed down, others are rejected.
  double rate = 0;
  double burst = 100;  // pages that a client may send at once after being idle
  // Timeouts, in seconds
  std::uint32_t idle_timeout = 60;    // for a connection without a request
  std::uint32_t header_timeout = 10;  // from the first byte of a request to the end of its header
  std::uint32_t body_timeout = 60;    // from there to the end of the body; for bulk requests, between two chunks
  std::uint32_t write_timeout = 30;   // without progress in sending the response
  std::uint32_t stop_timeout = 30;    // for requests in flight when the service is asked to stop
};

enum class ServiceLog : std::uint8_t {
  kRequests,  // one line per request, and everything in kErrors
  kErrors,    // failed requests, start and stop
  kNone,
};

// Which calls become events of the feed.
enum class FeedScope : std::uint8_t {
  kOff,   // none: there is no feed
  kAdds,  // pages that are added, or looked up and added, and deletions
  kAll,   // lookups, too
};

// The verdicts as a stream of numbered events (docs/feed.md), which are kept in the folder of the index.
struct FeedOptions {
  FeedScope feed = FeedScope::kOff;
  // What is kept at least: an age ("7d") or a number of events ("1000000"); and what at most: a size ("10GB"). Several
  // are separated by commas.
  std::string feed_keep = "7d,1GB";
  // Receivers that get the events by POST, in order, each at least once. They may have private addresses.
  std::vector<std::string> webhook;
  // Secrets that sign these requests: none, one for all webhooks, or one for each.
  std::vector<std::string> webhook_secrets;
  // The verdicts that webhooks get, or "deleted"; empty: every event.
  std::vector<std::string> webhook_verdicts;
  std::uint32_t webhook_batch = 100;  // events per request, at most
  double webhook_delay = 0.5;         // seconds that an incomplete batch waits for more events
  double webhook_timeout = 10;        // seconds per request
};

struct ServeOptions {
  std::string data;                   // folder of the index; created if missing, unless read_only
  std::string backups;                // folder for backups requested by clients; empty: such requests are rejected
  std::string address = "127.0.0.1";  // an IP address of this machine
  std::uint16_t port = 8710;          // 0: any free port
  // Requests without this bearer token are rejected. If empty, authentication is off; binding to a non-loopback address
  // then requires allow_anonymous.
  std::string token;
  bool allow_anonymous = false;
  // Answer lookups only, from the snapshots that another process publishes (IndexOptions::read_only); calls that change
  // the index are rejected.
  bool read_only = false;
  std::uint32_t refresh = 5;  // of a read_only service: seconds between two looks for a newer snapshot
  unsigned threads = 0;       // request threads; 0: twice the number of processors, because some wait for the disk
  ProfileOptions profile;
  // Also keep what added pages state of their publication (IndexPageInput::origin).
  bool provenance = false;
  IndexOptions index;  // identity, create_if_missing and read_only are set by serve()
  ServiceLimits limits;
  FeedOptions feed;
  ServiceLog log = ServiceLog::kRequests;

  Status validate() const;
};

struct ServeEvents {
  // Called with the port once the service accepts requests.
  std::function<void(std::uint16_t)> ready;
  // Called once when the service has been asked to stop and accepts no further requests.
  std::function<void()> stopping;
  // Called once, from another thread, if stopping takes more than a second longer than ServiceLimits::stop_timeout
  // because a call cannot be interrupted (a disk that is slow or does not answer). It may end the process at once: what
  // was acknowledged is as durable as after a kill. If it is empty or returns, serve() waits for the call.
  std::function<void()> abandon;
  // Receives each log line, a JSON object without a trailing newline; called from one thread at a time.
  std::function<void(std::string_view)> log;
};

// Serves until `control.stop` is set, then closes the index: new requests are rejected, those in flight are completed,
// which is a success. Warnings: repairs of the index, which are also logged. No progress. Blocks; all its threads have
// ended when it returns. Errors: those of ServeOptions::validate() and PageIndex::open(); kInputOutput if it cannot
// listen on the address; kCancelled if requests were still in flight after stop_timeout, or the stop came while search
// tables were being rebuilt.
Status serve(const ServeOptions& options, const RunControl& control, const ServeEvents& events = {});

}  // namespace paraprint
