// Two passes: the first gathers the names that revisit records state, the second the captures that have one of them.
// Names are hashes of 64 bits: an accidental match keeps a page that could have gone. Threads append rows in any order,
// and sorting by place in the input gives them one order again.
#include "payloads/revisit_links.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "archive/record_reader.h"
#include "archive/revisit_target.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "payloads/capture.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::string_view kNotModified = "/revisit/server-not-modified";

// A name that a revisit record states.
struct ClaimRow {
  std::uint64_t name = 0;
  std::uint64_t way = 0;  // LinkWay
  std::int64_t seconds = 0;
  RecordPlace revisit;
};

// A claimed name that a capture has.
struct FoundRow {
  std::uint64_t name = 0;
  std::uint64_t way = 0;
  std::int64_t seconds = 0;
  RecordPlace capture;
  std::uint64_t text = 0;

  friend auto operator<=>(const FoundRow&, const FoundRow&) = default;
};

struct RevisitRow {
  RecordPlace place;
  std::uint64_t text = 0;
};

// A capture for a revisit record.
struct Candidate {
  RecordPlace revisit;
  std::uint64_t way = 0;
  RecordPlace capture;
  std::uint64_t text = 0;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

// An address whose captures need a digest, and one whose earlier captures are asked for.
std::uint64_t digest_address(std::string_view url) {
  return hash64(std::string("a").append(url)) | 1;
}
std::uint64_t previous_address(std::string_view url) {
  return hash64(std::string("u").append(url)) | 1;
}

// Undated records count as the latest: everything is earlier.
std::int64_t seconds_or_last(std::string_view date) {
  return seconds_of(date).value_or(std::numeric_limits<std::int64_t>::max());
}

std::string encode_text(const RawRecord& record) {
  std::string bytes;
  ByteWriter out(bytes);
  out.text(record.id);
  out.text(record.url);
  out.text(record.stated_date.empty() ? record.date : record.stated_date);
  out.text(record.profile);
  out.variable(record.location.offset_bytes);
  return bytes;
}

// The digest by which players know the capture; empty if its payload is not there to be hashed.
std::string digest_of(const RawRecord& record) {
  if (!record.payload_digest.empty()) return record.payload_digest;
  return is_whole_capture(record) ? target_of(record).digest : std::string();
}

class LinkFinder {
 public:
  LinkFinder(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress)
      : sources_(sources),
        progress_(progress),
        links_(budget),
        revisits_(budget),
        claims_(budget),
        claimed_(budget),
        found_(budget),
        candidates_(budget) {}

  Result<RevisitLinks> run() {
    std::uint64_t bytes_total = 0;
    for (const InputFile& input : sources_.inputs) {
      bytes_total += input.size_bytes * (sources_.with_revisits.contains(input.index) ? 2 : 1);
    }
    progress_.begin("revisits", bytes_total, "bytes");
    PARAPRINT_TRY(read_inputs(true));
    PARAPRINT_TRY(sort_claims());
    PARAPRINT_TRY(read_inputs(false));
    progress_.end();
    std::sort(found_.begin(), found_.end());
    PARAPRINT_TRY(match());
    PARAPRINT_TRY(list_referred_to());
    PARAPRINT_TRY(list_links());
    return std::move(links_);
  }

 private:
  Status read_inputs(bool for_revisits) {
    std::size_t next = 0;
    return run_in_order<const InputFile*, Status>(
        sources_.threads,
        [&]() -> Result<std::optional<const InputFile*>> {
          while (for_revisits && next < sources_.inputs.size() &&
                 !sources_.with_revisits.contains(sources_.inputs[next].index)) {
            ++next;
          }
          if (next == sources_.inputs.size()) return std::optional<const InputFile*>{};
          return std::optional(&sources_.inputs[next++]);
        },
        [&](unsigned, const InputFile*&& input) { return read_input(*input, for_revisits); },
        [](Status&& status) { return status; });
  }

