// One profile per side is cached: candidates arrive sorted by (page_a, page_b), so page_a usually stays the same from
// pair to pair and only page_b is read and decoded.
#include "engine/pair_scorer.h"

#include "base/propagate.h"
#include "base/stop.h"
#include "profile/profile_codec.h"

namespace paraprint::inline engine {

// `into` stays invalid if reading fails half-way, so that a later call does not use a mixture of two pages.
Status PairScorer::load(std::uint32_t page, Loaded& into) {
  if (into.is_valid && into.page == page) return {};
  into.is_valid = false;
  const PageRow& row = pages_.row(page);
  PARAPRINT_TRY(log_.read_bytes(row.profile_offset_bytes, row.profile_bytes, bytes_));
  PARAPRINT_TRY(decode_profile(bytes_, into.profile));
  const std::uint64_t site = site_of_url(pages_.url(page));
  into.boilerplate.clear();
  if (site != 0 && boilerplate_.size() > 0) boilerplate_.flag(site, into.profile, into.boilerplate);
  into.page = page;
  into.is_valid = true;
  return {};
}

// Both sides are loaded before matching; a side whose page is unchanged costs nothing.
Result<Match> PairScorer::score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence) {
  for (const auto& [page, side] : {std::pair{page_a, &a_}, std::pair{page_b, &b_}}) {
    PARAPRINT_TRY(load(page, *side));
  }
  StopCheck stop(StopScope::current());
  const PairScore score = matcher_.score(a_.profile, b_.profile, a_.boilerplate, b_.boilerplate, evidence, stop);
  PARAPRINT_TRY(stop.status());
  return match_of(score, page_a, page_b, options_);
}

// Loads into side a: usually the page is there already from the last score().
Result<std::vector<TextSpan>> PairScorer::boilerplate_spans(std::uint32_t page) {
  PARAPRINT_TRY(load(page, a_));
  std::vector<TextSpan> spans;
  for (std::size_t p = 0; p < a_.boilerplate.size(); ++p) {
    if (a_.boilerplate[p] != 0) spans.push_back(a_.profile.paragraphs[p].span);
  }
  return spans;
}

Result<double> PairScorer::boilerplate_share(std::uint32_t page) {
  PARAPRINT_TRY(load(page, a_));
  std::uint64_t characters = 0;
  std::uint64_t of_site = 0;
  for (std::size_t p = 0; p < a_.profile.paragraphs.size(); ++p) {
    const std::uint32_t size = a_.profile.paragraphs[p].content_characters;
    characters += size;
    if (p < a_.boilerplate.size() && a_.boilerplate[p] != 0) of_site += size;
  }
  return characters == 0 ? 0 : static_cast<double>(of_site) / static_cast<double>(characters);
}

Result<bool> PairScorer::is_template(std::uint32_t page) {
  PARAPRINT_TRY(load(page, a_));
  return consists_of_boilerplate(a_.boilerplate);
}

}  // namespace paraprint::inline engine
