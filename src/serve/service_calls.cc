// The calls that are answered at once. A call decodes its request, profiles the page if there is one, asks the index
// and writes JSON. Errors travel as Refused values to answer(), which also handles exceptions.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "feed/feed_event.h"
#include "online/index_answer_json.h"
#include "profile/profile_members.h"
#include "report/json_lines.h"
#include "serve/page_service.h"

namespace paraprint::inline service {
namespace {

// A cluster of mirrors can have 100,000 pages; an answer is built in memory.
constexpr std::size_t kClusterPagesUsual = 100;
constexpr std::size_t kClusterPagesMaximum = 10'000;

std::size_t named_bytes(const IndexedPage& page) {
  std::size_t bytes = page.id.size() + page.url.size() + page.date.size() + page.cluster.size();
  if (!page.stated) return bytes;
  const PageMetadata& stated = page.stated->metadata;
  for (const std::string* text : {&stated.date_published, &stated.date_modified, &stated.author, &stated.site_name,
                                  &stated.source_name, &stated.source_url, &stated.canonical_url}) {
    bytes += text->size();
  }
  return bytes;
}

// Removes the last of these objects, so that the others have at most kNamedBytesMaximum; the first one stays. Returns
// whether any was removed.
bool shorten_list(std::vector<std::string>& pages) {
  std::size_t kept = 0;
  for (std::size_t bytes = 0; kept < pages.size(); ++kept) {
    bytes += pages[kept].size();
    if (kept > 0 && bytes > kNamedBytesMaximum) break;
  }
  const bool is_shorter = kept < pages.size();
  pages.resize(kept);
  return is_shorter;
}

constexpr std::size_t kBackupNameBytesMaximum = 64;

// A valid folder name on any system that cannot contain a path separator or "..".
bool is_backup_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kBackupNameBytesMaximum && std::all_of(name.begin(), name.end(), is_allowed);
}

// The value of `name`, the only parameter that the call accepts; empty if it is not given.
Answer<std::string> only_parameter(const RoutedTarget& target, std::string_view name) {
  for (const TargetParameter& parameter : target.parameters) {
    if (parameter.name != name) {
      return refuse(Refusal::kBadParameter, fmt::format("unknown parameter {}", parameter.name));
    }
  }
  // By their number: the first of two may be empty.
  if (target.parameters.size() > 1) return refuse(Refusal::kBadParameter, fmt::format("duplicate parameter {}", name));
  return target.parameters.empty() ? std::string() : target.parameters.front().value;
}

void write_side(JsonWriter& json, std::string_view name, const PreparedRequest& side) {
  json.key(name);
  json.begin_object();
  json.member("content_characters", side.profile.content_characters);
  if (!side.text.empty()) json.member("text", side.text);
  json.end_object();
}

}  // namespace

// No default case: the compiler then warns when a call is added without an entry here.
Answer<HttpResponse> PageService::dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  switch (call_of(*target.route)) {
    case Call::kAddPage:
    case Call::kLookupPage:
      return handle_page(call_of(*target.route), target, head, body);
    case Call::kCompare:
      return compare_pages(head, body);
    case Call::kExtract:
      return extract_page(target, head, body);
    case Call::kFindPage:
      return find_page(target);
    case Call::kGetPage:
      return get_page(target);
    case Call::kDeletePage:
      return delete_page(target);
    case Call::kGetCluster:
      return get_cluster(target);
    case Call::kTrace:
      return trace_copies(target);
    case Call::kEvents:
      return get_events(target, head);
    case Call::kStatistics:
      return statistics();
    case Call::kBackUp:
      return back_up(target);
    case Call::kMetrics:
      return metrics_text();
    case Call::kReadiness:
      return readiness();
    case Call::kHealth: {
      HttpResponse response;
      response.body = "{\"status\":\"alive\"}\n";
      return response;
    }
    case Call::kDescription: {
      HttpResponse response;
      response.body = kServiceDescription;
      return response;
    }
    case Call::kBulkAdd:
    case Call::kBulkLookup:
      break;  // the transport passes them to a BulkConversation
  }
  return refuse(Refusal::kInternal, "internal error: bulk call dispatched as a single request");
}

