#include "engine/pair_scorer.h"

#include <algorithm>

#include "base/hash.h"
#include "engine/match_stage.h"
#include "engine/profile_codec.h"
#include "report/html_report.h"

namespace paraprint {

std::uint64_t site_of_url(std::string_view url) {
  const std::string host = host_of_url(url);
  return host.empty() ? 0 : hash64(host);
}

Match match_of(const PairScore& score, std::uint32_t page_a, std::uint32_t page_b, const MatchOptions& options) {
  Match match;
  match.page_a = page_a;
  match.page_b = page_b;
  match.resemblance = static_cast<float>(score.resemblance);
  match.containment_a = static_cast<float>(score.containment_a);
  match.containment_b = static_cast<float>(score.containment_b);
  match.matched_characters = static_cast<float>(score.matched);
  // From the rounded scores, which are the ones that are stored: recluster must come to the same verdict.
  match.verdict = decide_verdict(match.resemblance, match.containment_a, match.containment_b, match.matched_characters,
                                 score.verdict == Verdict::kSame, options);
  return match;
}

bool is_worth_storing(const Match& match, const MatchOptions& options) {
  return match.matched_characters >= static_cast<float>(stored_characters_minimum(options)) &&
         std::max(match.containment_a, match.containment_b) >= static_cast<float>(options.overlap_share);
}

Status PairScorer::load(std::uint32_t page, Loaded& into) {
  if (into.is_valid && into.page == page) return {};
  into.is_valid = false;
  const PageRow& row = pages_.row(page);
  if (Status read = log_.read_bytes(row.profile_offset_bytes, row.profile_bytes, bytes_); !read) return read;
  if (Status decoded = decode_profile(bytes_, into.profile); !decoded) return decoded;
  const std::uint64_t site = site_of_url(pages_.url(page));
  into.boilerplate.clear();
  if (site != 0 && boilerplate_.size() > 0) boilerplate_.flag(site, into.profile, into.boilerplate);
  into.page = page;
  into.is_valid = true;
  return {};
}

Result<Match> PairScorer::score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence) {
  for (const auto& [page, side] : {std::pair{page_a, &a_}, std::pair{page_b, &b_}}) {
    if (Status loaded = load(page, *side); !loaded) return tl::unexpected<Error>(loaded.error());
  }
  const PairScore score = matcher_.score(a_.profile, b_.profile, a_.boilerplate, b_.boilerplate, evidence);
  return match_of(score, page_a, page_b, options_);
}

Result<std::vector<TextSpan>> PairScorer::boilerplate_spans(std::uint32_t page) {
  if (Status loaded = load(page, a_); !loaded) return tl::unexpected<Error>(loaded.error());
  std::vector<TextSpan> spans;
  for (std::size_t p = 0; p < a_.boilerplate.size(); ++p) {
    if (a_.boilerplate[p] != 0) spans.push_back(a_.profile.paragraphs[p].span);
  }
  return spans;
}

}  // namespace paraprint
