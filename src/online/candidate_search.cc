// One search, from cheap to expensive filters: hits of the search tables are summed per text and bounded by the text's
// length; survivors are read from the database, most promising first; their hashes are compared; only then are keys
// collected and the profiles matched. Each filter drops only what the next one would reject as well, so the answer is
// that of comparing the page with every stored text, except for the two caps (group_cap, max_candidates), which are
// counted in LookupWork.
#include "online/candidate_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "base/scheduled.h"
#include "base/verdict.h"
#include "index/sketch_rule.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

namespace paraprint::inline online {
namespace {

// Lower is better. Contained and contains rank alike: both mean that one page has all of the other.
int rank_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return 0;
    case Verdict::kNear:
      return 1;
    case Verdict::kContained:
    case Verdict::kContains:
      return 2;
    case Verdict::kOverlap:
      return 3;
    case Verdict::kDistinct:
      break;
  }
  return 4;
}

// Turns the evidence of "stored against query" into that of "query against stored".
void reverse_spans(std::vector<MatchedSpan>& spans) {
  for (MatchedSpan& span : spans) {
    std::swap(span.a, span.b);
    std::swap(span.paragraph_a, span.paragraph_b);
  }
  std::sort(spans.begin(), spans.end(), [](const MatchedSpan& x, const MatchedSpan& y) {
    return x.a.begin_bytes != y.a.begin_bytes ? x.a.begin_bytes < y.a.begin_bytes : x.b.begin_bytes < y.b.begin_bytes;
  });
}

// Only a page whose keys are shared by very many texts finds so many. Kept, their memory would stay with each thread
// that has met such a page, and that one finds up to 256 texts for each of 20,000 paragraphs.
template <class Row>
void release_if_large(std::vector<Row>& rows) {
  constexpr std::size_t kKeptRows = std::size_t{1} << 17;
  if (rows.capacity() > kKeptRows) rows = std::vector<Row>();
}

PageKeyChoice key_choice(const MatchOptions& match, const CandidateSearchOptions& candidates) {
  return {kMinimumKeyCharacters, candidates.candidate_bits >= 0, match.whole_text};
}

// The tables hold one short key per band for the first kSketchKeys bands (index/sketch_rule.h).
void collect_sketch_keys(const PageKeys& page, std::vector<std::uint32_t>& keys) {
  static_assert(kSketchKeyBits == kShortKeyBits && kSketchKeys == kShortKeysMaximum);
  keys.clear();
  if (page.sketch.empty()) return;
  for (std::size_t band = 0; band < kSketchKeys; ++band) keys.push_back(sketch_key(SketchBytes(page.sketch), band));
}

// Replaces the keys with the one that every text has, except an empty one, which is never found.
void begin_text_keys(const Profile& profile, TextKeys& keys) {
  keys.exact.clear();
  keys.fingerprints.clear();
  keys.sketch.clear();
  keys.summary = {};
  keys.content_characters = profile.content_characters;
  if (profile.content_characters > 0) keys.exact.push_back(text_key_of(profile));
}

}  // namespace

bool is_equal_text(const Profile& x, const Profile& y) {
  return x.text_hash == y.text_hash && x.content_characters == y.content_characters;
}

// Mixes all 128 bits of the text hash, because the tables keep only the leading 28 bits of a key.
std::uint64_t text_key_of(const Profile& profile) {
  return mix64(mix64(profile.text_hash[0]) + profile.text_hash[1]);
}

void make_query(const Profile& profile, std::uint64_t site, const SiteTemplates& templates, const MatchOptions& match,
                const CandidateSearchOptions& options, SearchQuery& query) {
  query.profile = &profile;
  query.site = site;
  query.template_flags.assign(profile.paragraphs.size(), 0);
  // Paragraphs that the site repeats give no keys and have no weight in the match.
  if (options.boilerplate) templates.flag(site, profile, query.template_flags);
  collect_query_keys(match, options, query);
}