  // Defects were counted in the pass that read the pages.
  Status read_input(const InputFile& input, bool for_revisits) {
    const bool ends_early = sources_.inputs_ended_early.contains(input.index);
    Result<std::unique_ptr<RecordReader>> reader = open_records(input, sources_.reading, [](const Defect&) {});
    if (!reader && ends_early) return {};
    if (!reader) return tl::unexpected<Error>(std::move(reader.error()));
    std::uint64_t bytes_done = 0;
    while (true) {
      PARAPRINT_TRY(check_stop());
      const Result<std::optional<RawRecord>> next = (*reader)->next();
      if (!next && (!ends_early || next.error().code == ErrorCode::kCancelled)) {
        return tl::unexpected<Error>(next.error());
      }
      add_progress((*reader)->stored_bytes_read() - std::exchange(bytes_done, (*reader)->stored_bytes_read()));
      if (!next || !next->has_value()) return {};
      const RawRecord& record = **next;
      if (for_revisits && record.kind == RecordKind::kRevisit) PARAPRINT_TRY(add_revisit(record));
      const bool is_capture = record.kind == RecordKind::kPage && record.source != PageSource::kConversion;
      if (!for_revisits && is_capture) PARAPRINT_TRY(add_capture(record));
    }
  }

  void add_progress(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    progress_.update(bytes_done_ += bytes);
  }

  Status add_revisit(const RawRecord& record) {
    const RecordPlace place{record.location.file_index, record.location.ordinal};
    const std::array<std::uint64_t, 3> names = names_stated_by(record);
    const std::int64_t seconds = seconds_or_last(record.date);
    const std::scoped_lock lock(mutex_);
    PARAPRINT_TRY(revisits_.push_back({place, links_.texts.size()}));
    PARAPRINT_TRY(links_.texts.append(std::span<const char>(encode_text(record))));
    const auto add = [&](std::uint64_t name, LinkWay way) {
      return claims_.push_back({name, static_cast<std::uint64_t>(way), seconds, place});
    };
    for (const LinkWay way : {LinkWay::kId, LinkWay::kPlace}) {
      const std::uint64_t name = names[static_cast<std::size_t>(way)];
      if (name != 0) PARAPRINT_TRY(add(name, way));
    }
    if (record.profile.ends_with(kNotModified)) PARAPRINT_TRY(add(previous_address(record.url), LinkWay::kPrevious));
    if (record.payload_digest.empty()) return {};
    // A stated address without a date is where players look for the digest.
    for (const std::string& url : {record.url, record.refers_to_url}) {
      if (url.empty()) continue;
      PARAPRINT_TRY(add(names_of({}, url, {}, record.payload_digest)[2], LinkWay::kDigest));
      PARAPRINT_TRY(add(digest_address(url), LinkWay::kNotFound));
    }
    return {};
  }

  Status sort_claims() {
    std::sort(claims_.begin(), claims_.end(), [](const ClaimRow& a, const ClaimRow& b) {
      return std::tie(a.name, a.way, a.revisit) < std::tie(b.name, b.way, b.revisit);
    });
    for (const ClaimRow& claim : claims_) {
      if (claimed_.empty() || claimed_.back() != claim.name) PARAPRINT_TRY(claimed_.push_back(claim.name));
    }
    return {};
  }

  bool is_claimed(std::uint64_t name) const { return std::binary_search(claimed_.begin(), claimed_.end(), name); }

  // Digests are computed only for captures of an address that a revisit record has.
  Status add_capture(const RawRecord& record) {
    const std::uint64_t previous = previous_address(record.url);
    const std::string digest = is_claimed(digest_address(record.url)) ? digest_of(record) : std::string();
    const std::array<std::uint64_t, 3> names = names_of(record.id, record.url, record.date, digest);
    std::vector<FoundRow> rows;
    const auto add = [&](std::uint64_t name, LinkWay way) {
      FoundRow& row = rows.emplace_back();
      row.name = name;
      row.way = static_cast<std::uint64_t>(way);
      row.seconds = seconds_or_last(record.date);
      row.capture = {record.location.file_index, record.location.ordinal};
    };
    for (const LinkWay way : {LinkWay::kId, LinkWay::kPlace, LinkWay::kDigest}) {
      const std::uint64_t name = names[static_cast<std::size_t>(way)];
      if ((way != LinkWay::kDigest || !digest.empty()) && is_claimed(name)) add(name, way);
    }
    if (is_claimed(previous)) add(previous, LinkWay::kPrevious);
    if (rows.empty()) return {};
    const std::scoped_lock lock(mutex_);
    const std::uint64_t text = links_.texts.size();
    PARAPRINT_TRY(links_.texts.append(std::span<const char>(encode_text(record))));
    for (FoundRow& row : rows) row.text = text;
    return found_.append(std::span<const FoundRow>(rows));
  }

