// The lines of a cluster are next to each other, so one cluster is held at a time: of each page what the tree needs,
// and the place of its line, which is read again for the pages that are listed.
#include "provenance/listed_copies.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/propagate.h"
#include "memory/seeded_hash.h"
#include "provenance/copy_tree.h"
#include "provenance/provenance_reader.h"

namespace paraprint::inline provenance {
namespace {

struct ClusterLine {
  std::string id;
  std::string url;
  std::string day;  // empty: without a usable date
  std::string copied_from;
  bool is_first = false;
  ProvenancePlace place;
};

class CopiesLister {
 public:
  CopiesLister(const ProvenanceFile& file, ReportInput& input) : file_(file) {
    for (ReportCluster& cluster : input.clusters) clusters_[cluster.number] = &cluster;
  }

  Status add(const ProvenancePlace& place, OriginLine& origin) {
    if (current_ == nullptr || origin.cluster != current_->number) {
      PARAPRINT_TRY(finish());
      const auto found = clusters_.find(origin.cluster);
      if (found != clusters_.end()) current_ = found->second;
    }
    if (current_ == nullptr) return {};
    if (!origin.is_traced) {
      ++not_traced_;
      return {};
    }
    const std::string_view day = published_day(origin);
    lines_.push_back({std::move(origin.id), std::move(origin.url), std::string(day),
                      std::move(origin.copied_from).value_or(""), origin.is_first, place});
    return {};
  }

  // Ends the cluster whose lines were added.
  Status finish() {
    if (current_ != nullptr && !lines_.empty()) {
      std::sort(lines_.begin(), lines_.end(), [](const ClusterLine& x, const ClusterLine& y) {
        return std::tuple(x.day.empty(), std::string_view(x.day), std::string_view(x.id)) <
               std::tuple(y.day.empty(), std::string_view(y.day), std::string_view(y.id));
      });
      find_titles();
      ClusterCopies copies;
      PARAPRINT_TRY(list_tree(copies));
      list_dates(copies);
      copies.pages_apart += not_traced_;
      current_->copies = std::move(copies);
    }
    current_ = nullptr;
    lines_.clear();
    not_traced_ = 0;
    return {};
  }

 private:
  void find_titles() {
    titles_.clear();
    titles_[current_->kept.id] = current_->kept.title;
    for (const ReportMember& member : current_->members) titles_[member.page.id] = member.page.title;
  }
  PageName named(std::uint32_t place) const {
    const ClusterLine& line = lines_[place];
    const auto title = titles_.find(line.id);
    return {line.id, line.url, title == titles_.end() ? "" : title->second};
  }

  Status list_tree(ClusterCopies& copies) {
    std::unordered_map<std::string_view, std::uint32_t, SeededHash> places;
    std::uint32_t first = 0;
    for (std::uint32_t place = 0; place < lines_.size(); ++place) {
      places[lines_[place].id] = place;
      if (lines_[place].is_first) first = place;
    }
    std::vector<std::uint32_t> sources;
    for (const ClusterLine& line : lines_) {
      const auto source = line.copied_from.empty() ? places.end() : places.find(line.copied_from);
      sources.push_back(source == places.end() ? kNoPlace : source->second);
    }
    const DrawnTree tree = draw_tree(sources, {first, false, 0, kCopiesListed});
    copies.tree_pages = tree.pages;
    copies.pages_apart = tree.pages_apart;
    OriginLine origin;
    for (const DrawnCopy& drawn : tree.copies) {
      const ProvenancePlace& place = lines_[drawn.place].place;
      PARAPRINT_TRY(file_.read_line(place.offset_bytes, place.size_bytes, parser_, origin));
      ListedCopy copy;
      copy.page = named(drawn.place);
      copy.depth = drawn.depth;
      if (drawn.source != kNoPlace) copy.source = drawn.source;
      copy.date = std::move(origin.date);
      copy.date_place = std::move(origin.date_place);
      copy.confidence = origin.confidence;
      copy.reasons = std::move(origin.reasons);
      copy.against = std::move(origin.against);
      copy.problems = std::move(origin.problems);
      copy.source_name = std::move(origin.source_name);
      copy.source_url = std::move(origin.source_url);
      copy.is_first = origin.is_first;
      copy.first_confidence = origin.first_confidence;
      copy.copies_not_listed = drawn.copies_not_drawn;
      copies.tree.push_back(std::move(copy));
    }
    return {};
  }

  // Pages with a date come first.
  void list_dates(ClusterCopies& copies) const {
    for (std::uint32_t place = 0; place < lines_.size(); ++place) {
      const ClusterLine& line = lines_[place];
      if (line.day.empty()) {
        ++copies.undated_pages;
        if (copies.undated.size() < kUndatedPagesListed) copies.undated.push_back(named(place));
      } else {
        ++copies.dated_pages;
        if (copies.dated.size() < kDatedPagesShown) copies.dated.push_back({named(place), line.day, line.is_first});
      }
    }
  }

  const ProvenanceFile& file_;
  ProvenanceParser parser_;
  std::unordered_map<std::uint64_t, ReportCluster*> clusters_;
  ReportCluster* current_ = nullptr;
  std::vector<ClusterLine> lines_;  // of the current cluster
  std::uint64_t not_traced_ = 0;    // likewise
  std::unordered_map<std::string, std::string, SeededHash> titles_;
};

}  // namespace

Status add_listed_copies(const std::string& path, ReportInput& input) {
  if (input.clusters.empty()) return {};
  PARAPRINT_ASSIGN(const ProvenanceFile file, ProvenanceFile::open(path));
  CopiesLister lister(file, input);
  PARAPRINT_TRY(file.read([&](const ProvenancePlace& place, OriginLine& origin) { return lister.add(place, origin); },
                          [&](const ProvenancePlace& place, const std::string& reason) -> Status {
                            return failure(ErrorCode::kCorruptData, line_message(path, place.line, reason));
                          }));
  return lister.finish();
}

}  // namespace paraprint::inline provenance