// Answers kAddPage and kLookupPage, which differ only in write_answer().
Answer<HttpResponse> PageService::handle_page(Call call, const RoutedTarget& target, const RequestHead& head,
                                              std::string_view body) {
  WorkerLease lease(*this);
  Answer<PageRequest> request = (*lease).decoder.decode_page(head.content_type, body, target.parameters);
  if (!request) return tl::unexpected<Refused>(request.error());
  const Answer<PreparedRequest> page = prepare(*lease, std::move(*request));
  if (!page) return tl::unexpected<Refused>(page.error());
  JsonWriter json;
  json.begin_object();
  const Answer<std::string_view> verdict = write_answer(call, *page, json);
  if (!verdict) return tl::unexpected<Refused>(verdict.error());
  json.end_object();
  HttpResponse response = json_response(json);
  response.verdict = *verdict;
  return response;
}

// A known page has a stored profile but no stored text, so its evidence has spans without text.
Answer<PreparedRequest> PageService::prepare_side(ServiceWorker& worker, ComparedSide&& side,
                                                  bool with_evidence) const {
  if (side.known_id.empty()) {
    side.page.options.lookup.evidence = with_evidence;
    return prepare(worker, std::move(side.page));
  }
  Result<Profile> known = index_->get_profile(side.known_id);
  if (!known) return tl::unexpected<Refused>(refused_by_index(known.error()));
  PreparedRequest prepared;
  prepared.profile = std::move(*known);
  if (compares_paragraphs()) return prepared;
  Result<PageFingerprint> fingerprint = index_->get_fingerprint(side.known_id);
  if (!fingerprint) return tl::unexpected<Refused>(refused_by_index(fingerprint.error()));
  prepared.fingerprint = std::move(*fingerprint);
  return prepared;
}

// Another algorithm decides the match; the spans of the paragraph method remain as evidence.
Result<CompareOutcome> PageService::compare_prepared(const PreparedRequest& a, const PreparedRequest& b) const {
  PARAPRINT_ASSIGN(CompareOutcome pair, compare(a.profile, b.profile, options_.index.match));
  if (compares_paragraphs()) return pair;
  PARAPRINT_ASSIGN(pair.match, compare(FingerprintedPage{a.fingerprint, a.profile.content_characters},
                                       FingerprintedPage{b.fingerprint, b.profile.content_characters},
                                       index_->algorithm(), options_.index.match));
  return pair;
}

// Compares without the index, except that a side may be one of its pages. Site templates are unknown here, so all
// paragraphs have weight. Nothing is stored.
Answer<HttpResponse> PageService::compare_pages(const RequestHead& head, std::string_view body) {
  if (page_body_of(head.content_type) != PageBody::kJson) {
    return refuse(Refusal::kUnsupportedType, "Content-Type must be application/json");
  }
  // The sides are prepared one after the other, with one worker: its profiler's text is copied in between.
  WorkerLease lease(*this);
  Answer<CompareRequest> request = (*lease).decoder.decode_comparison(body);
  if (!request) return tl::unexpected<Refused>(request.error());
  Answer<PreparedRequest> a = prepare_side(*lease, std::move(request->a), request->with_evidence);
  if (!a) return tl::unexpected<Refused>(a.error());
  Answer<PreparedRequest> b = prepare_side(*lease, std::move(request->b), request->with_evidence);
  if (!b) return tl::unexpected<Refused>(b.error());
  const Result<CompareOutcome> pair = compare_prepared(*a, *b);
  if (!pair) return tl::unexpected<Refused>(refused_by_index(pair.error()));
  JsonWriter json;
  json.begin_object();
  // Two pages without anything in common are "distinct"; "new" is an answer about all known pages.
  json.member("verdict", verdict_name(pair->match.verdict));
  write_score(json, "resemblance", pair->match.resemblance);
  write_score(json, "containment_a", pair->match.containment_a);
  write_score(json, "containment_b", pair->match.containment_b);
  json.member("matched_characters", Real{pair->match.matched_characters, kCharactersDecimals});
  write_side(json, "a", *a);
  write_side(json, "b", *b);
  if (request->with_evidence) {
    json.key("passages");
    write_spans(json, pair->spans);
  }
  json.end_object();
  HttpResponse response = json_response(json);
  response.verdict = verdict_name(pair->match.verdict);
  return response;
}

