// Answers for each text unit of a page whether its letters are part of the page's title.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline extract {

// The byte in lower case if it belongs to a letter or digit, otherwise 0. All non-ASCII bytes count as letters.
unsigned char letter_of(char character);

// Appends the letters and digits of `text`, ASCII in lower case.
void append_letters(std::string_view text, std::string& letters);

class TitleSearch {
 public:
  // Beyond this, a title is only counted, not searched: no heading of a page is that long.
  static constexpr std::size_t kLettersSearched = 1024;
  // Longer texts cannot be searched for.
  static constexpr std::size_t kTextBytes = 128;

  // Replaces the title. Cost: O(title).
  void set_title(std::string_view title);

  // Letters and digits of the whole title, in bytes.
  std::size_t size() const { return size_; }

  // False only if no text that begins with `text` is part of the title: a filter that needs two letters and no search.
  bool may_begin(std::string_view text) const {
    unsigned char first = 0;
    for (const char character : text) {
      const unsigned char letter = letter_of(character);
      if (letter == 0) continue;
      if (first != 0) return pairs_[pair(first, letter)];
      first = letter;
    }
    return first != 0 && size_ != 0;
  }

  // Whether `letters`, at most kTextBytes that append_letters() made, are a part of the first kLettersSearched letters
  // of the title. Cost: O(letters * log kLettersSearched), except for the first few searches, of which each can be as
  // expensive as a search from the beginning, and one sorts the title.
  bool contains(std::string_view letters);

 private:
  static constexpr std::size_t kPairs = 4096;
  static std::size_t pair(unsigned char first, unsigned char second) {
    return (first * std::size_t{0x9E5} + second) % kPairs;
  }
  void sort_suffixes();

  std::string letters_;                  // the first kLettersSearched
  std::size_t size_ = 0;                 // of all letters
  std::bitset<kPairs> pairs_;            // pair() of every two adjacent letters, searched or not
  std::size_t searches_ = 0;             // since set_title()
  std::vector<std::uint16_t> suffixes_;  // positions in letters_, sorted by what follows; empty until needed
};

}  // namespace paraprint::inline extract
