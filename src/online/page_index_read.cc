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
#include "profile/fingerprint_codec.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"
#include "profile/profile_versions.h"

namespace paraprint {
namespace {

constexpr std::size_t kDateBytesMaximum = 256;
// Pages that one lookup with a filter reads; some microseconds each.
constexpr std::size_t kFilteredPagesMaximum = 4096;

std::uint64_t now_seconds() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

tl::unexpected<Error> no_page(std::string_view what, std::string_view name) {
  return failure(ErrorCode::kNotFound, fmt::format("no page with the {} {}", what, name));
}

// Otherwise copies would not be found, and profiles be stored that no page of the index can be compared with.
Status check_settings(std::string_view of_index, std::string_view of_page) {
  if (of_page.empty() || compare_identities(of_index, of_page) <= IdentityDifference::kRules) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the profile of the page was made with different settings than those of the index:\n"
                             "  index:   {}\n  profile: {}",
                             of_index, of_page));
}

// kInvalidArgument without a fingerprint, or for one that some other algorithm or other parameters made. An empty one
// is that of a page without text only.
Status check_fingerprint(const PageAlgorithm& algorithm, const Profile& profile, const PageFingerprint* fingerprint) {
  const bool is_missing =
      fingerprint == nullptr || (fingerprint->state == FingerprintState::kEmpty && profile.content_characters > 0);
  if (is_missing) {
    return failure(ErrorCode::kInvalidArgument,
                   "the page has a profile, but no fingerprint by the algorithm of this index");
  }
  if (algorithm.accepts(*fingerprint)) return {};
  return failure(ErrorCode::kInvalidArgument, "the page's fingerprint was not made with the settings of this index");
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
  PARAPRINT_TRY(check_settings(identity_, page.settings));
  IncomingPage prepared;
  prepared.id = page.id.empty() ? page.url : page.id;
  if (needs_name && prepared.id.empty()) return failure(ErrorCode::kInvalidArgument, "the page needs an id or a URL");
  for (const auto& [name, size, limit] : {std::tuple{"id", prepared.id.size(), kPageNameBytesMaximum},
                                          std::tuple{"URL", page.url.size(), kPageNameBytesMaximum},
                                          std::tuple{"date", page.date.size(), kDateBytesMaximum}}) {
    if (size > limit) {
      return failure(ErrorCode::kLimitExceeded,
                     fmt::format("the page's {} is {} bytes long; the limit is {}", name, size, limit));
    }
  }
  prepared.url = page.url;
  prepared.date = page.date;
  prepared.origin = page.origin;
  if (!page.origin.empty()) {
    OriginRecord origin;
    if (!decode_origin(page.origin, origin)) {
      return failure(ErrorCode::kInvalidArgument, "IndexPageInput::origin is not what Profiler::origin() gives");
    }
  }
  prepared.seen_at_seconds = page.seen_at_seconds != 0 ? page.seen_at_seconds : now_seconds();
  const Profile* profile = page.profile;
  if (algorithm_) {
    PARAPRINT_TRY(check_fingerprint(*algorithm_, *page.profile, page.fingerprint));
    auto head = std::make_unique<Profile>();
    head->content_characters = page.profile->content_characters;
    head->text_hash = page.fingerprint->text_hash;
    profile = head.get();
    prepared.head = std::move(head);
    prepared.query.fingerprint = page.fingerprint;
  }
  make_query(*profile, site_of_url(page.url), templates_, options_.match, options_.candidates, prepared.query);
  return prepared;
}

Status PageIndex::Implementation::prepare_adding(IncomingPage& page) const {
  encode_profile(*page.query.profile, page.profile);
  if (algorithm_) {
    encode_fingerprint(*page.query.fingerprint, page.fingerprint);
    collect_text_keys(*page.query.profile, *page.query.fingerprint, *algorithm_, page.keys);
  } else {
    collect_text_keys(*page.query.profile, page.query.template_flags, page.keys);
  }
  if (SearchHead::fits_when_empty(page.keys)) return {};
  return failure(ErrorCode::kLimitExceeded,
                 fmt::format("the profile of page {} has {} search keys and {} fingerprints, more than an index takes",
                             page.id, page.keys.exact.size(), page.keys.fingerprints.size()));
}

tl::unexpected<Error> PageIndex::Implementation::missing_text(std::string_view id, const PageRecord& record) const {
  return failure(ErrorCode::kCorruptData, fmt::format("{}: page {}: its text {} is missing", folder_, id, record.text));
}

