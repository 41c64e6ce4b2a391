// Hosts are kept in memory, addresses only on disk: a crawl may know millions of addresses on thousands of hosts. Each
// host has its own queue, ordered by priority and age, so its pages are requested breadth-first.
//
// Every event collects its changes in a CrawlChanges and commits them as one batch. The state does not see a batch
// before it is committed, which is why CrawlChanges remembers the addresses offered in it.
#include "crawl/crawl_frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "web/url_cleaning.h"

namespace paraprint::inline crawler {
namespace {

// Sitemaps first: they lead to pages in fewer steps than links. Pages follow in the order of their depth.
constexpr std::uint8_t kSitemapPriority = 0;
constexpr std::uint8_t kFirstPagePriority = 1;
// Addresses requeued per batch, which bounds its memory.
constexpr std::size_t kBatchAddresses = 1000;

// Why an address was skipped whose robots.txt could not be fetched, which may pass (robots_files.cc).
bool is_unreachable(CrawlReason reason) {
  return reason == CrawlReason::kRobotsUnreachable || reason == CrawlReason::kNameResolution ||
         reason == CrawlReason::kPrivateAddress;
}

// Whether an address was skipped for the way that led to it: anybody may have linked to it in that way, so it is wanted
// once another one does. Earlier versions skipped what was behind too many redirects. A port may be that of a seed now.
bool is_skipped_by_path(CrawlReason reason) {
  return reason == CrawlReason::kDepth || reason == CrawlReason::kTooManyRedirects ||
         reason == CrawlReason::kSitemapLimit || reason == CrawlReason::kBadPort || reason == CrawlReason::kHostPorts;
}

// Whether a limit, 0 for none, is larger than before.
bool is_raised(std::uint64_t before, std::uint64_t now) {
  return before != 0 && (now == 0 || now > before);
}

// An entry was removed, which may not be committed yet.
void pass(CrawlHost& host, QueuePlace place) {
  const auto first = host.first_sequences.find(place.priority);
  if (first != host.first_sequences.end() && first->second == place.sequence) ++first->second;
}

}  // namespace

Result<std::unique_ptr<CrawlFrontier>> CrawlFrontier::open(const CrawlOptions& options, const CrawlSystem& system) {
  std::unique_ptr<CrawlFrontier> frontier(new CrawlFrontier(options, system));
  const std::string work_folder = options.out + "/.paraprint";
  PARAPRINT_TRY(create_folders(work_folder));
  PARAPRINT_ASSIGN(std::unique_ptr<CrawlState> state, CrawlState::open(work_folder + "/state"));
  frontier->state_ = std::move(state);
  PARAPRINT_ASSIGN(CrawlJournal journal,
                   CrawlJournal::open(work_folder + "/journal", system.boot(),
                                      [&](std::string_view batch) { return frontier->state_->apply(batch); }));
  frontier->journal_.emplace(std::move(journal));
  // Only now, because the journal may contain a newer position than the database.
  PARAPRINT_ASSIGN(std::optional<CrawlPosition> position, frontier->state_->position());
  PARAPRINT_ASSIGN(std::string seeds, frontier->state_->seeds());
  if (position) {
    frontier->position_ = std::move(*position);
    frontier->seeds_ = seeds.empty() ? std::move(frontier->position_.seeds) : std::move(seeds);
  } else {
    frontier->position_.crawl_id = system.random_id();
    frontier->position_.depth = options.depth;
    frontier->position_.pages_per_host = options.max_pages_per_host;
    frontier->position_.hosts_per_domain = options.max_hosts_per_domain;
  }
  PARAPRINT_ASSIGN(AppendingFile log, AppendingFile::open(options.out + "/log.jsonl", frontier->position_.log_bytes));
  frontier->log_.emplace(std::move(log));
  PARAPRINT_TRY(frontier->state_->for_each_host([&](std::string_view name, const HostRecord& record) -> Status {
    const std::size_t number = frontier->host_number(name);
    frontier->host(number).record = record;
    frontier->schedule(number);
    return {};
  }));
  return frontier;
}

std::size_t CrawlFrontier::host_number(std::string_view name) {
  const auto [found, is_new] = host_numbers_.try_emplace(std::string(name), hosts_.size());
  if (is_new) {
    hosts_.push_back(std::make_unique<CrawlHost>());
    hosts_.back()->name = name;
    if (const std::string_view domain = scope_.domain_of(name); !domain.empty())
      ++hosts_of_domain_[std::string(domain)];
  }
  return found->second;
}

// Hosts are stored with the changes that they come from, so a resumed crawl admits those that were admitted before.
bool CrawlFrontier::admits_host(std::string_view name) const {
  if (options_.max_hosts_per_domain == 0 || host_numbers_.contains(std::string(name))) return true;
  const auto found = hosts_of_domain_.find(std::string(scope_.domain_of(name)));
  return found == hosts_of_domain_.end() || found->second < options_.max_hosts_per_domain;
}

// When the seeds are known: the hosts of earlier runs were added before.
void CrawlFrontier::count_hosts_of_domains() {
  hosts_of_domain_.clear();
  for (const std::unique_ptr<CrawlHost>& host : hosts_) {
    if (const std::string_view domain = scope_.domain_of(host->name); !domain.empty()) {
      ++hosts_of_domain_[std::string(domain)];
    }
  }
}

// A host is in the schedule at most once and never while a request is in progress, so it gets one request at a time.
void CrawlFrontier::schedule(std::size_t number) {
  CrawlHost& host = *hosts_[number];
  if (host.is_busy || host.is_waiting || host.record.queued == 0) return;
  host.is_waiting = true;
  schedule_.add(number, host.due);
}

// What can be decided without knowing the host's robots.txt; the rest is decided just before the request.
CrawlReason CrawlFrontier::refusal(const CrawlOffer& offer) const {
  if (offer.kind == QueueEntry::Kind::kSitemap) {
    const bool is_within_limits =
        offer.depth <= kSitemapDepthMaximum &&
        (offer.redirects > 0 || hosts_[offer.named_by_host]->record.sitemaps < kSitemapsPerHost);
    return is_within_limits ? refusal_of_port(offer.url) : CrawlReason::kSitemapLimit;
  }
  if (const CrawlReason reason = scope_.refusal(offer.url); reason != CrawlReason::kNone) return reason;
  return offer.depth > options_.depth ? CrawlReason::kDepth : refusal_of_port(offer.url);
}

CrawlReason CrawlFrontier::refusal_of_port(const Url& url) const {
  if (scope_.is_bad_port(url)) return CrawlReason::kBadPort;
  const auto found = host_numbers_.find(url.host);
  const bool has_room = found == host_numbers_.end() || hosts_[found->second]->record.ports.size() < kPortsPerHost;
  return has_room || knows_port(url) ? CrawlReason::kNone : CrawlReason::kHostPorts;
}

bool CrawlFrontier::knows_port(const Url& url) const {
  if (scope_.is_usual_port(url)) return true;
  const auto found = host_numbers_.find(url.host);
  return found != host_numbers_.end() && hosts_[found->second]->record.ports.contains(url.port);
}

Status CrawlFrontier::offer(CrawlChanges& changes, CrawlOffer offer) {
  const bool is_page = offer.kind == QueueEntry::Kind::kPage;
  if (!offer.is_canonical) offer.url = is_page ? scope_.canonical(offer.url) : without_final_dot(std::move(offer.url));
  // Links to other hosts are only counted: there may be far more of them than addresses in the crawl.
  if (!scope_.contains(offer.url)) {
    ++position_.links_off_scope;
    return {};
  }
  if (!changes.offered.emplace(offer.url.href, offer.kind).second) return {};
  PARAPRINT_ASSIGN(std::optional<UrlRecord> known, state_->url(offer.url.href, offer.kind));
  const CrawlReason reason = refusal(offer);
  // Seeds are exempt: the caller asked for them. Sitemaps are not: any robots.txt may name some on other hosts. Skipped
  // addresses are counted at the domain, because their host is not kept.
  const bool is_seed = is_page && offer.depth == 0;
  // A skipped seed is wanted in any case.
  const bool was_skipped = known && known->status == UrlStatus::kSkipped;
  const bool was_behind_redirects = known && known->reason == CrawlReason::kRedirectLimit;
  // A queued page that is found on a shorter way gets another entry, so that more of its links are within the depth;
  // the first one is dropped when its turn comes. Queued seeds are moved (move_queued_seeds()).
  const bool is_nearer =
      known && known->status == UrlStatus::kQueued && is_page && !is_seed && offer.depth < known->depth;
  const bool is_wanted = is_nearer || (was_behind_redirects && offer.redirects < kRedirectsMaximum) ||
                         (was_skipped && (is_seed || is_skipped_by_path(known->reason)));
  if (known && (!is_wanted || reason != CrawlReason::kNone)) return {};
  if (!is_seed && !admits_host(offer.url.host)) {
    const std::size_t domain = changes.touch(host_number(scope_.domain_of(offer.url.host)));
    return skip(changes, domain, offer, CrawlReason::kDomainHosts);
  }
  const std::size_t host = changes.touch(host_number(offer.url.host));
  if (reason != CrawlReason::kNone) return skip(changes, host, offer, reason);
  if (was_skipped || was_behind_redirects) uncount(changes, offer.url.host, *known);
  if (!scope_.is_usual_port(offer.url)) hosts_[host]->record.ports.insert(offer.url.port);
  if (!is_page && offer.redirects == 0) ++hosts_[changes.touch(offer.named_by_host)]->record.sitemaps;
  UrlRecord queued = is_nearer || was_skipped ? *known : UrlRecord{};  // what is known of its last capture stays
  queued.status = UrlStatus::kQueued;
  queued.reason = CrawlReason::kNone;
  queued.depth = static_cast<std::uint8_t>(offer.depth);
  queued.kind = offer.kind;
  changes.batch.put_url(offer.url.href, queued);
  // The entry stands for the one that is dropped, too: whoever leads here on a nearer way must not use up the redirects
  // that were left. An address gets nearer a few times only.
  const std::uint32_t redirects = is_nearer ? 0 : offer.redirects;
  enqueue(changes, host,
          {offer.kind, offer.url.href, offer.referrer, static_cast<std::uint8_t>(offer.depth),
           static_cast<std::uint8_t>(redirects), 0});
  if (is_nearer) --hosts_[host]->record.queued;  // counted with its first entry
  schedule(host);
  return {};
}

void CrawlFrontier::enqueue(CrawlChanges& changes, std::size_t number, const QueueEntry& entry) {
  CrawlHost& host = *hosts_[number];
  QueuePlace place;
  const bool is_sitemap = entry.kind == QueueEntry::Kind::kSitemap;
  place.priority = is_sitemap ? kSitemapPriority : static_cast<std::uint8_t>(kFirstPagePriority + entry.depth);
  place.sequence = position_.next_sequence++;
  changes.batch.put_queued(host.name, place, entry);
  host.first_priority = std::min(host.first_priority, place.priority);
  ++host.record.queued;
}

// A skipped address is stored like a settled one, so that it is not considered and logged again for every link to it.
Status CrawlFrontier::skip(CrawlChanges& changes, std::size_t host, const CrawlOffer& offer, CrawlReason reason) {
  UrlRecord record;
  record.status = UrlStatus::kSkipped;
  record.reason = reason;
  record.depth = static_cast<std::uint8_t>(std::min<std::uint32_t>(offer.depth, UINT8_MAX));
  record.kind = offer.kind;
  changes.batch.put_url(offer.url.href, record);
  hosts_[host]->record.count(record, true);
  CrawlLogEntry line;
  line.url = offer.url.href;
  line.status = record.status;
  line.reason = reason;
  line.depth = offer.depth;
  line.referrer = offer.referrer;
  changes.log_lines += crawl_log_line(line, system_.unix_seconds());
  ++changes.size;
  return {};
}

// Looks from one known beginning to the next, which saves the state from searching through what was removed.
Result<std::optional<CrawlState::Queued>> CrawlFrontier::next_queued(std::size_t number) {
  CrawlHost& host = *hosts_[number];
  for (;;) {
    const auto own = host.first_sequences.find(host.first_priority);
    const QueuePlace from{host.first_priority, own == host.first_sequences.end() ? 0 : own->second};
    const auto next = host.first_sequences.upper_bound(host.first_priority);
    const bool is_last = next == host.first_sequences.end();
    PARAPRINT_ASSIGN(std::optional<CrawlState::Queued> queued,
                     state_->next_queued(host.name, from, is_last ? std::nullopt : std::optional(next->first)));
    if (queued) {
      host.first_priority = queued->place.priority;
      host.first_sequences[queued->place.priority] = queued->place.sequence;
    }
    if (queued || is_last) return queued;
    host.first_priority = next->first;
  }
}

Status CrawlFrontier::settle(CrawlChanges& changes, std::size_t number, const CrawlState::Queued& queued,
                             UrlRecord record, CrawlLogEntry line) {
  CrawlHost& host = *hosts_[changes.touch(number)];
  record.kind = queued.entry.kind;
  changes.batch.remove_queued(host.name, queued.place);
  changes.batch.put_url(queued.entry.url, record);
  --host.record.queued;
  pass(host, queued.place);
  host.record.count(record, true);
  line.url = queued.entry.url;
  line.status = record.status;
  line.reason = record.reason;
  line.depth = queued.entry.depth;
  line.referrer = queued.entry.referrer;
  line.attempts = queued.entry.attempts + 1U;
  changes.log_lines += crawl_log_line(line, system_.unix_seconds());
  ++changes.size;
  return {};
}

Result<bool> CrawlFrontier::is_superseded(const CrawlState::Queued& queued) const {
  if (queued.entry.kind != QueueEntry::Kind::kPage) return false;
  PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, state_->url(queued.entry.url));
  return known && (known->status != UrlStatus::kQueued || known->depth < queued.entry.depth);
}