// Answers as `paraprint extract` prints. The index is not asked; a page has the id that it would have there.
Answer<HttpResponse> PageService::extract_page(const RoutedTarget& target, const RequestHead& head,
                                               std::string_view body) {
  WorkerLease lease(*this);
  Answer<PageRequest> request = (*lease).decoder.decode_page(head.content_type, body, target.parameters);
  if (!request) return tl::unexpected<Refused>(request.error());
  if (request->profile) {
    return refuse(Refusal::kMissingPage, "a profile has no text; send \"html\", \"text\" or \"body_base64\"");
  }
  Page& page = request->page;
  if (page.id.empty()) page.id = page.url;
  const Result<const MainContent*> content = (*lease).profiler.extract(page, until_cut_off_);
  if (!content) return tl::unexpected<Refused>(refused_by_index(content.error()));
  JsonWriter json;
  json.begin_object();
  write_content_members(json, page, **content);
  json.end_object();
  return json_response(json);
}

// Page and profile are read one after the other. If the page is deleted in between, the answer is that it is unknown;
// if it is replaced, the profile is the newer one.
Answer<HttpResponse> PageService::get_page(const RoutedTarget& target) const {
  Answer<std::string> with_profile = only_parameter(target, "profile");
  if (!with_profile) return tl::unexpected<Refused>(with_profile.error());
  if (!with_profile->empty() && *with_profile != "true") {
    return refuse(Refusal::kBadParameter, "parameter profile must be true or omitted");
  }
  const Result<IndexedPage> page = index_->get(target.id);
  if (!page) return tl::unexpected<Refused>(refused_by_index(page.error()));
  JsonWriter json;
  json.begin_object();
  write_stored_page_members(json, *page, nullptr);
  if (!with_profile->empty()) {
    const Result<Profile> profile = index_->get_profile(target.id);
    if (!profile) return tl::unexpected<Refused>(refused_by_index(profile.error()));
    json.member("settings", identity_);
    json.member("profile", encoded_profile(*profile));
  }
  json.end_object();
  return json_response(json);
}

// A query parameter and not a path segment, so that a URL can be sent with the encoding of ordinary forms.
Answer<HttpResponse> PageService::find_page(const RoutedTarget& target) const {
  const Answer<std::string> url = only_parameter(target, "url");
  if (!url) return tl::unexpected<Refused>(url.error());
  if (url->empty()) return refuse(Refusal::kBadParameter, "missing parameter url");
  const Result<IndexedPage> page = index_->find_by_url(*url);
  if (!page) return tl::unexpected<Refused>(refused_by_index(page.error()));
  JsonWriter json;
  json.begin_object();
  write_stored_page_members(json, *page, nullptr);
  json.end_object();
  return json_response(json);
}

