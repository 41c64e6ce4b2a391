// A small Aho-Corasick automaton (Aho, Corasick 1975) whose patterns carry bit masks: one table look-up a byte finds
// every pattern in a text. Built once from tables of our own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint {

class WordAutomaton {
 public:
  struct Pattern {
    std::string_view word;  // lower case; '-' stands for any border (a separator, camelCase, begin or end of the text)
    std::uint64_t mask;
  };
  template <std::size_t Count>
  explicit WordAutomaton(const std::array<Pattern, Count>& patterns) {
    build(patterns.data(), Count);
  }
  explicit WordAutomaton(const std::vector<Pattern>& patterns) { build(patterns.data(), patterns.size()); }

  // State machine: start with kStart, feed symbols, collect masks.
  using State = std::uint16_t;
  static constexpr State kStart = 0;
  State next(State state, unsigned char symbol) const { return follow(state, symbols_[symbol]); }
  std::uint64_t mask(State state) const { return masks_[state]; }

  // The masks of all patterns in `text`, read as lower-case words joined by single borders. With `split_camel_case` a
  // border also stands before a capital after a small letter.
  std::uint64_t match_words(std::string_view text, bool split_camel_case) const;

 private:
  void build(const Pattern* patterns, std::size_t count);
  void number_symbols(const Pattern* patterns, std::size_t count);
  void complete_transitions();
  State follow(std::size_t state, std::uint8_t symbol) const { return transitions_[state << row_bits_ | symbol]; }
  template <bool kSplitCamelCase>
  std::uint64_t match(std::string_view text) const;

  std::array<std::uint8_t, 256> symbols_{};       // bytes that stand in no pattern share symbol 0
  std::array<std::uint8_t, 256> word_symbols_{};  // the same, but borders are '-'
  std::size_t symbol_count_ = 1;
  std::size_t row_bits_ = 0;  // a state has so many transitions, in powers of two
  std::vector<State> transitions_;
  std::vector<std::uint64_t> masks_;
};

}  // namespace paraprint
