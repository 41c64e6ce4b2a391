// Fuzzes the search for benchmark items: JSON lines with items, the first byte FF, and the text of a document. Bits of
// the first byte select named fields, rules under which next to nothing is too little, HTML, and Traditional Chinese
// that stays as it is. Places lie at borders of characters, and each verdict is what it says: exact where the document
// has all words of the item in a row, and only there. One document alone makes no part common; a second one with the
// same words does if one is the limit.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "contamination/benchmark_reader.h"
#include "contamination/found_items.h"
#include "contamination/item_search.h"
#include "contamination/seed_frequency.h"
#include "contamination/spanned_words.h"
#include "read_file.h"

namespace {

using namespace paraprint;

// Longer inputs find nothing more, only more slowly.
constexpr std::size_t kInputBytes = 1 << 14;

constexpr std::uint8_t kNamesFields = 1;
constexpr std::uint8_t kFindsLittle = 2;
constexpr std::uint8_t kIsHtml = 4;
constexpr std::uint8_t kKeepsTraditional = 8;

PageProfiler& profiler() {
  static const std::unique_ptr<PageProfiler> made = [] {
    auto created = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
    PARAPRINT_ASSERT(created.has_value());
    return std::move(*created);
  }();
  return *made;
}

bool is_border(std::string_view text, std::uint32_t offset_bytes) {
  return offset_bytes == text.size() || (static_cast<unsigned char>(text[offset_bytes]) & 0xC0) != 0x80;
}

void require_places(std::string_view text, std::span<const SpannedWord> words) {
  std::uint32_t begin = 0;
  for (const SpannedWord& word : words) {
    PARAPRINT_ASSERT(word.weight > 0 && word.span.begin_bytes >= begin);
    PARAPRINT_ASSERT(word.span.begin_bytes <= word.span.end_bytes && word.span.end_bytes <= text.size());
    PARAPRINT_ASSERT(is_border(text, word.span.begin_bytes) && is_border(text, word.span.end_bytes));
    begin = word.span.begin_bytes;
  }
}

void require_ranges(std::span<const WordRange> ranges, std::size_t words) {
  std::uint32_t end = 0;
  PARAPRINT_ASSERT(!ranges.empty());
  for (const WordRange& range : ranges) {
    PARAPRINT_ASSERT(range.begin >= end && range.begin < range.end && range.end <= words);
    end = range.end;
  }
}

bool is_equal(const SpannedWord& x, const SpannedWord& y) {
  return x.hash == y.hash;
}

bool occurs(std::span<const SpannedWord> text, std::span<const SpannedWord> item) {
  return std::search(text.begin(), text.end(), item.begin(), item.end(), is_equal) != text.end();
}

void require_verdict(const FoundItem& found, const ItemCollection& items, std::span<const SpannedWord> text) {
  constexpr double kRounding = 1e-4;
  const ItemRules& rules = items.rules();
  const std::span<const SpannedWord> item = items.words(found.item);
  const double share = static_cast<double>(found.share);
  const double score = static_cast<double>(found.passage_score);
  PARAPRINT_ASSERT(found.words > 0 && found.words <= item.size());
  PARAPRINT_ASSERT(share > 0 && share <= 1 + kRounding && score > 0);
  PARAPRINT_ASSERT((found.verdict == ItemVerdict::kExact) == occurs(text, item));
  switch (found.verdict) {
    case ItemVerdict::kExact: {
      PARAPRINT_ASSERT(found.in_text.size() == 1 && found.words == item.size());
      const WordRange& range = found.in_text.front();
      PARAPRINT_ASSERT(occurs(text.subspan(range.begin, range.end - range.begin), item));
      PARAPRINT_ASSERT((found.in_item == std::vector<WordRange>{{0, static_cast<std::uint32_t>(item.size())}}));
      break;
    }
    case ItemVerdict::kWhole:
      PARAPRINT_ASSERT(share >= rules.whole_share - kRounding && score >= rules.passage_score * kWholePassageShare);
      break;
    case ItemVerdict::kPart:
      PARAPRINT_ASSERT(score >= rules.passage_score && share <= rules.whole_share + kRounding);
      break;
  }
}

// The items that are long enough. Words of all items are read, those of too short ones too.
ItemCollection read_items(const std::string& path, std::uint8_t choice, SpannedWords& reader) {
  ItemRules rules;
  if ((choice & kFindsLittle) != 0) rules = {.whole_share = 0.1, .passage_score = 1, .item_weight_minimum = 0.1};
  rules.passage_documents = 1;
  ItemCollection items(rules);
  std::vector<std::string> fields;
  if ((choice & kNamesFields) != 0) fields = {"question", "choices"};
  InputFile input;
  input.path = path;
  std::vector<SpannedWord> words;
  StopCheck never;
  const auto add = [&](BenchmarkItem&& item) -> Status {
    PARAPRINT_ASSERT(!item.text.empty() && item.line > 0);
    reader.read(item.text, words, never);
    require_places(item.text, words);
    items.add(words);
    return {};
  };
  PARAPRINT_ASSERT(read_benchmark(input, fields, ReadOptions{}, profiler(), add, [](const Defect&) {}).has_value());
  items.prepare();
  return items;
}

void search(const ItemCollection& items, const Page& page, SpannedWords& reader) {
  StopCheck never;
  const auto content = profiler().extract(page, never);
  PARAPRINT_ASSERT(content.has_value());
  const std::string_view text = (*content)->text;
  std::vector<SpannedWord> words;
  reader.read(text, words, never);
  require_places(text, words);
  ItemSearch search(items);
  std::vector<FoundItem> found;
  search.find(words, found, never);
  SeedFrequency frequency(items);
  frequency.add(search.seeds());
  std::optional<std::uint32_t> before;
  for (const FoundItem& item : found) {
    PARAPRINT_ASSERT((!before || item.item > *before) && item.item < items.size());
    before = item.item;
    require_ranges(item.in_text, words.size());
    require_ranges(item.in_item, items.words(item.item).size());
    for (const TextSpan& span : spans_of(words, item.in_text)) PARAPRINT_ASSERT(span.end_bytes <= text.size());
    require_verdict(item, items, words);
    PARAPRINT_ASSERT(item.words_of_part.empty() == (item.verdict != ItemVerdict::kPart));
    if (item.verdict == ItemVerdict::kPart) PARAPRINT_ASSERT(!frequency.is_common(item.item, item.words_of_part));
  }
  frequency.add(search.seeds());
  for (const FoundItem& item : found) {
    if (item.verdict == ItemVerdict::kPart) PARAPRINT_ASSERT(frequency.is_common(item.item, item.words_of_part));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFile file(".jsonl");
  if (size == 0 || size > kInputBytes) return 0;
  const std::uint8_t choice = data[0];
  const std::uint8_t* const lines = data + 1;
  const std::uint8_t* const lines_end = std::find(lines, data + size, std::uint8_t{0xFF});
  file.write(lines, static_cast<std::size_t>(lines_end - lines));
  SpannedWords reader((choice & kKeepsTraditional) == 0);
  const ItemCollection items = read_items(file.path(), choice, reader);
  Page page;
  page.format = (choice & kIsHtml) != 0 ? PageFormat::kHtml : PageFormat::kPlainText;
  if (lines_end != data + size) page.body.assign(lines_end + 1, data + size);
  search(items, page, reader);
  return 0;
}
