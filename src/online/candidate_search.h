// Known texts that match a page: search tables -> candidates -> stored profiles -> the verifier of a batch.
//
// The rule for candidates is that of index/candidates.h and engine/match_stage.cc: pages with common keys or alike
// sketches, whose weight reaches MatchOptions::overlap_share of the smaller page; SHORT pages by equal text only; EMPTY
// ones never. Tables
// only propose texts; what two pages have in common is computed from their profiles (index/page_keys.h), so a table
// entry that agrees by chance costs time and changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/page_keys.h"
#include "online/search_tables.h"
#include "paraprint/index.h"
#include "verify/paragraph_matching.h"

namespace paraprint {

// A page being looked up: filled once, read by any number of searches.
struct SearchQuery {
  const Profile* profile = nullptr;
  std::uint64_t site = 0;
  std::vector<std::uint8_t> template_flags;  // a flag a paragraph
  PageKeys keys;                             // distinct
  std::vector<SearchKey> search_keys;
};

void make_query(const Profile& profile, std::uint64_t site, const SiteTemplates& templates, const MatchOptions& match,
                const CandidateSearchOptions& options, SearchQuery& query);

// The exact key under which a whole text is found.
std::uint64_t text_key_of(const Profile& profile);

// The keys that search tables hold of a text; `template_flags` as they were when it was added.
void collect_text_keys(const Profile& profile, std::span<const std::uint8_t> template_flags, TextKeys& keys);
// The same from a stored record.
Status read_text_keys(std::string_view record, TextKeys& keys);

// Flags of a stored text's paragraphs: template when it was added, or by now.
void stored_template_flags(const TextRecord& record, const Profile& profile, const SiteTemplates& templates,
                           bool discount, std::vector<std::uint8_t>& flags);

// A stored text that matches.
struct FoundText {
  std::uint64_t text = 0;
  std::string owner;  // id of its first page
  bool has_other_pages = false;
  std::uint32_t content_characters = 0;
  Verdict verdict = Verdict::kDistinct;  // "the query is ... it"
  float resemblance = 0;
  float containment_query = 0;
  float containment_text = 0;
  float matched_characters = 0;
  std::vector<MatchedSpan> spans;  // a: the query
};

// Best first: same, near, contained or contains, overlap; then by resemblance, then the older text.
bool is_better(const FoundText& x, const FoundText& y);

// Whether the two pages are a candidate pair, and what they score then; nothing for pairs that say too little. The
// verdict reads "the query is ... the stored text". Used by the search, and by tests as the slow, obvious way.
struct StoredText {
  const Profile* profile = nullptr;
  std::span<const std::uint8_t> template_flags;
};
class PairJudge {
 public:
  PairJudge(const MatchOptions& match, const CandidateSearchOptions& candidates)
      : match_options_(match), candidate_options_(candidates), matcher_(match) {}

  // Fills all of `found` but text, owner and has_other_pages. `was_compared` says whether the profiles were matched.
  bool judge(const SearchQuery& query, const StoredText& stored, bool with_evidence, FoundText& found,
             bool& was_compared);

 private:
  MatchOptions match_options_;
  CandidateSearchOptions candidate_options_;
  ParagraphMatcher matcher_;
  PageKeys stored_keys_;
};

// Holds scratch memory: one instance a thread at a time. The references must outlive it.
class CandidateSearch {
 public:
  CandidateSearch(const IndexDatabase& database, const SiteTemplates& templates, const MatchOptions& match,
                  const CandidateSearchOptions& candidates)
      : database_(database),
        templates_(templates),
        overlap_share_(match.overlap_share),
        candidates_(candidates),
        judge_(match, candidates) {}

  // Appends matches among texts from `first_text` on, `excluded_text` apart, best first; `work` is added to. With
  // stop_at_same an equal text is the only one appended.
  Status find(const SearchView& view, const SearchQuery& query, std::uint64_t first_text, std::uint64_t excluded_text,
              const LookupOptions& options, std::vector<FoundText>& found, LookupWork& work);

  static constexpr std::uint64_t kNoText = ~std::uint64_t{0};

 private:
  struct Candidate {
    std::uint64_t text = 0;
    std::uint64_t weight = 0;  // at least that of the keys in common
    bool is_by_sketch = false;
  };
  // Whether `candidate` may be one by the rule, for all that the tables say.
  bool may_reach_share(const SearchView& view, const SearchQuery& query, const Candidate& candidate) const;
  void collect_candidates(const SearchView& view, const SearchQuery& query, std::uint64_t first_text, LookupWork& work);
  // False: gone meanwhile.
  Result<bool> read_text(std::uint64_t text);
  // Whether the text just read may be one by the rule.
  bool may_match(const SearchQuery& query) const;

  const IndexDatabase& database_;
  const SiteTemplates& templates_;
  double overlap_share_;
  CandidateSearchOptions candidates_;
  PairJudge judge_;
  HitCollector collector_;
  std::vector<Candidate> found_candidates_;
  std::vector<ExactQuery> exact_queries_;
  std::vector<NearQuery> near_queries_;
  std::vector<std::uint32_t> sketch_keys_;
  PinnedValue stored_;
  TextRecord record_;
  Profile profile_;
  std::vector<std::uint8_t> flags_;
};

}  // namespace paraprint
