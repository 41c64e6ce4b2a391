// Lists the first defects between two pages and adds up the others by kind.
#include "profile/defects_between_pages.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace paraprint::inline profile {
namespace {

// One fewer than a summary has examples of a kind, so that it has the one that tells how many others there are.
constexpr std::size_t kListedDefects = 99;

}  // namespace

void DefectsBetweenPages::add(Defect defect) {
  if (listed_.size() < kListedDefects || defect.file != last_file_) {
    last_file_ = defect.file;
    listed_.push_back(std::move(defect));
    return;
  }
  const auto same_kind =
      std::find_if(others_.begin(), others_.end(), [&](const Defect& other) { return other.kind == defect.kind; });
  if (same_kind == others_.end()) {
    others_.push_back(std::move(defect));
    return;
  }
  same_kind->count += defect.count;
  same_kind->skipped_bytes += defect.skipped_bytes;
}

void DefectsBetweenPages::move_to(std::vector<Defect>& defects) {
  for (std::vector<Defect>* part : {&listed_, &others_}) {
    defects.insert(defects.end(), std::make_move_iterator(part->begin()), std::make_move_iterator(part->end()));
    part->clear();
  }
}

}  // namespace paraprint::inline profile
