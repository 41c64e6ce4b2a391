// Splits plain text into blocks, for pages without markup (text/plain, WET, JSONL with a text field).
#pragma once

#include <string_view>

#include "base/stop.h"
#include "paraprint/model.h"

namespace paraprint::inline extract {

struct PlainTextOptions {
  // Lines of one to six '#' and a space are headings, as in Markdown.
  bool markdown_headings = true;
};

// Replaces `content`. `text` must be valid UTF-8. If the text is wrapped by hand (short lines, groups of lines
// separated by empty lines), each group is a block and single line ends become spaces; otherwise each line is a block.
// White space collapses. The title is the first heading, or empty. If `stop` is stopped in between, the rest is
// missing. Cost: O(size).
void extract_plain_text(std::string_view text, MainContent& content, const PlainTextOptions& options, StopCheck& stop);
inline void extract_plain_text(std::string_view text, MainContent& content, const PlainTextOptions& options = {}) {
  StopCheck never;
  extract_plain_text(text, content, options, never);
}

}  // namespace paraprint::inline extract
