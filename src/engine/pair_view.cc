// Passages come from the paragraph method in any case; scores and verdict are those of the run's algorithm. Otherwise
// the report could contradict the tables.
#include "engine/pair_view.h"

#include <utility>
#include <vector>

#include "base/propagate.h"
#include "engine/fingerprint_match.h"
#include "engine/shown_page.h"

namespace paraprint::inline engine {
namespace {

ShownPage shown_page_of(const PageTable& pages, std::uint32_t page, const MainContent& content) {
  ShownPage shown = shown_page(content, pages.row(page).content_characters);
  shown.id = pages.id(page);
  shown.url = pages.url(page);
  shown.date = pages.date(page);
  return shown;
}

}  // namespace

// Synonyms are loaded even if the run compares without them: the view marks replaced words in any case.
Result<std::unique_ptr<PairView>> PairView::create(const DedupOptions& options, const PageLog& log,
                                                   const PageTable& pages, const ComparisonBasis& basis) {
  PARAPRINT_ASSIGN(std::shared_ptr<const Synonyms> synonyms, load_shown_synonyms(options.profile));
  return std::unique_ptr<PairView>(new PairView(options, log, pages, basis, std::move(synonyms)));
}

PairView::PairView(const DedupOptions& options, const PageLog& log, const PageTable& pages,
                   const ComparisonBasis& basis, std::shared_ptr<const Synonyms> synonyms)
    : options_(options.match),
      pages_(pages),
      fingerprints_(basis.fingerprints),
      synonyms_(std::move(synonyms)),
      normaliser_(NormaliseOptions{options.profile.fold_traditional}),
      scorer_(log, pages, basis.boilerplate, options.match) {}

Result<Comparison> PairView::compare(std::uint32_t page_a, std::uint32_t page_b,
                                     const std::map<std::uint32_t, MainContent>& contents) {
  const auto a = contents.find(page_a);
  const auto b = contents.find(page_b);
  if (a == contents.end() || b == contents.end()) {
    return failure(ErrorCode::kNotFound, "the text of this page cannot be read again");
  }
  Comparison comparison;
  comparison.a = shown_page_of(pages_, page_a, a->second);
  comparison.b = shown_page_of(pages_, page_b, b->second);
  comparison.fold = fold_of(normaliser_);
  comparison.synonyms = &synonyms_->table;
  // The paragraph method is asked in any case, for its spans.
  PARAPRINT_ASSIGN(Match match, scorer_.score(page_a, page_b, &comparison.spans));
  comparison.match = fingerprints_ ? match_by_fingerprint(*fingerprints_, pages_, page_a, page_b, options_) : match;
  for (auto [side, page] : {std::pair(&comparison.a, page_a), std::pair(&comparison.b, page_b)}) {
    PARAPRINT_ASSIGN(std::vector<TextSpan> spans, scorer_.boilerplate_spans(page));
    mark_boilerplate(std::move(spans), *side);
  }
  return comparison;
}

}  // namespace paraprint::inline engine