// Deleting an unknown page is 404 instead of a silent success, so that a wrong id is noticed.
Answer<HttpResponse> PageService::delete_page(const RoutedTarget& target) {
  const Answer<bool> is_told = is_event(true);
  if (!is_told) return tl::unexpected<Refused>(is_told.error());
  if (*is_told) {
    // Before the page is removed: afterwards, a request that is sent again finds no page, and would have no event.
    const Result<IndexedPage> page = index_->get(target.id);
    if (!page && page.error().code == ErrorCode::kNotFound) {
      return tl::unexpected<Refused>(refused_by_index(page.error()));
    }
    if (const Status writable = index_->check_writable(); !writable) {
      return tl::unexpected<Refused>(refused_by_index(writable.error()));
    }
    if (const Answer<void> told = tell_feed(deleted_members(target.id, page ? page->url : ""), true); !told) {
      return tl::unexpected<Refused>(told.error());
    }
  }
  const Result<bool> was_there = index_->remove(target.id);
  if (!was_there) return tl::unexpected<Refused>(refused_by_index(was_there.error()));
  if (!*was_there) return refuse(Refusal::kUnknownId, fmt::format("no page with the id {}", target.id));
  JsonWriter json;
  json.begin_object();
  write_deletion_members(json, target.id, true);
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> PageService::get_cluster(const RoutedTarget& target) const {
  const Answer<std::string> limit_text = only_parameter(target, "limit");
  if (!limit_text) return tl::unexpected<Refused>(limit_text.error());
  std::size_t limit = kClusterPagesUsual;
  if (!limit_text->empty()) {
    // Five digits are enough for the maximum and cannot overflow std::stoul().
    const bool is_number = limit_text->size() <= 5 && limit_text->find_first_not_of("0123456789") == std::string::npos;
    limit = is_number ? std::stoul(*limit_text) : 0;
    if (limit < 1 || limit > kClusterPagesMaximum) {
      return refuse(Refusal::kBadParameter, fmt::format("limit must be a number from 1 to {}", kClusterPagesMaximum));
    }
  }
  std::vector<IndexedPage> pages;
  std::size_t bytes = 0;
  bool is_complete = true;
  const Status read = index_->for_each_page_of_cluster(target.id, [&](IndexedPage&& page) {
    bytes += named_bytes(page);
    is_complete = pages.empty() || (pages.size() < limit && bytes <= kNamedBytesMaximum);
    if (is_complete) pages.push_back(std::move(page));
    return is_complete;
  });
  if (!read) return tl::unexpected<Refused>(refused_by_index(read.error()));
  JsonWriter json;
  json.begin_object();
  json.member("id", target.id);
  json.member("complete", is_complete);
  json.key("pages");
  json.begin_array();
  for (const IndexedPage& page : pages) {
    json.begin_object();
    write_stored_page_members(json, page, nullptr);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> PageService::trace_copies(const RoutedTarget& target) const {
  const Answer<TraceOptions> options = read_trace_options(target.parameters);
  if (!options) return tl::unexpected<Refused>(options.error());
  Result<TracedCopies> traced = index_->trace(target.id, *options, until_cut_off_);
  if (!traced) return tl::unexpected<Refused>(refused_by_index(traced.error()));
  if (shorten_list(traced->pages)) traced->has_more = true;
  JsonWriter json;
  json.begin_object();
  write_trace_members(json, target.id, *traced);
  json.end_object();
  return json_response(json);
}

Answer<EventSubscription> PageService::subscribe(const RoutedTarget& target, const RequestHead& head) const {
  if (!feed_) return refuse(Refusal::kEventsOff, "there is no feed: the service was started without --feed");
  std::vector<EventParameter> parameters;
  for (const TargetParameter& parameter : target.parameters) parameters.push_back({parameter.name, parameter.value});
  Result<EventRequest> request = parse_event_request(parameters, head.last_event_id, head.accept);
  if (!request) return refuse(Refusal::kBadParameter, request.error().message);
  const std::uint64_t after = request->after.value_or(feed_->log().published());
  EventReader reader(feed_->log(), request->filter, after);
  return EventSubscription{std::move(*request), std::move(reader)};
}

// What there is. The transport carries out requests that wait for events.
Answer<HttpResponse> PageService::get_events(const RoutedTarget& target, const RequestHead& head) const {
  Answer<EventSubscription> subscription = subscribe(target, head);
  if (!subscription) return tl::unexpected<Refused>(subscription.error());
  const Result<EventPage> page = read_page(subscription->reader, subscription->request.limit);
  if (!page) return tl::unexpected<Refused>(refused_by_index(page.error()));
  HttpResponse response;
  response.content_type = kJsonLinesType;
  response.body = page->text + position_line(subscription->reader);
  return response;
}

// The same numbers as `paraprint index stats`, preceded by the version.
Answer<HttpResponse> PageService::statistics() const {
  const Result<IndexStatistics> statistics = index_->statistics();
  if (!statistics) return tl::unexpected<Refused>(refused_by_index(statistics.error()));
  JsonWriter json;
  json.begin_object();
  json.member("version", version());
  write_statistics_members(json, *statistics);
  if (feed_) {
    json.key("feed");
    json.begin_object();
    feed_->write_statistics(json);
    json.end_object();
  }
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> PageService::metrics_text() const {
  const Result<IndexStatistics> statistics = index_->statistics();
  if (!statistics) return tl::unexpected<Refused>(refused_by_index(statistics.error()));
  HttpResponse response;
  // The type by which Prometheus recognises its text format.
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = metrics_.render(*statistics);
  if (feed_) response.body += feed_->metrics();
  return response;
}

// Creates a folder inside the one that the operator configured: clients choose its name, never its location. One backup
// runs at a time; a second request is refused instead of blocking a worker thread.
Answer<HttpResponse> PageService::back_up(const RoutedTarget& target) {
  Answer<std::string> name = only_parameter(target, "name");
  if (!name) return tl::unexpected<Refused>(name.error());
  if (options_.backups.empty()) {
    return refuse(Refusal::kBackupsOff, "backups are disabled: the service was started without --backups");
  }
  // The time has a resolution of one second; a second backup within it is refused as existing.
  if (name->empty()) *name = fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr)));
  if (!is_backup_name(*name)) {
    return refuse(Refusal::kBadParameter,
                  fmt::format("name must be 1 to {} letters, digits, '-' or '_'", kBackupNameBytesMaximum));
  }
  const std::unique_lock lock(backup_mutex_, std::try_to_lock);
  if (!lock) return refuse(Refusal::kBusy, "another backup is in progress; try again later");
  // PageIndex::backup() checks this as well, but its error has no code of its own that could become backup-exists.
  const std::string folder = options_.backups + "/" + *name;
  const Result<bool> exists = path_exists(folder);
  if (!exists) return tl::unexpected<Refused>(refused_by_index(exists.error()));
  if (*exists) {
    return refuse(Refusal::kBackupExists, fmt::format("a backup named {} already exists", *name));
  }
  if (const Status made = index_->backup(folder, until_cut_off_); !made) {
    return tl::unexpected<Refused>(refused_by_index(made.error()));
  }
  JsonWriter json;
  json.begin_object();
  json.member("backup", *name);
  json.end_object();
  return json_response(json);
}

// A service that cannot store pages is not ready, even though lookups still work. One that only reads need not.
Answer<HttpResponse> PageService::readiness() const {
  if (is_stopping_) return refuse(Refusal::kStopping, "the service is shutting down");
  if (const Status readable = index_->check_readable(); !readable) {
    return tl::unexpected<Refused>(refused_by_index(readable.error()));
  }
  if (const Status writable = options_.read_only ? Status{} : index_->check_writable(); !writable) {
    return refuse(Refusal::kIndexReadOnly, fmt::format("lookups work, changes do not: {}", writable.error().message));
  }
  if (const Status writable = feed_ ? feed_->check_writable() : Status{}; !writable) {
    return refuse(Refusal::kIndexReadOnly, fmt::format("changes are refused: {}", writable.error().message));
  }
  HttpResponse response;
  response.body = "{\"status\":\"ready\"}\n";
  return response;
}

}  // namespace paraprint::inline service
