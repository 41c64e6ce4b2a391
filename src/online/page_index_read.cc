// Lookups, and reading what is stored.
//
// No function here takes the writer lock. A page or text may therefore disappear or change between two reads of the
// database; every function treats a missing record as "changed in the meantime", not as damage.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/propagate.h"
#include "online/page_index_state.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

namespace paraprint {
namespace {

// Ids and URLs are database keys. Real URLs are far shorter than this.
constexpr std::size_t kIdBytesMaximum = 8192;
constexpr std::size_t kDateBytesMaximum = 256;

std::uint64_t now_seconds() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

tl::unexpected<Error> no_page(std::string_view what, std::string_view name) {
  return failure(ErrorCode::kNotFound, fmt::format("no page with the {} {}", what, name));
}

// Everything except content_characters, which is in the text record.
IndexedPage page_of_record(std::string_view id, const PageRecord& record) {
  IndexedPage page;
  page.id = id;
  page.url = record.id_is_url ? page.id : record.url;
  page.date = record.date;
  page.cluster = record.cluster.empty() ? page.id : record.cluster;
  page.first_seen_seconds = record.first_seen_seconds;
  page.last_seen_seconds = record.last_seen_seconds;
  page.text = record.text;
  return page;
}

}  // namespace

Result<PageIndex::Implementation::IncomingPage> PageIndex::Implementation::prepare(const IndexPageInput& page,
                                                                                   bool needs_name) const {
  if (page.profile == nullptr) return failure(ErrorCode::kInvalidArgument, "the page has no profile");
  IncomingPage prepared;
  prepared.id = page.id.empty() ? page.url : page.id;
  if (needs_name && prepared.id.empty()) return failure(ErrorCode::kInvalidArgument, "the page needs an id or a URL");
  for (const auto& [name, size, limit] :
       {std::tuple{"id", prepared.id.size(), kIdBytesMaximum}, std::tuple{"URL", page.url.size(), kIdBytesMaximum},
        std::tuple{"date", page.date.size(), kDateBytesMaximum}}) {
    if (size > limit) {
      return failure(ErrorCode::kLimitExceeded,
                     fmt::format("the page's {} is {} bytes long; the limit is {}", name, size, limit));
    }
  }
  prepared.url = page.url;
  prepared.date = page.date;
  prepared.seen_at_seconds = page.seen_at_seconds != 0 ? page.seen_at_seconds : now_seconds();
  make_query(*page.profile, site_of_url(page.url), templates_, options_.match, options_.candidates, prepared.query);
  return prepared;
}

Result<IndexedPage> PageIndex::Implementation::page_of(std::string_view id, const PageRecord& record) const {
  IndexedPage page = page_of_record(id, record);
  PinnedValue value;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_text(record.text, value));
  if (!is_there) return page;  // replaced in the meantime
  TextRecord text;
  Profile head;
  Status decoded = decode_text_record(value.bytes(), text);
  if (decoded) decoded = decode_profile_head(text.profile, head);
  if (!decoded) return failure(decoded.error().code, fmt::format("text {}: {}", record.text, decoded.error().message));
  page.content_characters = head.content_characters;
  return page;
}

// Collects at most two ids to try: the owner, and one other page. A page that is looked up by its own id comes last, so
// that an answer names a different page where there is one.
Result<std::optional<IndexedPage>> PageIndex::Implementation::page_of_text(const FoundText& found,
                                                                           std::string_view asked_id) const {
  std::vector<std::string> ids;
  if (found.owner != asked_id) ids.push_back(found.owner);
  if (found.has_other_pages) {
    PARAPRINT_TRY(database_->for_each_member(found.text, [&](std::string_view id) -> Status {
      if (id == asked_id) return {};
      ids.emplace_back(id);
      return IndexDatabase::end_of_walk();
    }));
  }
  if (found.owner == asked_id) ids.emplace_back(asked_id);
  for (const std::string& id : ids) {
    PageRecord record;
    PARAPRINT_ASSIGN(const bool is_there, database_->get_page(id, record));
    if (!is_there || record.text != found.text) continue;  // removed or replaced in the meantime
    IndexedPage page = page_of_record(id, record);
    page.content_characters = found.content_characters;
    return std::optional<IndexedPage>(std::move(page));
  }
  return std::optional<IndexedPage>();
}

Status PageIndex::Implementation::fill_answer(const std::vector<FoundText>& found, std::string_view asked_id,
                                              const LookupOptions& options, LookupOutcome& answer) const {
  // The best match decides the verdict, so it is needed even if the caller asked for no matches.
  const std::size_t wanted = std::max<std::size_t>(1, options.matches_maximum);
  for (const FoundText& text : found) {
    if (answer.matches.size() == wanted) break;
    PARAPRINT_ASSIGN(std::optional<IndexedPage> page, page_of_text(text, asked_id));
    if (!page.has_value()) continue;
    IndexMatch match;
    match.page = std::move(*page);
    // Counting them all could mean reading 100,000 mirrors; the answer only tells one page from several.
    match.pages_of_text = text.has_other_pages ? 2 : 1;
    match.verdict = text.verdict;
    match.resemblance = text.resemblance;
    match.containment_asked = text.containment_query;
    match.containment_known = text.containment_text;
    match.matched_characters = text.matched_characters;
    match.spans = text.spans;
    answer.matches.push_back(std::move(match));
  }
  answer.verdict = answer.matches.empty() ? Verdict::kDistinct : answer.matches.front().verdict;
  return {};
}

