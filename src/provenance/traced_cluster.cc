// Only texts that are compared get their sentences, which are most of a traced page's memory.
#include "provenance/traced_cluster.h"

#include <algorithm>
#include <utility>

#include "provenance/trace_copies.h"

namespace paraprint::inline provenance {
namespace {

// What the spans of one side cover, ascending and disjoint: an edited paragraph has spans of its sentences too.
std::vector<TextSpan> covered_by(const std::vector<MatchedSpan>& spans, TextSpan MatchedSpan::*side) {
  std::vector<TextSpan> sorted;
  for (const MatchedSpan& span : spans) sorted.push_back(span.*side);
  std::sort(sorted.begin(), sorted.end(), [](TextSpan x, TextSpan y) { return x.begin_bytes < y.begin_bytes; });
  std::vector<TextSpan> covered;
  for (const TextSpan span : sorted) {
    if (!covered.empty() && span.begin_bytes <= covered.back().end_bytes) {
      covered.back().end_bytes = std::max(covered.back().end_bytes, span.end_bytes);
    } else {
      covered.push_back(span);
    }
  }
  return covered;
}

struct Unmatched {
  std::uint64_t characters = 0;  // letters and digits of sentences
  std::uint32_t paragraphs = 0;
};

// The sentences and paragraphs that no matched span touches.
Unmatched unmatched_of(const Profile& profile, const std::vector<TextSpan>& covered) {
  const auto is_matched = [&](TextSpan wanted) {
    const auto found = std::partition_point(covered.begin(), covered.end(),
                                            [&](TextSpan span) { return span.end_bytes <= wanted.begin_bytes; });
    return found != covered.end() && found->begin_bytes < wanted.end_bytes;
  };
  Unmatched unmatched;
  for (const SentenceProfile& sentence : profile.sentences) {
    if (!is_matched(sentence.span)) unmatched.characters += sentence.content_characters;
  }
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    if (!is_matched(paragraph.span)) ++unmatched.paragraphs;
  }
  return unmatched;
}

}  // namespace

void TracedCluster::add(const Names& names, OriginRecord&& origin, const Profile& profile) {
  TracedPage& traced = pages_.emplace_back();
  traced.id = names.id;
  traced.url = names.url;
  traced.capture_date = names.capture_date;
  traced.stated = std::move(origin.stated);
  traced.text_hash = profile.text_hash;
  const bool is_beyond = texts_.size() >= kTextsCompared || sentences_ >= kSentencesCompared;
  if (is_beyond || !texts_.insert(profile.text_hash).second) return;
  sentences_ += profile.sentences.size();
  traced.sketch = profile.sketch;
  for (std::size_t i = 0; i < profile.sentences.size(); ++i) {
    const SentenceProfile& sentence = profile.sentences[i];
    const SentenceMarks marks = i < origin.marks.size() ? origin.marks[i] : SentenceMarks{};
    traced.sentences.push_back({sentence.hash, sentence.content_characters, marks});
  }
}

TextChange text_change(const Profile& source, const Profile& copy, const std::vector<MatchedSpan>& spans) {
  const Unmatched lost = unmatched_of(source, covered_by(spans, &MatchedSpan::a));
  const Unmatched added = unmatched_of(copy, covered_by(spans, &MatchedSpan::b));
  TextChange change;
  change.added_characters = added.characters;
  change.lost_characters = lost.characters;
  change.added_paragraphs = added.paragraphs;
  change.lost_paragraphs = lost.paragraphs;
  return change;
}

}  // namespace paraprint::inline provenance