void collect_query_keys(const MatchOptions& match, const CandidateSearchOptions& options, SearchQuery& query) {
  collect_page_keys(*query.profile, query.template_flags, key_choice(match, options), query.keys);
  query.keys.make_distinct();
  // query.keys is compared with the keys of stored pages; search_keys is the smaller set that the tables are asked for.
  collect_search_keys(*query.profile, query.template_flags, kMinimumKeyCharacters, query.search_keys);
}

void collect_text_keys(const Profile& profile, std::span<const std::uint8_t> template_flags, TextKeys& keys) {
  std::vector<std::uint8_t> sketch;
  collect_text_keys(profile, template_flags, keys, sketch);
}

void collect_text_keys(const Profile& profile, std::span<const std::uint8_t> template_flags, TextKeys& keys,
                       std::vector<std::uint8_t>& sketch) {
  begin_text_keys(profile, keys);
  sketch.clear();
  if (profile.content_characters < kShortPageCharacters) return;  // SHORT pages are found by equal text only
  PageKeys page;
  collect_page_keys(profile, template_flags, {}, page);
  page.make_distinct();
  std::vector<SearchKey> search_keys;
  collect_search_keys(profile, template_flags, kMinimumKeyCharacters, search_keys);
  for (const SearchKey& key : search_keys) keys.exact.push_back(key.key);
  for (const NearKey& key : page.near) keys.fingerprints.push_back(key.fingerprint);
  collect_sketch_keys(page, keys.sketch);
  sketch = std::move(page.sketch);
}

void collect_text_keys(const Profile& profile, const PageFingerprint& fingerprint, const PageAlgorithm& algorithm,
                       TextKeys& keys) {
  begin_text_keys(profile, keys);
  algorithm.collect_keys(fingerprint, keys);
}

Status read_text_fingerprint(const TextRecord& record, const PageAlgorithm& algorithm, PageFingerprint& fingerprint) {
  PARAPRINT_TRY(decode_fingerprint(record.fingerprint, fingerprint));
  if (algorithm.accepts(fingerprint)) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("a fingerprint of {} values and {} weights is none of this index",
                                                      fingerprint.values.size(), fingerprint.weights.size()));
}

Status read_text_keys(std::string_view record, const PageAlgorithm* algorithm, TextKeys& keys) {
  TextRecord text;
  Profile profile;
  PARAPRINT_TRY(decode_text_record(record, text));
  PARAPRINT_TRY(decode_profile(text.profile, profile));
  if (algorithm != nullptr) {
    PageFingerprint fingerprint;
    PARAPRINT_TRY(read_text_fingerprint(text, *algorithm, fingerprint));
    collect_text_keys(profile, fingerprint, *algorithm, keys);
    return {};
  }
  std::vector<std::uint8_t> flags;
  flag_paragraphs(text.template_paragraphs, profile, flags);
  collect_text_keys(profile, flags, keys);
  return {};
}

void flag_paragraphs(std::span<const std::uint16_t> numbers, const Profile& profile, std::vector<std::uint8_t>& flags) {
  flags.assign(profile.paragraphs.size(), 0);
  for (const std::uint16_t number : numbers) {
    if (number < flags.size()) flags[number] = 1;
  }
}

std::vector<std::uint16_t> flagged_paragraphs(std::span<const std::uint8_t> flags) {
  std::vector<std::uint16_t> flagged;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) flagged.push_back(static_cast<std::uint16_t>(i));
  }
  return flagged;
}

void stored_template_flags(const TextRecord& record, const Profile& profile, const SiteTemplates& templates,
                           bool discount, std::vector<std::uint8_t>& flags) {
  // Once template, always template for this text: the tables hold no keys of the paragraphs flagged when it was added.
  flag_paragraphs(record.template_paragraphs, profile, flags);
  if (discount) templates.flag(record.site, profile, flags);
}

