// Adding, replacing and removing pages.
//
// Every change is one write batch that includes the new counts, so after a kill the database holds either all of it or
// nothing. Fingerprinting happened before the call; the search, which is the expensive part of adding, runs without the
// lock and is only brought up to date under it. Waiting for the disk happens after the lock is released.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/page_index_state.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

namespace paraprint {
Status PageIndex::Implementation::check_writable() const {
  if (const Status usable = database_->check_usable(); !usable) {
    return failure(usable.error().code, fmt::format("the index {} is read-only until it is opened again: {}", folder_,
                                                    usable.error().message));
  }
  return tables_->check_room();
}

// The counts are part of every batch, so they always agree with the records; opening and verify() rely on that to
// notice lost data.
void PageIndex::Implementation::put_counts(IndexBatch& batch, const IndexCounts& counts) const {
  database_->put_setting(batch, "counts", encode_index_counts(counts));
}

// Nothing can fail after the write: a text number that is in the database must not be assigned again. The atomics are
// copies for readers without the lock.
Status PageIndex::Implementation::write(IndexBatch& batch, const IndexCounts& counts) {
  PARAPRINT_TRY(database_->write(batch));
  counts_ = counts;
  pages_ = counts.pages;
  texts_ = counts.texts;
  next_text_.store(counts.next_text, std::memory_order_release);
  return {};
}

Result<PageIndex::Implementation::StoredVersion> PageIndex::Implementation::stored_version(
    const IncomingPage& page) const {
  StoredVersion stored;
  Result<bool> is_there = database_->get_page(page.id, stored.record);
  PARAPRINT_TRY(is_there);
  if (!*is_there) return stored;
  PinnedValue value;
  is_there = database_->get_text(stored.record.text, value);
  if (!is_there) return tl::unexpected<Error>(is_there.error());
  if (!*is_there) return stored;  // being changed right now; search_since() reads it again under the lock
  TextRecord text;
  Status decoded = decode_text_record(value.bytes(), text);
  if (decoded) decoded = decode_profile(text.profile, stored.profile);
  if (decoded && algorithm_) decoded = read_text_fingerprint(text, *algorithm_, stored.fingerprint);
  if (!decoded) return failure(decoded.error().code, fmt::format("page {}: {}", page.id, decoded.error().message));
  stored_template_flags(text, stored.profile, templates_, options_.candidates.boilerplate, stored.template_flags);
  stored.is_there = true;
  // The flag has_other_pages may stay set when the other pages leave, so they have to be looked for.
  stored.is_only_page_of_text = text.owner == page.id;
  if (stored.is_only_page_of_text && text.has_other_pages) {
    PARAPRINT_TRY(database_->for_each_member(stored.record.text, page.id, [&](std::string_view) -> Status {
      stored.is_only_page_of_text = false;
      return IndexDatabase::end_of_walk();
    }));
  }
  stored.is_same_text = is_equal_text(stored.profile, *page.query.profile);
  return stored;
}

// A text names its first page as owner; members are only written for further pages. Most texts have one page, and then
// cost no member record.
Status PageIndex::Implementation::join_text(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  PinnedValue value;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_text(text, value));
  if (!is_there) return failure(ErrorCode::kCorruptData, fmt::format("text {} is missing in {}", text, folder_));
  TextRecord record;
  PARAPRINT_TRY(decode_text_record(value.bytes(), record));
  if (record.owner == id) return {};
  database_->put_member(batch, text, id);
  if (record.has_other_pages) return {};
  record.has_other_pages = true;
  database_->put_text(batch, text, record);
  return {};
}

// Of 100,000 mirrors that are removed in the order of their ids, each inherits the text from the one before it. The
// database still stores the deletion of all of these, so the heir is looked for behind them: it is the next page by id,
// and after the last one the first.
Result<bool> PageIndex::Implementation::leave_text(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  PinnedValue value;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_text(text, value));
  if (!is_there) return false;
  TextRecord record;
  PARAPRINT_TRY(decode_text_record(value.bytes(), record));
  if (record.owner != id) {
    database_->remove_member(batch, text, id);
    PARAPRINT_ASSIGN(const bool has_others, database_->has_member_besides(text, id));
    if (has_others) return false;
    // Else every lookup of the text would look for other pages, among the deletions of all that there were.
    record.has_other_pages = false;
    database_->put_text(batch, text, record);
    return false;
  }
  // The owner leaves: another page inherits the text. Without one the text is deleted.
  std::string next_owner;
  bool has_others = false;
  if (record.has_other_pages) {
    PARAPRINT_TRY(database_->for_each_member(text, id, [&](std::string_view member) -> Status {
      has_others = !next_owner.empty();
      if (has_others) return IndexDatabase::end_of_walk();
      next_owner = member;
      return {};
    }));
  }
  if (next_owner.empty()) {
    database_->remove_text(batch, text);
    return true;
  }
  database_->remove_member(batch, text, next_owner);
  record.owner = next_owner;
  record.has_other_pages = has_others;
  database_->put_text(batch, text, record);
  return false;
}

