// The pages of one cluster on their way to trace_copies(), and what each copy changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "provenance/origin_record.h"
#include "provenance/provenance_lines.h"
#include "provenance/traced_page.h"

namespace paraprint::inline provenance {

// Collects pages within the limits of trace_copies(). Not thread-safe.
class TracedCluster {
 public:
  // Names of a page, which are copied.
  struct Names {
    std::string_view id;
    std::string_view url;
    std::string_view capture_date;
  };

  // In the order of ids; at most kTracedPagesMaximum. Of pages with equal text, the first one gets the sentences, and
  // only as many texts as are compared.
  void add(const Names& names, OriginRecord&& origin, const Profile& profile);
  std::span<const TracedPage> pages() const { return pages_; }

 private:
  std::vector<TracedPage> pages_;
  std::set<std::array<std::uint64_t, 2>> texts_;  // with sentences
  std::size_t sentences_ = 0;                     // of these
};

// What a copy has of which nothing matches its source, and the reverse. `spans`: a in the source, b in the copy. Pure.
// Cost: O(n log n) in the spans and the sentences.
TextChange text_change(const Profile& source, const Profile& copy, const std::vector<MatchedSpan>& spans);

}  // namespace paraprint::inline provenance