bool is_better(const FoundText& x, const FoundText& y) {
  if (rank_of(x.verdict) != rank_of(y.verdict)) return rank_of(x.verdict) < rank_of(y.verdict);
  if (x.resemblance != y.resemblance) return x.resemblance > y.resemblance;
  return x.text < y.text;
}

bool PairJudge::judge(const SearchQuery& query, const StoredText& stored, bool with_evidence, FoundText& found,
                      bool& was_compared, StopCheck& stop) {
  was_compared = false;
  const Profile& asked = *query.profile;
  const Profile& known = *stored.profile;
  if (asked.content_characters == 0 || known.content_characters == 0) return false;
  // The candidate rule of a batch. Pages of equal text are always a pair, however short they are.
  if (asked.text_hash != known.text_hash) {
    const std::uint32_t smaller = std::min(asked.content_characters, known.content_characters);
    if (smaller < kShortPageCharacters) return false;
    collect_page_keys(known, stored.template_flags, key_choice(match_options_, candidate_options_), stored_keys_);
    stored_keys_.make_distinct();
    const CandidatePair pair = keys_in_common(query.keys, stored_keys_, candidate_options_.candidate_bits);
    if (pair.hits == 0 || pair.weight < match_options_.overlap_share * smaller) return false;
  }
  was_compared = true;
  found.spans.clear();
  // The older page goes first, as in a batch, because floating-point sums depend on the order.
  const PairScore score = matcher_.score(known, asked, stored.template_flags, query.template_flags,
                                         with_evidence ? &found.spans : nullptr, stop);
  const Match match = match_of(score, 0, 1, match_options_);
  // A batch drops matches below this, too, so both answer the same. Equal texts are answered whatever they score.
  const bool is_same = match.verdict == Verdict::kSame;
  if (match.verdict == Verdict::kDistinct || (!is_same && !is_worth_storing(match, match_options_))) return false;
  // The match reads "stored against query"; the answer is given from the query's side.
  reverse_spans(found.spans);
  found.content_characters = known.content_characters;
  found.is_equal = is_equal_text(asked, known);
  found.verdict = reversed(match.verdict);
  found.resemblance = match.resemblance;
  found.containment_query = match.containment_b;
  found.containment_text = match.containment_a;
  found.matched_characters = match.matched_characters;
  return true;
}

bool CandidateSearch::may_reach_share(const SearchView& view, const SearchQuery& query,
                                      const Candidate& candidate) const {
  // A shared sketch key says that texts are similar, but not how much of them; equal bytes are counted after reading.
  if (candidate.is_by_sketch) return true;
  // The text may also have every key that was cut off at the cap, without a hit for it: assume it has them all.
  const std::uint64_t weight = candidate.weight + collector_.weight_over_cap;
  if (algorithm_ != nullptr) {
    if (weight < algorithm_->common_keys_minimum()) return false;
    // Equal texts are the same page whatever their fingerprints are.
    if (candidate.weight >= kTextKeyWeight || !summary_filter_) return true;
    const std::optional<Fingerprint128> summary = view.summary(candidate.text);
    return !summary || summary_filter_(*summary);
  }
  const std::uint32_t smaller = std::min(query.profile->content_characters, view.least_characters(candidate.text));
  return static_cast<double>(weight) >= match_options_.overlap_share * smaller;
}

void CandidateSearch::ask_for_paragraphs(const SearchView& view, const SearchQuery& query) {
  const bool is_short = query.profile->content_characters < kShortPageCharacters;
  if (!is_short) {
    for (const SearchKey& key : query.search_keys) exact_queries_.push_back({key.key, key.weight, false});
    for (const NearKey& key : query.keys.near) near_queries_.push_back({key.fingerprint, key.weight});
  }
  view.find_exact(exact_queries_, collector_);
  schedule_point();
  view.find_near(near_queries_, collector_);
  if (is_short) return;
  // A sketch hit has the share of this weight that corresponds to the share of keys that agree: an estimate that only
  // orders candidates.
  collect_sketch_keys(query.keys, sketch_keys_);
  collector_.weight = query.keys.content_characters;
  if (!sketch_keys_.empty()) view.find_sketch(sketch_keys_, collector_);
}