void CrawlFrontier::drop(CrawlChanges& changes, std::size_t number, const CrawlState::Queued& queued) {
  CrawlHost& host = *hosts_[changes.touch(number)];
  changes.batch.remove_queued(host.name, queued.place);
  pass(host, queued.place);
  ++changes.size;
}

// The entry gets a new sequence number and so a new place; the number of attempts travels with it.
void CrawlFrontier::put_back(CrawlChanges& changes, std::size_t number, const CrawlState::Queued& queued) {
  CrawlHost& host = *hosts_[changes.touch(number)];
  changes.batch.remove_queued(host.name, queued.place);
  --host.record.queued;
  pass(host, queued.place);
  QueueEntry entry = queued.entry;
  ++entry.attempts;
  enqueue(changes, number, entry);
}

// Takes back the count of an address. Those beyond the limit of a domain were counted there; since then, another seed
// may have made the host a part of another domain.
void CrawlFrontier::uncount(CrawlChanges& changes, const std::string& host, const UrlRecord& known) {
  std::string_view at = host;
  if (known.reason == CrawlReason::kDomainHosts) {
    const auto is_counted_at = [&](std::string_view name) {
      const auto found = host_numbers_.find(std::string(name));
      if (found == host_numbers_.end()) return false;
      const auto& reasons = hosts_[found->second]->record.reasons;
      const auto counted = reasons.find(CrawlReason::kDomainHosts);
      return counted != reasons.end() && counted->second > 0;
    };
    while (!is_counted_at(at)) {
      const std::size_t dot = at.find('.');
      if (dot == std::string_view::npos) return;
      at.remove_prefix(dot + 1);
    }
  }
  hosts_[changes.touch(host_number(at))]->record.count(known, false);
}

