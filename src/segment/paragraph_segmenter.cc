// Paragraphs are built in one pass with one pending paragraph: it stays open as long as it may still be merged with the
// next block, and is flushed at every heading or long block. Merging extends the span, so the text between merged
// blocks belongs to the paragraph too.
#include "segment/paragraph_segmenter.h"

#include <string_view>

#include "base/hash.h"
#include "text/normalise.h"
#include "text/sentence.h"

namespace paraprint::inline segment {
namespace {

// One sentence in four, chosen by its hash, may end a piece of a long block. Equal sentences are cut points in every
// page, so copies of a text are cut at the same places whatever precedes them.
constexpr std::uint64_t kCutSentenceMask = 3;

// Short items keep joining an open list paragraph; other kinds join only while the open paragraph is short.
bool is_list_like(BlockRole role) {
  return role == BlockRole::kListItem || role == BlockRole::kTableRow;
}

std::string_view text_of(const MainContent& content, TextSpan span) {
  return std::string_view(content.text).substr(span.begin_bytes, span.size_bytes());
}

}  // namespace

void ParagraphSegmenter::segment(const MainContent& content, std::vector<Paragraph>& paragraphs, StopCheck& stop) {
  paragraphs.clear();
  pending_.open = false;
  after_heading_ = false;
  for (const TextBlock& block : content.blocks) {
    if (stop.after(StopCheck::kUnitsPerNode + block.span.size_bytes())) break;
    const std::uint32_t characters = count_content_characters(text_of(content, block.span));
    if (characters == 0) continue;  // no letters or digits: nothing to compare
    if (block.role == BlockRole::kHeading || block.role == BlockRole::kTitle) {
      flush(paragraphs);
      paragraphs.push_back(start(block, block.span, characters));
      after_heading_ = true;
    } else if (characters > options_.long_content_characters) {
      flush(paragraphs);
      cut_long_block(content, block, paragraphs, stop);
    } else {
      add_block(block, characters, paragraphs);
    }
  }
  flush(paragraphs);
}

Paragraph ParagraphSegmenter::start(const TextBlock& block, TextSpan span, std::uint32_t content_characters) {
  Paragraph paragraph;
  paragraph.span = span;
  paragraph.role = block.role;
  paragraph.list_level = block.list_level;
  paragraph.content_characters = content_characters;
  // Only the first paragraph after a heading is marked.
  paragraph.after_heading = after_heading_;
  after_heading_ = false;
  return paragraph;
}

void ParagraphSegmenter::add_block(const TextBlock& block, std::uint32_t content_characters,
                                   std::vector<Paragraph>& paragraphs) {
  if (pending_.open) {
    Paragraph& open = pending_.paragraph;
    const bool both_short = content_characters < options_.short_content_characters && is_list_like(block.role);
    // The length limit keeps a long list from becoming one unit in which a single change would go unnoticed.
    const bool joins = open.role == block.role &&
                       (open.content_characters < options_.short_content_characters || both_short) &&
                       open.content_characters + content_characters <= options_.long_content_characters;
    if (joins) {
      open.span.end_bytes = block.span.end_bytes;
      open.content_characters += content_characters;
      return;
    }
    flush(paragraphs);
  }
  pending_.paragraph = start(block, block.span, content_characters);
  pending_.open = true;
}

void ParagraphSegmenter::cut_long_block(const MainContent& content, const TextBlock& block,
                                        std::vector<Paragraph>& paragraphs, StopCheck& stop) {
  sentences_.clear();
  split_sentences(text_of(content, block.span), sentences_);
  TextSpan piece{block.span.begin_bytes, block.span.begin_bytes};
  std::uint32_t piece_characters = 0;
  for (std::size_t i = 0; i < sentences_.size(); ++i) {
    const TextSpan sentence{block.span.begin_bytes + sentences_[i].begin_bytes,
                            block.span.begin_bytes + sentences_[i].end_bytes};
    if (stop.after(sentence.size_bytes())) break;
    if (piece_characters == 0) piece.begin_bytes = sentence.begin_bytes;
    piece.end_bytes = sentence.end_bytes;
    piece_characters += count_content_characters(text_of(content, sentence));
    const bool may_cut = (hash64(text_of(content, sentence)) & kCutSentenceMask) == 0;
    // A piece without a chosen sentence is cut at the maximum length, wherever that is.
    const bool long_enough = piece_characters >= options_.cut_minimum_characters;
    const bool is_last = i + 1 == sentences_.size();
    if (is_last || (long_enough && may_cut) || piece_characters >= options_.long_content_characters) {
      if (piece_characters > 0) paragraphs.push_back(start(block, piece, piece_characters));
      piece_characters = 0;
    }
  }
}

// A short paragraph that found nothing to join after it joins the one before it, unless it follows a heading.
void ParagraphSegmenter::flush(std::vector<Paragraph>& paragraphs) {
  if (!pending_.open) return;
  pending_.open = false;
  const Paragraph& last = pending_.paragraph;
  if (!paragraphs.empty() && !last.after_heading && last.content_characters < options_.short_content_characters) {
    Paragraph& previous = paragraphs.back();
    if (previous.role == last.role &&
        previous.content_characters + last.content_characters <= options_.long_content_characters) {
      previous.span.end_bytes = last.span.end_bytes;
      previous.content_characters += last.content_characters;
      return;
    }
  }
  paragraphs.push_back(last);
}

}  // namespace paraprint::inline segment
