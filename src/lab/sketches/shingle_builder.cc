// All units are laid out in one string with their begins, so that a window is a substring, hashed without copying.
#include "lab/sketches/shingle_builder.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "memory/radix_sort.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr char kUnitSeparator = '\x1F';

constexpr bool is_continuation_byte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

double quotient(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void ShingleBuilder::split_into_words(const PageTerms& terms) {
  joined_.clear();
  for (const std::uint32_t token : terms.tokens) {
    begins_.push_back(static_cast<std::uint32_t>(joined_.size()));
    joined_ += terms.bytes_of_token(token);
    joined_ += kUnitSeparator;
  }
  begins_.push_back(static_cast<std::uint32_t>(joined_.size()));
}

void ShingleBuilder::split_into_characters(const PageTerms& terms) {
  const std::string_view text = terms.normalised;
  begins_.resize(text.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {  // writes every position, keeps it by advancing: no branch per byte
    begins_[count] = static_cast<std::uint32_t>(i);
    count += is_continuation_byte(text[i]) ? 0 : 1;
  }
  begins_[count] = static_cast<std::uint32_t>(text.size());
  begins_.resize(count + 1);
}

bool ShingleBuilder::build(const PageTerms& terms, std::vector<std::uint64_t>& shingles) {
  const bool is_long_enough = list(terms, shingles);
  radix_sort(std::span(shingles), [](std::uint64_t shingle) { return shingle; });
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  return is_long_enough;
}

bool ShingleBuilder::list(const PageTerms& terms, std::vector<std::uint64_t>& shingles) {
  begins_.clear();
  shingles.clear();
  if (of_characters_) {
    split_into_characters(terms);
  } else {
    split_into_words(terms);
  }
  const std::string_view text = of_characters_ ? std::string_view(terms.normalised) : std::string_view(joined_);
  // The separator after the last word of a window is not part of it.
  const std::size_t separator_bytes = of_characters_ ? 0 : 1;
  const std::size_t units = begins_.size() - 1;
  if (units == 0) return false;
  const std::size_t width = std::min(width_, units);
  shingles.resize(units - width + 1);
  for (std::size_t first = 0; first < shingles.size(); ++first) {
    const std::size_t end = begins_[first + width] - separator_bytes;
    shingles[first] = hash64(text.substr(begins_[first], end - begins_[first]));
  }
  return units >= width_;
}

std::uint64_t hash_of_values(std::span<const std::uint64_t> values) {
  static_assert(std::endian::native == std::endian::little);
  return hash64({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

std::size_t common_values(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t value_a = a[i];
    const std::uint64_t value_b = b[j];
    common += value_a == value_b ? 1 : 0;
    i += value_a <= value_b ? 1 : 0;
    j += value_b <= value_a ? 1 : 0;
  }
  return common;
}

FingerprintSimilarity similarity_of_sets(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::size_t common = common_values(a, b);
  return {quotient(common, a.size() + b.size() - common), quotient(common, a.size()), quotient(common, b.size())};
}

}  // namespace paraprint::inline lab::inline sketches