// Removes the entries for the URL and the cluster that a page no longer has. A URL that another page has taken over in
// the meantime stays.
Status PageIndex::Implementation::leave_names(IndexBatch& batch, std::string_view id, const PageRecord& record,
                                              std::string_view new_url, std::string_view new_cluster) const {
  if (!record.url.empty() && record.url != new_url) {
    std::string owner;
    PARAPRINT_ASSIGN(const bool is_there, database_->get_id_of_url(record.url, owner));
    if (is_there && owner == id) database_->remove_url(batch, record.url);
  }
  if (!record.cluster.empty() && record.cluster != new_cluster) {
    database_->remove_cluster_member(batch, record.cluster, id);
  }
  return {};
}

// The flag is set first: whoever sees the page looks for its statement.
void PageIndex::Implementation::put_origin(IndexBatch& batch, const IncomingPage& page) {
  has_origins_ = true;
  database_->put_origin(batch, page.id, page.origin);
}

// A URL leads to the page that came with it last. It may have led to another page since this one came before, or
// nowhere, since that other page was removed.
Status PageIndex::Implementation::visit_url(IndexBatch& batch, const IncomingPage& page, PageRecord& record) const {
  record.id_is_url = page.url == page.id;
  const std::string_view url = record.id_is_url ? std::string_view() : page.url;
  PARAPRINT_TRY(leave_names(batch, page.id, record, url, record.cluster));
  record.url = url;
  if (url.empty()) return {};
  std::string owner;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_id_of_url(url, owner));
  if (!is_there || owner != page.id) database_->put_url(batch, url, page.id);
  return {};
}

// A page that comes again with the same text: only its dates and URL change, no text, cluster or search table.
Status PageIndex::Implementation::store_visit(const IncomingPage& page, const StoredVersion& old) {
  PageRecord record = old.record;
  record.last_seen_seconds = std::max(record.last_seen_seconds, page.seen_at_seconds);
  if (!page.date.empty()) record.date = page.date;
  IndexBatch batch;
  if (!page.url.empty()) PARAPRINT_TRY(visit_url(batch, page, record));
  database_->put_page(batch, page.id, record);
  if (!page.origin.empty()) put_origin(batch, page);
  put_counts(batch, counts_);
  return write(batch, counts_);
}

// In the batch of its first text, so that no kill separates the two. Of an index that never had a text, the settings
// are replaced.
void PageIndex::Implementation::begin_generation(IndexBatch& batch, std::uint64_t first_text,
                                                 std::vector<ProfileGeneration>& generations) const {
  generations = generations_;
  if (generations.back().first_text == first_text) generations.pop_back();
  generations.push_back({first_text, identity_});
  put_generations(batch, generations);
}

void PageIndex::Implementation::adopt_generations(std::vector<ProfileGeneration>& generations) {
  const std::lock_guard lock(generations_mutex_);
  generations_.swap(generations);
  is_generation_new_ = false;
}

