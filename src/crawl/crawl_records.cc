// Each record has one function that lists its fields. An encoder and a decoder with the same interface are passed
// through it, so that writing and reading cannot diverge. Decoding checks everything: a value of unknown meaning is as
// unusable as a damaged one.
#include "crawl/crawl_records.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "base/byte_codec.h"
#include "crawl/warc_output.h"

namespace paraprint::inline crawler {
namespace {

// First byte of every record. A changed layout gets a new number, so that old records are not misread.
constexpr std::uint8_t kVersion = 1;
// Layout of URL records. Layout 1 has no digest of the body as stored, layout 2 no kind.
constexpr std::uint8_t kUrlVersion = 3;
constexpr std::uint8_t kUrlWithoutKind = 2;
// Layout of host records. Layout 1 has no ports.
constexpr std::uint8_t kHostVersion = 2;
// Layout of positions. In layout 1 they contained the seeds, which were so written again for every page.
constexpr std::uint8_t kPositionVersion = 4;
constexpr std::uint8_t kPositionWithoutName = 3;
constexpr std::uint8_t kPositionWithoutHosts = 2;

// The writing half; Decoder has the same member functions.
class Encoder {
 public:
  Encoder(std::string& out, std::uint8_t version) : writer_(out) { writer_.fixed(version); }
  void text(const std::string& value) { writer_.text(value); }
  template <class Integer>
  void number(const Integer& value) {
    writer_.variable(static_cast<std::uint64_t>(value));
  }
  void real(const double& value) { writer_.fixed(std::bit_cast<std::uint64_t>(value)); }
  void ports(const std::set<std::uint16_t>& values) {
    writer_.variable(values.size());
    for (const std::uint16_t port : values) writer_.variable(port);
  }
  template <class Key>
  void counts(const std::map<Key, std::uint64_t>& values) {
    writer_.variable(values.size());
    for (const auto& [key, count] : values) {
      writer_.fixed(static_cast<std::uint8_t>(key));
      writer_.variable(count);
    }
  }

 private:
  ByteWriter writer_;
};

// Enumerators read from disk may have been written by a later build or be damaged.
bool is_known(UrlStatus status) {
  return static_cast<std::size_t>(status) < kUrlStatusCount;
}
bool is_known(CrawlReason reason) {
  return std::any_of(kCrawlReasons.begin(), kCrawlReasons.end(),
                     [&](const CrawlReasonInfo& info) { return info.reason == reason; });
}
bool is_known(UrlKind kind) {
  return kind <= UrlKind::kSitemap;
}
bool is_known(RobotsRecord::Availability answer) {
  return answer <= RobotsRecord::Availability::kUnreachable;
}
bool is_known(ProbeAnswer answer) {
  return answer <= ProbeAnswer::kDisallowed;
}
bool is_known(ProbeStanding standing) {
  return standing <= ProbeStanding::kAlike;
}
bool is_known(Verdict verdict) {
  return verdict <= Verdict::kOverlap;
}

class Decoder {
 public:
  Decoder(std::string_view bytes, std::uint8_t version) : reader_(bytes) {
    if (reader_.fixed<std::uint8_t>() != version) reader_.fail();
  }
  bool is_complete() const { return reader_.ok() && reader_.at_end(); }
  void text(std::string& value) { value = reader_.text(); }
  template <class Integer>
  void number(Integer& value) {
    const std::uint64_t read = reader_.variable();
    value = static_cast<Integer>(read);
    // A number that does not fit its field would otherwise be silently truncated.
    if (sizeof value < sizeof read && static_cast<std::uint64_t>(value) != read) reader_.fail();
    if constexpr (std::is_enum_v<Integer>) {
      if (!is_known(value)) reader_.fail();
    }
  }
  void real(double& value) { value = std::bit_cast<double>(reader_.fixed<std::uint64_t>()); }
  void ports(std::set<std::uint16_t>& values) {
    constexpr std::uint64_t kPorts = std::uint64_t{1} << 16;
    for (std::uint64_t left = reader_.variable_below(kPorts); left > 0 && reader_.ok(); --left) {
      std::uint16_t port = 0;
      number(port);
      values.insert(port);
    }
  }
  template <class Key>
  void counts(std::map<Key, std::uint64_t>& values) {
    constexpr std::uint64_t kKeysMaximum = 256;  // keys are single bytes
    for (std::uint64_t left = reader_.variable_below(kKeysMaximum); left > 0 && reader_.ok(); --left) {
      const auto key = static_cast<Key>(reader_.fixed<std::uint8_t>());
      if (!is_known(key)) return reader_.fail();
      values[key] = reader_.variable();
    }
  }

