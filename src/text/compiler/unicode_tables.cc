// Two-stage tables over all code points, from ICU's properties and OpenCC's traditional-to-simplified characters. The
// normalisation of every code point is computed here in full, so that at run time a table lookup replaces ICU except
// where neighbours matter.
#include <opencc/opencc.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <map>

#include "text/compiler/compiler.h"
#include "text/utf8.h"

namespace paraprint::compiler {
namespace {

using text_data::ActionType;
using text_data::kCodePointLimit;

constexpr char32_t kBlockSize = 1U << text_data::kStageBits;

// Stage 1 maps a block of code points to a block of stage 2; equal blocks are stored once. Several stage 1 tables may
// share a stage 2.
template <typename T>
std::vector<std::uint16_t> compress(const std::vector<T>& values, std::vector<T>& stage2) {
  std::vector<std::uint16_t> stage1;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlockSize) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + kBlockSize;
    std::size_t block = 0;
    // A linear search is fast enough for a build step, because most blocks are equal.
    while (block < stage2.size() && !std::equal(first, last, stage2.begin() + static_cast<std::ptrdiff_t>(block))) {
      block += kBlockSize;
    }
    if (block == stage2.size()) stage2.insert(stage2.end(), first, last);
    stage1.push_back(static_cast<std::uint16_t>(block / kBlockSize));
  }
  return stage1;
}