Status PageIndex::Implementation::store(const IncomingPage& page, const StoredVersion& old,
                                        const Placement& placement) {
  IndexBatch batch;
  IndexCounts counts = counts_;
  std::vector<ProfileGeneration> generations;
  PageRecord record;
  record.text = placement.text.value_or(counts.next_text);
  record.first_seen_seconds = old.is_there ? old.record.first_seen_seconds : page.seen_at_seconds;
  record.last_seen_seconds =
      std::max(old.is_there ? old.record.last_seen_seconds : record.first_seen_seconds, page.seen_at_seconds);
  record.id_is_url = page.url == page.id;
  if (!record.id_is_url) record.url = page.url;
  record.date = page.date;
  if (placement.cluster != page.id) record.cluster = placement.cluster;

  // The text that the page leaves is never the one it joins: it joins only an equal one, and a page whose text is
  // unchanged goes to store_visit(). So neither step needs to see what the other one put into the batch.
  bool removes_text = false;
  if (old.is_there) {
    PARAPRINT_ASSIGN(bool was_last, leave_text(batch, old.record.text, page.id));
    removes_text = was_last;
    PARAPRINT_TRY(leave_names(batch, page.id, old.record, record.url, record.cluster));
  } else {
    ++counts.pages;
  }
  counts.texts -= removes_text ? 1 : 0;
  if (placement.text) {
    PARAPRINT_TRY(join_text(batch, *placement.text, page.id));
  } else {
    TextRecord text;
    text.site = page.query.site;
    text.is_voter = placement.is_voter;
    text.owner = page.id;
    text.template_paragraphs = flagged_paragraphs(page.query.template_flags);
    text.fingerprint = page.fingerprint;
    text.profile = page.profile;
    database_->put_text(batch, record.text, text);
    ++counts.texts;
    ++counts.next_text;
    if (is_generation_new_) begin_generation(batch, record.text, generations);
  }
  if (!record.url.empty()) database_->put_url(batch, record.url, page.id);
  if (!record.cluster.empty()) database_->put_cluster_member(batch, record.cluster, page.id);
  database_->put_page(batch, page.id, record);
  if (!page.origin.empty()) {
    put_origin(batch, page);
  } else if (old.is_there && has_origins_) {
    database_->remove_origin(batch, page.id);  // of the other text
  }
  put_counts(batch, counts);
  {
    // Lookups that find the old text gone must find the new one in the search tables.
    const TextRemoval removal(*this, removes_text);
    if (!placement.text) tables_->add(record.text, page.keys);
    PARAPRINT_TRY(write(batch, counts));
  }
  if (!generations.empty()) adopt_generations(generations);
  if (!placement.text && placement.is_voter) vote(page);
  return {};
}

// The change has been made, so it does not fail for lack of memory: with a vote less, a paragraph becomes template a
// little later.
void PageIndex::Implementation::vote(const IncomingPage& page) {
  try {
    templates_.add_votes(page.query.site, *page.query.profile);
  } catch (const std::bad_alloc&) {
  }
}

// The page's own stored text is excluded from the search if this page replaces it. If other pages share that text, it
// remains and is found like any other.
std::uint64_t PageIndex::Implementation::excluded_text(const StoredVersion& old) {
  return old.is_there && old.is_only_page_of_text ? old.record.text : CandidateSearch::kNoText;
}

Status PageIndex::Implementation::search_since(const IncomingPage& page, const SearchMoment& moment,
                                               const LookupOptions& options, CandidateSearch& search,
                                               StoredVersion& old, std::vector<FoundText>& found, LookupWork& work) {
  const std::uint64_t text_before = old.record.text;
  const std::uint64_t excluded_before = excluded_text(old);
  const bool was_there = old.is_there;
  PARAPRINT_ASSIGN(StoredVersion now, stored_version(page));
  old = std::move(now);
  const std::uint64_t excluded = excluded_text(old);
  // After a removal, anything found may be gone, and a text that max_candidates cut off may now count: search
  // again. The same holds if another call changed this page's own stored version. Both are rare.
  const bool is_other_version =
      old.is_there != was_there || old.record.text != text_before || excluded != excluded_before;
  if (is_other_version || removals_.load() != moment.removals) {
    found.clear();
    return search.find(*tables_->view(), page.query, 0, excluded, options, found, work);
  }
  if (next_text_.load(std::memory_order_acquire) == moment.next_text) return {};
  // Otherwise only texts added since are searched. The first search may have seen some of them in the head already;
  // those are dropped so that they are not found twice.
  std::erase_if(found, [&](const FoundText& text) { return text.text >= moment.next_text; });
  const bool is_answered = !options.all && !found.empty() && found.front().is_equal;
  if (is_answered) return {};
  return search.find(*tables_->view(), page.query, moment.next_text, excluded, options, found, work);
}

