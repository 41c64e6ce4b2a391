// The artificial pages of bench_page_index, with the fingerprints of an algorithm.
//
// The fingerprints of simhash-64 and keyword-position are made up like the profiles, without any text: copies have one
// of which a few bits, or one keyword, differ. For every other algorithm, and for these two with ":text" behind the
// specification, each page gets a text, from which the fingerprint is computed. Its words are made up: a quarter are
// stop words, a third belong to one of 4,096 equally frequent topics, and the others have frequencies as in a language.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/split_mix.h"
#include "online/generated_profiles.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"

namespace paraprint {

template <class Value>
Value must(Result<Value> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "bench_page_index: {}\n", result.error().message);
  std::exit(1);
}

constexpr std::uint64_t kPagesPerSite = 50;
constexpr std::uint64_t kCopyShare = 10;
constexpr std::size_t kRecentArticles = 20000;

// Writes articles as pages, always the same way.
class ArticleText {
 public:
  static std::string html_of(const ArticleGenerator::Article& article, std::uint64_t topic) {
    std::string html = "<html><body>";
    for (const ArticleGenerator::Paragraph& paragraph : article.paragraphs) {
      html += "<p>";
      for (const ArticleGenerator::Sentence& sentence : paragraph.sentences) append_sentence(sentence, topic, html);
      html += "</p>";
    }
    return html + "</body></html>";
  }

 private:
  static constexpr std::uint64_t kCharactersPerWord = 6;

  static void append_sentence(const ArticleGenerator::Sentence& sentence, std::uint64_t topic, std::string& html) {
    std::uint64_t state = sentence.name;
    const auto next = [&] { return split_mix_output(state += kSplitMixStep); };
    for (std::uint64_t words = 3 + sentence.characters / kCharactersPerWord; words > 0; --words) {
      append_word(next(), topic, html);
      html += words > 1 ? " " : ". ";
    }
  }
  static void append_word(std::uint64_t random, std::uint64_t topic, std::string& html) {
    constexpr std::array<std::string_view, 8> kStopWords = {"the", "of", "and", "to", "in", "is", "that", "for"};
    constexpr std::uint64_t kTwelfths = 12;
    const std::uint64_t kind = random % kTwelfths;
    const double share = static_cast<double>(random >> 11) / 0x1p53;
    if (kind < 3) {
      html += kStopWords[random / kTwelfths % kStopWords.size()];
    } else if (kind < 7) {
      append_name(mix64((topic << 8) + ranked(share, 5, 200)) % kVocabulary, html);
    } else {
      append_name(ranked(share, 50, kVocabulary), html);
    }
  }
  // A rank below `limit`, each with a frequency inverse to it plus `flat` (Zipf and Mandelbrot).
  static std::uint64_t ranked(double share, double flat, std::uint64_t limit) {
    const double rank = flat * std::pow((static_cast<double>(limit) + flat) / flat, share) - flat;
    return std::min(limit - 1, static_cast<std::uint64_t>(rank));
  }
  // Five letters, of which the middle one is a vowel.
  static void append_name(std::uint64_t rank, std::string& html) {
    std::uint64_t left = rank * 7919 + 1000;
    for (int i = 0; i < 5; ++i) {
      html += i == 2 ? "aeiou"[left % 5] : static_cast<char>('a' + left % 26);
      left /= i == 2 ? 5 : 26;
    }
  }

  static constexpr std::uint64_t kVocabulary = 100'000;
};

class PageLoad {
 public:
  static constexpr std::string_view kTextSuffix = ":text";

  // Seeded by the number of pages already in the index, so that a repeated run adds other pages.
  PageLoad(std::size_t paragraphs, std::uint64_t known, std::string_view algorithm)
      : generator_(1 + known), paragraphs_(paragraphs), number_(known) {
    const bool wants_text = algorithm.ends_with(kTextSuffix);
    if (wants_text) algorithm.remove_suffix(kTextSuffix.size());
    has_keywords_ = algorithm.starts_with("keyword-position");
    const bool is_made_up = has_keywords_ || algorithm.starts_with("simhash-64") || algorithm == "paragraph";
    if (is_made_up && !wants_text) return;
    ProfileOptions options;
    options.algorithm = algorithm;
    options.extractor = "whole-page";
    profiler_.emplace(must(Profiler::create(options)));
  }

