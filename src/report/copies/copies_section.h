// The section of a cluster's page that shows who copied from whom. It needs no script.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/copies/cluster_copies.h"

namespace paraprint::inline report::inline copies {

// Title, address or id, whichever there is first, shortened.
std::string_view shown_name(const PageName& page);

// "names the source", for a name of provenance.jsonl; the name itself if it is none of this version's. The same for
// what is odd about the statements of a page.
std::string_view reason_words(std::string_view reason);
std::string_view problem_words(std::string_view problem);

// The time line and the tree as HTML. `href_of` gives the page that compares a copy with its source, or nothing.
using CopyLink = std::function<std::string(const ListedCopy& copy, const ListedCopy& source)>;
std::string copies_section(const ClusterCopies& copies, const CopyLink& href_of);

}  // namespace paraprint::inline report::inline copies
