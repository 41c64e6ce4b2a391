// Edits that select parts of an article or combine it with others: digest, excerpt, pagination, truncation. They run
// first, so that later edits change only text that is still there. Sizes are counted in content characters (letters and
// digits), the measure in which strengths are defined.
#include <algorithm>

#include "lab/simulate/language/phrases.h"
#include "lab/simulate/text_pieces.h"
#include "text/normalise.h"

namespace paraprint::inline lab::inline simulate {
namespace {

std::size_t content_of(const ArticleParagraph& paragraph) {
  return count_content_characters(paragraph.text);
}

// Makes every sentence a paragraph, for articles with fewer paragraphs than the number of pages they are split into.
void break_up(Article& article) {
  std::vector<ArticleParagraph> broken;
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    if (!is_prose(paragraph)) {
      broken.push_back(paragraph);
      continue;
    }
    for (const std::string_view sentence : sentence_pieces(paragraph.text)) {
      broken.push_back({std::string(sentence), paragraph.role, paragraph.heading_level});
    }
  }
  article.paragraphs = std::move(broken);
}

// One to three sentences of a reposter's own, around an excerpt.
ArticleParagraph commentary(EditContext& context) {
  const std::span<const std::string_view> phrases = commentary_phrases(context.draft.article.language);
  std::string text;
  constexpr std::size_t kMostSentences = 3;
  const std::size_t count = context.random.between(1, kMostSentences);
  for (const std::size_t number : choose_numbers(context.random, count, phrases.size())) {
    if (!text.empty()) text += sentence_gap(context.draft.article.language);
    text += phrases[number];
  }
  return {std::move(text), BlockRole::kParagraph, 0};
}

}  // namespace

void edit_digest(EditContext& context) {
  constexpr double kMostBeyondOne = 2;
  Article& article = context.draft.article;
  std::vector<const Article*> others;
  for (const Article* other : context.material.companions) {
    if (other->base != article.base) others.push_back(other);
  }
  // Companions in random order, those in the article's language first. stable_partition() keeps that random order, and
  // thereby the result, the same with every library.
  context.random.shuffle(others);
  std::stable_partition(others.begin(), others.end(),
                        [&](const Article* other) { return other->language == article.language; });
  const std::size_t wanted = 1 + static_cast<std::size_t>(context.strength * kMostBeyondOne);
  others.resize(std::min(wanted, others.size()));
  // A corpus of a single family has no companions.
  if (others.empty()) return;

  std::vector<std::vector<ArticleParagraph>> sections;
  const auto add_section = [&sections](const Article& section_article) {
    constexpr std::uint8_t kSectionLevel = 2;
    std::vector<ArticleParagraph> section = {{section_article.title, BlockRole::kHeading, kSectionLevel}};
    section.insert(section.end(), section_article.paragraphs.begin(), section_article.paragraphs.end());
    sections.push_back(std::move(section));
  };
  add_section(article);
  for (const Article* other : others) {
    add_section(*other);
    // The digest is labelled against every page of each included article.
    context.draft.bases.push_back(other->base);
    ++context.changes;
  }
  // The original's own article is not always the first section.
  context.random.shuffle(sections);
  article.paragraphs.clear();
  for (std::vector<ArticleParagraph>& section : sections) {
    std::move(section.begin(), section.end(), std::back_inserter(article.paragraphs));
  }
  article.title = std::string(context.random.pick(digest_titles(article.language)));
}

void edit_excerpt(EditContext& context) {
  Article& article = context.draft.article;
  const std::size_t whole = content_size(article);
  const auto wanted = static_cast<std::size_t>((1 - context.strength) * static_cast<double>(whole));
  const std::size_t count = article.paragraphs.size();
  const std::size_t begin = context.random.below(count);
  // Extends forwards from `begin` to the end of the article, then backwards, until the excerpt is long enough.
  std::size_t first = begin;
  std::size_t last = begin;
  std::size_t size = content_of(article.paragraphs[begin]);
  while (size < wanted && (last + 1 < count || first > 0)) {
    size += last + 1 < count ? content_of(article.paragraphs[++last]) : content_of(article.paragraphs[--first]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i < first || i > last) context.changed(i);
  }
  std::vector<ArticleParagraph> kept;
  kept.push_back(commentary(context));
  for (std::size_t i = first; i <= last; ++i) {
    ArticleParagraph paragraph = article.paragraphs[i];
    // Reposters usually quote an excerpt; the commentary around it is running text.
    if (paragraph.role == BlockRole::kParagraph) paragraph.role = BlockRole::kQuote;
    kept.push_back(std::move(paragraph));
  }
  kept.push_back(commentary(context));
  article.paragraphs = std::move(kept);
}

void edit_pagination(EditContext& context) {
  PageDraft& draft = context.draft;
  if (draft.article.paragraphs.size() < draft.part_count) break_up(draft.article);
  const std::vector<ArticleParagraph>& paragraphs = draft.article.paragraphs;
  const std::size_t count = paragraphs.size();
  std::vector<ArticleParagraph> kept;
  // The parts' borders leave no gap and no overlap, so all pages together are the article.
  const std::size_t begin = count * draft.part / draft.part_count;
  const std::size_t end = count * (draft.part + 1) / draft.part_count;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= begin && i < end) {
      kept.push_back(paragraphs[i]);
    } else {
      context.changed(i);
    }
  }
  draft.article.paragraphs = std::move(kept);
  context.note = std::to_string(draft.part + 1) + "/" + std::to_string(draft.part_count);
}

void edit_truncation(EditContext& context) {
  Article& article = context.draft.article;
  auto left = static_cast<std::size_t>((1 - context.strength) * static_cast<double>(content_size(article)));
  std::size_t kept = 0;
  for (; kept < article.paragraphs.size(); ++kept) {
    const std::size_t size = content_of(article.paragraphs[kept]);
    if (size > left) break;
    left -= size;
  }
  for (std::size_t i = kept; i < article.paragraphs.size(); ++i) context.changed(i);
  if (kept == article.paragraphs.size()) return;
  // The last paragraph is cut at a character, usually within a sentence, as teasers are.
  std::string beginning;
  std::size_t taken = 0;
  for (const std::string_view character : characters(article.paragraphs[kept].text)) {
    // At least one character remains, even at strength 1.
    if (taken >= left && kept + taken > 0) break;
    taken += count_content_characters(character);
    beginning += character;
  }
  beginning += context.random.pick(read_more_phrases(article.language));
  const ArticleParagraph cut{std::move(beginning), article.paragraphs[kept].role,
                             article.paragraphs[kept].heading_level};
  article.paragraphs.resize(kept);
  article.paragraphs.push_back(cut);
}

}  // namespace paraprint::inline lab::inline simulate
