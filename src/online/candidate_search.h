// Finds the known texts that match a page: search tables -> candidates -> stored profiles -> the verifier of a batch.
//
// In an index of a page-level algorithm (online/page_algorithm.h), pages are compared by their fingerprints instead.
// Under the paragraph method, candidates follow the rule of index/candidates.h and engine/match_stage.cc: pages with
// common keys or similar sketches whose weight reaches MatchOptions::overlap_share of the smaller page. SHORT pages are
// found by equal text only, EMPTY pages never. The tables only propose texts. What two pages have in common is computed
// from their profiles (index/page_keys.h), so a table entry that agrees by chance costs time but never changes an
// answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "index/page_keys.h"
#include "online/page_algorithm.h"
#include "online/search_tables.h"
#include "paraprint/index.h"
#include "verify/paragraph_matching.h"

namespace paraprint::inline online {

// A page being looked up: filled once, read by any number of searches.
struct SearchQuery {
  const Profile* profile = nullptr;
  // Of an index of a page-level algorithm. Null there: only equal texts are looked for.
  const PageFingerprint* fingerprint = nullptr;
  std::uint64_t site = 0;
  std::vector<std::uint8_t> template_flags;  // one flag per paragraph
  PageKeys keys;                             // distinct
  std::vector<SearchKey> search_keys;
};

void make_query(const Profile& profile, std::uint64_t site, const SiteTemplates& templates, const MatchOptions& match,
                const CandidateSearchOptions& options, SearchQuery& query);
// The last part of it: the keys of a query that has a profile and template flags.
void collect_query_keys(const MatchOptions& match, const CandidateSearchOptions& options, SearchQuery& query);

// The exact key under which a whole text is found.
std::uint64_t text_key_of(const Profile& profile);

// The keys under which the search tables hold a text. `template_flags` must be those of the time the text was added, so
// that rebuilt tables equal the original ones.
void collect_text_keys(const Profile& profile, std::span<const std::uint8_t> template_flags, TextKeys& keys);
// The same, with the sketch of which they have the short keys; empty if the text is not found by it.
void collect_text_keys(const Profile& profile, std::span<const std::uint8_t> template_flags, TextKeys& keys,
                       std::vector<std::uint8_t>& sketch);
// The same in an index of a page-level algorithm.
void collect_text_keys(const Profile& profile, const PageFingerprint& fingerprint, const PageAlgorithm& algorithm,
                       TextKeys& keys);
// The same from a stored record. `algorithm`: null under the paragraph method. kCorruptData if it cannot be decoded.
Status read_text_keys(std::string_view record, const PageAlgorithm* algorithm, TextKeys& keys);

// Decodes the fingerprint of a text's record. kCorruptData if it is none that the algorithm accepts.
Status read_text_fingerprint(const TextRecord& record, const PageAlgorithm& algorithm, PageFingerprint& fingerprint);

// One flag per paragraph of the profile, set for those whose numbers are given; numbers of no paragraph are ignored.
// And the numbers of the flagged ones, ascending.
void flag_paragraphs(std::span<const std::uint16_t> numbers, const Profile& profile, std::vector<std::uint8_t>& flags);
std::vector<std::uint16_t> flagged_paragraphs(std::span<const std::uint8_t> flags);

// Flags the paragraphs of a stored text that were template when it was added or, with `discount`, are template by now.
void stored_template_flags(const TextRecord& record, const Profile& profile, const SiteTemplates& templates,
                           bool discount, std::vector<std::uint8_t>& flags);

// Whether both are profiles of one text, so that one stored profile represents them.
bool is_equal_text(const Profile& x, const Profile& y);

// A stored text that matches.
struct FoundText {
  std::uint64_t text = 0;
  std::string owner;  // id of its first page, when the text was read
  bool has_other_pages = false;
  std::uint32_t content_characters = 0;
  bool is_equal = false;                 // is_equal_text() with the query
  Verdict verdict = Verdict::kDistinct;  // reads "the query is <verdict> this text"
  float resemblance = 0;
  float containment_query = 0;
  float containment_text = 0;
  float matched_characters = 0;
  std::vector<MatchedSpan> spans;  // a: the query
};

// Greater than the weight of any other key, so that an equal text is the first candidate.
inline constexpr std::uint32_t kTextKeyWeight = ~std::uint32_t{0};

// Order of answers, best first: same, near, contained or contains, overlap; then by resemblance; then the older text.
bool is_better(const FoundText& x, const FoundText& y);

// The stored side of a pair given to PairJudge. Views must outlive the call.
struct StoredText {
  const Profile* profile = nullptr;
  std::span<const std::uint8_t> template_flags;
};

// Decides whether two pages are a candidate pair and scores them. The search uses it after the tables; tests use it
// alone, comparing a page with every stored text, as the reference. Holds scratch memory: one instance per thread.
class PairJudge {
 public:
  PairJudge(const MatchOptions& match, const CandidateSearchOptions& candidates)
      : match_options_(match), candidate_options_(candidates), matcher_(match) {}

