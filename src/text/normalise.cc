// Most characters stay the same or become a fixed sequence regardless of context, which a table lookup decides. Only
// characters that combine or reorder with their neighbours (combining marks, conjoining jamo) need context: then the
// segment from the last character written to the next normalisation boundary goes through ICU until nothing changes.
// Marks that never combine, and spacing accents with nothing to combine with, are written without that: a page may
// consist of them.
#include "text/normalise.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uvernum.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "text/ascii_words.h"
#include "text/icu_allocations.h"
#include "text/text_data.h"
#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

using text_data::ActionType;

struct Action {
  ActionType type;
  std::uint32_t argument;
};

// Table 0 keeps traditional characters, table 1 folds them.
Action find_action(std::size_t table, char32_t code_point) {
  const std::uint32_t block = text_data::paraprint_action_stage1[table][code_point >> text_data::kStageBits];
  const std::uint32_t packed = text_data::paraprint_action_stage2[block << text_data::kStageBits |
                                                                  (code_point & ((1U << text_data::kStageBits) - 1))];
  return {static_cast<ActionType>(packed >> text_data::kActionShift), packed & ((1U << text_data::kActionShift) - 1)};
}

// A form of ICU, which makes it once; if memory ran out then, not in this process.
const icu::Normalizer2& form_of_icu(const icu::Normalizer2* (*find)(UErrorCode&)) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const found = find(error);
  if (U_FAILURE(error)) throw std::bad_alloc();
  return *found;
}

const icu::Normalizer2& nfkc() {
  static const icu::Normalizer2& form = form_of_icu(icu::Normalizer2::getNFKCInstance);
  return form;
}

const icu::Normalizer2& nfkd() {
  static const icu::Normalizer2& form = form_of_icu(icu::Normalizer2::getNFKDInstance);
  return form;
}

// u_getCombiningClass() reads it from a form that it makes by itself, and says 0 if it could not.
std::uint8_t combining_class_of(UChar32 c) {
  return nfkc().getCombiningClass(c);
}

// The non-starters that text may have in a row: the limit of the Stream-Safe Text Format (Unicode Standard Annex #15,
// section 13), far beyond what any language needs. ICU orders them by insertion, so a longer run would take quadratic
// time.
constexpr std::int32_t kNonStartersMaximum = 30;

// Removes the non-starters beyond kNonStartersMaximum in each run, counted as that section counts them: in the NFKD of
// the text, which has no dropped characters. The section would keep them apart by a combining grapheme joiner instead,
// but N drops joiners, and would then not be idempotent.
icu::UnicodeString cut_non_starters(const icu::UnicodeString& text) {
  icu::UnicodeString kept;
  icu::UnicodeString decomposed;
  std::int32_t in_a_row = 0;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (!nfkd().getDecomposition(c, decomposed)) decomposed.setTo(c);
    std::int32_t leading = 0;
    std::int32_t trailing = 0;
    bool has_starter = false;
    for (std::int32_t d = 0; d < decomposed.length(); d = decomposed.moveIndex32(d, 1)) {
      const bool is_starter = combining_class_of(decomposed.char32At(d)) == 0;
      has_starter |= is_starter;
      leading += has_starter ? 0 : 1;
      trailing = is_starter ? 0 : trailing + 1;
    }
    if (in_a_row + leading > kNonStartersMaximum) continue;
    in_a_row = has_starter ? trailing : in_a_row + leading;
    kept.append(c);
  }
  return kept;
}

// Lower case and folding of one character; characters whose action depends on context are only lowered.
char32_t map_single(const Action& action, char32_t code_point) {
  if (action.type == ActionType::kReplace) return action.argument;
  if (action.type == ActionType::kKeep) return code_point;
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(code_point)));
}

// The marks of a character that is a space and marks to NFKC, such as U+00A8; null if it is none, or if its marks
// change.
const std::string* marks_of_spacing_accent(char32_t code_point) {
  struct SpacingAccent {
    char32_t code_point;
    std::string marks;
  };
  static const std::vector<SpacingAccent> accents = [] {  // ascending; all are in the basic multilingual plane
    const IcuAllocations allocations;
    std::vector<SpacingAccent> found;
    icu::UnicodeString form;
    constexpr char32_t kFirstIdeograph = 0x3400;
    constexpr char32_t kPresentationForms = 0xFB00;
    for (char32_t c = 0x80; c < 0x10000; ++c) {
      if (c == kFirstIdeograph) c = kPresentationForms;  // none in between, and the search is part of a page's cost
      const auto accent = static_cast<UChar32>(c);
      if (find_action(0, c).type != ActionType::kSlow || combining_class_of(accent) != 0) continue;
      if (!nfkc().getDecomposition(accent, form) || form.charAt(0) != u' ' || form.length() == 1) continue;
      form.remove(0, 1);
      bool has_only_marks = true;
      for (std::int32_t i = 0; i < form.length(); i = form.moveIndex32(i, 1)) {
        const UChar32 mark = form.char32At(i);
        has_only_marks &= combining_class_of(mark) != 0 && u_tolower(mark) == mark;
      }
      if (has_only_marks) form.toUTF8String(found.emplace_back(SpacingAccent{c, {}}).marks);
    }
    allocations.check();
    return found;
  }();
  const auto found = std::ranges::lower_bound(accents, code_point, {}, &SpacingAccent::code_point);
  return found == accents.end() || found->code_point != code_point ? nullptr : &found->marks;
}

