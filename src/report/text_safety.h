// Makes untrusted bytes safe to display. All page text in reports passes through here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint::inline report {

// Appends `bytes`, replacing every byte that is not part of a UTF-8 character (text/utf8.h) by U+FFFD. Linear.
void append_valid_utf8(std::string& out, std::string_view bytes);

// Appends `bytes` as the text of an HTML element or a quoted attribute: valid UTF-8, with & < > " ' as references;
// control characters other than tab and line feed, and bidirectional embeddings, overrides and isolates (which reorder
// surrounding text) become U+FFFD. Linear.
void append_html_text(std::string& out, std::string_view bytes);
std::string html_text(std::string_view bytes);

// Escapes < > and & of a JSON document, which only strings contain: if it is shown as HTML, it is plain text. Linear.
std::string json_without_markup(std::string_view json);

// Appends `bytes` for a terminal: valid UTF-8; control characters (including ESC and tab) and bidirectional controls
// become U+FFFD; line feeds are kept.
void append_terminal_text(std::string& out, std::string_view bytes);

// Appends one field of a tab-separated table: \ as \\, tab as \t, line feed as \n, carriage return as \r; all other
// bytes unchanged, so that the id can be recovered exactly.
void append_tsv_field(std::string& out, std::string_view bytes);

// The longest prefix of at most `size_bytes` that does not end inside a character.
std::string_view utf8_prefix(std::string_view text, std::size_t size_bytes);

// `span` limited to `text` and extended to character boundaries. Spans come from stored profiles, which may belong to
// another version of the text. An empty span stays empty.
TextSpan clamp_to_characters(std::string_view text, TextSpan span);

// True for http:// and https:// URLs without control characters or spaces: the only ones that become links.
bool is_linkable_url(std::string_view url);

}  // namespace paraprint::inline report