Result<bool> PageIndex::Implementation::get_page_and_text(std::string_view id, PageRecord& record,
                                                          PinnedValue& text) const {
  Result<bool> is_there = database_->get_page(id, record);
  if (!is_there || !*is_there) return is_there;
  is_there = database_->get_text(record.text, text);
  if (!is_there || *is_there) return is_there;
  // Between the two reads the page was removed, or replaced by one with another text.
  const IndexSnapshot moment = database_->snapshot();
  is_there = database_->get_page(id, record, &moment);
  if (!is_there || !*is_there) return is_there;
  is_there = database_->get_text(record.text, text, &moment);
  if (!is_there || *is_there) return is_there;
  return missing_text(id, record);
}

Result<IndexedPage> PageIndex::Implementation::page_of(std::string_view id, const PageRecord& record,
                                                       std::string_view text_record) {
  IndexedPage page = page_of_record(id, record);
  TextRecord text;
  Profile head;
  Status decoded = decode_text_record(text_record, text);
  if (decoded) decoded = decode_profile_head(text.profile, head);
  if (!decoded) return failure(decoded.error().code, fmt::format("text {}: {}", record.text, decoded.error().message));
  page.content_characters = head.content_characters;
  return page;
}

// Collects at most two ids to try, the owner and one other page; more if a filter may refuse them. A page that is
// looked up by its own id comes last, so that an answer names a different page where there is one. The flag
// has_other_pages may stay set when the other pages leave, so they have to be looked for: from the owner on, as its
// heir is, since pages before it may have been removed.
Result<std::optional<PageIndex::Implementation::TextPage>> PageIndex::Implementation::page_of_text_at(
    const IndexSnapshot* moment, std::uint64_t text, std::string_view owner, bool has_other_pages,
    std::string_view asked_id, FilteredPages* filtered) const {
  std::vector<std::string> ids;
  TextPage result;
  if (owner != asked_id) ids.emplace_back(owner);
  // Without a filter, one besides the owner is enough.
  const std::size_t ids_maximum = filtered == nullptr ? ids.size() + 1 : filtered->pages_left;
  if (has_other_pages) {
    const auto take_one = [&](std::string_view id) -> Status {
      result.has_others = true;
      if (id == asked_id) return {};
      ids.emplace_back(id);
      return ids.size() < ids_maximum ? Status{} : IndexDatabase::end_of_walk();
    };
    PARAPRINT_TRY(database_->for_each_member(text, owner, take_one, moment));
  }
  if (owner == asked_id) ids.emplace_back(asked_id);
  bool is_there_any = false;
  for (const std::string& id : ids) {
    PageRecord record;
    PARAPRINT_ASSIGN(const bool is_there, database_->get_page(id, record, moment));
    if (!is_there || record.text != text) continue;  // removed or replaced in the meantime
    result.page = page_of_record(id, record);
    PARAPRINT_TRY(add_statement(result.page, moment));
    is_there_any = true;
    result.is_wanted = filtered == nullptr || filtered->filter.passes(result.page);
    if (filtered != nullptr && filtered->pages_left > 0) --filtered->pages_left;
    if (result.is_wanted || filtered->pages_left == 0) break;
  }
  return is_there_any ? std::optional<TextPage>(std::move(result)) : std::optional<TextPage>();
}

// If none of the pages that the text had when it was read has it now, they have left it, and others may have joined it
// before they did. The text and its pages as of one moment then tell whether the text is gone.
Result<std::optional<PageIndex::Implementation::TextPage>> PageIndex::Implementation::page_of_text(
    const FoundText& found, std::string_view asked_id, FilteredPages* filtered) const {
  PARAPRINT_ASSIGN(std::optional<TextPage> page,
                   page_of_text_at(nullptr, found.text, found.owner, found.has_other_pages, asked_id, filtered));
  if (!page.has_value()) {
    const IndexSnapshot moment = database_->snapshot();
    PinnedValue value;
    PARAPRINT_ASSIGN(const bool is_there, database_->get_text(found.text, value, &moment));
    if (!is_there) return page;
    TextRecord text;
    if (Status decoded = decode_text_record(value.bytes(), text); !decoded) {
      return failure(decoded.error().code, fmt::format("text {}: {}", found.text, decoded.error().message));
    }
    PARAPRINT_ASSIGN(page, page_of_text_at(&moment, found.text, text.owner, text.has_other_pages, asked_id, filtered));
  }
  if (page.has_value()) page->page.content_characters = found.content_characters;
  return page;
}