  // Both sides are sorted by name. The captures of one name are sorted by date.
  Status match() {
    const FoundRow* first = found_.begin();
    const FoundRow* const end = found_.end();
    for (const ClaimRow& claim : claims_) {
      while (first != end && first->name < claim.name) ++first;
      if (claim.way == static_cast<std::uint64_t>(LinkWay::kNotFound)) continue;
      const FoundRow* const last = std::upper_bound(
          first, end, claim.name, [](std::uint64_t name, const FoundRow& row) { return name < row.name; });
      if (first == last) continue;
      const FoundRow* const chosen = choose(claim, first, last);
      if (chosen == nullptr) continue;
      PARAPRINT_TRY(candidates_.push_back({claim.revisit, claim.way, chosen->capture, chosen->text}));
    }
    std::sort(candidates_.begin(), candidates_.end());
    return {};
  }

  // Of the captures in [first, last).
  static const FoundRow* choose(const ClaimRow& claim, const FoundRow* first, const FoundRow* last) {
    const auto way = static_cast<LinkWay>(claim.way);
    if (way == LinkWay::kId || way == LinkWay::kPlace) return first;
    const FoundRow* const later = std::upper_bound(
        first, last, claim.seconds, [](std::int64_t seconds, const FoundRow& row) { return seconds < row.seconds; });
    if (later != first) return later - 1;
    return way == LinkWay::kDigest ? first : nullptr;
  }

  // Everything that has a stated id or place, and what was chosen by other evidence where there was no such capture.
  // For "not modified", some players show the capture before, whatever else is stated.
  Status list_referred_to() {
    for (const FoundRow& row : found_) {
      if (row.way > static_cast<std::uint64_t>(LinkWay::kPlace)) continue;
      PARAPRINT_TRY(links_.referred_to.push_back(row.capture));
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const bool is_best = i == 0 || candidates_[i - 1].revisit != candidates_[i].revisit;
      const bool is_previous = candidates_[i].way == static_cast<std::uint64_t>(LinkWay::kPrevious);
      if (is_best || is_previous) PARAPRINT_TRY(links_.referred_to.push_back(candidates_[i].capture));
    }
    SpillArray<RecordPlace>& places = links_.referred_to;
    std::sort(places.begin(), places.end());
    places.shrink(static_cast<std::size_t>(std::unique(places.begin(), places.end()) - places.begin()));
    return {};
  }

  // Candidates of one revisit record begin with the best one.
  Status list_links() {
    std::sort(revisits_.begin(), revisits_.end(),
              [](const RevisitRow& a, const RevisitRow& b) { return a.place < b.place; });
    const Candidate* candidate = candidates_.begin();
    for (const RevisitRow& row : revisits_) {
      while (candidate != candidates_.end() && candidate->revisit < row.place) ++candidate;
      RevisitLink link;
      link.revisit = row.place;
      link.revisit_text = row.text;
      if (candidate != candidates_.end() && candidate->revisit == row.place) {
        link.way = static_cast<LinkWay>(candidate->way);
        link.target = candidate->capture;
        link.target_text = candidate->text;
      }
      PARAPRINT_TRY(links_.links.push_back(link));
    }
    return {};
  }

  const LinkSources& sources_;
  ProgressReporter& progress_;
  std::mutex mutex_;
  std::uint64_t bytes_done_ = 0;
  RevisitLinks links_;
  SpillArray<RevisitRow> revisits_;
  SpillArray<ClaimRow> claims_;
  SpillArray<std::uint64_t> claimed_;  // the names of `claims_`
  SpillArray<FoundRow> found_;
  SpillArray<Candidate> candidates_;
};

}  // namespace

LinkedText RevisitLinks::text(std::uint64_t at) const {
  tick(texts.budget());
  ByteReader in(std::string_view(texts.data(), texts.size()).substr(at));
  LinkedText text;
  text.id = in.text();
  text.url = in.text();
  text.date = in.text();
  text.profile = in.text();
  text.offset_bytes = in.variable();
  return text;
}

Result<RevisitLinks> find_revisit_links(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress) {
  return LinkFinder(sources, budget, progress).run();
}

}  // namespace paraprint::inline payloads
