// Rewrites sentences by rule, as article spinners and careful plagiarists do. Each rule takes a sentence without its
// trailing white space and returns a new one, or nothing if it does not apply. The rules keep the words and change
// their order and the function words that join them; style is not a goal.
#include <algorithm>
#include <array>
#include <optional>

#include "lab/simulate/text_pieces.h"

namespace paraprint::inline lab::inline simulate {
namespace {

using Rewritten = std::optional<std::string>;

// A sentence split into its body and its end mark.
struct Sentence {
  std::string_view body;
  std::string_view end;
};

Sentence cut_end(std::string_view text) {
  constexpr std::array<std::string_view, 7> kEnds = {"。", "！", "？", ".", "!", "?", "；"};
  for (const std::string_view end : kEnds) {
    if (text.ends_with(end)) return {text.substr(0, text.size() - end.size()), end};
  }
  return {text, {}};
}

// Words capitalised only because they start the sentence; any other capitalised
// word may be a name and keeps its capital.
constexpr std::string_view kCommonStarts[] = {
    "The",   "A",    "An",   "This", "That", "These", "Those",   "It",      "He",       "She",    "We",   "They", "You",
    "There", "Here", "My",   "Our",  "Your", "His",   "Her",     "Their",   "Its",      "In",     "On",   "At",   "For",
    "With",  "By",   "From", "As",   "When", "While", "If",      "Since",   "After",    "Before", "And",  "But",  "So",
    "Or",    "Not",  "No",   "All",  "Some", "Many",  "Most",    "One",     "Each",     "To",     "What", "How",  "Why",
    "Where", "Who",  "Now",  "Then", "Just", "Also",  "However", "Because", "Although", "Once",   "Using"};

std::string with_small_start(std::string_view text) {
  std::string result(text);
  const std::string_view first = text.substr(0, text.find(' '));
  if (std::find(std::begin(kCommonStarts), std::end(kCommonStarts), first) != std::end(kCommonStarts)) {
    result[0] = static_cast<char>(result[0] | 0x20);
  }
  return result;
}
// ASCII only: English is the only language with case that has rules.
std::string with_capital_start(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] & ~0x20);
  return result;
}

// Splits "<opening>A<middle>B" into {A, B}, at the first <middle>. Both clauses must be non-empty.
struct Clauses {
  std::string_view first;
  std::string_view second;
};
std::optional<Clauses> between(std::string_view body, std::string_view opening, std::string_view middle) {
  if (!body.starts_with(opening)) return std::nullopt;
  const std::size_t found = body.find(middle, opening.size());
  if (found == std::string_view::npos) return std::nullopt;
  const Clauses clauses{body.substr(opening.size(), found - opening.size()), body.substr(found + middle.size())};
  if (clauses.first.empty() || clauses.second.empty()) return std::nullopt;
  return clauses;
}

// A pair of connectors: "<opening>A<middle>B" becomes before + first + joint + second + after, where (first, second) is
// (B, A) if `swaps`, else (A, B). The first rule that matches applies, so more specific pairs come first.
struct ConnectorRule {
  std::string_view opening;
  std::string_view middle;
  bool swaps;
  std::string_view before;
  std::string_view joint;
  std::string_view after;
};
constexpr ConnectorRule kChineseConnectors[] = {
    {"因为", "，所以", true, "之所以", "，是因为", ""}, {"由于", "，因此", true, "之所以", "，是由于", ""},
    {"虽然", "，但是", true, "", "，虽然", ""},         {"虽然", "，但", true, "", "，虽然", ""},
    {"尽管", "，但", true, "", "，尽管", ""},           {"如果", "，那么", true, "", "，如果", "的话"},
    {"如果", "，就", true, "就", "，如果", "的话"},     {"如果", "，", true, "", "，如果", "的话"},
    {"当", "时，", true, "", "，当", "的时候"},         {"为了", "，", true, "", "，目的是", ""},
    {"不仅", "，而且", true, "除了", "，还", ""},       {"在", "中，", true, "", "，这是在", "中"},
    {"由于", "，", true, "", "，这是由于", ""},         {"通过", "，", true, "", "，方法是通过", ""},
};
constexpr ConnectorRule kEnglishConnectors[] = {
    {"Because ", ", ", true, "", " because ", ""},
    {"Since ", ", ", true, "", " since ", ""},
    {"If ", ", ", true, "", " if ", ""},
    {"When ", ", ", true, "", " when ", ""},
    {"While ", ", ", true, "", " while ", ""},
    {"Although ", ", ", true, "", ", although ", ""},
    {"Though ", ", ", true, "", ", though ", ""},
    {"After ", ", ", true, "", " after ", ""},
    {"Before ", ", ", true, "", " before ", ""},
    {"Once ", ", ", true, "", " once ", ""},
    {"Unless ", ", ", true, "", " unless ", ""},
    {"Until ", ", ", true, "", " until ", ""},
    {"As soon as ", ", ", true, "", " as soon as ", ""},
    {"In order to ", ", ", true, "", ", in order to ", ""},
    {"In ", ", ", true, "", " in ", ""},
    {"For ", ", ", true, "", " for ", ""},
    {"With ", ", ", true, "", " with ", ""},
    {"By ", ", ", true, "", " by ", ""},
};

