// Extraction of plain text changes white space only, so that the place of a character is found by counting the others.
#include "trim/trimmed_text.h"

namespace paraprint::inline trim {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

std::size_t after_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

// What extraction may leave out: white space, blank characters at the ends of blocks, the marks of a heading.
std::size_t bytes_left_out(std::string_view source) {
  if (is_space(source.front()) || source.front() == '#') return 1;
  for (const std::string_view blank : {"\u00A0", "\u3000", "\u200B", "\uFEFF", "\u2003", "\u2002"}) {
    if (source.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Walks through both texts side by side.
class Walk {
 public:
  Walk(std::string_view source, std::string_view extracted) : source_(source), extracted_(extracted) {}

  // The place in the source of the character at `target`, which is not before that of the last call; nullopt if the
  // texts differ before it.
  std::optional<std::size_t> place_of(std::size_t target) {
    while (true) {
      in_extracted_ = after_space(extracted_, in_extracted_);
      if (in_source_ == source_.size() || in_extracted_ == extracted_.size()) return std::nullopt;
      if (source_[in_source_] == extracted_[in_extracted_]) {
        if (in_extracted_ >= target) return in_source_;
        ++in_source_;
        ++in_extracted_;
      } else if (const std::size_t bytes = bytes_left_out(source_.substr(in_source_)); bytes > 0) {
        in_source_ += bytes;
      } else {
        return std::nullopt;
      }
    }
  }

 private:
  std::string_view source_;
  std::string_view extracted_;
  std::size_t in_source_ = 0;
  std::size_t in_extracted_ = 0;
};

}  // namespace

std::string text_without(std::string_view text, std::span<const TextSpan> spans) {
  std::string kept;
  kept.reserve(text.size());
  std::size_t at = 0;
  for (const TextSpan& span : spans) {
    if (span.begin_bytes > at) kept.append(text.substr(at, span.begin_bytes - at));
    at = after_space(text, span.end_bytes);
  }
  if (at < text.size()) {
    kept.append(text.substr(at));
  } else if (!spans.empty()) {
    while (!kept.empty() && is_space(kept.back())) kept.pop_back();
  }
  return kept;
}

std::optional<std::vector<TextSpan>> spans_in_source(std::string_view source, std::string_view extracted,
                                                     std::span<const TextSpan> spans) {
  std::vector<TextSpan> found;
  found.reserve(spans.size());
  Walk walk(source, extracted);
  for (const TextSpan& span : spans) {
    const std::optional<std::size_t> first = walk.place_of(span.begin_bytes);
    const std::optional<std::size_t> last = first ? walk.place_of(span.end_bytes - 1U) : std::nullopt;
    if (!last) return std::nullopt;
    found.push_back({static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last + 1)});
  }
  return found;
}

}  // namespace paraprint::inline trim
