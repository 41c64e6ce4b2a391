// The inside of a block in Markdown: escaped text with emphasis, code and links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline corpus {

// How a stretch of text is marked up. Texts of one link have the same `link`, which is not compared by its bytes.
struct InlineStyle {
  const std::string* link = nullptr;  // the absolute address; null outside links
  bool is_strong = false;
  bool is_emphasis = false;
  bool is_deleted = false;
  bool is_code = false;
  friend bool operator==(const InlineStyle&, const InlineStyle&) = default;
};

// Writes the texts of one line (a paragraph, a heading, the cell of a table) as Markdown (CommonMark with tables and
// deletion of GitHub's dialect) such that a reader of Markdown shows these texts, whatever they contain. Emphasis that
// Markdown cannot express at its place is left out. Not thread-safe. Cost: O(text).
class InlineMarkdown {
 public:
  enum class Place : std::uint8_t { kLine, kHeading, kCell };

  // Appends to `out`, whose last character is that before the line's.
  InlineMarkdown(Place place, std::string& out) : out_(out), place_(place), begin_bytes_(out.size()) {}

  // `following` is the text of the line after it, as far as it is known: some bytes suffice.
  void add(std::string_view text, InlineStyle style, std::string_view following);
  void finish();

 private:
  void close_to(const InlineStyle& style);
  void open(const InlineStyle& style);
  void add_escaped(std::string_view text);
  void add_code(std::string_view text);
  bool needs_escape(std::string_view text, std::size_t at) const;
  bool is_at_start() const { return out_.size() == begin_bytes_; }

  std::string& out_;
  Place place_;
  std::size_t begin_bytes_;
  InlineStyle style_;  // open at the end of out_, without code
};

// The length of the longest run of a character: a fence of code has to be longer than those in it.
std::size_t longest_run_of(char c, std::string_view text);

}  // namespace paraprint::inline corpus
