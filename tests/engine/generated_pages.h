// Chinese and English pages, edited copies, and odd pages, for tests of all page-level algorithms. Everything is
// derived from a seed.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "feature/page_terms.h"
#include "fingerprint/page_fingerprinter.h"
#include "profile/page_profiler.h"

namespace paraprint {

// A page as seen by the algorithms.
struct ReadPage {
  std::string name;
  Page page;
  PageTerms terms;
  Profile profile;

  FingerprinterInput input() const { return {page, terms, profile}; }
};

inline PageFingerprint fingerprint_of(PageFingerprinter& fingerprinter, const ReadPage& page) {
  PageFingerprint fingerprint;
  make_page_fingerprint(fingerprinter, page.input(), fingerprint);
  return fingerprint;
}

// Converts HTML to the input of the algorithms, with all visible text as content.
class PageReaderForTests {
 public:
  PageReaderForTests() : terms_(WordWeights::bundled(), true) {
    ProfileOptions options;
    options.extractor = "whole-page";
    profiler_ = std::move(*PageProfiler::create(options, WordWeights::bundled()));
  }

  ReadPage read(std::string name, std::string html) {
    ReadPage read;
    read.name = std::move(name);
    read.page.body = std::move(html);
    read.page.body_is_utf8 = true;
    read.profile = profiler_->profile(read.page);
    terms_.build(profiler_->content(), read.terms);
    return read;
  }

 private:
  PageTermsBuilder terms_;
  std::unique_ptr<PageProfiler> profiler_;
};

class PageGenerator {
 public:
  explicit PageGenerator(std::uint64_t seed) : random_(seed) {}

  // `count` pages: originals of 3 to 12 paragraphs, each followed by copies: exact, with words replaced, without a
  // paragraph, with paragraphs reordered, and with another title.
  std::vector<ReadPage> pages(std::size_t count) {
    std::vector<ReadPage> pages;
    for (int original = 0; pages.size() < count; ++original) {
      const Text text = make_text(original % 2 == 0);
      for (const Text& version : versions(text)) {
        const std::size_t number = pages.size() % kVersions;
        if (pages.size() < count) pages.push_back(reader_.read(name_of(original, number), html_of(version)));
      }
    }
    return pages;
  }

  // Pathological pages: empty, nearly empty, and extremely repetitive.
  std::vector<ReadPage> odd_pages() {
    std::vector<ReadPage> pages;
    const auto add = [&](const char* name, const std::string& text) {
      pages.push_back(reader_.read(name, "<p>" + text + "</p>"));
    };
    add("empty", "");
    add("one letter", "a");
    add("one Han character", "文");
    add("punctuation only", "... !? ，。");
    add("one word repeated", repeated("apple ", 500));
    add("one Han word repeated", repeated("苹果", 500));
    add("stop words only", repeated("the of and to in that it is with for as on ", 40));
    add("Han stop words only", repeated("的了着在于和与及其以为", 40));
    add("one long word", std::string(20000, 'x'));
    add("numbers", repeated("1234567890 ", 100));
    return pages;
  }

  ReadPage page_of_words(std::size_t words) {
    std::string html = "<title>Long</title>";
    for (std::size_t at = 0; at < words; at += 200) {
      html += "<p>";
      for (std::size_t i = 0; i < 200; ++i) html += english_word() + (i % 15 == 14 ? ". " : " ");
      html += "</p>";
    }
    return reader_.read("long", html);
  }

 private:
  static constexpr std::size_t kVersions = 6;
  using Words = std::vector<std::string>;
  struct Text {
    bool is_chinese = false;
    std::string title;
    std::vector<Words> paragraphs;
  };

  static std::string name_of(int original, std::size_t version) {
    return "page " + std::to_string(original) + " version " + std::to_string(version);
  }
  static std::string repeated(std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

  // A few words are frequent and many are rare, as in real texts.
  std::string english_word() {
    static constexpr std::string_view kFrequent[] = {"the", "of", "and", "to", "in", "a", "is", "that", "for", "was"};
    static constexpr std::string_view kSyllables[] = {"ba",  "ker", "lin", "mo",  "nes", "par", "qui", "ros",
                                                      "sta", "tur", "ve",  "wol", "xan", "yel", "zim", "tion"};
    if (below(3) == 0) return std::string(kFrequent[below(std::size(kFrequent))]);
    return combined(kSyllables, 1 + below(3));
  }
  std::string chinese_word() {
    static constexpr std::string_view kFrequent[] = {"的", "了", "在", "是", "和", "我们", "他们", "非常", "中国"};
    static constexpr std::string_view kCharacters[] = {
        "农", "业", "民", "科", "技", "创", "新", "乡", "村", "振", "兴", "网", "页", "算", "法", "指", "纹", "水",
        "果", "美", "味", "北", "京", "广", "场", "医", "疗", "机", "器", "学", "习", "领", "域", "应", "用", "数",
        "据", "搜", "索", "引", "擎", "重", "复", "检", "测", "文", "章", "段", "落", "句", "城", "市", "校", "老",
        "师", "生", "问", "题", "研", "究", "方", "结", "快", "速", "提", "高", "认", "为", "表", "示", "今", "年"};
    if (below(3) == 0) return std::string(kFrequent[below(std::size(kFrequent))]);
    return combined(kCharacters, 2);
  }
  template <std::size_t kCount>
  std::string combined(const std::string_view (&parts)[kCount], std::size_t count) {
    std::string word;
    for (std::size_t i = 0; i < count; ++i) word += parts[below(kCount)];
    return word;
  }
  std::string word(bool is_chinese) { return is_chinese ? chinese_word() : english_word(); }

  Text make_text(bool is_chinese) {
    Text text;
    text.is_chinese = is_chinese;
    for (int i = 0; i < 5; ++i) text.title += word(is_chinese) + (is_chinese ? "" : " ");
    text.paragraphs.resize(3 + below(10));
    for (Words& paragraph : text.paragraphs) {
      paragraph.resize(20 + below(80));
      for (std::string& each : paragraph) each = word(is_chinese);
    }
    return text;
  }

  std::vector<Text> versions(const Text& text) {
    std::vector<Text> all(kVersions, text);
    for (Words& paragraph : all[2].paragraphs) paragraph[below(paragraph.size())] = word(text.is_chinese);
    all[3].paragraphs.erase(all[3].paragraphs.begin() + static_cast<std::ptrdiff_t>(below(text.paragraphs.size())));
    std::reverse(all[4].paragraphs.begin(), all[4].paragraphs.end());
    all[5].title = word(text.is_chinese);
    return all;
  }

  static std::string html_of(const Text& text) {
    std::string html = "<title>" + text.title + "</title><h1>" + text.title + "</h1>";
    for (const Words& paragraph : text.paragraphs) {
      html += "<p>";
      for (std::size_t i = 0; i < paragraph.size(); ++i) {
        const bool ends = i % 17 == 16;
        html += paragraph[i];
        html += text.is_chinese ? (ends ? "。" : "") : (ends ? ". " : " ");
      }
      html += "</p>\n";
    }
    return html;
  }

  std::mt19937_64 random_;
  PageReaderForTests reader_;
};

}  // namespace paraprint