void CandidateSearch::ask_for_fingerprint(const SearchView& view, const SearchQuery& query) {
  summary_filter_ = nullptr;
  if (query.fingerprint != nullptr) {
    algorithm_->collect_queries(*query.fingerprint, exact_queries_, near_queries_);
    summary_filter_ = algorithm_->summary_filter(*query.fingerprint);
  }
  view.find_exact(exact_queries_, collector_);
  schedule_point();
  view.find_near(near_queries_, collector_);
}

void CandidateSearch::collect_candidates(const SearchView& view, const SearchQuery& query, std::uint64_t first_text,
                                         LookupWork& work) {
  collector_.hits.clear();
  collector_.key_cap = candidates_.group_cap;
  collector_.first_text = first_text;
  collector_.keys_over_cap = 0;
  collector_.weight_over_cap = 0;
  // SHORT pages are looked up by their whole text alone. The tables keep the removed texts of a page that changes back
  // and forth, in any number; the one that is stored, if any, is the youngest.
  exact_queries_.assign(1, {text_key_of(*query.profile), kTextKeyWeight, true});
  near_queries_.clear();
  if (algorithm_ != nullptr) {
    ask_for_fingerprint(view, query);
  } else {
    ask_for_paragraphs(view, query);
  }
  // One candidate per text, with the weight of all keys that hit it.
  work.table_hits += static_cast<std::uint32_t>(collector_.hits.size());
  work.keys_over_cap += collector_.keys_over_cap;
  std::sort(collector_.hits.begin(), collector_.hits.end(),
            [](const TableHit& x, const TableHit& y) { return x.text < y.text; });
  release_if_large(found_candidates_);
  found_candidates_.clear();
  for (const TableHit& hit : collector_.hits) {
    if (found_candidates_.empty() || found_candidates_.back().text != hit.text)
      found_candidates_.push_back({hit.text, 0, false});
    found_candidates_.back().weight += hit.weight;
    found_candidates_.back().is_by_sketch |= hit.is_by_sketch;
  }
  release_if_large(collector_.hits);
  if (summary_filter_) {
    for (const Candidate& candidate : found_candidates_) view.prefetch_summary(candidate.text);
  }
  std::erase_if(found_candidates_,
                [&](const Candidate& candidate) { return !may_reach_share(view, query, candidate); });
  // Most in common first: max_candidates then cuts off the least promising texts. Ties by age keep answers stable. Of
  // texts that may be equal, the stored one is the youngest, unless a stranger made others with the same key.
  std::sort(found_candidates_.begin(), found_candidates_.end(), [](const Candidate& x, const Candidate& y) {
    if (x.weight != y.weight) return x.weight > y.weight;
    return x.weight >= kTextKeyWeight ? x.text > y.text : x.text < y.text;
  });
  work.candidates += static_cast<std::uint32_t>(found_candidates_.size());
}

Result<bool> CandidateSearch::read_text(std::uint64_t text) {
  Result<bool> is_there = database_.get_text(text, stored_);
  if (!is_there || !*is_there) return is_there;
  Status decoded = decode_text_record(stored_.bytes(), record_);
  if (decoded) decoded = decode_profile(record_.profile, profile_);
  if (decoded && algorithm_ != nullptr) decoded = read_text_fingerprint(record_, *algorithm_, fingerprint_);
  if (!decoded) return failure(decoded.error().code, fmt::format("text {}: {}", text, decoded.error().message));
  return true;
}

