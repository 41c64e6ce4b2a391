// Which cluster a page belongs to, and what clusters are called.
//
// A cluster is a star around the page that began it, and has its id as name. That page may leave: it is deleted, or has
// another text. The others stay where they are, since moving 100,000 mirrors would hold up every other change, and so
// the name stays theirs. If the page begins a cluster again, that one is called by its id, "##" and the number of the
// text that it had then.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "online/cluster_name.h"
#include "online/page_index_state.h"

namespace paraprint {

Result<bool> PageIndex::Implementation::has_cluster_members(std::string_view cluster) const {
  bool has_any = false;
  PARAPRINT_TRY(database_->for_each_cluster_member(cluster, [&](std::string_view) -> Status {
    has_any = true;
    return IndexDatabase::end_of_walk();
  }));
  return has_any;
}

// The id of another page may look like the name of a second cluster.
Result<bool> PageIndex::Implementation::begins_cluster(std::string_view id, std::string_view cluster) const {
  if (cluster == id) return true;
  if (id_in_cluster_name(cluster) != id) return false;
  PageRecord record;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_page(cluster, record));
  return !is_there || !record.cluster.empty();
}

Result<bool> PageIndex::Implementation::is_second_cluster_of_other(std::string_view cluster) const {
  const std::string_view first = id_in_cluster_name(cluster);
  if (first == cluster) return false;
  PageRecord record;
  PARAPRINT_ASSIGN(const bool is_there, database_->get_page(first, record));
  return is_there && record.cluster == cluster;
}

Result<PageIndex::Implementation::Placement> PageIndex::Implementation::place(
    const IncomingPage& page, const std::vector<FoundText>& found) const {
  // `found` is sorted best first, so an equal text is seen before any near one and its cluster wins.
  Placement placement;
  placement.is_voter = true;
  for (const FoundText& text : found) {
    if (is_copy_of_known(text.verdict)) placement.is_voter = false;
    if (!is_same_or_near(text.verdict)) continue;
    PARAPRINT_ASSIGN(const std::optional<TextPage> known, page_of_text(text, page.id));
    if (!known.has_value()) continue;
    if (text.is_equal && !placement.text) placement.text = text.text;
    if (!placement.cluster.empty()) continue;
    // Clusters are stars: a page joins one only by resembling the page that the cluster began with.
    const std::string& cluster = known->page.cluster;
    if (cluster == page.id) {
      PARAPRINT_ASSIGN(const bool is_of_other, is_second_cluster_of_other(cluster));
      if (is_of_other) continue;  // in a cluster that has its id as name, a page is the one that began it
    }
    PARAPRINT_ASSIGN(const bool is_first, begins_cluster(known->page.id, cluster));
    if (is_first || text.verdict == Verdict::kSame) placement.cluster = cluster;
  }
  return placement;
}

// A page that began a cluster and comes with a text near to its last one keeps it, and whoever is in it.
Status PageIndex::Implementation::name_cluster(const IncomingPage& page, const StoredVersion& old,
                                               const std::optional<Match>& previous, Placement& placement) const {
  if (!placement.cluster.empty()) return {};
  if (previous && is_same_or_near(previous->verdict)) {
    const std::string& before = old.record.cluster.empty() ? page.id : old.record.cluster;
    PARAPRINT_ASSIGN(const bool has_begun_one, begins_cluster(page.id, before));
    if (has_begun_one) {
      placement.cluster = before;
      return {};
    }
  }
  placement.cluster = page.id;
  PARAPRINT_ASSIGN(bool is_taken, has_cluster_members(page.id));
  // Ids can be made to look like such names. After two attempts the number follows from that of the text in a way that
  // no list of ids foresees for more than one text, so that whoever wants to hold up changes adds a page for each step.
  for (std::uint64_t attempt = 0; is_taken; ++attempt) {
    const std::uint64_t next = counts_.next_text;
    const std::uint64_t number = attempt < 2 ? next + attempt : hash64(fmt::format("{} {} {}", page.id, next, attempt));
    placement.cluster = numbered_cluster_name(page.id, number);
    PARAPRINT_ASSIGN(is_taken, has_cluster_members(placement.cluster));
    if (is_taken) continue;
    PageRecord record;
    PARAPRINT_ASSIGN(is_taken, database_->get_page(placement.cluster, record));
  }
  return {};
}

Result<std::vector<IndexedPage>> PageIndex::Implementation::get_cluster(std::string_view name,
                                                                        std::size_t limit) const {
  std::vector<IndexedPage> pages;
  PARAPRINT_TRY(for_each_page_of_cluster(name, [&](IndexedPage&& page) {
    if (pages.size() < limit) pages.push_back(std::move(page));
    return pages.size() < limit;
  }));
  return pages;
}

// The page that began the cluster may have left. The current cluster of each page is checked, because it may have left
// after its membership was read.
Status PageIndex::Implementation::for_each_page_of_cluster(std::string_view name,
                                                           const std::function<bool(IndexedPage&&)>& visit) const {
  bool is_found = false;
  bool wants_more = true;
  const auto take = [&](std::string_view id) -> Status {
    Result<IndexedPage> page = get(id);
    if (!page && page.error().code != ErrorCode::kNotFound) return tl::unexpected<Error>(page.error());
    if (!page || page->cluster != name) return {};
    is_found = true;
    wants_more = visit(std::move(*page));
    return wants_more ? Status{} : IndexDatabase::end_of_walk();
  };
  // A page whose id is the name is not among the members.
  Status done = take(name);
  const std::string_view first = is_found ? name : id_in_cluster_name(name);
  if (done && first != name) done = take(first);
  if (done) {
    done = database_->for_each_cluster_member(
        name, [&](std::string_view id) -> Status { return id == first ? Status{} : take(id); });
  }
  if (!done && wants_more) return done;
  if (is_found) return {};
  return failure(ErrorCode::kNotFound, fmt::format("no cluster with the id {}", name));
}

}  // namespace paraprint
