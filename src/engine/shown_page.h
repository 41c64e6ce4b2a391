// Extracted content in the form that reports show.
#pragma once

#include "paraprint/model.h"
#include "report/comparison.h"
#include "text/normalise.h"

namespace paraprint {

// Text, blocks and title; id, URL and date are the caller's.
ShownPage shown_page(const MainContent& content, std::uint32_t content_characters);

// Tokens that differ in case, width or script only are no change. `normaliser` must outlive the fold.
TokenFold fold_of(const Normaliser& normaliser);

}  // namespace paraprint
