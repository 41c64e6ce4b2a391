// Both sides are written as lines of text, so that a difference can be shown. The archive is read without the crawler's
// and the archive room's code: members are inflated one by one.
#include "crawl/crawl_folder.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "paraprint/memory_pages.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The text between two others; empty if they are not there.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(after, begin + before.size());
  return text.substr(begin + before.size(), end - begin - before.size());
}

struct LoggedLine {
  std::string text;  // as in ModelLine
  std::string record_id;
  std::string place;  // "file offset length"
};

std::vector<LoggedLine> read_log(const std::string& path, std::uint64_t bytes) {
  std::vector<LoggedLine> lines;
  const std::string log = read_file(path).substr(0, bytes);
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    LoggedLine line{log.substr(begin, end - begin), "", ""};
    if (const std::size_t record = line.text.find(",\"record_id\":"); record != std::string::npos) {
      const std::string rest = line.text.substr(record);
      line.record_id = between(rest, "\"record_id\":\"", "\"");
      line.place = fmt::format("{} {} {}", between(rest, "\"file\":\"", "\""), between(rest, "\"offset_bytes\":", ","),
                               between(rest, "\"length_bytes\":", "}"));
      line.text.erase(record);
      line.text += "}";
    }
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::string counts_of(const auto& counts) {
  std::string text;
  for (const auto& [key, count] : counts) {
    if (count > 0) text += fmt::format(" {}:{}", static_cast<int>(key), count);
  }
  return text;
}

class Description {
 public:
  void url(std::string_view url, QueueEntry::Kind kind, const UrlRecord& r, std::string_view record_id) {
    add("url {} kind {} status {} reason {} depth {} fetched {} etag {} digest {} record {} of {} body {}{}", url,
        static_cast<int>(kind), static_cast<int>(r.status), static_cast<int>(r.reason), r.depth, r.fetched_at_seconds,
        r.etag, r.payload_digest, record_id, r.date, r.body_digest, r.last_modified);
  }
  void host(std::string_view host, const HostRecord& r) {
    add("host {} requests {} bytes {} stored {} copies {} unchanged {} redirects {} sitemaps {} links not followed {} "
        "queued {} delay {} reasons{} ports {}",
        host, r.requests, r.received_bytes, r.stored, r.copies, r.unchanged, r.redirects, r.sitemaps,
        r.links_not_followed, r.queued, r.crawl_delay_seconds, counts_of(r.reasons), fmt::join(r.ports, " "));
  }
  void queued(std::string_view host, QueuePlace place, const QueueEntry& e) {
    add("queue {} {} {:06} kind {} url {} referrer {} depth {} redirects {} attempts {}", host, place.priority,
        place.sequence, static_cast<int>(e.kind), e.url, e.referrer, e.depth, e.redirects, e.attempts);
  }
  void robots(std::string_view origin, const RobotsRecord& r) {
    add("robots {} answer {} reason {} time {} body {}", origin, static_cast<int>(r.answer), static_cast<int>(r.reason),
        r.fetched_at_seconds, fmt::join(r.body, " "));
  }
  // `text`: the first number of the hash of the page's text.
  void probe(std::string_view origin, const ProbeRecord& r, std::uint64_t text) {
    add("probe {} answer {} standing {} time {} target {} text {} matches {} expanded {} archived {}", origin,
        static_cast<int>(r.answer), static_cast<int>(r.standing), r.fetched_at_seconds, r.redirect_target, text,
        r.matches, r.expanded, r.archived_url);
  }
  void cluster(std::string_view url, const ClusterRecord& r) {
    add("cluster {} copies {} expanded {} verdicts{} of {}", url, r.copies, r.expanded, counts_of(r.verdicts),
        r.examples.size());
  }
  void barren(std::string_view shape, std::uint64_t count) {
    if (count > 0) add("barren {} {}", shape, count);
  }
  void position(const CrawlPosition& p, const std::string& seeds, std::size_t logged) {
    add("position sequence {} off scope {} unusable {} depth {} pages per host {} hosts per domain {} seeds {} lines "
        "{}",
        p.next_sequence, p.links_off_scope, p.links_unusable, p.depth, p.pages_per_host, p.hosts_per_domain,
        seeds.size(), logged);
  }
  std::set<std::string> lines;

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    lines.insert(fmt::format(format, std::forward<Values>(values)...));
  }
};