// One round of NFKC, dropping, lower case and folding. Lowering and folding can make new compositions possible, hence
// several rounds: true if another one could change the text.
bool normalise_once(std::size_t table, icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::UnicodeString composed = nfkc().normalize(text, error);
  if (U_FAILURE(error)) throw std::bad_alloc();
  bool is_changed = false;
  text.remove();
  for (std::int32_t i = 0; i < composed.length(); i = composed.moveIndex32(i, 1)) {
    const auto c = static_cast<char32_t>(composed.char32At(i));
    const Action action = find_action(table, c);
    const bool is_dropped = action.type == ActionType::kDrop;
    const char32_t mapped = map_single(action, c);
    is_changed |= is_dropped || mapped != c;
    if (!is_dropped) text.append(static_cast<UChar32>(mapped));
  }
  return is_changed;
}

// Writes through a raw pointer into a string that is resized in advance, which saves a capacity check per character.
class Writer {
 public:
  Writer(bool fold_traditional, std::string_view input, std::string& out)
      : table_(fold_traditional ? 1 : 0),
        position_(input.data()),
        end_(input.data() + input.size()),
        out_(out),
        begin_(out.size()) {
    out_.resize(begin_ + input.size() + kRoomBytes);
    write_ = out_.data() + begin_;
  }

  void run(StopCheck& stop) {
    while (position_ < end_) {
      const char* const begin = position_;
      write_until(begin + std::min<std::ptrdiff_t>(end_ - begin, StopCheck::kStopUnits));
      if (position_ < end_ && stop.after(static_cast<std::uint64_t>(position_ - begin))) break;
    }
    // Trailing white space was written as a single space.
    if (write_ > out_.data() + begin_ && ends_with_space_) --write_;
    out_.resize(static_cast<std::size_t>(write_ - out_.data()));
  }

 private:
  static constexpr std::size_t kRoomBytes = 256;  // more than a single step writes, even for the longest expansion

  // Normalises until `pause` is reached, or a little further.
  void write_until(const char* pause) {
    while (position_ < pause) {
      // Copied characters never grow, so this one check covers everything the copy loops below can write.
      ensure_room(static_cast<std::size_t>(end_ - position_) + kRoomBytes / 2);
      copy_ascii_words();
      if (position_ >= end_) break;
      if (copy_kept_character()) continue;
      const DecodedCharacter character = decode_character(position_, end_);
      if (character.code_point != kInvalidCharacter) write_character(character);
      position_ += character.size_bytes;
      // A segment that went through ICU may extend beyond this character.
      if (slow_end_ != nullptr) position_ = std::exchange(slow_end_, nullptr);
    }
  }

  // Growing moves the buffer, so the pointers into it are recomputed.
  void ensure_room(std::size_t size_bytes) {
    const auto used = static_cast<std::size_t>(write_ - out_.data());
    if (out_.size() - used >= size_bytes) return;
    const auto last_offset = last_written_ == nullptr ? 0 : static_cast<std::size_t>(last_written_ - out_.data());
    out_.resize(out_.size() + out_.size() / 2 + size_bytes + kRoomBytes);
    write_ = out_.data() + used;
    if (last_written_ != nullptr) last_written_ = out_.data() + last_offset;
  }

  // Copies eight ASCII characters at a time while they are printable and contain no two consecutive spaces.
  void copy_ascii_words() {
    while (end_ - position_ >= ascii_words::kSizeBytes) {
      std::uint64_t word = ascii_words::load(position_);
      if (ascii_words::non_ascii(word) != 0) return;
      if (ascii_words::in_range(word, ' ', '~') != ascii_words::kHighBits) return;
      const std::uint64_t spaces = ascii_words::in_range(word, ' ', ' ');
      const std::uint64_t carry = ends_with_space_ ? 0x80 : 0;
      if ((spaces & (spaces << 8 | carry)) != 0) return;
      word |= ascii_words::in_range(word, 'A', 'Z') >> 2;  // 0x80 >> 2 = 0x20, the case bit
      std::memcpy(write_, &word, sizeof(word));
      write_ += ascii_words::kSizeBytes;
      position_ += ascii_words::kSizeBytes;
      ends_with_space_ = (spaces >> 63) != 0;
      last_written_ = ends_with_space_ ? nullptr : write_ - 1;
      last_read_ = position_ - 1;
    }
  }

