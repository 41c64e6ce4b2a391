// Edits of whole paragraphs and sentences: deletion, insertion, reordering, splitting and joining. No edit empties an
// article: a page without text has nothing to label.
#include <algorithm>

#include "lab/simulate/text_pieces.h"
#include "text/normalise.h"

namespace paraprint::inline lab::inline simulate {

void edit_paragraph_deletion(EditContext& context) {
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  if (paragraphs.size() < 2) return;
  // At least one paragraph goes and at least one stays.
  const std::size_t count = share_of(paragraphs.size(), context.strength, 1, paragraphs.size() - 1);
  const std::vector<std::size_t> gone = choose_numbers(context.random, count, paragraphs.size());
  std::vector<ArticleParagraph> kept;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    if (std::binary_search(gone.begin(), gone.end(), i)) {
      context.changed(i);
    } else {
      kept.push_back(std::move(paragraphs[i]));
    }
  }
  paragraphs = std::move(kept);
}

void edit_sentence_deletion(EditContext& context) {
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  std::vector<ArticleParagraph> kept;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    ArticleParagraph paragraph = paragraphs[i];
    // Headings, list items, table rows and code have no sentences to spare.
    if (paragraph.role == BlockRole::kParagraph || paragraph.role == BlockRole::kQuote) {
      paragraph.text.clear();
      for (const std::string_view sentence : sentence_pieces(paragraphs[i].text)) {
        if (context.random.chance(context.strength)) {
          context.changed(i);
        } else {
          paragraph.text += sentence;
        }
      }
    }
    if (!paragraph.text.empty()) kept.push_back(std::move(paragraph));
  }
  // At high strengths every sentence may have been drawn; the article is then left as it was.
  if (!kept.empty()) paragraphs = std::move(kept);
}

void edit_insertion(EditContext& context) {
  Article& article = context.draft.article;
  const std::vector<const Article*> donors = donors_like(context);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    if (article.paragraphs[i].role == BlockRole::kParagraph) places.push_back(i);
  }
  if (donors.empty() || places.empty()) return;
  const auto wanted = static_cast<std::size_t>(context.strength * static_cast<double>(content_size(article)));
  // Shorter sentences carry hardly any of the donor's text.
  constexpr std::size_t kSentenceCharactersMinimum = 15;
  constexpr std::size_t kTries = 400;  // donors may have no suitable sentence at all
  std::vector<std::uint32_t> touched;
  std::size_t inserted = 0;
  for (std::size_t attempt = 0; inserted < wanted && attempt < kTries; ++attempt) {
    const Article& donor = *donors[attempt % donors.size()];
    const ArticleParagraph& source = context.random.pick(donor.paragraphs);
    if (source.role != BlockRole::kParagraph) continue;
    const std::vector<std::string_view> sentences = sentence_pieces(source.text);
    std::string sentence(context.random.pick(sentences));
    const std::size_t size = count_content_characters(sentence);
    if (size < kSentenceCharactersMinimum) continue;
    const std::size_t place = context.random.pick(places);
    std::string& text = article.paragraphs[place].text;
    const std::vector<std::string_view> pieces = sentence_pieces(text);
    // Pieces keep their trailing white space, but the last one has none: an appended sentence needs a gap before it,
    // any other a gap after it.
    const std::size_t before = context.random.below(pieces.size() + 1);
    std::string changed;
    for (std::size_t i = 0; i <= pieces.size(); ++i) {
      if (i == before) {
        if (i == pieces.size()) changed += sentence_gap(article.language);
        changed += sentence;
        if (i < pieces.size()) changed += sentence_gap(article.language);
      }
      if (i < pieces.size()) changed += pieces[i];
    }
    text = std::move(changed);
    inserted += size;
    ++context.changes;
    touched.push_back(static_cast<std::uint32_t>(place));
  }
  // Insertions hit paragraphs in random order; places are reported ascending and once.
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  context.places = std::move(touched);
}

void edit_paragraph_order(EditContext& context) {
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  if (paragraphs.size() < 2) return;
  const std::size_t count = share_of(paragraphs.size(), context.strength, 2, paragraphs.size());
  const std::vector<std::size_t> places = choose_numbers(context.random, count, paragraphs.size());
  // A random order in which no chosen paragraph keeps its place: each moves to the
  // place of the next one in a shuffled ring.
  std::vector<std::size_t> ring = places;
  context.random.shuffle(ring);
  std::vector<ArticleParagraph> moved = paragraphs;
  for (std::size_t i = 0; i < ring.size(); ++i) moved[ring[(i + 1) % ring.size()]] = paragraphs[ring[i]];
  paragraphs = std::move(moved);
  for (const std::size_t place : places) context.changed(place);
}

void edit_paragraph_borders(EditContext& context) {
  Article& article = context.draft.article;
  std::vector<ArticleParagraph> result;
  bool joins_next = false;
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    const ArticleParagraph& paragraph = article.paragraphs[i];
    // Only running text is split or joined; a heading joined to a paragraph would change what the text says.
    const bool is_running = paragraph.role == BlockRole::kParagraph || paragraph.role == BlockRole::kQuote;
    if (joins_next && is_running && result.back().role == paragraph.role) {
      result.back().text.append(sentence_gap(article.language)).append(paragraph.text);
      joins_next = false;
      context.changed(i);
      continue;
    }
    joins_next = false;
    result.push_back(paragraph);
    if (!is_running || !context.random.chance(context.strength)) continue;
    const std::vector<std::string_view> sentences = sentence_pieces(paragraph.text);
    // Half of the chosen paragraphs are joined to the next one, the others split. A single sentence can only be joined.
    if (sentences.size() < 2 || context.random.chance(0.5)) {
      joins_next = true;
      continue;
    }
    const std::size_t first = context.random.between(1, sentences.size() - 1);
    const auto cut = static_cast<std::size_t>(sentences[first].data() - paragraph.text.data());
    result.back().text = paragraph.text.substr(0, cut);
    result.push_back({paragraph.text.substr(cut), paragraph.role, paragraph.heading_level});
    context.changed(i);
  }
  article.paragraphs = std::move(result);
}

}  // namespace paraprint::inline lab::inline simulate
