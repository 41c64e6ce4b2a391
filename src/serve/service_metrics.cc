// Counting and rendering of the metrics. Counters are arrays indexed by enumerators, so that counting needs no lock and
// no allocation; names and labels are only made when Prometheus asks. Rendering reads counters one by one: a sum may
// differ from its parts by the requests that finish meanwhile.
#include "serve/service_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "online/index_answer_json.h"

namespace paraprint::inline service {

// The statuses that the service sends. The last entry collects all others.
const std::array<unsigned, ServiceMetrics::kStatuses> ServiceMetrics::kStatusValues = {
    0, 200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 431, 500, 501, 503, 507, 1 /* any other */};
// Upper bounds of the histogram's buckets.
const std::array<double, ServiceMetrics::kBuckets> ServiceMetrics::kBucketSeconds = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

namespace {

// Prometheus requires HELP and TYPE once per metric, before its first sample.
void begin_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP paraprint_{0} {1}\n# TYPE paraprint_{0} {2}\n", name, help, type);
}

void single_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help,
                   std::uint64_t value) {
  begin_metric(out, name, type, help);
  fmt::format_to(std::back_inserter(out), "paraprint_{} {}\n", name, value);
}

struct CallLabels {
  std::string_view method = "";
  std::string_view path = "other";
};

// The table of routes has the order of the calls; the number after the last one means "no such call".
CallLabels labels_of(std::size_t call) {
  if (call >= std::size(kRoutes)) return {};
  return {kRoutes[call].method, kRoutes[call].path};
}

}  // namespace

// Called once per request, from the I/O thread; the atomics are for render(), which runs on a worker.
void ServiceMetrics::count_request(const RequestRecord& record) {
  const std::size_t call = record.route != nullptr ? std::size_t{record.route->number} : kCalls - 1;
  const auto* const status = std::find(kStatusValues.begin(), kStatusValues.end() - 1, record.status);
  ++requests_[call][static_cast<std::size_t>(status - kStatusValues.begin())];
  const double seconds = std::chrono::duration<double>(record.duration).count();
  // Buckets are counted separately here and summed up when rendered, as Prometheus wants cumulative ones.
  const auto* const bucket = std::lower_bound(kBucketSeconds.begin(), kBucketSeconds.end(), seconds);
  ++durations_[call][static_cast<std::size_t>(bucket - kBucketSeconds.begin())];
  duration_microseconds_[call] += static_cast<std::uint64_t>(std::max(0.0, seconds) * 1e6);
  received_bytes_ += record.received_bytes;
  sent_bytes_ += record.sent_bytes;
  // The reason comes back from the response as a name; a refusal is rare enough for a search.
  for (std::size_t i = 0; i < kRefusals && !record.reason.empty(); ++i) {
    if (refusal_name(static_cast<Refusal>(i)) == record.reason) ++refused_[i];
  }
}

void ServiceMetrics::render_requests(std::string& out) const {
  begin_metric(out, "requests_total", "counter", "Requests by call and status; status 0: the connection broke.");
  for (std::size_t call = 0; call < kCalls; ++call) {
    const CallLabels labels = labels_of(call);
    for (std::size_t i = 0; i < kStatuses; ++i) {
      const std::uint64_t count = requests_[call][i];
      if (count == 0) continue;
      const std::string status = i + 1 < kStatuses ? std::to_string(kStatusValues[i]) : "other";
      fmt::format_to(std::back_inserter(out),
                     "paraprint_requests_total{{method=\"{}\",path=\"{}\",status=\"{}\"}} {}\n", labels.method,
                     labels.path, status, count);
    }
  }
  begin_metric(out, "refused_total", "counter", "Refused requests and bulk lines by reason.");
  // All reasons, even those with 0: a rate can only be computed over a series that exists before its first event.
  for (std::size_t i = 0; i < kRefusals; ++i) {
    fmt::format_to(std::back_inserter(out), "paraprint_refused_total{{reason=\"{}\"}} {}\n",
                   refusal_name(static_cast<Refusal>(i)), refused_[i].load());
  }
}

