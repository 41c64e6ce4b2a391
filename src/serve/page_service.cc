// What the calls of service_calls.cc and the lines of bulk requests share: a page is decoded and profiled before the
// index is asked, because only the index is shared state. Profilers and decoders keep parsers and scratch memory and
// are not thread-safe, so each request leases a pair from a pool.
//
// Errors travel as Refused values. answer(), prepare_line() and answer_line() catch exceptions, which means out of
// memory: a page that needs too much fails alone and the service continues.
#include "serve/page_service.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "feed/feed_event.h"
#include "memory/release_memory.h"
#include "online/index_answer_json.h"

namespace paraprint::inline service {
namespace {

bool adds(Call call) {
  return call == Call::kAddPage || call == Call::kBulkAdd;
}

// Views into `page`, which must outlive the result.
IndexPageInput input_of(const PreparedRequest& page) {
  IndexPageInput input;
  input.id = page.request.page.id;
  input.url = page.request.page.url;
  input.date = page.request.page.date;
  input.profile = &page.profile;
  input.fingerprint = &page.fingerprint;
  input.origin = page.origin;
  return input;
}

// Adding may have to wait for as long as the index merges or copies its search tables. At most half of the threads
// wait, so that the others go on with other requests. A backup takes one of them itself.
std::uint32_t waiting_threads_maximum(const ServeOptions& options) {
  return (request_threads(options) - (options.backups.empty() ? 0U : 1U)) / 2;
}

Refused internal_error(const std::exception& error) {
  return {Refusal::kInternal, fmt::format("the request could not be processed: {}", error.what())};
}

// There is no room in memory while search tables are merged or copied for long, which ends. Where there is none on the
// disk, the index cannot be written.
Refused refused_by_adding(const Error& error, const Status& writable) {
  if (error.code == ErrorCode::kNoSpace && writable) return {Refusal::kBusy, error.message};
  return refused_by_index(error);
}

}  // namespace

Result<std::unique_ptr<PageService>> PageService::open(const ServeOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  std::unique_ptr<PageService> service(new PageService(options));
  PARAPRINT_TRY(service->create_workers());
  // A missing index is created: a new service starts with an empty one. One that only reads needs an index.
  IndexOptions index_options = options.index;
  index_options.read_only = options.read_only;
  index_options.identity = service->identity_;
  index_options.algorithm = options.profile.algorithm;
  index_options.create_if_missing = true;
  index_options.waiting_maximum = waiting_threads_maximum(options);
  PARAPRINT_ASSIGN(std::unique_ptr<PageIndex> index, PageIndex::open(options.data, index_options, control));
  service->index_ = std::move(index);
  // Now, because they may be inside the folder of the index, which is created only where there is nothing.
  if (!options.backups.empty()) {
    PARAPRINT_TRY(create_folders(options.backups));
  }
  if (options.feed.feed != FeedScope::kOff) {
    PARAPRINT_ASSIGN(service->feed_, EventFeed::open(options.data + "/feed", options.feed, options.index));
  }
  return service;
}

// All of them now, one per thread: their models are read from files, which may be removed or replaced while the service
// runs. Opening the index compares their identity with that of the stored profiles.
Status PageService::create_workers() {
  const unsigned count = request_threads(options_);
  for (unsigned created = 0; created < count; ++created) {
    PARAPRINT_ASSIGN(Profiler profiler, Profiler::create(options_.profile, {.provenance = options_.provenance}));
    if (created == 0) identity_ = profiler.settings_identity();
    if (profiler.settings_identity() != identity_) {
      return failure(ErrorCode::kInvalidArgument, "a model file was replaced while the service was starting");
    }
    workers_.push_back(std::make_unique<ServiceWorker>(ServiceWorker{std::move(profiler), RequestDecoder(identity_)}));
  }
  return {};
}

// Waits for one if more threads than those of the service ask. No thread leases two.
std::unique_ptr<ServiceWorker> PageService::take_worker() {
  std::unique_lock lock(workers_mutex_);
  worker_is_free_.wait(lock, [this] { return !workers_.empty(); });
  std::unique_ptr<ServiceWorker> worker = std::move(workers_.back());
  workers_.pop_back();
  return worker;
}

void PageService::give_worker(std::unique_ptr<ServiceWorker> worker) {
  const std::lock_guard lock(workers_mutex_);
  workers_.push_back(std::move(worker));  // within the capacity from create_workers()
  worker_is_free_.notify_one();
}

HttpResponse PageService::answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  try {
    Answer<HttpResponse> answered = dispatch(target, head, body);
    return answered ? std::move(*answered) : response_of(answered.error());
  } catch (const std::exception& error) {  // out of memory: this request fails, the others continue
    return response_of(internal_error(error));
  }
}

// Frees the body as soon as the page has its profile: a bulk request prepares a whole batch before it asks the index.
// The text is that of the profiler's last page and must be copied before the next one.
Answer<PreparedRequest> PageService::prepare(ServiceWorker& worker, PageRequest&& request) const {
  PreparedRequest prepared;
  if (request.profile) {
    if (!compares_paragraphs()) {
      return refuse(Refusal::kBadProfile,
                    "this service compares page fingerprints; send the page instead of a profile");
    }
    prepared.profile = std::move(*request.profile);
    request.profile.reset();
  } else {
    const Result<const Profile*> profile = worker.profiler.profile(request.page, until_cut_off_);
    if (!profile) return tl::unexpected<Refused>(refused_by_index(profile.error()));
    prepared.profile = **profile;
    prepared.fingerprint = worker.profiler.fingerprint();
    Result<std::string> origin = worker.profiler.origin(until_cut_off_);
    if (!origin) return tl::unexpected<Refused>(refused_by_index(origin.error()));
    prepared.origin = std::move(*origin);
    // A page sent as a profile has no text, so its evidence has spans without text, too.
    if (request.options.lookup.evidence) prepared.text = worker.profiler.content().text;
  }
  prepared.request = std::move(request);
  release_memory(prepared.request.page.body);
  return prepared;
}