std::set<std::string> describe(const ModelState& state, const std::vector<LoggedLine>& log) {
  Description all;
  for (const auto& [url, address] : state.addresses) {
    const bool is_there = address.capture && *address.capture < log.size();
    all.url(url, QueueEntry::Kind::kPage, address.record, is_there ? log[*address.capture].record_id : "");
  }
  for (const auto& [url, address] : state.sitemaps) all.url(url, QueueEntry::Kind::kSitemap, address.record, "");
  for (const auto& [name, host] : state.hosts) {
    all.host(name, state.host_record(name));
    for (const auto& [place, entry] : host.queue) all.queued(name, place, entry);
  }
  for (const auto& [origin, record] : state.robots) all.robots(origin, record);
  for (const auto& [origin, probe] : state.probes) all.probe(origin, probe.record, probe.text);
  for (const auto& [url, record] : state.clusters) all.cluster(url, record);
  for (const auto& [shape, count] : state.barren) all.barren(shape, count);
  all.position(state.position, state.seeds, state.lines);
  return all.lines;
}

std::set<std::string> describe(CrawlFrontier& frontier, std::size_t log_lines) {
  Description all;
  const CrawlState& state = frontier.state();
  UrlParser parser;
  std::set<std::string> origins;
  std::set<std::string> shapes;
  bool is_good = state
                     .for_each_url([&](std::string_view url, const UrlRecord& record) -> Status {
                       all.url(url, record.kind, record, record.record_id);
                       const std::optional<Url> parsed = parser.parse(url);
                       origins.insert(parsed->origin());
                       shapes.insert(url_shape(*parsed));
                       return {};
                     })
                     .has_value();
  is_good = is_good && state
                           .for_each_cluster([&](std::string_view url, const ClusterRecord& record) -> Status {
                             all.cluster(url, record);
                             return {};
                           })
                           .has_value();
  is_good =
      is_good && state
                     .for_each_probe([&](std::string_view origin, const ProbeRecord& record) -> Status {
                       all.probe(origin, record,
                                 record.profile.empty() ? 0 : profile_from_bytes(record.profile).value().text_hash[0]);
                       return {};
                     })
                     .has_value();
  if (!is_good) all.lines.insert("unreadable");
  for (const auto& host : frontier.hosts()) {
    all.host(host->name, host->record);
    for (QueuePlace from;;) {
      const auto next = state.next_queued(host->name, from).value();
      if (!next) break;
      all.queued(host->name, next->place, next->entry);
      from = next->place;
      ++from.sequence;
    }
  }
  for (const std::string& origin : origins) {
    if (const auto record = state.robots(origin).value()) all.robots(origin, *record);
  }
  for (const std::string& shape : shapes) all.barren(shape, state.barren(shape).value());
  all.position(frontier.position(), frontier.seeds(), log_lines);
  return all.lines;
}

std::string difference_of(const std::set<std::string>& found, const std::set<std::string>& expected) {
  std::string text;
  for (const std::string& line : found) {
    if (!expected.contains(line)) text += "\n    found:    " + line;
  }
  for (const std::string& line : expected) {
    if (!found.contains(line)) text += "\n    expected: " + line;
  }
  return text;
}

std::string difference_of(const std::vector<LoggedLine>& log, const ModelState& state,
                          const std::vector<ModelLine>& lines) {
  for (std::size_t i = 0; i < std::min<std::size_t>(log.size(), state.lines); ++i) {
    const std::string expected = lines[i].text.substr(0, lines[i].text.size() - 1);
    if (log[i].text != expected) return fmt::format("\n    logged:   {}\n    expected: {}", log[i].text, expected);
    if (log[i].record_id.empty() == lines[i].kind.has_value()) return "\n    wrong record: " + log[i].text;
  }
  return {};
}

struct ArchivedRecord {
  std::string bytes;
  std::string place;
  std::string field(const std::string& name) const {
    return between(bytes.substr(0, bytes.find("\r\n\r\n") + 2), "\r\n" + name + ": ", "\r\n");
  }
  std::string type() const { return field("WARC-Type"); }
  std::string content() const {
    const std::size_t begin = bytes.find("\r\n\r\n") + 4;
    return bytes.substr(begin, bytes.size() - begin - 4);
  }
};

// Appends the records of a file; false if a member is damaged.
bool read_records(const std::string& name, const std::string& bytes, std::vector<ArchivedRecord>& records) {
  static std::array<char, 1 << 16> out;
  z_stream stream{};
  constexpr int kOnlyGzip = 16 + MAX_WBITS;
  bool is_good = inflateInit2(&stream, kOnlyGzip) == Z_OK;
  for (std::size_t at = 0; is_good && at < bytes.size();) {
    inflateReset(&stream);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
    stream.avail_in = static_cast<uInt>(bytes.size() - at);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    is_good = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    std::string record(out.data(), stream.total_out);
    is_good = is_good && record.ends_with("\r\n\r\n");
    records.push_back({std::move(record), fmt::format("{} {} {}", name, at, stream.total_in)});
    at += stream.total_in;
  }
  inflateEnd(&stream);
  return is_good;
}

