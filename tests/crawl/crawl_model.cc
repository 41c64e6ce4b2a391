// The frontier of the model: known addresses, queues, turns and robots.txt files.
#include "crawl/crawl_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "crawl/host_pacing.h"
#include "crawl/soft_404.h"
#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

std::string parent_of(const std::string& host) {
  const std::size_t dot = host.find('.');
  return dot == std::string::npos ? std::string() : host.substr(dot + 1);
}

constexpr std::uint16_t kBadPort = 6667;  // in the simulation

bool is_raised(std::uint64_t before, std::uint64_t now) {
  return before != 0 && (now == 0 || now > before);
}

}  // namespace

// A page that was found on a shorter way has several entries.
std::uint64_t ModelState::queued(const std::string& host) const {
  std::set<std::pair<std::string, QueueEntry::Kind>> queued;
  for (const auto& [place, entry] : hosts.at(host).queue) {
    const auto& table = entry.kind == QueueEntry::Kind::kSitemap ? sitemaps : addresses;
    if (table.at(entry.url).record.status == UrlStatus::kQueued) queued.emplace(entry.url, entry.kind);
  }
  return queued.size();
}

HostRecord ModelState::host_record(const std::string& host) const {
  const ModelHost& known = hosts.at(host);
  HostRecord record = known.record;
  record.queued = queued(host);
  for (const auto* const table : {&addresses, &sitemaps}) {
    for (const auto& [url, address] : *table) {
      if (address.counted_at != host) continue;
      switch (address.record.status) {
        case UrlStatus::kStored:
          ++record.stored;
          break;
        case UrlStatus::kCopy:
          ++record.copies;
          break;
        case UrlStatus::kUnchanged:
          ++record.unchanged;
          break;
        case UrlStatus::kRedirect:
          ++record.redirects;
          break;
        default:
          ++record.reasons[address.record.reason];
      }
    }
  }
  return record;
}

std::vector<ModelState> CrawlModel::begin(const CrawlOptions& options, ModelState found, Moment now) {
  options_ = options;
  now_ = now;
  state_ = std::move(found);
  lines_.resize(state_.lines);
  hosts_.clear();
  redirect_hosts_.clear();
  schedule_.clear();
  seed_hosts_.clear();
  cancel();
  next_request_.reset();
  before_request_.reset();
  pages_of_run_ = 0;
  probes_expire_seconds_ = options.refetch_after < 0 ? INT64_MIN : now.unix_seconds - options.refetch_after;
  // A new crawl.
  if (state_.seeds.empty()) {
    state_.position.depth = options.depth;
    state_.position.pages_per_host = options.max_pages_per_host;
    state_.position.hosts_per_domain = options.max_hosts_per_domain;
  }
  std::vector<ModelState> states = {state_};
  for (const auto& [name, host] : state_.hosts) schedule(name);
  add_seeds();
  states.push_back(state_);
  queue_again();
  states.push_back(state_);
  HostRecord sum;
  for (const auto& [name, host] : state_.hosts) sum.add(state_.host_record(name));
  pages_at_begin_ = sum.pages();
  return states;
}

