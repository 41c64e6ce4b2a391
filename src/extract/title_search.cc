// Nearly every page asks a few times, for its heading and for links in its menus, and its title is short: then looking
// from the beginning is fastest. A page can also have a long title and a hundred thousand short units, and looking from
// the beginning would cost their product. So after a few searches, and at once for a long title, the positions in the
// title are sorted by the text that follows them, and each search is a binary search.
#include "extract/title_search.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace paraprint::inline extract {
namespace {

// Sorting costs about as much as this many searches in a title of this size.
constexpr std::size_t kDirectSearches = 32;
constexpr std::size_t kDirectLetters = 256;

}  // namespace

unsigned char letter_of(char character) {
  auto byte = static_cast<unsigned char>(character);
  if (byte >= 'A' && byte <= 'Z') byte |= 0x20U;
  const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte >= 0x80;
  return letter ? byte : static_cast<unsigned char>(0);
}

void append_letters(std::string_view text, std::string& letters) {
  for (const char character : text) {
    if (const unsigned char letter = letter_of(character); letter != 0) letters.push_back(static_cast<char>(letter));
  }
}

void TitleSearch::set_title(std::string_view title) {
  letters_.clear();
  append_letters(title, letters_);
  size_ = letters_.size();
  pairs_.reset();
  for (std::size_t i = 1; i < letters_.size(); ++i) {
    pairs_.set(pair(static_cast<unsigned char>(letters_[i - 1]), static_cast<unsigned char>(letters_[i])));
  }
  letters_.resize(std::min(size_, kLettersSearched));
  searches_ = 0;
  suffixes_.clear();
}

void TitleSearch::sort_suffixes() {
  suffixes_.resize(letters_.size());
  std::iota(suffixes_.begin(), suffixes_.end(), std::uint16_t{0});
  const std::string_view letters = letters_;
  std::sort(suffixes_.begin(), suffixes_.end(), [&](std::uint16_t x, std::uint16_t y) {
    return letters.substr(x, kTextBytes) < letters.substr(y, kTextBytes);
  });
}

bool TitleSearch::contains(std::string_view letters) {
  PARAPRINT_ASSERT(letters.size() <= kTextBytes);
  if (suffixes_.empty()) {
    if (letters_.size() <= kDirectLetters && searches_ < kDirectSearches) {
      ++searches_;
      return letters_.find(letters) != std::string::npos;
    }
    sort_suffixes();
  }
  const std::string_view title = letters_;
  const auto found = std::lower_bound(
      suffixes_.begin(), suffixes_.end(), letters,
      [&](std::uint16_t position, std::string_view wanted) { return title.substr(position) < wanted; });
  return found != suffixes_.end() && title.substr(*found).starts_with(letters);
}

}  // namespace paraprint::inline extract
