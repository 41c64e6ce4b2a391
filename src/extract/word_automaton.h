// A small Aho-Corasick automaton (Aho, Corasick 1975) whose patterns have bit masks: one table lookup per byte finds
// all patterns in a text. Built once from built-in tables, so patterns are trusted input.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint::inline extract {

class WordAutomaton {
 public:
  struct Pattern {
    std::string_view word;  // lower case; '-' matches any border (a separator, camelCase, start or end of the text)
    std::uint64_t mask;
  };
  template <std::size_t Count>
  explicit WordAutomaton(const std::array<Pattern, Count>& patterns) {
    build(patterns.data(), Count);
  }
  explicit WordAutomaton(const std::vector<Pattern>& patterns) { build(patterns.data(), patterns.size()); }

  // The state machine: start with kStart, follow symbols, collect masks.
  using State = std::uint16_t;
  static constexpr State kStart = 0;
  State next(State state, unsigned char symbol) const { return follow(state, symbols_[symbol]); }
  std::uint64_t mask(State state) const { return masks_[state]; }

  // The combined mask of all patterns in `text`, taken as lower-case words separated by single borders. With
  // `split_camel_case`, there is also a border before a capital that follows a small letter. Thread-safe.
  std::uint64_t match_words(std::string_view text, bool split_camel_case) const;

 private:
  void build(const Pattern* patterns, std::size_t count);
  void number_symbols(const Pattern* patterns, std::size_t count);
  void complete_transitions();
  State follow(std::size_t state, std::uint8_t symbol) const { return transitions_[state << row_bits_ | symbol]; }
  template <bool kSplitCamelCase>
  std::uint64_t match(std::string_view text) const;

  std::array<std::uint8_t, 256> symbols_{};       // bytes in no pattern share symbol 0
  std::array<std::uint8_t, 256> word_symbols_{};  // the same, but borders are '-'
  std::size_t symbol_count_ = 1;
  std::size_t row_bits_ = 0;  // each state has 2^row_bits_ transitions
  std::vector<State> transitions_;
  std::vector<std::uint64_t> masks_;
};

}  // namespace paraprint::inline extract
