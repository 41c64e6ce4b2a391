// ICU's break iterator reads UTF-8 through UText, so no UTF-16 copy is made and its positions are byte offsets.
#include "text/complex_script.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <array>
#include <memory>
#include <mutex>
#include <new>

#include "memory/per_thread.h"
#include "text/icu_allocations.h"
#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

// A word of each script that ICU has a dictionary of, three times: Thai, Lao, Khmer, Burmese.
constexpr std::array<const char16_t*, 4> kThreeWords = {
    u"\u0E44\u0E17\u0E22\u0E44\u0E17\u0E22\u0E44\u0E17\u0E22",
    u"\u0EA5\u0EB2\u0EA7\u0EA5\u0EB2\u0EA7\u0EA5\u0EB2\u0EA7",
    u"\u1781\u17D2\u1798\u17C2\u179A\u1781\u17D2\u1798\u17C2\u179A\u1781\u17D2\u1798\u17C2\u179A",
    u"\u1019\u103C\u1014\u103A\u1019\u102C\u1019\u103C\u1014\u103A\u1019\u102C\u1019\u103C\u1014\u103A\u1019\u102C"};

void load_dictionary(icu::BreakIterator& iterator, const char16_t* words) {
  const icu::UnicodeString text(true, words, -1);  // refers to `words`
  iterator.setText(text);
  iterator.first();
  iterator.next();
}

// Makes ICU load what its dictionaries need of the properties of characters. It would look for a missing dictionary
// without end if memory ran out for these.
bool are_properties_loaded() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::UnicodeSet letters(u"[[:Thai:]&[:LineBreak=SA:]]", error);
  return U_SUCCESS(error) && !letters.isEmpty();
}

// Null if memory ran out. The root locale is made rather than taken from ICU's cache, which ICU does not check.
std::unique_ptr<icu::BreakIterator> word_iterator_or_null() {
  const IcuAllocations allocations;
  if (!are_properties_loaded() || allocations.have_failed()) return nullptr;
  UErrorCode error = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale(""), error));
  if (U_FAILURE(error) || made == nullptr || allocations.have_failed()) return nullptr;
  for (const char16_t* const words : kThreeWords) {
    load_dictionary(*made, words);
    if (allocations.have_failed()) return nullptr;  // an ICU that was built without it is no failure
  }
  return made;
}

// ICU loads a dictionary when it first sees its script and keeps it for the process, with whatever is missing because
// memory ran out meanwhile. So the first iterator makes it load them all, and if that fails, there is none in this
// process. An iterator whose dictionary is missing would take whole sentences for words.
std::unique_ptr<icu::BreakIterator> make_word_iterator() {
  static std::mutex mutex;
  static bool are_dictionaries_loaded = false;
  static bool are_dictionaries_damaged = false;
  const std::lock_guard lock(mutex);
  if (are_dictionaries_damaged) throw std::bad_alloc();
  std::unique_ptr<icu::BreakIterator> made = word_iterator_or_null();
  are_dictionaries_loaded |= made != nullptr;
  are_dictionaries_damaged = !are_dictionaries_loaded;
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

// Whether ICU makes one word of the run because it has nothing to look up in it: a character, or a letter with a mark
// of its script. A page may have thousands of those, with spaces between them.
bool is_one_letter(std::string_view run) {
  const char* const end = run.data() + run.size();
  const DecodedCharacter letter = decode_character(run.data(), end);
  if (letter.size_bytes == run.size()) return true;
  const DecodedCharacter mark = decode_character(run.data() + letter.size_bytes, end);
  return letter.size_bytes + mark.size_bytes == run.size() && is_content_character(letter.code_point) &&
         character_class(mark.code_point) == CharacterClass::kComplex && !is_content_character(mark.code_point);
}

// ICU's iterators have state, so each thread has its own. Creating one is expensive.
PerThread<icu::BreakIterator>& word_iterators() {
  static PerThread<icu::BreakIterator> iterators;
  return iterators;
}

}  // namespace

void append_complex_words(std::string_view text, std::uint32_t begin, std::uint32_t end, std::vector<Token>& tokens,
                          StopCheck& stop) {
  if (is_one_letter(text.substr(begin, end - begin))) {
    tokens.push_back({begin, end, kUnknownWord});
    return;
  }
  icu::BreakIterator& iterator = word_iterators().get(make_word_iterator);
  UErrorCode error = U_ZERO_ERROR;
  UText run = UTEXT_INITIALIZER;
  // The iterator refers to `run`, so it is closed when the function returns, on every path.
  const icu::LocalUTextPointer closer(&run);
  const IcuAllocations allocations;
  utext_openUTF8(&run, text.data() + begin, end - begin, &error);
  iterator.setText(&run, error);
  const auto has_failed = [&] { return U_FAILURE(error) || allocations.have_failed(); };
  if (!has_failed()) {
    std::int32_t word_begin = iterator.first();
    for (std::int32_t word_end = iterator.next(); word_end != icu::BreakIterator::DONE && !has_failed();
         word_end = iterator.next()) {
      tokens.push_back(
          {begin + static_cast<std::uint32_t>(word_begin), begin + static_cast<std::uint32_t>(word_end), kUnknownWord});
      if (stop.after(static_cast<std::uint64_t>(word_end - word_begin))) return;
      word_begin = word_end;
    }
  }
  if (!has_failed()) return;
  word_iterators().reset();  // it may keep what it has found so far
  throw std::bad_alloc();
}

}  // namespace paraprint::inline text
