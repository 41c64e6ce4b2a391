// Who copied from whom in a cluster of the index: the pages are read again and traced as those of a run are
// (provenance/trace_copies.h), each time anew, because every added page may change the answer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/page_index_state.h"
#include "online/statement_filter.h"
#include "profile/profile_codec.h"
#include "provenance/provenance_lines.h"
#include "provenance/trace_copies.h"
#include "provenance/traced_cluster.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kTracedMaximum = 10'000;

// When a page was captured at the latest: nothing that it states can be later.
std::string capture_date_of(const IndexedPage& page) {
  if (!page.date.empty()) return page.date;
  const std::chrono::sys_seconds moment(std::chrono::seconds(page.first_seen_seconds));
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

}  // namespace

// One cluster, read page by page without a lock: pages that leave meanwhile are left out.
class PageIndex::Implementation::ClusterTrace {
 public:
  explicit ClusterTrace(const Implementation& index) : index_(index), matcher_(index.options_.match) {}

  // `cluster`: its name, which is the id of the page that it began with unless that page had begun one before.
  Status read(const std::string& cluster, std::uint32_t pages_maximum, bool& has_more) {
    std::vector<std::string> ids = {cluster};
    // One more than wanted tells that there are more; the first page need not exist any longer.
    PARAPRINT_TRY(index_.database_->for_each_cluster_member(cluster, [&](std::string_view id) -> Status {
      if (ids.size() > pages_maximum + 1) return IndexDatabase::end_of_walk();
      ids.emplace_back(id);
      return {};
    }));
    std::sort(ids.begin(), ids.end());
    for (const std::string& id : ids) {
      PARAPRINT_TRY(check_stop());
      PARAPRINT_TRY(add(id, cluster, pages_maximum, has_more));
    }
    StopCheck stop(StopScope::current());
    origins_ = trace_copies(traced_.pages(), stop);
    return stop.status();
  }

  std::size_t size() const { return pages_.size(); }
  const IndexedPage& page(std::size_t place) const { return pages_[place]; }

  Result<std::string> object(std::size_t place) {
    ProvenanceRow row;
    row.id = pages_[place].id;
    row.url = pages_[place].url;
    row.cluster = std::string_view(pages_[place].cluster);
    row.stated = &traced_.pages()[place].stated;
    row.traced = &origins_[place];
    if (const std::optional<std::uint32_t> source = origins_[place].copied_from) {
      row.copied_from = pages_[*source].id;
      if (!index_.algorithm_) {
        PARAPRINT_ASSIGN(row.change, change_between(pages_[*source], pages_[place]));
      }
    }
    return provenance_object(row);
  }

 private:
  Status add(const std::string& id, const std::string& cluster, std::uint32_t pages_maximum, bool& has_more) {
    Result<IndexedPage> page = index_.get(id);
    if (!page && page.error().code == ErrorCode::kNotFound) return {};
    PARAPRINT_TRY(page);
    if (page->cluster != cluster) return {};
    if (pages_.size() == pages_maximum) {
      has_more = true;
      return {};
    }
    const Result<Profile> profile = index_.get_profile(id);
    if (!profile && profile.error().code == ErrorCode::kNotFound) return {};
    PARAPRINT_TRY(profile);
    PinnedValue bytes;
    OriginRecord origin;
    PARAPRINT_ASSIGN(const bool has_origin, index_.database_->get_origin(id, bytes));
    if (has_origin) PARAPRINT_TRY(index_.decode_stored_origin(id, bytes, origin));
    traced_.add({page->id, page->url, capture_date_of(*page)}, std::move(origin), *profile);
    pages_.push_back(std::move(*page));
    return {};
  }

  // Empty if one of them has left since it was read.
  Result<std::optional<TextChange>> change_between(const IndexedPage& source, const IndexedPage& copy) {
    std::vector<std::uint8_t> source_flags;
    std::vector<std::uint8_t> copy_flags;
    Profile source_profile;
    Profile copy_profile;
    PARAPRINT_ASSIGN(const bool has_source, read_text(source.text, source_profile, source_flags));
    PARAPRINT_ASSIGN(const bool has_copy, read_text(copy.text, copy_profile, copy_flags));
    if (!has_source || !has_copy) return std::optional<TextChange>();
    std::vector<MatchedSpan> spans;
    StopCheck stop(StopScope::current());
    matcher_.score(source_profile, copy_profile, source_flags, copy_flags, &spans, stop);
    PARAPRINT_TRY(stop.status());
    return std::optional<TextChange>(text_change(source_profile, copy_profile, spans));
  }

  Result<bool> read_text(std::uint64_t text, Profile& profile, std::vector<std::uint8_t>& template_flags) {
    PinnedValue value;
    PARAPRINT_ASSIGN(const bool is_there, index_.database_->get_text(text, value));
    if (!is_there) return false;
    TextRecord record;
    Status decoded = decode_text_record(value.bytes(), record);
    if (decoded) decoded = decode_profile(record.profile, profile);
    if (!decoded) return failure(decoded.error().code, fmt::format("text {}: {}", text, decoded.error().message));
    stored_template_flags(record, profile, index_.templates_, index_.options_.candidates.boilerplate, template_flags);
    return true;
  }

  const Implementation& index_;
  ParagraphMatcher matcher_;
  TracedCluster traced_;
  std::vector<IndexedPage> pages_;  // by id
  std::vector<TracedOrigin> origins_;
};

Status PageIndex::Implementation::decode_stored_origin(std::string_view id, const PinnedValue& bytes,
                                                       OriginRecord& origin) const {
  Status decoded = decode_origin(bytes.bytes(), origin);
  if (decoded) return {};
  return failure(decoded.error().code, fmt::format("{}: page {}: {}", folder_, id, decoded.error().message));
}

Status PageIndex::Implementation::add_statement(IndexedPage& page, const IndexSnapshot* moment) const {
  if (!has_origins_) return {};
  PinnedValue bytes;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_origin(page.id, bytes, moment));
  if (!is_there) return {};
  OriginRecord origin;
  PARAPRINT_TRY(decode_stored_origin(page.id, bytes, origin));
  PageStatement& stated = page.stated.emplace();
  stated.metadata = std::move(origin.stated.metadata);
  if (!stated.metadata.date_published.empty()) stated.date_place = date_place_name(origin.stated.date_place);
  return {};
}

Result<TracedCopies> PageIndex::Implementation::trace(std::string_view id, const TraceOptions& options) const {
  if (options.pages < 1 || options.pages > kTracedMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("pages must be from 1 to {}", kTracedMaximum));
  }
  PARAPRINT_ASSIGN(const KnownPageFilter filter, KnownPageFilter::create(options.filter));
  PARAPRINT_ASSIGN(const IndexedPage asked, get(id));
  TracedCopies traced;
  traced.cluster = asked.cluster;
  ClusterTrace trace(*this);
  PARAPRINT_TRY(trace.read(asked.cluster, options.pages, traced.has_more));
  for (std::size_t place = 0; place < trace.size(); ++place) {
    PARAPRINT_TRY(check_stop());
    if (!filter.passes(trace.page(place))) {
      ++traced.pages_filtered_out;
      continue;
    }
    PARAPRINT_ASSIGN(std::string object, trace.object(place));
    traced.pages.push_back(std::move(object));
  }
  return traced;
}

}  // namespace paraprint