template <std::size_t kSize>
Rewritten swap_connected(const ConnectorRule (&rules)[kSize], std::string_view text) {
  const Sentence sentence = cut_end(text);
  for (const ConnectorRule& rule : rules) {
    const std::optional<Clauses> clauses = between(sentence.body, rule.opening, rule.middle);
    if (!clauses) continue;
    const std::string_view first = rule.swaps ? clauses->second : clauses->first;
    const std::string_view second = rule.swaps ? clauses->first : clauses->second;
    std::string result(rule.before);
    result.append(first).append(rule.joint).append(second).append(rule.after).append(sentence.end);
    return with_capital_start(result);
  }
  return std::nullopt;
}

// Moves the last clause to the front: "A，B。" -> "B，A。". Sentences with a colon are left
// alone: what follows it must stay behind it.
Rewritten swap_chinese_clauses(std::string_view text) {
  const Sentence sentence = cut_end(text);
  constexpr std::string_view kComma = "，";
  const std::size_t comma = sentence.body.rfind(kComma);
  if (comma == std::string_view::npos || sentence.body.find("：") != std::string_view::npos) return std::nullopt;
  const std::string_view last = sentence.body.substr(comma + kComma.size());
  if (comma == 0 || last.empty()) return std::nullopt;
  return std::string(last).append(kComma).append(sentence.body.substr(0, comma)).append(sentence.end);
}

Rewritten swap_english_clauses(std::string_view text) {
  const Sentence sentence = cut_end(text);
  for (const std::string_view joint : {", and ", ", but ", ", so ", "; "}) {
    const std::optional<Clauses> clauses = between(sentence.body, "", joint);
    if (!clauses) continue;
    std::string result = with_capital_start(clauses->second);
    // "A, so B" states a cause and its effect; swapped, it needs "for".
    result.append(joint == ", so " ? ", for " : joint).append(with_small_start(clauses->first)).append(sentence.end);
    return result;
  }
  return std::nullopt;
}

// Function words and voice markers that are exchanged, at most one pair per sentence. The first pair found applies.
struct MarkerRule {
  std::string_view from;
  std::string_view to;
};
constexpr MarkerRule kChineseMarkers[] = {
    {"把", "将"},       {"被", "遭"},     {"并不是", "并非"}, {"不是", "并非"}, {"没有", "并无"},
    {"就是", "即是"},   {"还是", "仍是"}, {"这个", "该"},     {"这些", "上述"}, {"以及", "和"},
    {"的时候", "时"},   {"能够", "可以"}, {"我们", "大家"},   {"也就是", "即"}, {"之后", "以后"},
    {"进行了", "做了"}, {"对其", "对它"}, {"为什么", "为何"}, {"怎么", "如何"}, {"什么", "何种"},
};
constexpr MarkerRule kEnglishMarkers[] = {
    {" do not ", " don't "},
    {" does not ", " doesn't "},
    {" did not ", " didn't "},
    {" is not ", " isn't "},
    {" are not ", " aren't "},
    {" cannot ", " can not "},
    {" can't ", " cannot "},
    {" don't ", " do not "},
    {" it's ", " it is "},
    {" it is ", " it's "},
    {" that is ", " that's "},
    {" you can ", " one can "},
    {" in order to ", " to "},
    {" due to ", " because of "},
    {" such as ", " like "},
    {" as well as ", " and also "},
    {" is able to ", " can "},
    {" has to ", " must "},
    {" have to ", " must "},
    {" a lot of ", " much "},
    {" there is ", " there exists "},
    {" will be ", " is going to be "},
    {" I have ", " I've "},
    {" we are ", " we're "},
};

