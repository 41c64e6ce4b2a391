// How a page of the run looks for known texts: as in an index of known pages (online/candidate_search.h), so that both
// find the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "distribute/records.h"
#include "engine/known_pages.h"
#include "index/site_boilerplate.h"
#include "online/candidate_search.h"
#include "profile/page_match.h"

namespace paraprint::distribute::known {

// Flags the paragraphs that are templates of the page's site, `templates` being those of earlier runs.
inline void flag_known_templates(const DriverPage& page, const Profile& profile, const SiteBoilerplate& templates,
                                 std::vector<std::uint8_t>& flags) {
  flags.assign(profile.paragraphs.size(), 0);
  const std::uint64_t site = templates.size() == 0 ? 0 : site_of_url(page.url);
  if (site != 0) templates.flag(site, profile, flags);
}

}  // namespace paraprint::distribute::known