  // False if the pages are not a candidate pair or the match is too weak to be stored. Otherwise fills every field of
  // `found` except text, owner and has_other_pages. `was_compared` tells whether the profiles were matched at all. If
  // `stop` is stopped in between, the answer means nothing.
  bool judge(const SearchQuery& query, const StoredText& stored, bool with_evidence, FoundText& found,
             bool& was_compared, StopCheck& stop);
  bool judge(const SearchQuery& query, const StoredText& stored, bool with_evidence, FoundText& found,
             bool& was_compared) {
    StopCheck never;
    return judge(query, stored, with_evidence, found, was_compared, never);
  }

 private:
  MatchOptions match_options_;
  CandidateSearchOptions candidate_options_;
  ParagraphMatcher matcher_;
  PageKeys stored_keys_;
};

// Holds scratch memory: one thread at a time per instance. The referenced objects must outlive it.
class CandidateSearch {
 public:
  // `algorithm`: null under the paragraph method.
  CandidateSearch(const IndexDatabase& database, const SiteTemplates& templates, const PageAlgorithm* algorithm,
                  const MatchOptions& match, const CandidateSearchOptions& candidates)
      : database_(database),
        templates_(templates),
        algorithm_(algorithm),
        match_options_(match),
        candidates_(candidates),
        judge_(match, candidates) {}

  // Adds the matches among texts >= `first_text`, except `excluded_text`, to `found` and sorts `found` best first. Adds
  // the effort to `work`. Without options.all, an equal text replaces everything found so far.
  // Errors: those of reading the database; kCancelled (base/stop.h).
  Status find(const SearchView& view, const SearchQuery& query, std::uint64_t first_text, std::uint64_t excluded_text,
              const LookupOptions& options, std::vector<FoundText>& found, LookupWork& work);

  // The texts that the last find() was led to by the tables, but that were not in the database: removed, or not
  // written yet. In no order.
  const std::vector<std::uint64_t>& missing_texts() const { return missing_texts_; }

  static constexpr std::uint64_t kNoText = ~std::uint64_t{0};

 private:
  struct Candidate {
    std::uint64_t text = 0;
    std::uint64_t weight = 0;   // upper bound of the characters in common through the keys below the cap
    bool is_by_sketch = false;  // then the weight is not a bound
  };
  // False if the tables alone prove that `candidate` cannot reach overlap_share or, under a page-level algorithm, its
  // threshold.
  bool may_reach_share(const SearchView& view, const SearchQuery& query, const Candidate& candidate) const;
  void collect_candidates(const SearchView& view, const SearchQuery& query, std::uint64_t first_text, LookupWork& work);
  void ask_for_paragraphs(const SearchView& view, const SearchQuery& query);
  void ask_for_fingerprint(const SearchView& view, const SearchQuery& query);
  // Reads the text into record_ and profile_. False: it was deleted in the meantime.
  Result<bool> read_text(std::uint64_t text);
  // False if the text just read cannot be a candidate.
  bool may_match(const SearchQuery& query) const;
  // PairJudge::judge() of the text just read, under either method.
  bool judge(const SearchQuery& query, const LookupOptions& options, FoundText& found, LookupWork& work,
             StopCheck& stop);
  bool judge_fingerprint(const SearchQuery& query, FoundText& found, bool& was_compared) const;

  const IndexDatabase& database_;
  const SiteTemplates& templates_;
  const PageAlgorithm* algorithm_;
  MatchOptions match_options_;
  CandidateSearchOptions candidates_;
  PairJudge judge_;
  HitCollector collector_;
  std::vector<Candidate> found_candidates_;
  std::vector<std::uint64_t> missing_texts_;
  std::vector<ExactQuery> exact_queries_;
  std::vector<NearQuery> near_queries_;
  std::vector<std::uint32_t> sketch_keys_;
  PageFingerprinter::SummaryFilter summary_filter_;  // of a page-level algorithm
  PinnedValue stored_;
  TextRecord record_;
  Profile profile_;
  PageFingerprint fingerprint_;  // unless it is the paragraph method
  std::vector<std::uint8_t> flags_;
};

}  // namespace paraprint::inline online