// The order of the tests matters: marks of complex scripts must stay in their words, and the dictionary's range is
// taken out of the Han script.
CharacterClass classify(UChar32 c) {
  const std::uint32_t category = U_GET_GC_MASK(c);
  const bool is_content = (category & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  // This line break class covers the scripts that ICU segments with dictionaries.
  const bool is_complex = u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
  if (is_complex && (is_content || (category & U_GC_M_MASK) != 0)) return CharacterClass::kComplex;
  if ((category & U_GC_M_MASK) != 0) return CharacterClass::kMark;
  if (!is_content) return CharacterClass::kSeparator;
  if (c >= static_cast<UChar32>(text_data::kFirstHan) && c <= static_cast<UChar32>(text_data::kLastHan)) {
    return CharacterClass::kHan;
  }
  if (script == USCRIPT_HAN) return CharacterClass::kOtherHan;
  constexpr UChar32 kProlongedSoundMark = 0x30FC;
  if (script == USCRIPT_KATAKANA || c == kProlongedSoundMark) return CharacterClass::kKatakana;
  if (script == USCRIPT_HIRAGANA) return CharacterClass::kHiragana;
  return CharacterClass::kWord;
}

// One byte per code point: the class and two flags (text/utf8.h).
void write_character_table(TableWriter& writer) {
  std::vector<std::uint8_t> properties(kCodePointLimit);
  for (UChar32 c = 0; c < static_cast<UChar32>(kCodePointLimit); ++c) {
    const std::uint32_t category = U_GET_GC_MASK(c);
    auto value = static_cast<unsigned>(classify(c));
    if ((category & (U_GC_L_MASK | U_GC_N_MASK)) != 0) value |= detail::kContentFlag;
    if ((category & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0) value |= detail::kUpperFlag;
    properties[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(value);
  }
  std::vector<std::uint8_t> stage2;
  writer.write("character_stage1", compress(properties, stage2));
  writer.write("character_stage2", stage2);
}

// OpenCC's first choice for each single character, applied until it no longer changes: N must be idempotent.
std::map<UChar32, UChar32> read_traditional_to_simplified() {
  const opencc_t converter = opencc_open("t2s.json");
  if (converter == reinterpret_cast<opencc_t>(-1)) fail(std::string("OpenCC: ") + opencc_error());
  std::map<UChar32, UChar32> fold;
  for (UChar32 c = 0x80; c < static_cast<UChar32>(kCodePointLimit); ++c) {
    if (!u_hasBinaryProperty(c, UCHAR_UNIFIED_IDEOGRAPH)) continue;
    char utf8[4];
    const std::uint32_t size = encode_character(static_cast<char32_t>(c), utf8);
    char* converted = opencc_convert_utf8(converter, utf8, size);
    if (converted == nullptr) fail(std::string("OpenCC: ") + opencc_error());
    const std::vector<char32_t> simplified = decode(converted);
    opencc_convert_utf8_free(converted);
    if (simplified.size() == 1 && simplified[0] != static_cast<char32_t>(c)) {
      fold[c] = static_cast<UChar32>(simplified[0]);
    }
  }
  opencc_close(converter);
  // An OpenCC without its data maps nothing, which would silently change all text tables.
  constexpr std::size_t kPlausibleCharacters = 2000;
  if (fold.size() < kPlausibleCharacters) fail("OpenCC's t2s.json maps too few characters: is its data installed?");
  for (auto& [from, to] : fold) {
    for (int step = 0; step < 4 && fold.contains(to) && fold[to] != from; ++step) to = fold[to];
    if (fold.contains(to)) to = std::min(to, fold[to]);  // a cycle: both are mapped to the smaller one
  }
  std::erase_if(fold, [](const auto& entry) { return entry.first == entry.second; });
  return fold;
}

// Computes the action for each code point: its normalised form if that is independent of context, else kSlow.
class ActionTable {
 public:
  ActionTable(std::map<UChar32, UChar32> fold, std::string& expansions)
      : fold_(std::move(fold)), expansions_(expansions) {
    UErrorCode error = U_ZERO_ERROR;
    nfkc_ = icu::Normalizer2::getNFKCInstance(error);
    if (U_FAILURE(error)) fail("ICU has no NFKC data");
  }

  std::uint32_t action(UChar32 c) const {
    if (u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)) return pack(ActionType::kSpace, 0);
    if (is_dropped(c)) return pack(ActionType::kDrop, 0);
    // Without a boundary before it, the character may change what precedes it.
    if (!nfkc_->hasBoundaryBefore(c)) return pack(ActionType::kSlow, 0);
    const icu::UnicodeString form = closure(c);
    // A form that could combine with the preceding character, has white space that may have to be removed, or is empty
    // needs the slow path. Single spaces between words stay, as in the Arabic ligatures of whole phrases.
    if (form.isEmpty() || !nfkc_->hasBoundaryBefore(form.char32At(0))) return pack(ActionType::kSlow, 0);
    bool after_word = false;
    for (std::int32_t i = 0; i < form.length(); i = form.moveIndex32(i, 1)) {
      const UChar32 part = form.char32At(i);
      const bool is_space = u_hasBinaryProperty(part, UCHAR_WHITE_SPACE) != 0;
      if (is_dropped(part) || (is_space && (part != ' ' || !after_word))) return pack(ActionType::kSlow, 0);
      after_word = !is_space;
    }
    if (!after_word) return pack(ActionType::kSlow, 0);
    if (form.countChar32() == 1) {
      const UChar32 single = form.char32At(0);
      return single == c ? pack(ActionType::kKeep, 0) : pack(ActionType::kReplace, static_cast<std::uint32_t>(single));
    }
    std::string utf8;
    form.toUTF8String(utf8);
    if (utf8.size() >= 1U << text_data::kExpansionLengthBits) return pack(ActionType::kSlow, 0);
    const auto offset = static_cast<std::uint32_t>(expansions_.size());
    expansions_ += utf8;
    return pack(ActionType::kExpand,
                offset << text_data::kExpansionLengthBits | static_cast<std::uint32_t>(utf8.size()));
  }

 private:
  static std::uint32_t pack(ActionType type, std::uint32_t argument) {
    return static_cast<std::uint32_t>(type) << text_data::kActionShift | argument;
  }

  // Surrogates (Cs) cannot occur in valid UTF-8; dropping them completes the table.
  static bool is_dropped(UChar32 c) {
    return (U_GET_GC_MASK(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK)) != 0 ||
           u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
  }

  // NFKC, lower case and folding of one code point, repeated until nothing changes: a mapped character may be one
  // that NFKC changes again. The bound guards against a cycle in the data, which fails the build.
  icu::UnicodeString closure(UChar32 c) const {
    icu::UnicodeString form(c);
    constexpr int kMaximumRounds = 8;
    for (int round = 0; round < kMaximumRounds; ++round) {
      UErrorCode error = U_ZERO_ERROR;
      const icu::UnicodeString composed = nfkc_->normalize(form, error);
      if (U_FAILURE(error)) fail("ICU cannot normalise");
      icu::UnicodeString next;
      for (std::int32_t i = 0; i < composed.length(); i = composed.moveIndex32(i, 1)) {
        UChar32 mapped = u_tolower(composed.char32At(i));
        if (const auto simplified = fold_.find(mapped); simplified != fold_.end()) mapped = simplified->second;
        next.append(mapped);
      }
      if (next == form) return form;
      form = next;
    }
    fail("no stable form of a character");
  }

  std::map<UChar32, UChar32> fold_;
  std::string& expansions_;
  const icu::Normalizer2* nfkc_ = nullptr;
};

// Two tables, without and with folding of traditional characters. They share stage 2 and the pool of expansions.
void write_action_tables(TableWriter& writer) {
  std::string expansions;
  std::vector<std::uint32_t> stage2;
  std::vector<std::uint16_t> stage1;
  std::vector<std::uint64_t> keep_bits;
  for (const bool fold_traditional : {false, true}) {
    const ActionTable table(fold_traditional ? read_traditional_to_simplified() : std::map<UChar32, UChar32>{},
                            expansions);
    std::vector<std::uint32_t> actions(kCodePointLimit);
    // A bitmap of the basic multilingual plane for the fastest path: 8 KiB, which stay in the L1 cache.
    std::vector<std::uint64_t> bits(0x10000 / 64);
    for (UChar32 c = 0; c < static_cast<UChar32>(kCodePointLimit); ++c) {
      const std::uint32_t action = table.action(c);
      actions[static_cast<std::size_t>(c)] = action;
      if (c < 0x10000 && action == 0) bits[static_cast<std::size_t>(c) / 64] |= std::uint64_t{1} << (c % 64);
    }
    const std::vector<std::uint16_t> part = compress(actions, stage2);
    stage1.insert(stage1.end(), part.begin(), part.end());
    keep_bits.insert(keep_bits.end(), bits.begin(), bits.end());
  }
  writer.write("keep_bits", keep_bits);
  writer.write("action_stage1", stage1);
  writer.write("action_stage2", stage2);
  writer.write_bytes("expansions", expansions);
}

}  // namespace

void write_unicode_tables(TableWriter& writer) {
  write_character_table(writer);
  write_action_tables(writer);
}

}  // namespace paraprint::compiler