// Skipped addresses are only wanted again if the limit that excluded them was raised, or if it was nothing about them
// that excluded them. Queued ones are still queued.
bool CrawlFrontier::is_wanted_again(const UrlRecord& record, std::int64_t fetched_before_seconds) const {
  switch (record.status) {
    case UrlStatus::kSkipped:
      if (record.reason == CrawlReason::kDepth) return record.depth <= options_.depth;
      if (record.reason == CrawlReason::kHostPages) {
        return is_raised(position_.pages_per_host, options_.max_pages_per_host);
      }
      if (record.reason == CrawlReason::kDomainHosts) {
        return is_raised(position_.hosts_per_domain, options_.max_hosts_per_domain);
      }
      return is_unreachable(record.reason);
    case UrlStatus::kQueued:
      return false;
    default:
      return record.fetched_at_seconds < fetched_before_seconds;
  }
}

// Whether some address may be. The counts of reasons are also those of addresses that were requested.
bool CrawlFrontier::has_wanted_again(std::int64_t fetched_before_seconds) const {
  const bool is_wider = options_.depth > position_.depth ||
                        is_raised(position_.pages_per_host, options_.max_pages_per_host) ||
                        is_raised(position_.hosts_per_domain, options_.max_hosts_per_domain);
  if (is_wider || fetched_before_seconds > 0) return true;
  const HostRecord sum = totals();
  return std::any_of(sum.reasons.begin(), sum.reasons.end(),
                     [](const auto& reason) { return is_unreachable(reason.first) && reason.second > 0; });
}