Match PageIndex::Implementation::match_versions(const IncomingPage& page, const StoredVersion& old,
                                                std::vector<MatchedSpan>* spans) const {
  const Profile& profile = *page.query.profile;
  if (algorithm_) {
    Match match = algorithm_->match(*page.query.fingerprint, profile.content_characters, old.fingerprint,
                                    old.profile.content_characters, options_.match);
    match.page_b = 1;
    return match;
  }
  ParagraphMatcher matcher(options_.match);
  const PairScore score = matcher.score(profile, old.profile, page.query.template_flags, old.template_flags, spans);
  return match_of(score, 0, 1, options_.match);
}

Status PageIndex::Implementation::settle(const IncomingPage& page, const AddOptions& options, const StoredVersion& old,
                                         const std::vector<FoundText>& found, AddOutcome& answer) {
  std::vector<std::uint64_t> gone;  // none: no text is removed meanwhile
  PARAPRINT_TRY(fill_answer(found, page.id, options.lookup, nullptr, answer.lookup, gone));
  PARAPRINT_ASSIGN(Placement placement, place(page, found));
  answer.cluster = placement.cluster.empty() ? page.id : placement.cluster;
  if (old.is_there && old.is_same_text) {
    answer.change = PageChange::kUnchanged;
    answer.is_stored = true;
    answer.cluster = old.record.cluster.empty() ? page.id : old.record.cluster;
    return store_visit(page, old);
  }
  // AddOptions::copies concerns unknown ids only: a known page is always kept up to date.
  const bool is_copy = is_same_or_near(answer.lookup.verdict);
  if (!old.is_there && is_copy && !options.copies) return {};
  answer.change = old.is_there ? PageChange::kChanged : PageChange::kNew;
  answer.is_stored = true;
  if (old.is_there) {
    // The new version against the stored one. A new version close to the old one does not vote a second time.
    answer.previous = match_versions(page, old, options.lookup.evidence ? &answer.previous_spans : nullptr);
    if (options.lookup.evidence) answer.previous_profile = old.profile;
    // The caller learns what would change, and nothing is stored.
    if (!options.replace_known) {
      answer.is_stored = false;
      answer.cluster = old.record.cluster.empty() ? page.id : old.record.cluster;
      return {};
    }
    if (is_copy_of_known(answer.previous->verdict)) placement.is_voter = false;
  }
  PARAPRINT_TRY(name_cluster(page, old, answer.previous, placement));
  answer.cluster = placement.cluster;
  return store(page, old, placement);
}

Result<AddOutcome> PageIndex::Implementation::lookup_or_add(const IndexPageInput& page, const AddOptions& options) {
  if (!options.lookup.filter.is_empty()) {
    return failure(ErrorCode::kInvalidArgument, "a page cannot be added with a filter of known pages");
  }
  PARAPRINT_ASSIGN(IncomingPage prepared, prepare(page, true));
  PARAPRINT_TRY(prepare_adding(prepared));
  const SearchLease search(*this);
  AddOutcome answer;
  LookupWork& work = answer.lookup.work;
  std::vector<FoundText> found;

  // The counters are read before the search, so that whatever changes during it is noticed afterwards.
  const SearchMoment moment = {removals_.load(), next_text_.load(std::memory_order_acquire)};
  PARAPRINT_ASSIGN(StoredVersion old, stored_version(prepared));
  Status done = (*search).find(*tables_->view(), prepared.query, 0, excluded_text(old), options.lookup, found, work);
  if (!done) return tl::unexpected<Error>(done.error());

  std::uint64_t ticket = 0;
  {
    PARAPRINT_ASSIGN(const std::unique_lock<ScheduledMutex> lock, tables_->lock_to_add());
    done = check_writable();
    if (done) done = search_since(prepared, moment, options.lookup, *search, old, found, work);
    if (done) done = settle(prepared, options, old, found, answer);
    if (!done) return tl::unexpected<Error>(done.error());
    ticket = gate_.written();
  }
  // Waiting without the lock lets other threads write in the meantime and share the next sync.
  if (options_.sync == SyncMode::kAlways && options.wait_for_sync) {
    PARAPRINT_TRY(gate_.wait(ticket));
  }
  return answer;
}

