// Counts the documents that contain each word outside the Han dictionary, whose words have weights from jieba.
// scripts/count_document_frequency.py feeds it; its output is data/document_frequency.tsv.
//
// usage: paraprint_count_words MINIMUM_DOCUMENTS MAXIMUM_WORDS < documents, each terminated by a NUL byte
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/normalise.h"
#include "text/word_segmenter.h"

int main(int argument_count, char** arguments) {
  using namespace paraprint;
  if (argument_count != 3) {
    std::fputs("usage: paraprint_count_words MINIMUM_DOCUMENTS MAXIMUM_WORDS < documents\n", stderr);
    return EXIT_FAILURE;
  }
  const std::uint64_t minimum_documents = std::strtoull(arguments[1], nullptr, 10);
  const std::uint64_t maximum_words = std::strtoull(arguments[2], nullptr, 10);
  constexpr std::size_t kLongestWordBytes = 40;  // longer ones are identifiers and parts of URLs

  // Everything is kept in memory and filtered at the end: the program runs rarely, on a small corpus.
  std::unordered_map<std::string, std::uint64_t> counts;
  std::uint64_t documents = 0;
  const Normaliser normaliser;
  std::vector<Token> tokens;
  for (std::string document; std::getline(std::cin, document, '\0');) {
    ++documents;
    const std::string text = normaliser.normalised(document);
    WordSegmenter::shared().segment(text, tokens);
    std::unordered_set<std::string_view> words;
    for (const Token& token : tokens) {
      const std::string_view word = token.word(text);
      if (token.word_id == kUnknownWord && word.size() <= kLongestWordBytes) words.insert(word);
    }
    for (const std::string_view word : words) ++counts[std::string(word)];
  }

  std::vector<std::pair<std::string, std::uint64_t>> kept;
  for (const auto& entry : counts) {
    if (entry.second >= minimum_documents) kept.push_back(entry);
  }
  // Sorted completely, so that the same documents give the same file.
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (kept.size() > maximum_words) kept.resize(maximum_words);
  std::printf("\t%llu\n", static_cast<unsigned long long>(documents));
  for (const auto& [word, count] : kept)
    std::printf("%s\t%llu\n", word.c_str(), static_cast<unsigned long long>(count));
  return EXIT_SUCCESS;
}