template <std::size_t kSize>
Rewritten exchange_markers(const MarkerRule (&rules)[kSize], std::string_view text) {
  for (const MarkerRule& rule : rules) {
    const std::size_t found = text.find(rule.from);
    if (found == std::string_view::npos) continue;
    std::string result(text);
    result.replace(found, rule.from.size(), rule.to);
    return result;
  }
  return std::nullopt;
}

using Rule = Rewritten (*)(std::string_view);
// Each group of rules has the same chance of being tried first, see rewritten_sentence().
constexpr Rule kChineseRules[] = {
    [](std::string_view text) { return swap_connected(kChineseConnectors, text); },
    swap_chinese_clauses,
    [](std::string_view text) { return exchange_markers(kChineseMarkers, text); },
};
constexpr Rule kEnglishRules[] = {
    [](std::string_view text) { return swap_connected(kEnglishConnectors, text); },
    swap_english_clauses,
    [](std::string_view text) { return exchange_markers(kEnglishMarkers, text); },
};

// Share of the sentences without an applicable rule that get an introductory phrase instead.
constexpr double kOpenedShare = 0.2;
constexpr std::string_view kChineseOpeners[] = {"此外，", "其实，", "值得一提的是，", "另外，", "可以说，", "事实上，"};
constexpr std::string_view kEnglishOpeners[] = {"In fact, ",       "Besides, ", "Of course, ",
                                                "As it happens, ", "Indeed, ",  "Note that "};

std::string opened(Random& random, ArticleLanguage language, std::string_view text) {
  if (language == ArticleLanguage::kChinese) return std::string(random.pick(kChineseOpeners)).append(text);
  return std::string(random.pick(kEnglishOpeners)).append(with_small_start(text));
}

Rewritten rewritten_sentence(Random& random, ArticleLanguage language, std::string_view sentence) {
  const std::span<const Rule> rules = language == ArticleLanguage::kChinese ? std::span<const Rule>(kChineseRules)
                                                                            : std::span<const Rule>(kEnglishRules);
  // Start at a random rule, so that no rule always takes precedence.
  const std::size_t start = random.below(rules.size());
  for (std::size_t step = 0; step < rules.size(); ++step) {
    if (Rewritten rewritten = rules[(start + step) % rules.size()](sentence)) return rewritten;
  }
  if (random.chance(kOpenedShare)) return opened(random, language, sentence);
  return std::nullopt;
}

}  // namespace

void edit_rewriting(EditContext& context) {
  Article& article = context.draft.article;
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    ArticleParagraph& paragraph = article.paragraphs[i];
    // The rules expect full sentences; headings, list items, table rows and code are left alone.
    if (paragraph.role != BlockRole::kParagraph && paragraph.role != BlockRole::kQuote) continue;
    std::string text;
    for (const std::string_view piece : sentence_pieces(paragraph.text)) {
      // The white space between sentences is kept as it is, so an unchanged sentence keeps its bytes.
      const std::size_t body_size = piece.find_last_not_of(" \t") + 1;
      const std::string_view sentence = piece.substr(0, body_size);
      Rewritten rewritten;
      if (!sentence.empty() && context.random.chance(context.strength)) {
        rewritten = rewritten_sentence(context.random, article.language, sentence);
      }
      if (rewritten) {
        text += *rewritten;
        context.changed(i);
      } else {
        text += sentence;
      }
      text += piece.substr(body_size);
    }
    paragraph.text = std::move(text);
  }
}

}  // namespace paraprint::inline lab::inline simulate