Status CrawlFrontier::offer_again(std::int64_t fetched_before_seconds) {
  // Reads all known addresses, so only if some may qualify. The walk shows a snapshot (see CrawlState), so addresses
  // that are requeued on the way are not visited twice; a kill in between leaves the rest to the next run.
  CrawlChanges changes;
  if (has_wanted_again(fetched_before_seconds)) {
    UrlParser parser;
    PARAPRINT_TRY(state_->for_each_url([&](std::string_view url, const UrlRecord& known) -> Status {
      if (!is_wanted_again(known, fetched_before_seconds)) return {};
      const std::optional<Url> parsed = parser.parse(url);
      if (!parsed) return {};
      const bool is_beyond_limit = scope_.domain_of(parsed->host).empty() || !admits_host(parsed->host);
      if (known.reason == CrawlReason::kDomainHosts && is_beyond_limit) return {};
      const std::size_t host = changes.touch(host_number(parsed->host));
      uncount(changes, parsed->host, known);
      UrlRecord record = known;
      record.status = UrlStatus::kQueued;
      record.reason = CrawlReason::kNone;
      changes.batch.put_url(url, record);
      enqueue(changes, host, {known.kind, std::string(url), "", known.depth, 0, 0});
      schedule(host);
      if (++changes.size % kBatchAddresses != 0) return {};
      PARAPRINT_TRY(commit(changes));
      return sync();
    }));
  }
  position_.depth = options_.depth;
  position_.pages_per_host = options_.max_pages_per_host;
  position_.hosts_per_domain = options_.max_hosts_per_domain;
  PARAPRINT_TRY(commit(changes));
  return sync();
}