 private:
  ByteReader reader_;
};

// The layouts. The order and the kind of each field are persisted: a change needs a new version number.
template <class Coder, class Record>
void code_url(Coder& coder, Record& record, std::uint8_t version) {
  coder.number(record.status);
  coder.number(record.reason);
  coder.number(record.depth);
  coder.number(record.fetched_at_seconds);
  coder.text(record.etag);
  coder.text(record.last_modified);
  coder.text(record.payload_digest);
  coder.text(record.record_id);
  coder.text(record.date);
  if (version >= kUrlWithoutKind) coder.text(record.body_digest);
  if (version >= kUrlVersion) coder.number(record.kind);
}

template <class Coder, class Record>
void code_queue(Coder& coder, Record& record) {
  coder.number(record.kind);
  coder.text(record.url);
  coder.text(record.referrer);
  coder.number(record.depth);
  coder.number(record.redirects);
  coder.number(record.attempts);
}

template <class Coder, class Record>
void code_robots(Coder& coder, Record& record) {
  coder.number(record.answer);
  coder.number(record.reason);
  coder.number(record.fetched_at_seconds);
  coder.text(record.body);
}

template <class Coder, class Record>
void code_probe(Coder& coder, Record& record) {
  coder.number(record.answer);
  coder.number(record.standing);
  coder.number(record.fetched_at_seconds);
  coder.text(record.redirect_target);
  coder.text(record.profile);
  coder.number(record.bare_text_hash);
  coder.number(record.matches);
  coder.number(record.expanded);
  coder.text(record.archived_url);
}

template <class Coder, class Record>
void code_host(Coder& coder, Record& record, std::uint8_t version) {
  coder.number(record.requests);
  coder.number(record.received_bytes);
  coder.number(record.stored);
  coder.number(record.copies);
  coder.number(record.unchanged);
  coder.number(record.redirects);
  coder.number(record.sitemaps);
  coder.number(record.links_not_followed);
  coder.number(record.queued);
  coder.real(record.crawl_delay_seconds);
  coder.counts(record.reasons);
  if (version >= kHostVersion) coder.ports(record.ports);
}

template <class Coder, class Record>
void code_cluster(Coder& coder, Record& record) {
  coder.number(record.copies);
  coder.number(record.expanded);
  coder.counts(record.verdicts);
  coder.text(record.examples);
}

template <class Coder, class Record>
void code_position(Coder& coder, Record& record, std::uint8_t version) {
  coder.number(record.next_sequence);
  coder.number(record.next_record);
  coder.number(record.warc_file);
  coder.number(record.warc_bytes);
  coder.number(record.log_bytes);
  coder.text(record.crawl_id);
  coder.number(record.links_off_scope);
  coder.number(record.links_unusable);
  if (version == kVersion) coder.text(record.seeds);
  coder.number(record.depth);
  coder.number(record.pages_per_host);
  if (version >= kPositionWithoutName) coder.number(record.hosts_per_domain);
  if (version >= kPositionVersion) coder.text(record.warc_name);
}

template <class Record, class Code>
std::string encode_with(const Record& record, Code code, std::uint8_t version = kVersion) {
  std::string bytes;
  Encoder encoder(bytes, version);
  code(encoder, record);
  return bytes;
}

// The record must use up all bytes: remaining ones mean another layout or damage.
template <class Record, class Code>
std::optional<Record> decode_with(std::string_view bytes, Code code, std::uint8_t version = kVersion) {
  Record record;
  Decoder decoder(bytes, version);
  code(decoder, record);
  if (!decoder.is_complete()) return std::nullopt;
  return record;
}

constexpr auto kQueue = [](auto& coder, auto& record) { code_queue(coder, record); };
constexpr auto kRobots = [](auto& coder, auto& record) { code_robots(coder, record); };
constexpr auto kProbe = [](auto& coder, auto& record) { code_probe(coder, record); };
constexpr auto kCluster = [](auto& coder, auto& record) { code_cluster(coder, record); };

template <std::uint8_t version>
constexpr auto kUrl = [](auto& coder, auto& record) { code_url(coder, record, version); };
template <std::uint8_t version>
constexpr auto kHost = [](auto& coder, auto& record) { code_host(coder, record, version); };
template <std::uint8_t version>
constexpr auto kPosition = [](auto& coder, auto& record) { code_position(coder, record, version); };

}  // namespace

std::string UrlRecord::encode() const {
  return encode_with(*this, kUrl<kUrlVersion>, kUrlVersion);
}
// Crawls begun with an earlier layout can be resumed. After layout 1, a page is stored once more instead of by
// reference. What is stored has a digest of its body unless it is a sitemap; of failed ones, the kind is not known.
std::optional<UrlRecord> UrlRecord::decode(std::string_view bytes) {
  const std::uint8_t version = bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes.front());
  if (version != kVersion && version != kUrlWithoutKind) {
    return decode_with<UrlRecord>(bytes, kUrl<kUrlVersion>, kUrlVersion);
  }
  std::optional<UrlRecord> record = version == kVersion
                                        ? decode_with<UrlRecord>(bytes, kUrl<kVersion>, kVersion)
                                        : decode_with<UrlRecord>(bytes, kUrl<kUrlWithoutKind>, kUrlWithoutKind);
  if (record && record->status == UrlStatus::kStored && record->payload_digest.empty()) {
    record->kind = UrlKind::kSitemap;
  }
  return record;
}

