// Cost of the set joins and of the LSH forest on artificial pages: articles of Zipf-distributed words in the templates
// of some sites, a third of them edited copies of others.
//
// usage: bench_set_joins [PAGES]   (default 20000)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "base/hash.h"
#include "lab/joins/prefix_forest.h"
#include "lab/joins/set_overlap_join.h"

namespace {

using namespace paraprint;

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kVocabulary = 60000;
constexpr std::uint32_t kSites = 200;
constexpr std::uint32_t kTemplateWords = 40;
constexpr std::size_t kShingleWidth = 5;
constexpr std::size_t kKeywords = 20;
constexpr std::size_t kStopWords = 20;
constexpr std::size_t kForestPlaces = 160;

std::vector<Words> make_pages(std::size_t count) {
  std::mt19937_64 random(20);
  const auto word = [&] {
    const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
    return static_cast<std::uint32_t>(std::pow(kVocabulary, uniform)) - 1;
  };
  std::vector<Words> articles;
  std::vector<Words> pages;
  for (std::size_t page = 0; page < count; ++page) {
    Words article;
    if (page > 0 && random() % 3 == 0) {
      article = articles[random() % articles.size()];
      const std::uint64_t changed_percent = random() % 20;
      for (std::uint32_t& each : article) each = random() % 100 < changed_percent ? word() : each;
    } else {
      for (std::uint64_t words = 150 + random() % 900; words > 0; --words) article.push_back(word());
    }
    const auto site = static_cast<std::uint32_t>(random() % kSites);
    Words text;
    for (std::uint32_t i = 0; i < kTemplateWords; ++i) text.push_back(kVocabulary + site * kTemplateWords + i);
    text.insert(text.end(), article.begin(), article.end());
    articles.push_back(std::move(article));
    pages.push_back(std::move(text));
  }
  return pages;
}

struct Sets {
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::vector<float>> weights;

  void add(const std::map<std::uint64_t, float>& set) {
    values.emplace_back();
    weights.emplace_back();
    for (const auto& [value, weight] : set) {
      values.back().push_back(value);
      weights.back().push_back(weight);
    }
  }
};

std::uint64_t hash_of(const Words& text, std::size_t first, std::size_t count) {
  std::uint64_t hash = 0;
  for (std::size_t i = first; i < first + count; ++i) hash = mix64(hash + text[i] + 1);
  return hash;
}

Sets shingles_of(const std::vector<Words>& pages) {
  Sets sets;
  for (const Words& text : pages) {
    std::map<std::uint64_t, float> set;
    for (std::size_t i = 0; i + kShingleWidth <= text.size(); ++i) ++set[hash_of(text, i, kShingleWidth)];
    sets.add(set);
  }
  return sets;
}

// The most frequent words of a page except the 20 most frequent ones of all pages, which is how keywords are chosen.
Sets keywords_of(const std::vector<Words>& pages) {
  Sets sets;
  for (const Words& text : pages) {
    std::map<std::uint32_t, int> counts;
    for (const std::uint32_t word : text) counts[word] += word >= kStopWords ? 1 : 0;
    std::vector<std::pair<int, std::uint32_t>> order;
    for (const auto& [word, count] : counts) order.emplace_back(-count, word);
    std::sort(order.begin(), order.end());
    std::map<std::uint64_t, float> set;
    for (std::size_t i = 0; i < std::min(kKeywords, order.size()); ++i) {
      set[mix64(order[i].second)] = static_cast<float>(-order[i].first);
    }
    sets.add(set);
  }
  return sets;
}

Sets spots_of(const std::vector<Words>& pages) {
  Sets sets;
  for (const Words& text : pages) {
    std::map<std::uint64_t, float> set;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
      if (text[i] < kStopWords) ++set[hash_of(text, i, 3)];
    }
    sets.add(set);
  }
  return sets;
}

std::vector<std::vector<std::uint64_t>> signatures_of(const Sets& shingles) {
  std::vector<std::vector<std::uint64_t>> signatures;
  for (const auto& set : shingles.values) {
    std::vector<std::uint64_t> signature(kForestPlaces, ~std::uint64_t{0});
    for (std::size_t place = 0; place < kForestPlaces; ++place) {
      const std::uint64_t key = mix64(place + 1);
      for (const std::uint64_t value : set) signature[place] = std::min(signature[place], mix64(value ^ key));
    }
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void measure(const char* name, const Sets& sets, OverlapMeasure measure, double minimum) {
  const std::vector<std::span<const std::uint64_t>> values(sets.values.begin(), sets.values.end());
  const std::vector<std::span<const float>> weights(sets.weights.begin(), sets.weights.end());
  SetOverlapOptions options;
  options.measure = measure;
  options.similarity_minimum = minimum;
  const Stopwatch watch;
  const auto joined = set_overlap_join(
      {values, weights}, options, [](auto, auto) {}, [](auto) {});
  const double seconds = watch.seconds();
  if (!joined) {
    fmt::print("{}: {}\n", name, joined.error().message);
    return;
  }
  fmt::print("{:<18} {:>5} {:>8.2f} {:>12} {:>13} {:>12} {:>10}\n", name, minimum, seconds, joined->postings,
             joined->postings_read, joined->comparisons, joined->pairs);
}

void measure_forest(const std::vector<std::vector<std::uint64_t>>& signatures) {
  const std::vector<std::span<const std::uint64_t>> views(signatures.begin(), signatures.end());
  const Stopwatch watch;
  const auto joined = join_prefix_forest(
      views, {}, [](auto, auto) {}, [](auto) {});
  const double seconds = watch.seconds();
  if (!joined) return;
  fmt::print("{:<18} {:>5} {:>8.2f} {:>12} {:>13} {:>12} {:>10}\n", "forest 10 x 16", "", seconds, "",
             joined->leaves_read, joined->comparisons, joined->pairs);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
  const std::vector<Words> pages = make_pages(count);
  fmt::print("{} pages\n{:<18} {:>5} {:>8} {:>12} {:>13} {:>12} {:>10}\n", pages.size(), "join", "min", "seconds",
             "postings", "read", "comparisons", "pairs");
  const Sets shingles = shingles_of(pages);
  for (const double minimum : {0.8, 0.4}) measure("shingles jaccard", shingles, OverlapMeasure::kJaccard, minimum);
  for (const double minimum : {0.8, 0.4})
    measure("shingles contained", shingles, OverlapMeasure::kContainment, minimum);
  const Sets keywords = keywords_of(pages);
  for (const double minimum : {0.9, 0.45}) measure("keywords cosine", keywords, OverlapMeasure::kCosine, minimum);
  const Sets spots = spots_of(pages);
  for (const double minimum : {0.5, 0.25}) measure("spots jaccard", spots, OverlapMeasure::kWeightedJaccard, minimum);
  measure_forest(signatures_of(shingles));
  return 0;
}
