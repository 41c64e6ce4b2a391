// Labels are measured in two steps. Common windows of units, found by merging two sorted lists, are cheap
// and ignore order, so moved paragraphs cost nothing. But words replaced throughout break every window
// without removing the text, so doubtful pairs are measured again with the longest common subsequence, which
// counts single units but needs the order.
#include "lab/simulate/shared_text.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// The common subsequence is quadratic; of longer texts only the beginning is compared.
constexpr std::size_t kLongestCompared = 20'000;
// From this Dice (up to kNearDice) windows alone do not decide. Below it, even common single
// units cannot make the pair a near-duplicate.
constexpr double kDoubtfulDice = 0.3;

// A Han unit is its code point; any other unit is a hash with this bit set, and so above all code points.
constexpr std::uint32_t kWordBit = 0x80000000;

std::uint32_t word_unit(std::string_view word) {
  return static_cast<std::uint32_t>(hash64(word)) | kWordBit;
}

struct CoveredUnits {
  std::size_t a = 0;
  std::size_t b = 0;
};

// Marks the places of all windows with the hash at `at`; returns the index of the next hash.
std::size_t mark_equal(const std::vector<TextUnits::Window>& windows, std::size_t at, std::vector<char>& marks) {
  const std::uint64_t hash = windows[at].hash;
  for (; at < windows.size() && windows[at].hash == hash; ++at) marks[windows[at].place] = 1;
  return at;
}

// Counts units covered by marked windows. Windows overlap; each unit counts once.
std::size_t count_covered(const std::vector<char>& marks) {
  std::size_t covered = 0;
  std::size_t covered_end = 0;  // units before it are counted
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == 0) continue;
    const std::size_t end = i + kWindowUnits;
    covered += end - std::max(i, covered_end);
    covered_end = end;
  }
  return covered;
}

// Both lists are sorted by hash, so a single pass finds every common window.
CoveredUnits covered_units(const TextUnits& a, const TextUnits& b) {
  std::vector<char> marks_a(a.units.size());
  std::vector<char> marks_b(b.units.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.windows.size() && j < b.windows.size()) {
    if (a.windows[i].hash < b.windows[j].hash) {
      ++i;
    } else if (b.windows[j].hash < a.windows[i].hash) {
      ++j;
    } else {
      i = mark_equal(a.windows, i, marks_a);
      j = mark_equal(b.windows, j, marks_b);
    }
  }
  return {count_covered(marks_a), count_covered(marks_b)};
}

// Marks of scripts without spaces are of the class of their letters.
bool is_mark(char32_t c) {
  if (c == kInvalidCharacter || is_content_character(c)) return false;
  return character_class(c) == CharacterClass::kMark || character_class(c) == CharacterClass::kComplex;
}

// 0 for an empty text.
double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

void append_units(std::string_view text, std::vector<std::uint32_t>& units) {
  std::string word;
  bool is_complex = false;  // the last letter of `word` is of a script without spaces
  bool has_marks = false;   // and has marks
  const auto end_word = [&] {
    if (!word.empty()) units.push_back(word_unit(word));
    word.clear();
    has_marks = false;
  };
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const DecodedCharacter c = decode_character(p, end);
    const std::string_view bytes(p, c.size_bytes);
    p += c.size_bytes;
    const bool is_content = c.code_point != kInvalidCharacter && is_content_character(c.code_point);
    // A Han character also ends a preceding run of letters: "GPT模型" is three units.
    if (is_content && is_han(c.code_point)) {
      end_word();
      units.push_back(c.code_point);
    } else if (is_mark(c.code_point)) {
      if (!word.empty()) word.append(bytes);
      has_marks = is_complex && !word.empty();
    } else if (is_content) {
      // A run without spaces would be a whole sentence, so it also ends behind a letter with marks.
      if (has_marks) end_word();
      is_complex = character_class(c.code_point) == CharacterClass::kComplex;
      // ASCII only. Full case folding would bring in the detector's normalisation, which labels must not depend on.
      const bool is_capital = c.code_point >= 'A' && c.code_point <= 'Z';
      if (is_capital) {
        word.push_back(static_cast<char>(c.code_point - 'A' + 'a'));
      } else {
        word.append(bytes);
      }
    } else {
      end_word();
    }
  }
  end_word();
}

