// Text of any wanted size, made of repeated units or of prose: what hostile and harmless inputs consist of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

// A fixed sequence of numbers that look random (Numerical Recipes).
class Sequence {
 public:
  explicit Sequence(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next(std::uint32_t below) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8) % below;
  }

 private:
  std::uint32_t state_;
};

// English words in sentences of fourteen.
std::string prose(std::size_t words, Sequence& sequence);

// About `size_bytes` of lower-case words, each followed by `separator`.
std::string words_of(std::size_t size_bytes, char separator, Sequence& sequence);

// Appends `unit`, with "{n}" replaced by `number`.
void append_unit(std::string_view unit, std::size_t number, std::string& text);

// Appends units, numbered from 0, until `text` has `size_bytes`.
void fill(std::string_view unit, std::size_t size_bytes, std::string& text);

}  // namespace paraprint