// By number. Of a later file there may be several, because what the crawler began and lost stays until it is resumed.
std::map<std::uint64_t, std::string> archive_files(const std::string& folder) {
  static const std::regex form("crawl-[0-9]{17}-([0-9]{5,})\\.warc\\.gz(\\.open)?");
  std::map<std::uint64_t, std::string> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename();
    std::smatch parts;
    files[std::regex_match(name, parts, form) ? std::stoull(parts[1]) : UINT64_MAX] = name;
  }
  return files;
}

class ArchiveCheck {
 public:
  ArchiveCheck(const std::vector<LoggedLine>& log, const std::vector<ModelLine>& lines) : log_(log), lines_(lines) {}

  std::string difference(const std::string& folder, const CrawlPosition& position) {
    std::vector<ArchivedRecord> records;
    std::set<std::size_t> first_of_files;
    const std::map<std::uint64_t, std::string> files = archive_files(folder + "/warc");
    for (std::uint64_t number = 0; position.warc_bytes > 0 && number <= position.warc_file; ++number) {
      const auto file = files.find(number);
      if (file == files.end()) return fmt::format("archive file {} is missing", number);
      const std::string name = file->second.substr(0, file->second.find(".open"));
      std::string bytes = read_file(folder + "/warc/" + file->second);
      if (number == position.warc_file) {
        if (name != position.warc_name) return name + " is called otherwise in the position";
        if (bytes.size() < position.warc_bytes) return name + " is too short";
        bytes.resize(position.warc_bytes);
      }
      first_of_files.insert(records.size());
      const std::size_t first = records.size();
      if (!read_records(name, bytes, records)) return fmt::format("{} has a torn record", name);
      if (records[first].field("WARC-Filename") != name) return name + " is called otherwise in its first record";
    }
    if (records.size() != position.next_record) {
      return fmt::format("{} records, but numbers up to {}", records.size(), position.next_record);
    }
    std::set<std::string> ids;
    for (const ArchivedRecord& record : records) {
      if (!ids.insert(record.field("WARC-Record-ID")).second) return "a record id is used twice";
    }
    std::size_t at = 0;
    for (std::size_t line = 0; line < log_.size(); ++line) {
      if (!lines_[line].kind) continue;
      if (first_of_files.contains(at) && at < records.size() && records[at].type() == "warcinfo") ++at;
      const std::size_t needed = *lines_[line].kind == CaptureKind::kRelation ? 1 : 3;
      if (at + needed > records.size()) return "records are missing, from " + log_[line].text;
      if (std::string found = check(line, &records[at], needed); !found.empty()) return found + log_[line].text;
      at += needed;
    }
    return at == records.size() || (at == 0 && records.size() == 0) ? std::string() : "records that no line names";
  }

 private:
  std::string check(std::size_t number, const ArchivedRecord* records, std::size_t count) const {
    const ModelLine& line = lines_[number];
    const ArchivedRecord& main = records[0];
    const std::string id = "<" + log_[number].record_id + ">";
    if (main.place != log_[number].place) return "the record is elsewhere: ";
    if (main.field("WARC-Record-ID") != id || main.field("WARC-Target-URI") != line.url) return "another record: ";
    if (count == 1) return main.type() == "metadata" ? "" : "not a metadata record: ";
    for (std::size_t i = 1; i < count; ++i) {
      if (records[i].field("WARC-Concurrent-To") != id) return "a record of another response: ";
    }
    if (line.kind == CaptureKind::kResponse) {
      return main.type() == "response" && main.content() == line.header + line.body ? "" : "another response: ";
    }
    if (main.type() != "revisit" || !line.refers_to) return "not a revisit record: ";
    const std::string target = "<" + log_[*line.refers_to].record_id + ">";
    const bool has_body = line.kind == CaptureKind::kNotModified || lines_[*line.refers_to].body == line.body;
    return main.field("WARC-Refers-To") == target && has_body ? "" : "it refers to another body: ";
  }

  const std::vector<LoggedLine>& log_;
  const std::vector<ModelLine>& lines_;
};

}  // namespace

FoundState find_state(CrawlFrontier& frontier, const std::string& folder, const std::vector<ModelState>& states,
                      const std::vector<ModelLine>& lines) {
  const CrawlPosition& position = frontier.position();
  const std::vector<LoggedLine> log = read_log(folder + "/log.jsonl", position.log_bytes);
  const std::set<std::string> found = describe(frontier, log.size());
  std::string differences;
  for (std::size_t i = states.size(); i-- > 0;) {
    std::string difference = difference_of(found, describe(states[i], log)) + difference_of(log, states[i], lines);
    if (difference.empty()) return {i, ArchiveCheck(log, lines).difference(folder, position)};
    differences += fmt::format("\n  not state {} of {}:{}", i + 1, states.size(), difference);
  }
  return {0, "the state is another one" + differences};
}

}  // namespace paraprint