Status CrawlFrontier::add_seeds(UrlParser& parser, CrawlChanges& changes) {
  // All seeds are added to the scope before any is offered, because offer() checks the scope.
  std::unordered_set<std::string> known;
  std::string_view earlier = seeds_;
  while (!earlier.empty()) {
    const std::size_t end = earlier.find('\n');
    if (std::optional<Url> url = parser.parse(earlier.substr(0, end))) {
      scope_.add_seed(without_final_dot(std::move(*url)));
    }
    known.emplace(earlier.substr(0, end));
    earlier.remove_prefix(end + 1);
  }
  std::vector<Url> seeds;
  for (const std::string& text : options_.seeds) {
    std::optional<Url> url = parser.parse(text);
    // People type "example.org".
    if (!url && text.find("://") == std::string::npos) url = parser.parse("https://" + text);
    if (!url) return failure(ErrorCode::kInvalidArgument, fmt::format("'{}' is not an http or https URL", text));
    seeds.push_back(without_final_dot(std::move(*url)));
    scope_.add_seed(seeds.back());
  }
  if (seeds.empty() && seeds_.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} does not contain a crawl to resume; give at least one seed", options_.out));
  }
  count_hosts_of_domains();
  for (Url& url : seeds) {
    if (known.insert(url.href).second) seeds_ += url.href + "\n";
    PARAPRINT_TRY(offer(changes, {url, "", QueueEntry::Kind::kPage, 0, 0}));
  }
  changes.batch.put_seeds(seeds_);
  return move_queued_seeds(changes, seeds);
}

