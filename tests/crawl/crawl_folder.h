// What a crawl left in its folder, compared with what the model says: state, log and archive.
#pragma once

#include <string>
#include <vector>

#include "crawl/crawl_frontier.h"
#include "crawl/crawl_model.h"

namespace paraprint {

// Which of the states is the one on disk. If it is none, or if log and archive do not agree with it, a description of
// the difference.
struct FoundState {
  std::size_t number = 0;
  std::string difference;  // empty: there is none
};
// `lines` has the lines of all states. The frontier was opened in `folder` and has changed nothing.
FoundState find_state(CrawlFrontier& frontier, const std::string& folder, const std::vector<ModelState>& states,
                      const std::vector<ModelLine>& lines);

}  // namespace paraprint