  struct Page {
    std::string url;
    Profile profile;
    PageFingerprint fingerprint;
    bool is_copy = false;
  };
  // Copies of a page that is not added would have nothing to match, so none follow.
  Page next(bool is_added) {
    Article article;
    Page page;
    page.is_copy = !articles_.empty() && generator_.below(kCopyShare) == 0;
    if (page.is_copy) {
      article = articles_[generator_.below(articles_.size())];
      if (generator_.below(4) != 0) article.text = generator_.edited(article.text, 1 + generator_.below(3));
    } else {
      article.text = generator_.article(paragraphs_ / 2 + generator_.below(paragraphs_ + 1));
      article.topic = mix64(article.text.paragraphs.front().simhash.high) % kTopics;
      if (is_added && articles_.size() < kRecentArticles) {
        articles_.push_back(article);
      } else if (is_added) {
        articles_[generator_.below(kRecentArticles)] = article;
      }
    }
    fill(article, page);
    page.url = fmt::format("https://www.site{}.example/news/2026/article-{}.html", number_ / kPagesPerSite, number_);
    ++number_;
    return page;
  }

 private:
  static constexpr std::uint64_t kTopics = 4096;

  struct Article {
    ArticleGenerator::Article text;
    std::uint64_t topic = 0;
  };

  void fill(const Article& article, Page& page) {
    if (profiler_) {
      paraprint::Page html;
      html.body = ArticleText::html_of(article.text, article.topic);
      html.body_is_utf8 = true;
      page.profile = profiler_->profile(html);
      page.fingerprint = profiler_->fingerprint();
      return;
    }
    page.profile = ArticleGenerator::profile_of(article.text);
    page.fingerprint = has_keywords_ ? keywords_of(article.text, page.profile) : simhash_of(article.text, page.profile);
  }
  static PageFingerprint fingerprint_of(const Profile& profile) {
    PageFingerprint fingerprint;
    fingerprint.state = FingerprintState::kUsable;
    fingerprint.text_hash = profile.text_hash;
    return fingerprint;
  }
  static PageFingerprint simhash_of(const ArticleGenerator::Article& article, const Profile& profile) {
    PageFingerprint fingerprint = fingerprint_of(profile);
    fingerprint.values = {article.paragraphs.front().simhash.high};
    return fingerprint;
  }
  // Twenty keywords, each with the positions in eight parts of the page. Ranks are spread as words of a language: as
  // many of each power of two. The number of a keyword begins with its rarity, as in
  // lab/signatures/keyword_position.cc.
  static PageFingerprint keywords_of(const ArticleGenerator::Article& article, const Profile& profile) {
    constexpr int kKeywords = 20;
    constexpr int kRankBits = 18;
    constexpr int kSixteenths = 16;
    PageFingerprint fingerprint = fingerprint_of(profile);
    std::mt19937_64 random(article.paragraphs.front().simhash.low);
    std::vector<std::uint64_t> keywords;
    for (int i = 0; i < kKeywords; ++i) {
      // The last paragraph, which an edit may have changed, decides one of them.
      if (i == 0) random.seed(article.paragraphs.back().simhash.high);
      if (i == 1) random.seed(article.paragraphs.front().sentences.front().name);
      const std::uint64_t bits = 6 + random() % (kRankBits - 5);
      const std::uint64_t rank = random() % (std::uint64_t{1} << bits);
      const auto rarity = std::min<std::uint64_t>(255, kSixteenths * std::bit_width(rank + 1) * 7 / 10);
      keywords.push_back((255 - rarity) << 56 | mix64(rank) >> 8);
    }
    std::sort(keywords.begin(), keywords.end());
    keywords.erase(std::unique(keywords.begin(), keywords.end()), keywords.end());
    fingerprint.values = keywords;
    for (std::size_t i = 0; i < keywords.size(); ++i) {
      fingerprint.weights.push_back(static_cast<float>(1 + mix64(keywords[i]) % 8));
      fingerprint.values.push_back((mix64(keywords[i] + 1) & 0x0303030303030303) | 1);
    }
    fingerprint.weights.resize(fingerprint.values.size(), 0);
    return fingerprint;
  }

  ArticleGenerator generator_;
  std::size_t paragraphs_;
  std::vector<Article> articles_;
  std::uint64_t number_;
  bool has_keywords_ = false;
  std::optional<Profiler> profiler_;  // if pages have texts
};

}  // namespace paraprint
