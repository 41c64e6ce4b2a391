// ICU's break iterator reads UTF-8 through UText, so no UTF-16 copy is made and its positions are byte offsets.
#include "text/complex_script.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>
#include <new>

#include "base/assert.h"
#include "memory/per_thread.h"

namespace paraprint::inline text {
namespace {

// ICU's iterators have state, so each thread has its own. Creating one loads dictionaries and is expensive.
icu::BreakIterator& word_iterator() {
  static PerThread<icu::BreakIterator> iterators;
  return iterators.get([] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
    if (error == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    PARAPRINT_ASSERT(U_SUCCESS(error) && made != nullptr);  // ICU without its own data is a broken installation
    return made;
  });
}

}  // namespace

void append_complex_words(std::string_view text, std::uint32_t begin, std::uint32_t end, std::vector<Token>& tokens,
                          StopCheck& stop) {
  UErrorCode error = U_ZERO_ERROR;
  UText run = UTEXT_INITIALIZER;
  // The iterator refers to `run`, so it is closed when the function returns, on every path.
  const icu::LocalUTextPointer closer(&run);
  utext_openUTF8(&run, text.data() + begin, end - begin, &error);
  icu::BreakIterator& iterator = word_iterator();
  iterator.setText(&run, error);
  if (U_FAILURE(error)) {  // out of memory: the whole run as one word, so that no content character is lost
    tokens.push_back({begin, end, kUnknownWord});
    return;
  }
  std::int32_t word_begin = iterator.first();
  for (std::int32_t word_end = iterator.next(); word_end != icu::BreakIterator::DONE; word_end = iterator.next()) {
    tokens.push_back(
        {begin + static_cast<std::uint32_t>(word_begin), begin + static_cast<std::uint32_t>(word_end), kUnknownWord});
    if (stop.after(static_cast<std::uint64_t>(word_end - word_begin))) return;
    word_begin = word_end;
  }
}

}  // namespace paraprint::inline text