// Addresses that were queued because something linked to them, and are seeds now, become seeds: entries of depth 0.
// Reads the queues of their hosts, each once.
Status CrawlFrontier::move_queued_seeds(CrawlChanges& changes, const std::vector<Url>& seeds) {
  std::unordered_map<std::string, UrlRecord, SeededHash> deeper;
  std::set<std::size_t> hosts;
  for (const Url& seed : seeds) {
    const Url url = scope_.canonical(seed);
    PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, state_->url(url.href));
    if (!known || known->status != UrlStatus::kQueued || known->depth == 0) continue;
    deeper.emplace(url.href, *known);
    hosts.insert(host_number(url.host));
  }
  std::unordered_map<std::string, QueuePlace, SeededHash> places;
  for (const std::size_t number : hosts) {
    QueuePlace from{kFirstPagePriority + 1, 0};
    for (;;) {
      PARAPRINT_ASSIGN(const std::optional<CrawlState::Queued> queued, state_->next_queued(hosts_[number]->name, from));
      if (!queued) break;
      if (deeper.contains(queued->entry.url)) places.emplace(queued->entry.url, queued->place);
      from = queued->place;
      ++from.sequence;
    }
  }
  for (const Url& seed : seeds) {
    const Url url = scope_.canonical(seed);
    const auto place = places.extract(url.href);
    if (place.empty()) continue;
    CrawlHost& host = *hosts_[changes.touch(host_number(url.host))];
    UrlRecord& record = deeper.at(url.href);
    record.depth = 0;
    changes.batch.put_url(url.href, record);
    changes.batch.remove_queued(host.name, place.mapped());
    --host.record.queued;
    enqueue(changes, host_number(url.host), {QueueEntry::Kind::kPage, url.href, "", 0, 0, 0});
  }
  return {};
}

// Not with the position, which may already have counts of the answer at hand.
Status CrawlFrontier::begin_judging(std::string_view url) {
  StateBatch batch;
  batch.put_judging(url);
  PARAPRINT_TRY(journal_->append(batch.bytes()));
  return state_->apply(batch.bytes());
}

// The log first: its new length is part of the batch, so lines without a batch are cut off at the next start, and a
// batch never refers to lines that are missing. Then the journal, before the change becomes visible in memory.
Status CrawlFrontier::commit(CrawlChanges& changes) {
  if (!changes.log_lines.empty()) {
    PARAPRINT_TRY(log_->append(changes.log_lines));
  }
  position_.log_bytes = log_->size_bytes();
  changes.batch.put_position(position_);
  for (const std::size_t number : changes.hosts) changes.batch.put_host(hosts_[number]->name, hosts_[number]->record);
  PARAPRINT_TRY(journal_->append(changes.batch.bytes()));
  PARAPRINT_TRY(state_->apply(changes.batch.bytes()));
  changes.batch.clear();
  changes.log_lines.clear();
  changes.offered.clear();
  changes.hosts.clear();
  changes.size = 0;
  return {};
}

// The journal is emptied last: until the database has the changes, it is the only place that survives a kill.
Status CrawlFrontier::sync() {
  PARAPRINT_TRY(log_->sync());
  PARAPRINT_TRY(state_->commit());
  return journal_->clear(system_.unix_seconds());
}

HostRecord CrawlFrontier::totals() const {
  HostRecord sum;
  for (const std::unique_ptr<CrawlHost>& host : hosts_) sum.add(host->record);
  return sum;
}

}  // namespace paraprint::inline crawler
