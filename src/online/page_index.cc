// The public calls, which only forward. A reader's index is replaced by a newer snapshot while calls are in progress,
// so each call holds the one that it began with; the last one that lets go of it closes its files.
//
// A forked process shares the files of an index but has none of its threads: what it wrote would overwrite what the
// other process writes, and closing would wait forever. So there every call fails, and nothing is closed.
#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/page_index_state.h"
#include "profile/page_table.h"

namespace paraprint {

PageIndex::PageIndex(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)),
      identity_(implementation_->identity()),
      algorithm_(implementation_->algorithm()),
      folder_(implementation_->folder()),
      process_(::getpid()) {}

PageIndex::~PageIndex() {
  if (process_ == ::getpid()) return;
  // Never freed: its destructor would close the files.
  static_cast<void>(new std::shared_ptr<Implementation>(std::move(implementation_)));
}

Result<std::shared_ptr<PageIndex::Implementation>> PageIndex::current() const {
  if (process_ != ::getpid()) {  // before the mutex, which a thread that is not here may have held
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("the index {} was opened by the process {}, from which this one was forked; open it after "
                    "forking: to change it in one process only, to read it in any number (read-only)",
                    folder_, process_));
  }
  const std::lock_guard lock(mutex_);
  return implementation_;
}

Result<std::shared_ptr<PageIndex::Implementation>> PageIndex::changeable() const {
  PARAPRINT_ASSIGN(std::shared_ptr<Implementation> index, current());
  PARAPRINT_TRY(index->check_changeable());
  return index;
}

Result<std::unique_ptr<PageIndex>> PageIndex::open(const std::string& folder, const IndexOptions& options,
                                                   const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(std::unique_ptr<Implementation> opened, Implementation::open(folder, options, control));
  if (control.warning) {
    PARAPRINT_ASSIGN(const IndexStatistics statistics, opened->statistics());
    for (const std::string& warning : statistics.warnings) control.warning(warning);
  }
  return std::unique_ptr<PageIndex>(new PageIndex(std::move(opened)));
}

Result<bool> PageIndex::refresh(const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(current());  // before waiting for a thread that may not be here
  const std::lock_guard refreshing(refresh_mutex_);
  PARAPRINT_ASSIGN(const std::shared_ptr<Implementation> before, current());
  PARAPRINT_ASSIGN(std::shared_ptr<Implementation> newer, before->open_newer(control));
  if (newer == nullptr) return false;
  const std::lock_guard lock(mutex_);
  implementation_.swap(newer);  // `before` still holds the other one, so nothing is closed under the lock
  return true;
}

Result<LookupOutcome> PageIndex::lookup(const IndexPageInput& page, const LookupOptions& options) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->lookup(page, options);
}
Result<AddOutcome> PageIndex::lookup_or_add(const IndexPageInput& page, const AddOptions& options) {
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->lookup_or_add(page, options);
}
Result<PageChange> PageIndex::add(const IndexPageInput& page) {
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->add(page);
}
// Calls that are given a page have this code for nothing else: a database that ran out of memory has kInputOutput.
bool PageIndex::is_about_page(const Error& error) const {
  return error.code == ErrorCode::kLimitExceeded;
}
Result<IndexedPage> PageIndex::get(std::string_view id) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->get(id);
}
Result<IndexedPage> PageIndex::find_by_url(std::string_view url) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->find_by_url(url);
}
Result<Profile> PageIndex::get_profile(std::string_view id) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->get_profile(id);
}
Result<PageFingerprint> PageIndex::get_fingerprint(std::string_view id) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->get_fingerprint(id);
}
Result<std::vector<IndexedPage>> PageIndex::get_cluster(std::string_view name, std::size_t limit) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->get_cluster(name, limit);
}
Status PageIndex::for_each_page_of_cluster(std::string_view name,
                                           const std::function<bool(IndexedPage&& page)>& visit) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->for_each_page_of_cluster(name, visit);
}
Result<TracedCopies> PageIndex::trace(std::string_view id, const TraceOptions& options,
                                      const RunControl& control) const {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, current());
  return index->trace(id, options);
}
Result<bool> PageIndex::remove(std::string_view id) {
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->remove(id);
}
Result<std::uint64_t> PageIndex::expire(std::uint64_t seen_before_seconds, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->expire(seen_before_seconds);
}
Status PageIndex::for_each_page(bool with_profiles,
                                const std::function<Status(const IndexedPage&, const Profile*)>& visit,
                                const RunControl& control) const {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, current());
  return index->for_each_page(with_profiles, visit);
}

Status PageIndex::for_each_text(const std::function<Status(const IndexedText&)>& visit,
                                const RunControl& control) const {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, current());
  return index->for_each_text(visit);
}
Result<std::vector<std::string>> PageIndex::ids_after(std::string_view id, std::size_t limit) const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->ids_after(id, limit);
}
Result<IndexStatistics> PageIndex::statistics() const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->statistics();
}
Result<VerifyOutcome> PageIndex::verify(bool with_search_tables, const RunControl& control) const {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, current());
  return index->verify(with_search_tables);
}
Status PageIndex::compact(const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->compact();
}
Status PageIndex::backup(const std::string& folder, const RunControl& control) const {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->backup(folder);
}
Status PageIndex::snapshot(const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->publish_snapshot();
}
Status PageIndex::sync() {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->sync();
}
Status PageIndex::check_writable() const {
  PARAPRINT_ASSIGN(const auto index, changeable());
  return index->check_writable();
}
Status PageIndex::check_readable() const {
  PARAPRINT_ASSIGN(const auto index, current());
  return index->check_readable();
}
const std::string& PageIndex::identity() const {
  return identity_;
}
const std::string& PageIndex::algorithm() const {
  return algorithm_;
}

std::string id_in_index(const Page& page, const Profile& profile) {
  return index_id(page.id, page.has_id_of_place, page.url, profile.text_hash);
}

// Part of the JSON interface.
std::string_view page_change_name(PageChange change) {
  switch (change) {
    case PageChange::kNew:
      return "new";
    case PageChange::kUnchanged:
      return "unchanged";
    case PageChange::kChanged:
      return "changed";
  }
  return "unknown";
}

}  // namespace paraprint
