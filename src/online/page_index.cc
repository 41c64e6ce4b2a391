// The public calls, which only forward. A reader's index is replaced by a newer snapshot while calls are in progress,
// so each call holds the one that it began with; the last one that lets go of it closes its files.
#include <fmt/format.h>

#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/page_index_state.h"

namespace paraprint {

PageIndex::PageIndex(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)),
      identity_(implementation_->identity()),
      algorithm_(implementation_->algorithm()) {}
PageIndex::~PageIndex() = default;

std::shared_ptr<PageIndex::Implementation> PageIndex::current() const {
  const std::lock_guard lock(mutex_);
  return implementation_;
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
  const std::lock_guard refreshing(refresh_mutex_);
  const std::shared_ptr<Implementation> before = current();
  PARAPRINT_ASSIGN(std::shared_ptr<Implementation> newer, before->open_newer(control));
  if (newer == nullptr) return false;
  const std::lock_guard lock(mutex_);
  implementation_.swap(newer);  // `before` still holds the other one, so nothing is closed under the lock
  return true;
}

Result<LookupOutcome> PageIndex::lookup(const IndexPageInput& page, const LookupOptions& options) const {
  return current()->lookup(page, options);
}
Result<AddOutcome> PageIndex::lookup_or_add(const IndexPageInput& page, const AddOptions& options) {
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->lookup_or_add(page, options);
}
Result<PageChange> PageIndex::add(const IndexPageInput& page) {
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->add(page);
}
Result<IndexedPage> PageIndex::get(std::string_view id) const {
  return current()->get(id);
}
Result<IndexedPage> PageIndex::find_by_url(std::string_view url) const {
  return current()->find_by_url(url);
}
Result<Profile> PageIndex::get_profile(std::string_view id) const {
  return current()->get_profile(id);
}
Result<PageFingerprint> PageIndex::get_fingerprint(std::string_view id) const {
  return current()->get_fingerprint(id);
}
Result<std::vector<IndexedPage>> PageIndex::get_cluster(std::string_view id, std::size_t limit) const {
  return current()->get_cluster(id, limit);
}
Result<TracedCopies> PageIndex::trace(std::string_view id, const TraceOptions& options,
                                      const RunControl& control) const {
  const StopScope scope(control.stop);
  return current()->trace(id, options);
}
Result<bool> PageIndex::remove(std::string_view id) {
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->remove(id);
}
Result<std::uint64_t> PageIndex::expire(std::uint64_t seen_before_seconds, const RunControl& control) {
  const StopScope scope(control.stop);
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->expire(seen_before_seconds);
}
Status PageIndex::for_each_page(bool with_profiles,
                                const std::function<Status(const IndexedPage&, const Profile*)>& visit,
                                const RunControl& control) const {
  const StopScope scope(control.stop);
  return current()->for_each_page(with_profiles, visit);
}

Status PageIndex::for_each_text(const std::function<Status(const IndexedText&)>& visit,
                                const RunControl& control) const {
  const StopScope scope(control.stop);
  return current()->for_each_text(visit);
}
Result<std::vector<std::string>> PageIndex::ids_after(std::string_view id, std::size_t limit) const {
  return current()->ids_after(id, limit);
}
Result<IndexStatistics> PageIndex::statistics() const {
  return current()->statistics();
}
Result<VerifyOutcome> PageIndex::verify(bool with_search_tables, const RunControl& control) const {
  const StopScope scope(control.stop);
  return current()->verify(with_search_tables);
}
Status PageIndex::compact(const RunControl& control) {
  const StopScope scope(control.stop);
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->compact();
}
Status PageIndex::backup(const std::string& folder, const RunControl& control) const {
  const StopScope scope(control.stop);
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->backup(folder);
}
Status PageIndex::snapshot(const RunControl& control) {
  const StopScope scope(control.stop);
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->publish_snapshot();
}
Status PageIndex::sync() {
  return current()->sync();
}
Status PageIndex::check_writable() const {
  const auto index = current();
  PARAPRINT_TRY(index->check_changeable());
  return index->check_writable();
}
const std::string& PageIndex::identity() const {
  return identity_;
}
const std::string& PageIndex::algorithm() const {
  return algorithm_;
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