Result<LookupOutcome> PageIndex::Implementation::lookup(const IndexPageInput& page, const LookupOptions& options) {
  PARAPRINT_ASSIGN(const IncomingPage prepared, prepare(page, false));
  const SearchLease search(*this);
  LookupOutcome answer;
  std::vector<FoundText> found;
  const std::shared_ptr<const SearchView> view = tables_->view();
  Status done = (*search).find(*view, prepared.query, 0, CandidateSearch::kNoText, options, found, answer.work);
  if (done) done = fill_answer(found, "", options, answer);
  if (!done) return tl::unexpected<Error>(done.error());
  return answer;
}

Result<IndexedPage> PageIndex::Implementation::get(std::string_view id) const {
  PageRecord record;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_page(id, record));
  if (!is_there) return no_page("id", id);
  return page_of(id, record);
}

// Pages whose id is their URL have no entry in the table of URLs, so the id is tried first.
Result<IndexedPage> PageIndex::Implementation::find_by_url(std::string_view url) const {
  PageRecord record;
  Result<bool> is_there = database_->get_page(url, record);
  PARAPRINT_TRY(is_there);
  if (*is_there && record.id_is_url) return page_of(url, record);
  std::string id;
  is_there = database_->get_id_of_url(url, id);
  if (!is_there) return tl::unexpected<Error>(is_there.error());
  if (!*is_there) return no_page("URL", url);
  return get(id);
}

Result<Profile> PageIndex::Implementation::get_profile(std::string_view id) const {
  PageRecord record;
  // A text that was removed after its number was read means that the page has just been deleted or replaced.
  Result<bool> is_there = database_->get_page(id, record);
  PARAPRINT_TRY(is_there);
  PinnedValue value;
  if (*is_there) is_there = database_->get_text(record.text, value);
  if (!is_there) return tl::unexpected<Error>(is_there.error());
  if (!*is_there) return no_page("id", id);
  TextRecord text;
  Profile profile;
  Status decoded = decode_text_record(value.bytes(), text);
  if (decoded) decoded = decode_profile(text.profile, profile);
  if (!decoded) return failure(decoded.error().code, fmt::format("page {}: {}", id, decoded.error().message));
  return profile;
}

// The page that began the cluster is not listed among its members, and may have been deleted. The current cluster of
// each page is checked, because it may have left after its membership was read.
Result<std::vector<IndexedPage>> PageIndex::Implementation::get_cluster(std::string_view id, std::size_t limit) const {
  std::vector<IndexedPage> pages;
  const auto add = [&](std::string_view member) -> Status {
    if (pages.size() == limit) return IndexDatabase::end_of_walk();
    Result<IndexedPage> page = get(member);
    if (page && page->cluster == id) pages.push_back(std::move(*page));
    if (!page && page.error().code != ErrorCode::kNotFound) return tl::unexpected<Error>(page.error());
    return {};
  };
  Status done = add(id);
  if (done) done = database_->for_each_cluster_member(id, add);
  if (!done) return tl::unexpected<Error>(done.error());
  if (pages.empty()) return failure(ErrorCode::kNotFound, fmt::format("no cluster with the id {}", id));
  return pages;
}

// Pages are read from a snapshot, profiles as they are now: a page deleted during the walk has none.
Status PageIndex::Implementation::for_each_page(
    bool with_profiles, const std::function<Status(const IndexedPage&, const Profile*)>& visit) const {
  PageRecord record;
  return database_->for_each_page([&](std::string_view id, std::string_view bytes) -> Status {
    if (Status decoded = decode_page_record(bytes, record); !decoded) {
      return failure(decoded.error().code, fmt::format("page {}: {}", id, decoded.error().message));
    }
    PARAPRINT_ASSIGN(const IndexedPage page, page_of(id, record));
    if (!with_profiles) return visit(page, nullptr);
    const Result<Profile> profile = get_profile(id);
    if (profile) return visit(page, &*profile);
    if (profile.error().code == ErrorCode::kNotFound) return visit(page, nullptr);
    return tl::unexpected<Error>(profile.error());
  });
}

Result<std::vector<std::string>> PageIndex::Implementation::ids_after(std::string_view id, std::size_t limit) const {
  std::vector<std::string> ids;
  PARAPRINT_TRY(database_->for_each_page_from(id, [&](std::string_view found, std::string_view) -> Status {
    if (ids.size() == limit) return IndexDatabase::end_of_walk();
    if (found != id) ids.emplace_back(found);
    return {};
  }));
  return ids;
}

// Read one by one without a lock: during changes the numbers may be of slightly different moments.
Result<IndexStatistics> PageIndex::Implementation::statistics() const {
  IndexStatistics statistics;
  statistics.pages = pages_;
  statistics.texts = texts_;
  statistics.next_text = next_text_;
  const std::shared_ptr<const SearchView> view = tables_->view();
  statistics.segments = view->segments.size();
  for (const auto& segment : view->segments) statistics.segment_bytes += segment->size_bytes();
  for (const auto& head : view->sealed) {
    statistics.head_texts += head->texts().size();
    statistics.head_bytes += head->used_bytes();
  }
  statistics.head_texts += view->head->texts().size();
  statistics.head_bytes += view->head->used_bytes();
  statistics.template_bytes = templates_.memory_bytes();
  statistics.sites = templates_.sites();
  statistics.database_bytes = database_->size_bytes();
  statistics.merges = tables_->merges();
  statistics.identity = identity_;
  statistics.warnings = tables_->warnings();
  return statistics;
}

}  // namespace paraprint