void CrawlModel::add_seeds() {
  UrlParser parser;
  std::vector<Url> seeds;
  for (const std::string& seed : options_.seeds) seeds.push_back(*parser.parse(seed));
  std::set<std::string> known;
  for (std::size_t begin = 0; begin < state_.seeds.size();) {
    const std::size_t end = state_.seeds.find('\n', begin);
    known.insert(state_.seeds.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto add_host = [this](std::string host) {
    if (options_.scope == HostScope::kDomain && host.starts_with("www.")) host.erase(0, 4);
    seed_hosts_.insert(host);
  };
  for (const std::string& seed : known) add_host(parser.parse(seed)->host);
  for (const Url& seed : seeds) add_host(seed.host);
  for (Url& seed : seeds) {
    if (known.insert(seed.href).second) state_.seeds += seed.href + "\n";
    offer({seed, "", QueueEntry::Kind::kPage, 0, 0});
  }
  for (const Url& seed : seeds) move_to_seeds(without_tracking(seed));
}

// An address that is queued because something linked to it.
void CrawlModel::move_to_seeds(const Url& seed) {
  const auto known = state_.addresses.find(seed.href);
  if (known == state_.addresses.end()) return;
  UrlRecord& record = known->second.record;
  if (record.status != UrlStatus::kQueued || record.depth == 0) return;
  record.depth = 0;
  touch(seed.host);
  std::map<QueuePlace, QueueEntry>& queue = state_.hosts[seed.host].queue;
  queue.erase(std::find_if(queue.begin(), queue.end(), [&](const auto& queued) {
    return queued.second.url == seed.href && queued.second.kind == QueueEntry::Kind::kPage;
  }));
  enqueue(seed.host, {QueueEntry::Kind::kPage, seed.href, "", 0, 0, 0});
}

bool CrawlModel::is_wanted_again(const ModelAddress& address, std::int64_t before_seconds) const {
  const UrlRecord& record = address.record;
  if (record.status == UrlStatus::kQueued) return false;
  if (record.status != UrlStatus::kSkipped) return record.fetched_at_seconds < before_seconds;
  const CrawlPosition& last = state_.position;
  switch (record.reason) {
    case CrawlReason::kDepth:
      return record.depth <= options_.depth;
    case CrawlReason::kHostPages:
      return is_raised(last.pages_per_host, options_.max_pages_per_host);
    case CrawlReason::kDomainHosts:
      return is_raised(last.hosts_per_domain, options_.max_hosts_per_domain);
    case CrawlReason::kRobotsUnreachable:
    case CrawlReason::kNameResolution:
    case CrawlReason::kPrivateAddress:
      return true;
    default:
      return false;
  }
}

void CrawlModel::queue_again() {
  const std::int64_t before = options_.refetch_after < 0 ? 0 : now_.unix_seconds - options_.refetch_after;
  CrawlPosition& last = state_.position;
  const bool is_wider = options_.depth > last.depth || is_raised(last.pages_per_host, options_.max_pages_per_host) ||
                        is_raised(last.hosts_per_domain, options_.max_hosts_per_domain);
  queue_again(QueueEntry::Kind::kPage, is_wider, before);
  queue_again(QueueEntry::Kind::kSitemap, is_wider, before);
  last.depth = options_.depth;
  last.pages_per_host = options_.max_pages_per_host;
  last.hosts_per_domain = options_.max_hosts_per_domain;
}

void CrawlModel::queue_again(QueueEntry::Kind kind, bool is_wider, std::int64_t before_seconds) {
  UrlParser parser;
  for (auto& [url, address] : state_.known(kind)) {
    const bool was_excluded_by_limit =
        address.record.status == UrlStatus::kSkipped &&
        (address.record.reason == CrawlReason::kDepth || address.record.reason == CrawlReason::kHostPages ||
         address.record.reason == CrawlReason::kDomainHosts);
    if (was_excluded_by_limit && !is_wider && before_seconds <= 0) continue;
    if (!is_wanted_again(address, before_seconds)) continue;
    const std::string host = parser.parse(url)->host;
    if (address.record.reason == CrawlReason::kDomainHosts) {
      if (domain_of(host).empty() || !admits(host)) continue;
      touch(domain_of(host));
    }
    touch(host);
    address.record.status = UrlStatus::kQueued;
    address.record.reason = CrawlReason::kNone;
    address.counted_at.clear();
    enqueue(host, {kind, url, "", address.record.depth, 0, 0});
    schedule(host);
  }
}

std::string CrawlModel::domain_of(const std::string& host) const {
  if (options_.scope != HostScope::kDomain) return {};
  for (std::string domain = host; !domain.empty(); domain = parent_of(domain)) {
    if (seed_hosts_.contains(domain)) return domain;
  }
  return {};
}

bool CrawlModel::is_in_scope(const std::string& host) const {
  if (options_.scope == HostScope::kAny) return true;
  return options_.scope == HostScope::kDomain ? !domain_of(host).empty() : seed_hosts_.contains(host);
}

bool CrawlModel::admits(const std::string& host) const {
  const std::string domain = domain_of(host);
  if (options_.max_hosts_per_domain == 0 || domain.empty() || state_.hosts.contains(host)) return true;
  const auto count = std::count_if(state_.hosts.begin(), state_.hosts.end(),
                                   [&](const auto& known) { return domain_of(known.first) == domain; });
  return static_cast<std::uint64_t>(count) < options_.max_hosts_per_domain;
}

// No seed has one of its own.
bool CrawlModel::knows_port(const Url& url) const {
  const auto host = state_.hosts.find(url.host);
  return url.port == 80 || url.port == 443 ||
         (host != state_.hosts.end() && host->second.record.ports.contains(url.port));
}

CrawlReason CrawlModel::refusal(const Offer& offer) const {
  if (offer.kind == QueueEntry::Kind::kSitemap) {
    const auto naming = state_.hosts.find(offer.named_by_host);
    const bool is_over = offer.redirects == 0 && naming != state_.hosts.end() && naming->second.record.sitemaps >= 100;
    if (offer.depth > 2 || is_over) return CrawlReason::kSitemapLimit;
  } else if (const CrawlReason reason = refusal_of_page(offer); reason != CrawlReason::kNone) {
    return reason;
  }
  if (offer.url.port == kBadPort) return CrawlReason::kBadPort;
  const auto host = state_.hosts.find(offer.url.host);
  const bool has_all_ports = host != state_.hosts.end() && host->second.record.ports.size() == 8;
  return has_all_ports && !knows_port(offer.url) ? CrawlReason::kHostPorts : CrawlReason::kNone;
}

CrawlReason CrawlModel::refusal_of_page(const Offer& offer) const {
  if (!options_.exclude.empty() && offer.url.target.find("/excluded/") != std::string::npos)
    return CrawlReason::kExcluded;
  if (repeated_path_segments(offer.url) > 2) return CrawlReason::kRepeatingPath;
  return offer.depth > options_.depth ? CrawlReason::kDepth : CrawlReason::kNone;
}

void CrawlModel::offer(Offer offer) {
  if (offer.kind == QueueEntry::Kind::kPage && !offer.is_canonical) offer.url = without_tracking(offer.url);
  if (!offer.is_canonical) offer.url = undotted(offer.url);
  const std::string host = offer.url.host;
  if (!is_in_scope(host)) {
    ++state_.position.links_off_scope;
    return;
  }
  const CrawlReason reason = refusal(offer);
  // Only the caller's own choice is exempt.
  const bool is_seed = offer.kind == QueueEntry::Kind::kPage && offer.depth == 0;
  ModelAddress address;
  bool is_nearer = false;
  std::map<std::string, ModelAddress>& all = state_.known(offer.kind);
  if (const auto known = all.find(offer.url.href); known != all.end()) {
    const UrlRecord& record = known->second.record;
    const bool depends_on_path = record.reason == CrawlReason::kDepth || record.reason == CrawlReason::kSitemapLimit ||
                                 record.reason == CrawlReason::kBadPort || record.reason == CrawlReason::kHostPorts;
    const bool was_skipped = record.status == UrlStatus::kSkipped && (is_seed || depends_on_path);
    const bool was_behind_redirects = record.reason == CrawlReason::kRedirectLimit && offer.redirects < 10;
    is_nearer = record.status == UrlStatus::kQueued && offer.kind == QueueEntry::Kind::kPage && !is_seed &&
                offer.depth < record.depth;
    if (!(was_skipped || was_behind_redirects || is_nearer) || reason != CrawlReason::kNone) return;
    if (is_nearer || was_skipped) {
      address = known->second;
    } else {
      address.was_judged = known->second.was_judged;
    }
  }
  if (!is_seed && !admits(host)) return skip(domain_of(host), offer, CrawlReason::kDomainHosts);
  if (reason != CrawlReason::kNone) return skip(host, offer, reason);
  touch(host);
  const bool is_further = offer.kind == QueueEntry::Kind::kSitemap && offer.redirects == 0;
  if (is_further) ++state_.hosts[offer.named_by_host].record.sitemaps;
  if (!knows_port(offer.url)) state_.hosts[host].record.ports.insert(offer.url.port);
  address.record.status = UrlStatus::kQueued;
  address.record.reason = CrawlReason::kNone;
  address.record.depth = static_cast<std::uint8_t>(offer.depth);
  address.counted_at.clear();
  all[offer.url.href] = address;
  enqueue(host, {offer.kind, offer.url.href, offer.referrer, static_cast<std::uint8_t>(offer.depth),
                 static_cast<std::uint8_t>(is_nearer ? 0 : offer.redirects), 0});
  schedule(host);
}

void CrawlModel::skip(const std::string& host, const Offer& offer, CrawlReason reason) {
  touch(host);
  ModelAddress address;
  address.counted_at = host;
  address.record.status = UrlStatus::kSkipped;
  address.record.reason = reason;
  address.record.depth = static_cast<std::uint8_t>(offer.depth);
  state_.known(offer.kind)[offer.url.href] = address;
  CrawlLogEntry line;
  line.url = offer.url.href;
  line.reason = reason;
  line.depth = offer.depth;
  line.referrer = offer.referrer;
  lines_.push_back({crawl_log_line(line, now_.unix_seconds), offer.url.href, {}, {}, {}, {}});
  ++state_.lines;
}

void CrawlModel::enqueue(const std::string& host, const QueueEntry& entry) {
  const bool is_sitemap = entry.kind == QueueEntry::Kind::kSitemap;
  const auto priority = static_cast<std::uint8_t>(is_sitemap ? 0 : 1 + entry.depth);
  state_.hosts[host].queue.emplace(QueuePlace{priority, state_.position.next_sequence++}, entry);
}

void CrawlModel::touch(const std::string& host) {
  HostRecord& record = state_.hosts[host].record;
  record.requests += std::exchange(hosts_[host].requests, 0);
  record.received_bytes += std::exchange(hosts_[host].received_bytes, 0);
  record.crawl_delay_seconds = crawl_delay_seconds(host);
}

void CrawlModel::schedule(const std::string& host) {
  Host& known = hosts_[host];
  if (known.is_busy || known.is_waiting || !state_.hosts.contains(host) || state_.queued(host) == 0) return;
  known.is_waiting = true;
  schedule_.emplace(std::pair(known.due, schedule_sequence_++), host);
}

double CrawlModel::usual_pause_seconds() const {
  return options_.pages_per_hour > 0 ? std::max(options_.delay, 3600 / options_.pages_per_hour) : options_.delay;
}

// docs/crawl.md, "Politeness".
void CrawlModel::release(const std::string& host, const FetchResult& fetch, bool has_failed) {
  Host& known = hosts_[host];
  double pause = usual_pause_seconds();
  pause = std::max(pause, std::min(crawl_delay_seconds(host), options_.max_delay));
  known.failures = has_failed ? known.failures + 1 : 0;
  if (has_failed) {
    pause = std::max(pause, std::min(options_.retry_pause * std::pow(2, known.failures - 1), options_.max_delay));
  }
  pause = std::max(pause, std::min(fetch.retry_after_seconds, 3600.0));
  known.due = now_.time + std::chrono::duration_cast<CrawlSystem::Time::duration>(std::chrono::duration<double>(pause));
  known.is_busy = false;
  schedule(host);
}

void CrawlModel::settle(const Expected& purpose, ModelAddress address, CrawlLogEntry line, ModelLine written) {
  const auto& [place, entry] = *purpose.queued;
  touch(purpose.host);
  state_.hosts[purpose.host].queue.erase(place);
  const bool is_read_sitemap = entry.kind == QueueEntry::Kind::kSitemap && address.record.reason == CrawlReason::kNone;
  address.counted_at = is_read_sitemap ? std::string() : purpose.host;
  line.url = entry.url;
  line.status = address.record.status;
  line.reason = address.record.reason;
  line.depth = entry.depth;
  line.referrer = entry.referrer;
  line.attempts = entry.attempts + 1U;
  written.text = crawl_log_line(line, now_.unix_seconds);
  written.url = entry.url;
  state_.known(entry.kind)[entry.url] = std::move(address);
  lines_.push_back(std::move(written));
  ++state_.lines;
}

void CrawlModel::put_back(const Expected& purpose) {
  touch(purpose.host);
  state_.hosts[purpose.host].queue.erase(purpose.queued->place);
  QueueEntry entry = purpose.queued->entry;
  ++entry.attempts;
  enqueue(purpose.host, entry);
}

// Once per run and origin, and only if there is no answer, or an old one.
bool CrawlModel::must_probe(const std::string& host, const Robots& robots, const std::string& origin) {
  if (options_.soft_404 == Soft404Treatment::kOff || hosts_[host].probed.contains(origin)) return false;
  if (const auto stored = state_.probes.find(origin); stored != state_.probes.end()) {
    const ProbeRecord& record = stored->second.record;
    const bool is_answered = record.answer != ProbeAnswer::kNone && record.answer != ProbeAnswer::kDisallowed;
    if (is_answered && record.fetched_at_seconds >= probes_expire_seconds_) {
      hosts_[host].probed.insert(origin);
      return false;
    }
  }
  if (robots.rules.allows(probe_target("simulated", origin))) return true;
  if (!before_request_) before_request_ = state_;
  hosts_[host].probed.insert(origin);
  ProbeRecord& record = state_.probes[origin].record;
  record.answer = ProbeAnswer::kDisallowed;
  record.fetched_at_seconds = now_.unix_seconds;
  return false;
}

CrawlReason CrawlModel::refusal_now(const std::string& host, const Robots& robots, const CrawlState::Queued& queued,
                                    const Url& url) const {
  if (robots.unreachable != CrawlReason::kNone) return robots.unreachable;
  if (!robots.rules.allows(url.target)) return CrawlReason::kRobots;
  if (queued.entry.kind == QueueEntry::Kind::kSitemap) return CrawlReason::kNone;
  if (options_.max_pages_per_host > 0 && state_.host_record(host).pages() >= options_.max_pages_per_host) {
    return CrawlReason::kHostPages;
  }
  const auto barren = state_.barren.find(url_shape(url));
  const bool is_trap = options_.barren_limit > 0 && queued.entry.depth > 0 && barren != state_.barren.end() &&
                       barren->second >= options_.barren_limit;
  return is_trap ? CrawlReason::kBarrenShape : CrawlReason::kNone;
}

// Another entry of the page has a shorter way, or has been settled.
bool CrawlModel::is_superseded(const QueueEntry& entry) const {
  if (entry.kind != QueueEntry::Kind::kPage) return false;
  const UrlRecord& record = state_.addresses.at(entry.url).record;
  return record.status != UrlStatus::kQueued || record.depth < entry.depth;
}

bool CrawlModel::take_host(Moment now) {
  now_ = now;
  next_request_.reset();
  before_request_.reset();
  const bool may_start = in_flight_.size() < options_.connections && received_.size() < 8 &&
                         (options_.max_pages == 0 || pages() + under_way() < options_.max_pages);
  if (!may_start || schedule_.empty() || schedule_.begin()->first.first > now.time) return false;
  const std::string host = schedule_.begin()->second;
  schedule_.erase(schedule_.begin());
  hosts_[host].is_waiting = false;
  UrlParser parser;
  while (state_.queued(host) > 0) {
    const auto& [place, entry] = *state_.hosts[host].queue.begin();
    const CrawlState::Queued queued{place, entry};
    if (is_superseded(entry)) {
      if (!before_request_) before_request_ = state_;
      touch(host);
      state_.hosts[host].queue.erase(place);
      continue;
    }
    const Url url = *parser.parse(entry.url);
    const Robots* robots = find_robots(host, url.origin());
    if (robots == nullptr) {
      const Robots& known = hosts_[host].robots[url.origin()];
      if (const std::optional<Url> target = parser.parse(known.redirect_target)) {
        follow_robots(host, url.origin(), *target, known.redirects, true);
        return true;
      }
      next_request_ = {url.origin() + "/robots.txt", "", host, {}, url.origin(), 0};
      return true;
    }
    const CrawlReason reason = refusal_now(host, *robots, queued, url);
    if (reason == CrawlReason::kNone) {
      const bool is_page = entry.kind == QueueEntry::Kind::kPage;
      if (is_page && must_probe(host, *robots, url.origin())) {
        const std::string origin = url.origin();
        next_request_ = {origin + probe_target("simulated", origin), "", host, {}, origin, 0, true};
        return true;
      }
      next_request_ = {entry.url, is_page ? state_.addresses.at(entry.url).record.etag : "", host, queued, "", 0};
      return true;
    }
    if (!before_request_) before_request_ = state_;
    ModelAddress address = state_.known(entry.kind).at(entry.url);  // with its last capture
    address.record.status = UrlStatus::kSkipped;
    address.record.reason = reason;
    address.record.depth = entry.depth;
    settle({entry.url, "", host, queued, "", 0}, address, {}, {});
  }
  return true;
}

void CrawlModel::started(std::uint64_t number, Expected expected) {
  hosts_[expected.host].is_busy = true;
  in_flight_.emplace(number, std::move(expected));
}

bool CrawlModel::is_asking(const std::string& host) const {
  return std::any_of(in_flight_.begin(), in_flight_.end(), [&](const auto& sent) {
    const Expected& request = sent.second;
    return request.host == host && UrlParser().parse(request.url)->host == host;
  });
}

void CrawlModel::cancel() {
  in_flight_.clear();
  received_.clear();
}

}  // namespace paraprint