// Asked before the index is changed, so that as a rule no page is added whose event cannot be stored.
Answer<bool> PageService::is_event(bool changes_index) const {
  if (!feed_ || !(changes_index || feed_->has_lookups())) return false;
  if (const Status writable = feed_->check_writable(); !writable) {
    return tl::unexpected<Refused>(refused_by_index(writable.error()));
  }
  return true;
}

Answer<void> PageService::tell_feed(std::string_view members, bool waits) const {
  if (members.empty()) return {};
  const Status told = feed_->append(members, waits);
  if (told) return {};
  Refused refused = refused_by_index(told.error());
  refused.message = fmt::format("the event could not be stored, so send this again (it may have changed the index): {}",
                                refused.message);
  return tl::unexpected<Refused>(std::move(refused));
}

// Writes nothing on failure, so that the caller can write a refusal into the same object.
Answer<std::string_view> PageService::write_answer(Call call, const PreparedRequest& page, JsonWriter& json) {
  const IndexPageInput input = input_of(page);
  const AddOptions& options = page.request.options;
  const StopScope scope(&is_cut_off_);
  const Answer<bool> is_told = is_event(adds(call));
  if (!is_told) return tl::unexpected<Refused>(is_told.error());
  std::string event;
  Verdict verdict = Verdict::kDistinct;
  if (adds(call) && !options.lookup.filter.is_empty()) {
    return refuse(Refusal::kBadParameter, "filters of known pages are for lookups; a page is added whatever they say");
  }
  if (adds(call)) {
    const Result<AddOutcome> answer = index_->lookup_or_add(input, options);
    if (!answer) return tl::unexpected<Refused>(refused_by_adding(answer.error(), index_->check_writable()));
    if (answer->change == PageChange::kChanged && !options.replace_known) {
      return refuse(Refusal::kIdExists, "the id is already known with a different text, and \"replace\" is false");
    }
    if (*is_told) event = added_members(input, *answer);
    if (const Answer<void> told = tell_feed(event, options.wait_for_sync); !told) {
      return tl::unexpected<Refused>(told.error());
    }
    write_added_members(json, input, *answer);
    verdict = answer->lookup.verdict;
    metrics_.count_added(verdict, answer->change);
  } else {
    const Result<LookupOutcome> answer = index_->lookup(input, options.lookup);
    if (!answer) return tl::unexpected<Refused>(refused_by_index(answer.error()));
    if (*is_told) event = looked_up_members(input, *answer);
    if (const Answer<void> told = tell_feed(event, options.wait_for_sync); !told) {
      return tl::unexpected<Refused>(told.error());
    }
    write_lookup_members(json, input, *answer);
    verdict = answer->verdict;
    metrics_.count_lookup(verdict);
  }
  if (!page.text.empty()) json.member("text", page.text);
  return index_verdict_name(verdict);
}

// Runs on any worker thread, many lines at once. Exceptions must not leave it, because other lines are in progress.
Answer<PreparedRequest> PageService::prepare_line(std::string_view line, const AddOptions& defaults) {
  try {
    WorkerLease lease(*this);
    Answer<PageRequest> request = (*lease).decoder.decode_line(line, defaults);
    if (!request) return tl::unexpected<Refused>(request.error());
    return prepare(*lease, std::move(*request));
  } catch (const std::exception& error) {
    return tl::unexpected<Refused>(internal_error(error));
  }
}

// Lines before and after one that needs too much memory are answered as usual.
std::string PageService::answer_line(Call call, const Answer<PreparedRequest>& page, std::uint64_t line_number) {
  try {
    return write_line(call, page, line_number);
  } catch (const std::exception& error) {
    return write_line(call, tl::unexpected<Refused>(internal_error(error)), line_number);
  }
}

// A line has the members of a single answer plus its number. Refused lines count like refused requests.
std::string PageService::write_line(Call call, const Answer<PreparedRequest>& page, std::uint64_t line_number) {
  JsonWriter json;
  json.begin_object();
  json.member("line", line_number);
  Answer<std::string_view> verdict =
      page ? write_answer(call, *page, json) : Answer<std::string_view>(tl::unexpected<Refused>(page.error()));
  if (!verdict) {
    write_refusal(json, verdict.error());
    metrics_.count_line_refused(verdict.error().refusal);
  }
  json.end_object();
  return take_json_line(json);
}

Answer<void> PageService::make_lines_durable(Call call) {
  // In the other modes, an answer promises only that the change survives a kill of the process.
  if (options_.index.sync != SyncMode::kAlways) return {};
  Status synced;
  if (adds(call)) synced = index_->sync();
  if (synced && feed_) synced = feed_->make_durable();
  if (!synced) return tl::unexpected<Refused>(refused_by_index(synced.error()));
  return {};
}

}  // namespace paraprint::inline service