Status PageIndex::Implementation::fill_answer(const std::vector<FoundText>& found, std::string_view asked_id,
                                              const LookupOptions& options, FilteredPages* filtered,
                                              LookupOutcome& answer, std::vector<std::uint64_t>& gone) const {
  // The best match decides the verdict, so it is needed even if the caller asked for no matches.
  const std::size_t wanted = std::max<std::size_t>(1, options.matches);
  answer.matches.clear();
  for (const FoundText& text : found) {
    if (answer.matches.size() == wanted) break;
    PARAPRINT_ASSIGN(std::optional<TextPage> page, page_of_text(text, asked_id, filtered));
    if (page.has_value() && !page->is_wanted) continue;
    if (!page.has_value()) {
      gone.push_back(text.text);
      continue;
    }
    IndexMatch match;
    match.page = std::move(page->page);
    // Counting them all could mean reading 100,000 mirrors; the answer only tells one page from several.
    match.pages_of_text = page->has_others ? 2 : 1;
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

// A text is in the search tables before it is in the database, so one that a search did not find there may have been on
// its way. Those that are not there either when no text is being removed were removed before.
Status PageIndex::Implementation::keep_removed_texts(std::uint64_t removals,
                                                     std::vector<std::uint64_t>& missing) const {
  if (removals % 2 != 0) {
    missing.clear();
    return {};
  }
  std::vector<std::uint64_t> removed;
  PinnedValue value;
  for (const std::uint64_t text : missing) {
    PARAPRINT_ASSIGN(const bool is_there, database_->get_text(text, value));
    if (!is_there) removed.push_back(text);
  }
  missing = std::move(removed);
  return {};
}

// The end of a removal takes no lock, so that it cannot fail: a notification between the question and the wait is
// missed, and the wait is short.
Status PageIndex::Implementation::wait_for_removal(std::uint64_t removals) const {
  constexpr std::chrono::milliseconds kLongestWait{2};
  std::unique_lock lock(removal_mutex_);
  while (removals_.load() == removals) {
    PARAPRINT_TRY(check_stop());
    removal_end_.wait_for(lock, kLongestWait);
  }
  return {};
}

// A text that is removed during the search may have been replaced, in the same change, by one that matches as well but
// was not yet in the search tables when they were searched. The search is then repeated. A text that was removed before
// the search began is no reason to repeat it: what replaced it was there to be found.
Result<LookupOutcome> PageIndex::Implementation::lookup(const IndexPageInput& page, const LookupOptions& options) {
  PARAPRINT_ASSIGN(const IncomingPage prepared, prepare(page, false));
  PARAPRINT_ASSIGN(const KnownPageFilter filter, KnownPageFilter::create(options.filter));
  // A page with equal text is no answer if it does not pass.
  LookupOptions search_options = options;
  search_options.all = options.all || !filter.is_empty();
  const SearchLease search(*this);
  LookupOutcome answer;
  std::vector<std::uint64_t> missing_before;
  for (;;) {
    const std::uint64_t removals = removals_.load();
    PARAPRINT_TRY(keep_removed_texts(removals, missing_before));
    const std::shared_ptr<const SearchView> view = tables_->view();
    std::vector<FoundText> found;
    Status done =
        (*search).find(*view, prepared.query, 0, CandidateSearch::kNoText, search_options, found, answer.work);
    std::vector<std::uint64_t> missing = (*search).missing_texts();
    FilteredPages filtered{filter, kFilteredPagesMaximum};
    if (done) done = fill_answer(found, "", options, filter.is_empty() ? nullptr : &filtered, answer, missing);
    if (!done) return tl::unexpected<Error>(done.error());
    if (removals % 2 == 0 && removals_.load() == removals) return answer;
    std::sort(missing.begin(), missing.end());
    if (std::includes(missing_before.begin(), missing_before.end(), missing.begin(), missing.end())) return answer;
    missing_before = std::move(missing);
    // Searching again would find the same while a slow disk keeps the removal waiting.
    if (removals % 2 != 0) PARAPRINT_TRY(wait_for_removal(removals));
  }
}

Result<IndexedPage> PageIndex::Implementation::get(std::string_view id) const {
  PageRecord record;
  PinnedValue text;
  PARAPRINT_ASSIGN(const bool is_there, get_page_and_text(id, record, text));
  if (!is_there) return no_page("id", id);
  PARAPRINT_ASSIGN(IndexedPage page, page_of(id, record, text.bytes()));
  PARAPRINT_TRY(add_statement(page));
  return page;
}

// Pages whose id is their URL have no entry in the table of URLs, so the id is tried first.
Result<IndexedPage> PageIndex::Implementation::find_by_url(std::string_view url) const {
  PageRecord record;
  Result<bool> is_there = database_->get_page(url, record);
  PARAPRINT_TRY(is_there);
  if (*is_there && record.id_is_url) return get(url);
  std::string id;
  is_there = database_->get_id_of_url(url, id);
  if (!is_there) return tl::unexpected<Error>(is_there.error());
  if (!*is_there) return no_page("URL", url);
  return get(id);
}

Result<Profile> PageIndex::Implementation::get_profile(std::string_view id) const {
  PageRecord record;
  PinnedValue value;
  PARAPRINT_ASSIGN(const bool is_there, get_page_and_text(id, record, value));
  if (!is_there) return no_page("id", id);
  TextRecord text;
  Profile profile;
  Status decoded = decode_text_record(value.bytes(), text);
  if (decoded) decoded = decode_profile(text.profile, profile);
  if (!decoded) return failure(decoded.error().code, fmt::format("page {}: {}", id, decoded.error().message));
  return profile;
}

Result<PageFingerprint> PageIndex::Implementation::get_fingerprint(std::string_view id) const {
  PageRecord record;
  PinnedValue value;
  PARAPRINT_ASSIGN(const bool is_there, get_page_and_text(id, record, value));
  if (!is_there) return no_page("id", id);
  if (!algorithm_) return failure(ErrorCode::kNotFound, "an index of the paragraph method has no page fingerprints");
  TextRecord text;
  PageFingerprint fingerprint;
  Status decoded = decode_text_record(value.bytes(), text);
  if (decoded) decoded = read_text_fingerprint(text, *algorithm_, fingerprint);
  if (!decoded) return failure(decoded.error().code, fmt::format("page {}: {}", id, decoded.error().message));
  return fingerprint;
}

// Pages and texts are read from a snapshot, profiles as they are now: a page deleted during the walk has none.
Status PageIndex::Implementation::for_each_page(
    bool with_profiles, const std::function<Status(const IndexedPage&, const Profile*)>& visit) const {
  PageRecord record;
  PinnedValue text;
  const IndexSnapshot moment = database_->snapshot();
  const auto visit_page = [&](std::string_view id, std::string_view bytes) -> Status {
    if (Status decoded = decode_page_record(bytes, record); !decoded) {
      return failure(decoded.error().code, fmt::format("page {}: {}", id, decoded.error().message));
    }
    PARAPRINT_ASSIGN(const bool has_text, database_->get_text(record.text, text, &moment));
    if (!has_text) return missing_text(id, record);
    PARAPRINT_ASSIGN(IndexedPage page, page_of(id, record, text.bytes()));
    PARAPRINT_TRY(add_statement(page, &moment));
    if (!with_profiles) return visit(page, nullptr);
    const Result<Profile> profile = get_profile(id);
    if (profile) return visit(page, &*profile);
    if (profile.error().code == ErrorCode::kNotFound) return visit(page, nullptr);
    return tl::unexpected<Error>(profile.error());
  };
  return database_->for_each_page(visit_page, &moment);
}

// Texts and pages are read from one snapshot: pages come and go meanwhile, and the owner of a text leaves it to others.
Status PageIndex::Implementation::for_each_text(const std::function<Status(const IndexedText&)>& visit) const {
  TextRecord record;
  PageRecord owner;
  Profile profile;
  std::vector<std::uint8_t> flags;
  IndexedText stored;
  const IndexSnapshot moment = database_->snapshot();
  const auto visit_text = [&](std::uint64_t text, std::string_view bytes) -> Status {
    Status decoded = decode_text_record(bytes, record);
    if (decoded) decoded = decode_profile(record.profile, profile);
    if (!decoded) return failure(decoded.error().code, fmt::format("text {}: {}", text, decoded.error().message));
    PARAPRINT_ASSIGN(const bool has_owner, database_->get_page(record.owner, owner, &moment));
    if (!has_owner || owner.text != text) {
      return failure(ErrorCode::kCorruptData, fmt::format("{}: text {}: its page {} is missing or has another text",
                                                          folder_, text, record.owner));
    }
    stored.text = text;
    PARAPRINT_ASSIGN(stored.page, page_of(record.owner, owner, bytes));
    stored.site = record.site;
    stored_template_flags(record, profile, templates_, options_.candidates.boilerplate, flags);
    stored.template_paragraphs = flagged_paragraphs(flags);
    stored.profile = record.profile;
    return visit(stored);
  };
  return database_->for_each_text(0, next_text_, visit_text, &moment);
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
  PARAPRINT_ASSIGN(statistics.database_bytes, database_->size_bytes());
  statistics.merges = tables_->merges();
  statistics.identity = identity_;
  statistics.read_only = options_.read_only;
  if (const std::optional<PublishedSnapshot> last = snapshot()) {
    statistics.snapshot = last->number;
    statistics.snapshot_seconds = last->taken_seconds;
  }
  statistics.generations = generations();
  statistics.warnings = warnings();
  return statistics;
}

}  // namespace paraprint
