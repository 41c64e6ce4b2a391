#include "text/stop_words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "text/normalise.h"

namespace paraprint {
namespace {

TEST(StopWords, IncludeFunctionWordsButNotTopicWords) {
  for (const char* word : {"的", "我们", "the", "and", "der", "что", "και", "です", "그리고"}) {
    EXPECT_TRUE(is_stop_word(word)) << word;
  }
  for (const char* word : {"网页", "算法", "apple", "zqxyz", "", "中国"}) EXPECT_FALSE(is_stop_word(word)) << word;
}

TEST(StopWords, AreListedInNormalisedFormAndFound) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PARAPRINT_SOURCE_ROOT) + "/src/text/stop_words")) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with('#')) continue;
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        EXPECT_EQ(Normaliser().normalised(word), word) << entry.path();
        EXPECT_TRUE(is_stop_word(word)) << word;
      }
    }
  }
}

}  // namespace
}  // namespace paraprint
