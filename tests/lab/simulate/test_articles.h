// Test articles in an artificial language, or made from a few Chinese words.
#pragma once

#include <string>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint {

inline std::string test_sentence(Random& random) {
  constexpr std::string_view kSyllables[] = {"ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te"};
  std::string text;
  for (std::size_t word = random.between(9, 16); word > 0; --word) {
    if (!text.empty()) text += ' ';
    for (std::size_t syllable = random.between(2, 4); syllable > 0; --syllable) text += random.pick(kSyllables);
  }
  text[0] = static_cast<char>(text[0] & ~0x20);
  return text + ".";
}

inline std::string test_chinese_sentence(Random& random) {
  constexpr std::string_view kWords[] = {"我们", "研究", "问题", "方法", "重要", "城市", "天气",
                                         "文章", "因为", "所以", "发展", "经济", "学生", "老师",
                                         "电脑", "软件", "网络", "信息", "历史", "文化"};
  std::string text;
  for (std::size_t word = random.between(10, 18); word > 0; --word) {
    text += random.pick(kWords);
    if (word == 8) text += "，";
  }
  return text + "。";
}

inline Article test_article(std::uint64_t seed, std::size_t paragraphs = 8, bool is_chinese = false) {
  Random random(seed);
  Article article;
  article.base = static_cast<std::uint32_t>(seed);
  article.title = is_chinese ? "标题" + std::to_string(seed) : "Title " + std::to_string(seed);
  for (std::size_t i = 0; i < paragraphs; ++i) {
    std::string text;
    for (std::size_t sentence = random.between(2, 5); sentence > 0; --sentence) {
      if (!text.empty() && !is_chinese) text += ' ';
      text += is_chinese ? test_chinese_sentence(random) : test_sentence(random);
    }
    article.paragraphs.push_back({std::move(text), BlockRole::kParagraph, 0});
  }
  detect_language(article);
  return article;
}

}  // namespace paraprint