  // Copies three-byte characters that normalisation keeps: nearly all of a Chinese text. Reads and writes four bytes,
  // which is one instruction, hence the bound of 4. Invalid sequences and overlong forms are left to
  // decode_character(); surrogates are not kept by the table.
  bool copy_kept_character() {
    bool copied = false;
    const std::uint64_t* const keep = text_data::paraprint_keep_bits[table_];
    while (end_ - position_ >= 4) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(position_);
      const unsigned lead = bytes[0];
      if ((lead & 0xF0) != 0xE0 || (bytes[1] & 0xC0) != 0x80 || (bytes[2] & 0xC0) != 0x80) return copied;
      const unsigned block = (lead & 0x0FU) << 6 | (bytes[1] & 0x3FU);
      if ((keep[block] >> (bytes[2] & 0x3FU) & 1) == 0 || block < 0x800 / 64) return copied;
      std::memcpy(write_, position_, 4);
      last_read_ = position_;
      last_written_ = write_;
      position_ += 3;
      write_ += 3;
      ends_with_space_ = false;
      copied = true;
    }
    return copied;
  }

  void write_character(DecodedCharacter character) {
    const Action action = find_action(table_, character.code_point);
    switch (action.type) {
      case ActionType::kKeep:
        begin_character();
        std::memcpy(write_, position_, character.size_bytes);
        write_ += character.size_bytes;
        break;
      case ActionType::kReplace:
        begin_character();
        write_ += encode_character(action.argument, write_);
        break;
      case ActionType::kExpand: {
        begin_character();
        append(expansion(action));
        marks_end_bytes_ = written_bytes();
        mark_count_ = 0;
        break;
      }
      case ActionType::kDrop:
        break;
      case ActionType::kSpace:
        write_space();
        break;
      case ActionType::kSlow:
        if (is_diacritical_mark(character) || (!copy_mark(character) && !write_spacing_accent(character))) {
          write_slow(character);
        }
        break;
    }
  }

  // Nearly all of these combine with letters: they are not asked.
  static bool is_diacritical_mark(DecodedCharacter character) {
    return character.code_point >= 0x0300 && character.code_point < 0x0370;
  }

  static std::string_view expansion(const Action& action) {
    return {text_data::paraprint_expansions + (action.argument >> text_data::kExpansionLengthBits),
            action.argument & ((1U << text_data::kExpansionLengthBits) - 1)};
  }

  void append(std::string_view bytes) {
    std::memcpy(write_, bytes.data(), bytes.size());
    write_ += bytes.size();
  }

  std::size_t written_bytes() const { return static_cast<std::size_t>(write_ - out_.data()); }

  // Copies a mark that never combines to its place behind its letter and the marks of lower or equal classes.
  // last_written_ stays at the letter, because marks that follow may combine with it. What is longer may have more
  // non-starters than are kept.
  bool copy_mark(DecodedCharacter mark) {
    const std::uint8_t combining_class = combining_class_of(static_cast<UChar32>(mark.code_point));
    if (combining_class == 0 || !never_combines(mark.code_point)) return false;
    if (written_bytes() != marks_end_bytes_) {
      mark_count_ = 0;
    } else if (mark_count_ == 0) {  // behind an expansion, which may end in a mark
      return false;
    }
    if (last_written_ == nullptr) {
      begin_character();
    } else if (position_ + mark.size_bytes - last_read_ > kNonStartersMaximum) {
      return false;
    }
    std::size_t place = mark_count_++;
    char* to = write_;
    for (; place > 0 && marks_[place - 1].combining_class > combining_class; --place) {
      marks_[place] = marks_[place - 1];
      to -= marks_[place].size_bytes;
    }
    marks_[place] = {combining_class, static_cast<std::uint8_t>(mark.size_bytes)};
    std::memmove(to + mark.size_bytes, to, static_cast<std::size_t>(write_ - to));
    std::memcpy(to, position_, mark.size_bytes);
    write_ += mark.size_bytes;
    ends_with_space_ = false;
    marks_end_bytes_ = written_bytes();
    return true;
  }

  // Writes a spacing accent, provided that nothing combines with its marks.
  bool write_spacing_accent(DecodedCharacter accent) {
    const std::string* const marks = marks_of_spacing_accent(accent.code_point);
    if (marks == nullptr || next_needs_context(accent)) return false;
    write_space();
    append(*marks);
    ends_with_space_ = false;
    last_written_ = nullptr;
    return true;
  }

  // Composes with no letter, decomposes into nothing else, and is neither lowered nor folded.
  bool never_combines(char32_t mark) const {
    return map_single(find_action(table_, mark), mark) == mark &&
           u_getIntPropertyValue(static_cast<UChar32>(mark), UCHAR_NFKC_QUICK_CHECK) == UNORM_YES;
  }

  // Whether what follows the accent may combine with it.
  bool next_needs_context(DecodedCharacter accent) const {
    const char* const next = position_ + accent.size_bytes;
    if (next == end_) return false;
    const char32_t code_point = decode_character(next, end_).code_point;
    if (code_point == kInvalidCharacter) return true;  // left out, as dropped characters are: the one after it counts
    const ActionType type = find_action(table_, code_point).type;
    return type == ActionType::kDrop || (type == ActionType::kSlow && marks_of_spacing_accent(code_point) == nullptr);
  }

  // Remembers source and destination of the character about to be written, in case a combining mark follows.
  void begin_character() {
    last_read_ = position_;
    last_written_ = write_;
    ends_with_space_ = false;
  }

  void write_space() {
    if (ends_with_space_) return;
    *write_++ = ' ';
    ends_with_space_ = true;
    last_written_ = nullptr;
  }

  // Normalises the segment around a character that depends on its neighbours.
  void write_slow(DecodedCharacter character) {
    const char* begin = position_;
    if (last_written_ != nullptr) {  // it may combine with the last character, so that one is undone
      begin = last_read_;
      write_ = last_written_;
    }
    // Extends the segment to the next character that is independent of its predecessors, without invalid bytes and
    // dropped characters.
    const IcuAllocations allocations;
    icu::UnicodeString text;
    const char* stretch_end = begin;
    while (stretch_end < end_) {
      const DecodedCharacter next = decode_character(stretch_end, end_);
      if (next.code_point != kInvalidCharacter) {
        const ActionType type = find_action(table_, next.code_point).type;
        const bool is_inside = stretch_end < position_ + character.size_bytes;
        if (!is_inside && type != ActionType::kSlow && type != ActionType::kDrop) break;
        if (type != ActionType::kDrop) text.append(static_cast<UChar32>(next.code_point));
      }
      stretch_end += next.size_bytes;
    }
    // No character has more non-starters than bytes, so nearly every text is short enough to need no counting.
    if (stretch_end - begin > kNonStartersMaximum) text = cut_non_starters(text);
    constexpr int kMaximumRounds = 8;  // two suffice for every known text; the bound guarantees termination
    for (int round = 0; round < kMaximumRounds && normalise_once(table_, text); ++round) {
    }
    allocations.check();
    write_stretch(text, begin);
    slow_end_ = stretch_end;
  }

  // The result can contain spaces: the compatibility forms of spacing accents begin with one.
  void write_stretch(const icu::UnicodeString& text, const char* begin) {
    ensure_room(static_cast<std::size_t>(text.length()) * 4 + kRoomBytes);
    last_written_ = nullptr;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      const auto c = static_cast<char32_t>(text.char32At(i));
      if (find_action(table_, c).type == ActionType::kSpace) {
        write_space();
        continue;
      }
      if (last_written_ == nullptr) last_written_ = write_;
      write_ += encode_character(c, write_);
      ends_with_space_ = false;
    }
    last_read_ = begin;
    if (ends_with_space_) last_written_ = nullptr;
  }

  std::size_t table_;
  const char* position_;
  const char* end_;
  std::string& out_;
  std::size_t begin_;
  char* write_ = nullptr;
  bool ends_with_space_ = true;      // also if nothing has been written, which drops leading white space
  const char* last_read_ = nullptr;  // source of the last written character
  char* last_written_ = nullptr;     // its destination; null after a space
  const char* slow_end_ = nullptr;   // where to resume after a segment that went through ICU
  // The marks behind the last letter that were written without ICU, as long as nothing is written after them.
  struct Mark {
    std::uint8_t combining_class;
    std::uint8_t size_bytes;
  };
  std::array<Mark, kNonStartersMaximum / 2> marks_{};  // a mark has two bytes or more
  std::size_t mark_count_ = 0;
  std::size_t marks_end_bytes_ = std::string::npos;  // in out_: behind these marks, or an expansion
};

}  // namespace

// Whatever ICU makes once is made here, before a page depends on it.
Normaliser::Normaliser(NormaliseOptions options) : options_(options) {
  nfkc();
  nfkd();
}

void Normaliser::append_normalised(std::string_view utf8, std::string& out, StopCheck& stop) const {
  Writer(options_.fold_traditional, utf8, out).run(stop);
}

// Programs run with the version that they were built with, which is part of the library's name.
std::uint32_t unicode_rules_version() {
  return U_ICU_VERSION_MAJOR_NUM;
}

}  // namespace paraprint::inline text
