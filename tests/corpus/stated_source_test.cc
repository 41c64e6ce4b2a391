// Statements of where a text comes from.
#include "corpus/stated_source.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

namespace paraprint {
namespace {

std::string source_in(std::string_view line) {
  const std::optional<StatedSource> source = find_stated_source(line);
  if (!source) return "";
  EXPECT_EQ(line.substr(source->begin_bytes, source->name.size()), source->name);
  return std::string(source->name);
}

TEST(StatedSource, IsTheNameBehindThePhrase) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"来源：新华网", "新华网"},
      {"2012-01-11 10:22:11 來源：今日風採雜志 打印 字號", "今日風採雜志"},
      {"2012年01月12日 11:21 来源： 南方日报 字号: T | T", "南方日报"},
      {"作者： 蒋 凌 稿源： 兰州日报 2011-12-09", "兰州日报"},
      {"来源：人民日报2024-05-13", "人民日报"},
      {"来源:[人民网]", "人民网"},
      {"（本文来源：中国广播网）", "中国广播网"},
      {"本文转载自新浪科技，作者张三", "新浪科技"},
      {"转自《北京科技报》", "北京科技报"},
      {"原文链接：https://v8.example/blog/x 译者：李四", "https://v8.example/blog/x"},
      {"Originally published at http://a.example/b By James", "http://a.example/b"},
      {"This article originally appeared in The Gazette.", "The Gazette"},
      {"Reprinted from Leader to Leader, 2001", "Leader to Leader"},
      {"Source: Press Association", "Press Association"},
      {"来源：21世纪经济报道", "21世纪经济报道"},
  };
  for (const auto& [line, name] : cases) EXPECT_EQ(source_in(line), name) << line;
}

TEST(StatedSource, IsNotSaidByOtherSentences) {
  for (const char* const line :
       {"", "来源", "来源：", "来源：--", "来源：网络", "来源: 本站原创", "收入来源：工资", "23%来源于扬尘的说法",
        "凡本网注明“来源：新华网”的作品，版权均属新华网所有", "原文无关", "An open source project",
        "They found the source: the man's bedding", "resource: none", "published in 2008", "来源：12345"}) {
    EXPECT_EQ(source_in(line), "") << line;
  }
}

// Any bytes: the name is within the line, and valid.
RC_GTEST_PROP(StatedSource, IsWithinAnyLine, (const std::string& before, const std::string& after)) {
  for (const std::string& line :
       {fmt::format("{}来源：{}", before, after), fmt::format("{}originally published at {}", before, after)}) {
    const std::optional<StatedSource> source = find_stated_source(line);
    if (!source) continue;
    RC_ASSERT(source->begin_bytes + source->name.size() <= line.size());
    RC_ASSERT(!source->name.empty());
  }
}

}  // namespace
}  // namespace paraprint
