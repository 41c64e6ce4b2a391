// Expands the grammars of formula_grammars.inc. Two random streams keep wording and facts apart: the stream for the
// wording is seeded by the series alone and replayed from the start for each page, so all pages choose the same
// alternatives; the stream for the facts is seeded by series and page number.
#include "lab/simulate/language/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/assert.h"

namespace paraprint::inline lab::inline simulate::inline language {
namespace {

constexpr std::size_t kSentences = 6;

struct Grammar {
  FormulaTopic topic;
  ArticleLanguage language;
  std::string_view title;
  std::array<std::string_view, kSentences> sentences;
};

// The possible values of a fact in one language.
struct FactList {
  std::string_view name;
  ArticleLanguage language;
  std::string_view words;  // separated by spaces
};

#include "lab/simulate/language/formula_grammars.inc"

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

const Grammar& grammar_of(std::uint64_t series_seed) {
  return kGrammars[Random(series_seed).below(std::size(kGrammars))];
}

// Numeric facts, with minimum and maximum; drawn again wherever they occur.
struct NumberFact {
  std::string_view name;
  std::size_t least;
  std::size_t most;
};
constexpr NumberFact kNumbers[] = {{"level", 1, 9},  {"percent", 10, 98}, {"number", 101, 9899},
                                   {"high", 15, 39}, {"low", 0, 14},      {"digits", 10, 99},
                                   {"size", 5, 32},  {"memory", 4, 64},   {"storage", 64, 2048}};

// The facts of one page. Its subjects (city, company, ...) stay the same throughout the page; other facts are drawn
// again wherever they occur.
class Facts {
 public:
  Facts(const Grammar& grammar, std::uint64_t series_seed, std::uint32_t number)
      : grammar_(grammar),
        number_(number),
        random_(derive_seed(series_seed, {1, number})),
        page_seed_(random_.next()) {}

  std::string value(std::string_view name) {
    if (name == "date") return date();
    if (name == "score") return score();
    if (name == "price") return price();
    // The page's number in the series is part of its code and model, which makes titles unique within a series.
    if (name == "code") return fmt::format("{}{:04}", 60 + page_seed_ % 30, number_ + page_seed_ % 100 * 50);
    if (name == "model") return fmt::format("X{}-{}", 10 + number_, page_seed_ % 90 + 10);
    for (const NumberFact& fact : kNumbers) {
      if (fact.name == name) return fmt::format("{}", random_.between(fact.least, fact.most));
    }
    return word(name);
  }

 private:
  // One draw per statement: the order in which arguments of one call are drawn is left to the compiler. The last number
  // is drawn first, as corpora made so far have it.
  std::string score() {
    const std::size_t conceded = random_.below(6);
    const std::size_t scored = random_.below(6);
    return fmt::format("{}:{}", scored, conceded);
  }

  std::string price() {
    const std::size_t hundredths = random_.below(100);
    const std::size_t units = random_.between(3, 980);
    return fmt::format("{}.{:02}", units, hundredths);
  }

  std::string date() const {
    // Day and month follow from the page's number, so that titles differ; the year is random.
    const unsigned day = number_ % 28 + 1;
    const unsigned month = number_ / 28 % 12 + 1;
    const unsigned year = 2005 + static_cast<unsigned>(page_seed_ % 20);
    if (grammar_.language == ArticleLanguage::kChinese) return fmt::format("{}年{}月{}日", year, month, day);
    constexpr std::string_view kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
    return fmt::format("{} {} {}", day, kMonths[month - 1], year);
  }

  std::string word(std::string_view name) {
    const auto list = std::find_if(std::begin(kFacts), std::end(kFacts), [&](const FactList& known) {
      return known.name == name && known.language == grammar_.language;
    });
    // A name without a list is a mistake in the grammars.
    PARAPRINT_ASSERT(list != std::end(kFacts));
    const std::vector<std::string_view> words = split(list->words, ' ');
    return std::string(is_subject(name) ? words[page_seed_ % words.size()] : random_.pick(words));
  }

  // True for facts that are the page's subject and must not change within it; weather conditions and players may.
  static bool is_subject(std::string_view name) {
    constexpr std::string_view kSubjects[] = {"city", "company", "brand", "colour", "team", "rival"};
    return std::find(std::begin(kSubjects), std::end(kSubjects), name) != std::end(kSubjects);
  }

  const Grammar& grammar_;
  std::uint32_t number_;
  Random random_;
  std::uint64_t page_seed_;
};

// Expands {a|b} with the series' wording and {name} with a fact of the page. Braces do not nest.
std::string expand(std::string_view pattern, Random& wording, Facts& facts) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    if (open == std::string_view::npos) break;
    text += pattern.substr(0, open);
    const std::size_t close = pattern.find('}', open);
    const std::string_view inner = pattern.substr(open + 1, close - open - 1);
    text +=
        inner.find('|') == std::string_view::npos ? facts.value(inner) : std::string(wording.pick(split(inner, '|')));
    pattern.remove_prefix(close + 1);
  }
  return text.append(pattern);
}

}  // namespace

std::string_view formula_topic_name(FormulaTopic topic) {
  switch (topic) {
    case FormulaTopic::kWeather:
      return "weather";
    case FormulaTopic::kShares:
      return "shares";
    case FormulaTopic::kProduct:
      return "product";
    case FormulaTopic::kMatch:
      break;
  }
  return "match";
}

FormulaTopic formula_topic(std::uint64_t series_seed) {
  return grammar_of(series_seed).topic;
}

Article formula_article(std::uint64_t series_seed, std::uint32_t number) {
  const Grammar& grammar = grammar_of(series_seed);
  Random wording(derive_seed(series_seed, {0}));  // same for every page of the series
  Facts facts(grammar, series_seed, number);
  Article article;
  article.language = grammar.language;
  article.title = expand(grammar.title, wording, facts);
  // Sentences in an order of the series' own, two per paragraph. The order of draws from `wording` (title, order,
  // sentences) must be the same for every page.
  std::vector<std::string_view> sentences(grammar.sentences.begin(), grammar.sentences.end());
  wording.shuffle(sentences);
  for (std::size_t i = 0; i < sentences.size(); i += 2) {
    std::string text = expand(sentences[i], wording, facts);
    if (grammar.language == ArticleLanguage::kEnglish) text += ' ';
    text += expand(sentences[i + 1], wording, facts);
    article.paragraphs.push_back({std::move(text), BlockRole::kParagraph, 0});
  }
  return article;
}

}  // namespace paraprint::inline lab::inline simulate::inline language