// Calls that were never made are left out: 15 buckets of each would bury the rest.
void ServiceMetrics::render_durations(std::string& out) const {
  begin_metric(out, "request_seconds", "histogram",
               "Time from the first byte of a request to the last byte of its response.");
  for (std::size_t call = 0; call < kCalls; ++call) {
    const CallLabels labels = labels_of(call);
    std::uint64_t sum = 0;
    for (const Counter& counter : durations_[call]) sum += counter;
    if (sum == 0) continue;
    const std::string name = fmt::format("method=\"{}\",path=\"{}\"", labels.method, labels.path);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= kBuckets; ++i) {
      below += durations_[call][i];
      const std::string limit = i < kBuckets ? fmt::format("{}", kBucketSeconds[i]) : "+Inf";
      fmt::format_to(std::back_inserter(out), "paraprint_request_seconds_bucket{{{},le=\"{}\"}} {}\n", name, limit,
                     below);
    }
    fmt::format_to(std::back_inserter(out), "paraprint_request_seconds_sum{{{0}}} {1:.6f}\n", name,
                   static_cast<double>(duration_microseconds_[call]) * 1e-6);
    fmt::format_to(std::back_inserter(out), "paraprint_request_seconds_count{{{}}} {}\n", name, below);
  }
}

// Single calls and bulk lines count alike here; requests_total counts a bulk request once.
void ServiceMetrics::render_pages(std::string& out) const {
  begin_metric(out, "pages_total", "counter", "Pages looked up or added by verdict.");
  for (const auto& [call, counters] : {std::pair{"lookup", &looked_up_}, std::pair{"add", &added_}}) {
    for (std::size_t i = 0; i < kVerdicts; ++i) {
      fmt::format_to(std::back_inserter(out), "paraprint_pages_total{{call=\"{}\",verdict=\"{}\"}} {}\n", call,
                     index_verdict_name(static_cast<Verdict>(i)), (*counters)[i].load());
    }
  }
  begin_metric(out, "changes_total", "counter", "Added pages by what changed under their id.");
  for (std::size_t i = 0; i < kChanges; ++i) {
    fmt::format_to(std::back_inserter(out), "paraprint_changes_total{{change=\"{}\"}} {}\n",
                   page_change_name(static_cast<PageChange>(i)), changes_[i].load());
  }
}

// Values of the index are passed in, because they are read from the index at the moment of the request.
std::string ServiceMetrics::render(const IndexStatistics& statistics) const {
  std::string out;
  const auto uptime = std::chrono::steady_clock::now() - started_;
  begin_metric(out, "info", "gauge", "Version of the program.");
  fmt::format_to(std::back_inserter(out), "paraprint_info{{version=\"{}\"}} 1\n", version());
  single_metric(out, "uptime_seconds", "gauge", "Seconds since the service started.",
                static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(uptime).count()));
  render_requests(out);
  render_durations(out);
  render_pages(out);
  single_metric(out, "received_bytes_total", "counter", "Bytes of request bodies.", received_bytes_);
  single_metric(out, "sent_bytes_total", "counter", "Bytes of response bodies.", sent_bytes_);
  single_metric(out, "connections", "gauge", "Open connections.", connections);
  single_metric(out, "connections_accepted_total", "counter", "Connections accepted.", connections_accepted);
  single_metric(out, "connections_refused_total", "counter", "Connections refused over the limit.",
                connections_refused);
  single_metric(out, "requests_at_once", "gauge", "Requests in progress or waiting for a thread.", requests_at_once);
  single_metric(out, "streams", "gauge", "Clients that follow the feed.", streams);
  single_metric(out, "buffered_bytes", "gauge", "Bytes of request bodies in memory.", buffered_bytes);
  single_metric(out, "index_pages", "gauge", "Pages in the index.", statistics.pages);
  single_metric(out, "index_texts", "gauge", "Distinct texts in the index.", statistics.texts);
  single_metric(out, "index_segments", "gauge", "Search table files.", statistics.segments);
  single_metric(out, "index_segment_bytes", "gauge", "Bytes of the search table files.", statistics.segment_bytes);
  single_metric(out, "index_head_texts", "gauge", "Texts in memory that no search table file has yet.",
                statistics.head_texts);
  single_metric(out, "index_head_bytes", "gauge", "Bytes of memory for these texts.", statistics.head_bytes);
  single_metric(out, "index_template_bytes", "gauge", "Bytes of memory for the counts of site templates.",
                statistics.template_bytes);
  single_metric(out, "index_database_bytes", "gauge", "Bytes of the database on disk.", statistics.database_bytes);
  single_metric(out, "index_merges_total", "counter", "Merges of search table files since the start.",
                statistics.merges);
  single_metric(out, "index_snapshot_timestamp_seconds", "gauge",
                "Unix time of the snapshot that is read, or was published last; 0: none.", statistics.snapshot_seconds);
  single_metric(out, "index_warnings", "gauge", "Warnings of the index; GET /v1/stats lists them.",
                statistics.warnings.size());
  return out;
}

}  // namespace paraprint::inline service