std::string QueueEntry::encode() const {
  return encode_with(*this, kQueue);
}
std::optional<QueueEntry> QueueEntry::decode(std::string_view bytes) {
  return decode_with<QueueEntry>(bytes, kQueue);
}

std::string RobotsRecord::encode() const {
  return encode_with(*this, kRobots);
}
std::optional<RobotsRecord> RobotsRecord::decode(std::string_view bytes) {
  return decode_with<RobotsRecord>(bytes, kRobots);
}

std::string ProbeRecord::encode() const {
  return encode_with(*this, kProbe);
}
std::optional<ProbeRecord> ProbeRecord::decode(std::string_view bytes) {
  return decode_with<ProbeRecord>(bytes, kProbe);
}

std::string HostRecord::encode() const {
  return encode_with(*this, kHost<kHostVersion>, kHostVersion);
}
std::optional<HostRecord> HostRecord::decode(std::string_view bytes) {
  if (bytes.starts_with(static_cast<char>(kVersion))) return decode_with<HostRecord>(bytes, kHost<kVersion>);
  return decode_with<HostRecord>(bytes, kHost<kHostVersion>, kHostVersion);
}

std::string ClusterRecord::encode() const {
  return encode_with(*this, kCluster);
}
std::optional<ClusterRecord> ClusterRecord::decode(std::string_view bytes) {
  return decode_with<ClusterRecord>(bytes, kCluster);
}

std::string CrawlPosition::encode() const {
  return encode_with(*this, kPosition<kPositionVersion>, kPositionVersion);
}
// Crawls begun with an earlier layout can be resumed; the next commit writes the current one. Their archive files have
// names that follow from the number.
std::optional<CrawlPosition> CrawlPosition::decode(std::string_view bytes) {
  std::optional<CrawlPosition> position;
  switch (bytes.empty() ? 0 : bytes.front()) {
    case kVersion:
      position = decode_with<CrawlPosition>(bytes, kPosition<kVersion>, kVersion);
      break;
    case kPositionWithoutHosts:
      position = decode_with<CrawlPosition>(bytes, kPosition<kPositionWithoutHosts>, kPositionWithoutHosts);
      break;
    case kPositionWithoutName:
      position = decode_with<CrawlPosition>(bytes, kPosition<kPositionWithoutName>, kPositionWithoutName);
      break;
    default:
      return decode_with<CrawlPosition>(bytes, kPosition<kPositionVersion>, kPositionVersion);
  }
  if (position) position->warc_name = numbered_warc_name(position->warc_file);
  return position;
}

void HostRecord::count(const UrlRecord& address, bool is_added) {
  const auto change = [is_added](std::uint64_t& counter) {
    counter = is_added ? counter + 1 : counter - (counter > 0 ? 1 : 0);
  };
  if (address.reason == CrawlReason::kNotIndexed) change(reasons[address.reason]);
  const bool is_sitemap = address.kind == UrlKind::kSitemap;
  switch (address.status) {
    case UrlStatus::kStored:
      if (!is_sitemap) change(stored);
      return;
    case UrlStatus::kCopy:
      return change(copies);
    case UrlStatus::kUnchanged:
      return change(unchanged);
    case UrlStatus::kRedirect:
      if (!is_sitemap) change(redirects);
      return;
    case UrlStatus::kRefused:
    case UrlStatus::kFailed:
    case UrlStatus::kSkipped:
      return change(reasons[address.reason]);
    case UrlStatus::kQueued:
      return;
  }
}

// The crawl-delay is not added: it has no meaning for several hosts together.
void HostRecord::add(const HostRecord& other) {
  requests += other.requests;
  received_bytes += other.received_bytes;
  stored += other.stored;
  copies += other.copies;
  unchanged += other.unchanged;
  redirects += other.redirects;
  sitemaps += other.sitemaps;
  links_not_followed += other.links_not_followed;
  queued += other.queued;
  for (const auto& [reason, count] : other.reasons) reasons[reason] += count;
}

}  // namespace paraprint::inline crawler
