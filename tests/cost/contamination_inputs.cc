// Items of benchmarks and documents that hold them: an item per line, a line "====", a document per line.
#include <string>
#include <string_view>
#include <vector>

#include "contamination/item_search.h"
#include "contamination/seed_frequency.h"
#include "contamination/spanned_words.h"
#include "input_kinds.h"
#include "repeated_text.h"

namespace paraprint {
namespace {

constexpr std::string_view kDocuments = "====";

void search(std::string_view bytes) {
  SpannedWords reader;
  StopCheck never;
  std::vector<SpannedWord> words;
  ItemCollection items((ItemRules()));
  std::vector<std::vector<SpannedWord>> documents;
  bool is_document = false;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line == kDocuments) {
      is_document = true;
      continue;
    }
    reader.read(line, words, never);
    if (is_document) {
      documents.push_back(words);
    } else {
      items.add(words);
    }
  }
  items.prepare();
  ItemSearch search(items);
  std::vector<FoundItem> found;
  SeedFrequency frequency(items);
  for (const std::vector<SpannedWord>& document : documents) {
    search.find(document, found, never);
    frequency.add(search.seeds());
    for (const FoundItem& item : found) frequency.is_common(item.item, item.words_of_part);
  }
}

// Lines of prose, half of them items.
std::string unrelated(std::size_t size_bytes, std::size_t lines) {
  Sequence sequence(1);
  std::string input;
  bool is_document = false;
  while (input.size() < size_bytes) {
    input += words_of(size_bytes / (lines + 1), ' ', sequence) + '\n';
    if (is_document || input.size() < size_bytes / 2) continue;
    input.append(kDocuments) += '\n';
    is_document = true;
  }
  return input;
}

// Items of `item` and documents of `document`.
std::function<std::string(std::size_t)> of(std::string_view item, std::string_view document) {
  return in_two_halves("", item, std::string("\n").append(kDocuments) + "\n", document);
}

// Words that no other stretch has.
std::string numbered_words(std::size_t words, std::string_view stem) {
  std::string text;
  for (std::size_t number = 0; number < words; ++number) append_unit(std::string(stem) + "{n} ", number, text);
  return text;
}

// As many items as a seed may have places, which differ in their last word, and a document of what they share.
std::string items_that_share_all_seeds(std::size_t size_bytes) {
  constexpr std::size_t kItems = ItemCollection::kPlacesMaximum;
  const std::string shared = numbered_words(size_bytes / (kItems + 1) / 8, "common");
  std::string input;
  for (std::size_t item = 0; item < kItems; ++item) append_unit(shared + "last{n}\n", item, input);
  return input.append(kDocuments) + "\n" + shared;
}

// The same with many short documents, each a stretch of what the items share.
std::string short_documents_of_long_items(std::size_t size_bytes) {
  constexpr std::size_t kDocumentWords = 5;
  const std::size_t words = size_bytes / 18;
  std::string input = numbered_words(words, "common");
  input.append("\n").append(kDocuments);
  for (std::size_t number = 0; number < words; ++number) {
    append_unit(number % kDocumentWords == 0 ? "\ncommon{n} " : "common{n} ", number, input);
  }
  return input;
}

// An item that repeats a stretch as often as a seed may have places, and a document of that stretch alone.
std::string stretch_repeated(std::size_t size_bytes) {
  const std::string stretch = numbered_words(size_bytes / ItemCollection::kPlacesMaximum / 16, "again");
  std::string input;
  for (std::size_t i = 0; i + 1 < ItemCollection::kPlacesMaximum; ++i) input += stretch;
  input += "at last\n";
  input.append(kDocuments) += '\n';
  while (input.size() < size_bytes) input += stretch;
  return input;
}

// Three words in common, then as many others as are compared one by one, again and again.
std::string gaps_of_other_words(std::size_t size_bytes) {
  constexpr std::size_t kGapWords = 60;
  std::string texts[2];
  for (std::size_t number = 0; texts[0].size() < size_bytes / 2; ++number) {
    for (const std::size_t text : {0U, 1U}) {
      append_unit("x{n} y{n} z{n} ", number, texts[text]);
      for (std::size_t i = 0; i < kGapWords; ++i) {
        append_unit(text == 0 ? "a{n} " : "b{n} ", number * kGapWords + i, texts[text]);
      }
    }
  }
  return texts[0] + "\n" + std::string(kDocuments) + "\n" + texts[1];
}

}  // namespace

void add_contamination_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back({"contamination",
                   '\n',
                   unrelated,
                   search,
                   {
                       {"one_word", of("river ", "river ")},
                       {"three_words", of("oak elm ash ", "oak elm ash ")},
                       {"items_of_three_words", of("oak elm ash\n", "oak elm ash ")},
                       {"items_of_different_words", of("a{n} b{n} c{n}\n", "a{n} b{n} c{n} ")},
                       {"items_of_one_beginning", of("the ferry pilot counts every coin twice {n}\n",
                                                     "the ferry pilot counts every coin twice ")},
                       {"documents_of_a_beginning",
                        of("the ferry pilot counts every coin twice {n}\n", "the ferry pilot counts\n")},
                       {"items_that_share_all_seeds", items_that_share_all_seeds},
                       {"short_documents_of_long_items", short_documents_of_long_items},
                       {"stretch_repeated", stretch_repeated},
                       {"gaps_of_other_words", gaps_of_other_words},
                       {"empty_items", of("\n", "river ")},
                       {"chinese", of("\u4E2D\u534E\u4EBA\u6C11", "\u4E2D\u534E\u4EBA\u6C11")},
                   }});
}

}  // namespace paraprint