// Most texts that the tables propose agree with a key only by chance. Comparing hashes and fingerprints drops nearly
// all of them before template flags are looked up and keys are built.
bool CandidateSearch::may_match(const SearchQuery& query) const {
  return profile_.text_hash == query.profile->text_hash ||
         may_have_keys_in_common(query.keys, profile_, candidates_.candidate_bits);
}

// As a batch compares them: pages of equal text are the same, whatever else their fingerprints are made of.
bool CandidateSearch::judge_fingerprint(const SearchQuery& query, FoundText& found, bool& was_compared) const {
  found.content_characters = profile_.content_characters;
  found.is_equal = is_equal_text(*query.profile, profile_);
  if (found.is_equal) {
    found.verdict = Verdict::kSame;
    found.resemblance = found.containment_query = found.containment_text = 1;
    found.matched_characters = static_cast<float>(profile_.content_characters);
    return true;
  }
  if (query.fingerprint == nullptr) return false;
  was_compared = true;
  const Match match = algorithm_->match(fingerprint_, profile_.content_characters, *query.fingerprint,
                                        query.profile->content_characters, match_options_);
  found.verdict = reversed(match.verdict);
  found.resemblance = match.resemblance;
  found.containment_query = match.containment_b;
  found.containment_text = match.containment_a;
  found.matched_characters = match.matched_characters;
  return match.verdict != Verdict::kDistinct;
}

bool CandidateSearch::judge(const SearchQuery& query, const LookupOptions& options, FoundText& found, LookupWork& work,
                            StopCheck& stop) {
  bool was_compared = false;
  bool matches = false;
  if (algorithm_ != nullptr) {
    matches = judge_fingerprint(query, found, was_compared);
  } else if (may_match(query)) {
    stored_template_flags(record_, profile_, templates_, candidates_.boilerplate, flags_);
    matches = judge_.judge(query, {&profile_, flags_}, options.evidence, found, was_compared, stop);
  }
  work.pairs_compared += was_compared ? 1 : 0;
  return matches;
}

Status CandidateSearch::find(const SearchView& view, const SearchQuery& query, std::uint64_t first_text,
                             std::uint64_t excluded_text, const LookupOptions& options, std::vector<FoundText>& found,
                             LookupWork& work) {
  missing_texts_.clear();
  if (query.profile->content_characters == 0) return {};
  collect_candidates(view, query, first_text, work);
  std::uint32_t read = 0;
  StopCheck stop(StopScope::current());
  for (const Candidate& candidate : found_candidates_) {
    PARAPRINT_TRY(check_stop());
    if (candidate.text == excluded_text) continue;
    const bool may_be_equal = candidate.weight >= kTextKeyWeight;
    if (read == options.max_candidates && !may_be_equal) {
      ++work.candidates_left_out;
      continue;
    }
    // Tables keep deleted texts until their segments are merged, so a missing text is normal.
    PARAPRINT_ASSIGN(const bool is_there, read_text(candidate.text));
    if (!is_there) {
      missing_texts_.push_back(candidate.text);
      continue;
    }
    ++work.profiles_read;
    // Texts made to have the key of this one hide neither it nor what else is similar to it.
    if (may_be_equal && !is_equal_text(*query.profile, profile_)) {
      if (read == options.max_candidates) {
        ++work.candidates_left_out;
        continue;
      }
      if (algorithm_ == nullptr && !may_match(query)) continue;
    }
    ++read;
    FoundText text;
    const bool matches = judge(query, options, text, work, stop);
    PARAPRINT_TRY(stop.status());
    if (!matches) continue;
    text.text = candidate.text;
    text.owner = record_.owner;
    text.has_other_pages = record_.has_other_pages;
    if (text.is_equal && !options.all) {
      found.clear();
      found.push_back(std::move(text));
      return {};
    }
    found.push_back(std::move(text));
  }
  std::sort(found.begin(), found.end(), is_better);
  return {};
}

}  // namespace paraprint::inline online
