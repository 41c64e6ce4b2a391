#include "text/sentence.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

std::vector<std::string> sentences(std::string_view text) {
  std::vector<TextSpan> spans;
  split_sentences(text, spans);
  std::vector<std::string> out;
  for (const TextSpan& span : spans) out.emplace_back(text.substr(span.begin_bytes, span.size_bytes()));
  return out;
}

using Sentences = std::vector<std::string>;

TEST(Sentence, ChineseEndsWithClosingQuotes) {
  EXPECT_EQ(sentences("他说：“走吧！”我们就走了。真的？！是……"),
            (Sentences{"他说：“走吧！”", "我们就走了。", "真的？！", "是……"}));
}

TEST(Sentence, LatinFullStops) {
  EXPECT_EQ(sentences("It costs 3.14 dollars. Dr. Smith of the U.S. Army agrees. see x.y, e.g. this. \"Yes.\" he said"),
            (Sentences{"It costs 3.14 dollars.", "Dr. Smith of the U.S. Army agrees. see x.y, e.g. this.",
                       "\"Yes.\" he said"}));
}

}  // namespace
}  // namespace paraprint