Result<PageChange> PageIndex::Implementation::add(const IndexPageInput& page) {
  PARAPRINT_ASSIGN(IncomingPage prepared, prepare(page, true));
  PARAPRINT_TRY(prepare_adding(prepared));
  // Without keys, the search finds equal texts only: the caller has compared the page with the others already.
  SearchQuery equal_text = prepared.query;
  equal_text.fingerprint = nullptr;
  equal_text.keys = {};
  equal_text.search_keys.clear();
  const SearchLease search(*this);
  PageChange change = PageChange::kNew;
  std::uint64_t ticket = 0;
  {
    PARAPRINT_ASSIGN(const std::unique_lock<ScheduledMutex> lock, tables_->lock_to_add());
    PARAPRINT_TRY(check_writable());
    PARAPRINT_ASSIGN(const StoredVersion old, stored_version(prepared));
    Status done;
    // Also what makes a repeated batch harmless: a page that was added before only gets a new visit.
    if (old.is_there && old.is_same_text) {
      change = PageChange::kUnchanged;
      done = store_visit(prepared, old);
    } else {
      if (old.is_there) change = PageChange::kChanged;
      std::vector<FoundText> found;
      LookupWork work;
      done = (*search).find(*tables_->view(), equal_text, 0, CandidateSearch::kNoText, {}, found, work);
      if (!done) return tl::unexpected<Error>(done.error());
      PARAPRINT_ASSIGN(Placement placement, place(prepared, found));
      std::optional<Match> previous;
      if (old.is_there) {
        previous = match_versions(prepared, old, nullptr);
        if (is_copy_of_known(previous->verdict)) placement.is_voter = false;
      }
      PARAPRINT_TRY(name_cluster(prepared, old, previous, placement));
      done = store(prepared, old, placement);
    }
    if (!done) return tl::unexpected<Error>(done.error());
    ticket = gate_.written();
  }
  if (options_.sync == SyncMode::kAlways) {
    PARAPRINT_TRY(gate_.wait(ticket));
  }
  return change;
}

Result<bool> PageIndex::Implementation::remove_one(std::string_view id,
                                                   std::optional<std::uint64_t> seen_before_seconds) {
  PARAPRINT_TRY(check_writable());
  PageRecord record;
  Result<bool> is_there = database_->get_page(id, record);
  if (!is_there || !*is_there) return is_there;
  if (seen_before_seconds && record.last_seen_seconds >= *seen_before_seconds) return false;
  IndexBatch batch;
  IndexCounts counts = counts_;
  PARAPRINT_ASSIGN(bool was_last, leave_text(batch, record.text, id));
  PARAPRINT_TRY(leave_names(batch, id, record, "", ""));
  database_->remove_page(batch, id);
  if (has_origins_) database_->remove_origin(batch, id);
  --counts.pages;
  counts.texts -= was_last ? 1 : 0;
  put_counts(batch, counts);
  const TextRemoval removal(*this, was_last);
  PARAPRINT_TRY(write(batch, counts));
  return true;
}

Result<bool> PageIndex::Implementation::remove(std::string_view id) {
  std::uint64_t ticket = 0;
  {
    const std::lock_guard lock(writer_mutex_);
    Result<bool> removed = remove_one(id, {});
    if (!removed || !*removed) return removed;
    ticket = gate_.written();
  }
  if (options_.sync == SyncMode::kAlways) {
    PARAPRINT_TRY(gate_.wait(ticket));
  }
  return true;
}

// Ids are collected first and removed one by one, with the lock released in between so that other changes are not held
// up. remove_one() checks the date again, because a page may have been visited since it was listed. One sync at the end
// covers all removals.
Result<std::uint64_t> PageIndex::Implementation::expire(std::uint64_t seen_before_seconds) {
  std::vector<std::string> ids;
  PageRecord record;
  PARAPRINT_TRY(database_->for_each_page([&](std::string_view id, std::string_view bytes) -> Status {
    PARAPRINT_TRY(decode_page_record(bytes, record));
    if (record.last_seen_seconds < seen_before_seconds) ids.emplace_back(id);
    return {};
  }));
  std::uint64_t removed = 0;
  for (const std::string& id : ids) {
    PARAPRINT_TRY(check_stop());
    const std::lock_guard lock(writer_mutex_);
    PARAPRINT_ASSIGN(const bool is_removed, remove_one(id, seen_before_seconds));
    removed += is_removed ? 1 : 0;
    gate_.written();
  }
  if (options_.sync == SyncMode::kAlways) {
    PARAPRINT_TRY(gate_.wait_for_all());
  }
  return removed;
}

}  // namespace paraprint
