// Fuzzes normalisation, sentence splitting and word segmentation with any bytes: spans are within the text, ordered and
// disjoint, and cover every content character; normalisation is idempotent.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "text/normalise.h"
#include "text/sentence.h"
#include "text/utf8.h"
#include "text/word_segmenter.h"

namespace {

using namespace paraprint;

template <typename Span>
void check_spans(std::string_view text, const std::vector<Span>& spans) {
  std::uint32_t end = 0;
  std::uint32_t content = 0;
  for (const Span& span : spans) {
    PARAPRINT_ASSERT(span.begin_bytes >= end && span.begin_bytes < span.end_bytes && span.end_bytes <= text.size());
    end = span.end_bytes;
    content += count_content_characters(text.substr(span.begin_bytes, span.end_bytes - span.begin_bytes));
  }
  PARAPRINT_ASSERT(content == count_content_characters(text));
}

void check(std::string_view text) {
  std::vector<TextSpan> sentences;
  split_sentences(text, sentences);
  check_spans(text, sentences);
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  check_spans(text, tokens);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size_bytes);
  check(bytes);
  const std::string once = Normaliser().normalised(bytes);
  PARAPRINT_ASSERT(is_valid_utf8(once));
  PARAPRINT_ASSERT(Normaliser().normalised(once) == once);
  check(once);
  return 0;
}