TextUnits text_units(const Article& article) {
  TextUnits result;
  for (const ArticleParagraph& paragraph : article.paragraphs) append_units(paragraph.text, result.units);
  result.hash =
      hash64({reinterpret_cast<const char*>(result.units.data()), result.units.size() * sizeof(std::uint32_t)});
  for (std::size_t i = 0; i + kWindowUnits <= result.units.size(); ++i) {
    const std::string_view bytes(reinterpret_cast<const char*>(&result.units[i]), kWindowUnits * sizeof(std::uint32_t));
    result.windows.push_back({hash64(bytes), static_cast<std::uint32_t>(i)});
  }
  std::sort(result.windows.begin(), result.windows.end(), [](const TextUnits::Window& a, const TextUnits::Window& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.place < b.place;
  });
  return result;
}

std::size_t common_subsequence(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const std::size_t a_size = std::min(a.size(), kLongestCompared);
  const std::size_t b_size = std::min(b.size(), kLongestCompared);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places;
  for (std::size_t i = 0; i < a_size; ++i) places[a[i]].push_back(static_cast<std::uint32_t>(i));
  // Hyyrö's row-wise bit vectors: bit i of `row` is 0 where the subsequence grows at place i of a.
  // The addition carries across 64-bit words.
  const std::size_t word_count = a_size / 64 + 1;
  std::vector<std::uint64_t> row(word_count, ~std::uint64_t{0});
  std::vector<std::uint64_t> matches(word_count);
  for (std::size_t j = 0; j < b_size; ++j) {
    const auto found = places.find(b[j]);
    if (found == places.end()) continue;
    for (const std::uint32_t place : found->second) matches[place / 64] |= std::uint64_t{1} << (place % 64);
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < word_count; ++k) {
      const std::uint64_t hits = row[k] & matches[k];
      const std::uint64_t first = row[k] + hits;
      const std::uint64_t sum = first + carry;
      carry = static_cast<std::uint64_t>(first < hits) | static_cast<std::uint64_t>(sum < carry);
      row[k] = sum | (row[k] & ~hits);
    }
    // Cleared by place: cheaper than clearing the whole vector for every unit of b.
    for (const std::uint32_t place : found->second) matches[place / 64] = 0;
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < a_size; ++i) length += (row[i / 64] >> (i % 64) & 1) == 0 ? 1 : 0;
  return length;
}

SharedText shared_text(const TextUnits& a, const TextUnits& b) {
  SharedText shared;
  // The hash rejects quickly; equality is decided by the units themselves, so a collision cannot make a "dup".
  shared.is_same = a.hash == b.hash && a.units == b.units;
  if (shared.is_same) {
    shared.containment_a = shared.containment_b = shared.dice = 1;
    return shared;
  }
  const std::size_t both = a.units.size() + b.units.size();
  CoveredUnits covered = covered_units(a, b);
  const double dice = share(covered.a + covered.b, both);
  if (dice >= kDoubtfulDice && dice < kNearDice) {
    // Never lowers the share: windows may see more than the subsequence where passages have moved.
    const std::size_t common = common_subsequence(a.units, b.units);
    if (2 * common > covered.a + covered.b) covered = {common, common};
  }
  shared.containment_a = share(covered.a, a.units.size());
  shared.containment_b = share(covered.b, b.units.size());
  shared.dice = share(covered.a + covered.b, both);
  return shared;
}

std::string_view pair_label_name(PairLabel label) {
  switch (label) {
    case PairLabel::kDuplicate:
      return "dup";
    case PairLabel::kNear:
      return "near";
    case PairLabel::kTopic:
      return "topic";
    case PairLabel::kDifferent:
      break;
  }
  return "diff";
}

PairLabel label_of(const SharedText& shared) {
  if (shared.is_same) return PairLabel::kDuplicate;
  return shared.dice >= kNearDice ? PairLabel::kNear : PairLabel::kTopic;
}

}  // namespace paraprint::inline lab::inline simulate
