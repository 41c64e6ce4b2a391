// Converts extracted content to the form that reports show.
#pragma once

#include <cstdint>
#include <vector>

#include "paraprint/model.h"
#include "report/comparison.h"
#include "text/normalise.h"

namespace paraprint::inline engine {

// Fills text, blocks and title; the caller sets id, URL and date.
ShownPage shown_page(const MainContent& content, std::uint32_t content_characters);

// Marks the blocks that one of the spans, those of boilerplate paragraphs, covers. Cost: spans and blocks, which are in
// text order; spans that are not are sorted.
void mark_boilerplate(std::vector<TextSpan> spans, ShownPage& page);

// Folds tokens so that differences in case, width or script alone are not marked as changes. `normaliser` must outlive
// the returned fold.
TokenFold fold_of(const Normaliser& normaliser);

}  // namespace paraprint::inline engine
