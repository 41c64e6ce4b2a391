// Which of several copies is more likely the original, or the one to be found, by what each page says of itself.
#pragma once

#include <string_view>

#include "paraprint/model.h"

namespace paraprint::inline corpus {

// The smaller, the earlier: the day of publication that a page states, as days since 1970. A page without a date comes
// after all with one, and a page that names another site as its source, or as the place of its text (canonical
// address), after all that do not. The same for the same page, whatever the copies are.
double origin_rank(const PageMetadata& metadata, std::string_view page_url);

// How much a page is the one that its site wants to be found, by its canonical address: 0 if that is its own, 1 if it
// states none, 2 if it is its own in another spelling (scheme, "www.", slash at the end), 3 if it is another page's.
double canonical_rank(const PageMetadata& metadata, std::string_view page_url);

}  // namespace paraprint::inline corpus
