// Reads the data files of an installed jieba exactly as jieba does, because tokens must be identical to jieba's. The
// probabilities are Python source files with one literal dictionary each; a small parser reads them without Python.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "text/compiler/compiler.h"

namespace paraprint::compiler {
namespace {

constexpr std::string_view kStates = "BEMS";
constexpr double kMinimumLogProbability = -3.14e100;  // finalseg's MIN_FLOAT, for events never seen

// If a word occurs on several lines, jieba uses the last one but adds all of them to the total frequency.
void read_words(const std::string& path, Jieba& jieba) {
  std::unordered_map<std::string, std::size_t> position;
  for_each_line(path, [&](std::string_view line) {
    if (line.empty()) return;
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (second == std::string_view::npos) fail("unexpected line in " + path + ": " + std::string(line));
    DictionaryWord word{std::string(line.substr(0, first)), 0, std::string(line.substr(second + 1))};
    const std::string frequency(line.substr(first + 1, second - first - 1));
    word.frequency = std::strtoull(frequency.c_str(), nullptr, 10);
    jieba.total_frequency += static_cast<double>(word.frequency);
    const auto [entry, is_new] = position.emplace(word.text, jieba.words.size());
    if (is_new) {
      jieba.words.push_back(std::move(word));
    } else {
      jieba.words[entry->second] = std::move(word);
    }
  });
  std::sort(jieba.words.begin(), jieba.words.end(), [](const DictionaryWord& a, const DictionaryWord& b) {
    return a.frequency != b.frequency ? a.frequency > b.frequency : a.text < b.text;
  });
}

// Each line is a word, a space and its IDF.
void read_idf(const std::string& path, Jieba& jieba) {
  for_each_line(path, [&](std::string_view line) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos) return;
    jieba.idf[std::string(line.substr(0, space))] = std::strtod(std::string(line.substr(space + 1)).c_str(), nullptr);
  });
}

// Parses the dictionaries in finalseg/prob_*.py and posseg/prob_*.py: P={'B': {'\u4e00': -3.65, ...}, ...}, with one or
// two levels. A key may be a pair such as ('B', 'nr'), which is read as the concatenation of its strings.
class ProbabilityReader {
 public:
  explicit ProbabilityReader(const std::string& path) : path_(path), content_(read_file(path)) {
    position_ = content_.find("P={");
    if (position_ == std::string::npos) fail("no table in " + path);
    position_ += 2;
  }

  // Calls use(outer key, inner key, number); the inner key is empty in tables of one level.
  template <typename Use>
  void read(Use use) {
    expect('{');
    while (peek() != '}') {
      const std::u32string outer = key();
      expect(':');
      if (peek() != '{') {
        use(outer, std::u32string(), number());
      } else {
        expect('{');
        while (peek() != '}') {
          const std::u32string inner = key();
          expect(':');
          use(outer, inner, number());
          if (peek() == ',') expect(',');
        }
        expect('}');
      }
      if (peek() == ',') expect(',');
    }
  }

 private:
  // The next character that is not white space, or NUL at the end.
  char peek() {
    while (position_ < content_.size() && std::isspace(static_cast<unsigned char>(content_[position_])) != 0)
      ++position_;
    return position_ < content_.size() ? content_[position_] : '\0';
  }

  void expect(char wanted) {
    if (peek() != wanted) fail(path_ + ": expected '" + wanted + "' at byte " + std::to_string(position_));
    ++position_;
  }

  std::u32string key() {
    if (peek() != '(') return text_key();
    expect('(');
    std::u32string pair = text_key();
    expect(',');
    pair += text_key();
    expect(')');
    return pair;
  }

  // Keys contain only ASCII and \uXXXX escapes: jieba's characters are all in the basic multilingual plane.
  std::u32string text_key() {
    expect('\'');
    const std::size_t end = content_.find('\'', position_);
    if (end == std::string::npos) fail(path_ + ": open string");
    std::string_view text = std::string_view(content_).substr(position_, end - position_);
    position_ = end + 1;
    std::u32string out;
    while (!text.empty()) {
      constexpr std::size_t kEscapeSize = 6;  // \uXXXX
      if (text.starts_with("\\u") && text.size() >= kEscapeSize) {
        std::uint32_t value = 0;
        std::from_chars(text.data() + 2, text.data() + kEscapeSize, value, 16);
        out.push_back(value);
        text.remove_prefix(kEscapeSize);
      } else {
        out.push_back(static_cast<unsigned char>(text[0]));
        text.remove_prefix(1);
      }
    }
    return out;
  }

  // strtod() rounds correctly, as Python does, so values are identical.
  double number() {
    peek();
    char* end = nullptr;
    const double value = std::strtod(content_.c_str() + position_, &end);
    if (end == content_.c_str() + position_) fail(path_ + ": expected a number");
    position_ = static_cast<std::size_t>(end - content_.c_str());
    return value;
  }

  std::string path_;
  std::string content_;
  std::size_t position_ = 0;
};

// The index of a state in text_data's order, which is also kStates' order.
std::size_t state_index(const std::u32string& name) {
  const std::size_t index = name.size() == 1 ? kStates.find(static_cast<char>(name[0])) : std::string_view::npos;
  if (index == std::string_view::npos) fail("unknown state in jieba's finalseg");
  return index;
}

// States and transitions missing from the files are impossible.
void read_hidden_markov_model(const std::string& directory, Jieba& jieba) {
  std::fill(std::begin(jieba.start), std::end(jieba.start), kMinimumLogProbability);
  for (auto& row : jieba.transition) std::fill(std::begin(row), std::end(row), kMinimumLogProbability);
  ProbabilityReader(directory + "/prob_start.py").read([&](const auto& state, const auto&, double value) {
    jieba.start[state_index(state)] = value;
  });
  ProbabilityReader(directory + "/prob_trans.py").read([&](const auto& from, const auto& to, double value) {
    jieba.transition[state_index(from)][state_index(to)] = value;
  });
  ProbabilityReader(directory + "/prob_emit.py").read([&](const auto& state, const auto& character, double value) {
    if (character.size() != 1) fail("unexpected key in jieba's prob_emit.py");
    Emission never;
    std::fill(std::begin(never.values), std::end(never.values), kMinimumLogProbability);
    jieba.emissions.emplace(character[0], never).first->second.values[state_index(state)] = value;
  });
}

// Splits "Bnr" into a place in a word, numbered as by state_index(), and a tag.
std::pair<std::size_t, std::string> tagger_state(const std::u32string& name) {
  if (name.size() < 2) fail("unknown state in jieba's posseg");
  std::string tag;
  for (const char32_t c : name.substr(1)) tag += static_cast<char>(c);
  return {state_index(name.substr(0, 1)), std::move(tag)};
}

// Only what tagging a single word needs: starts, transitions within a word, and emissions.
void read_tagger(const std::string& directory, Jieba& jieba) {
  constexpr std::size_t kBegin = 0;
  constexpr std::size_t kEnd = 1;
  constexpr std::size_t kMiddle = 2;
  constexpr std::size_t kSingle = 3;
  const auto tag_named = [&](const std::string& name) -> text_data::TaggerTag& {
    constexpr double kNever = kMinimumLogProbability;
    return jieba.tagger.try_emplace(name, text_data::TaggerTag{{}, kNever, kNever, kNever, kNever, kNever, kNever})
        .first->second;
  };
  ProbabilityReader(directory + "/prob_start.py").read([&](const auto& state, const auto&, double value) {
    const auto [place, name] = tagger_state(state);
    if (place == kBegin) tag_named(name).start_begin = value;
    if (place == kSingle) tag_named(name).start_single = value;
  });
  ProbabilityReader(directory + "/prob_trans.py").read([&](const auto& from, const auto& to, double value) {
    if (to.empty()) return;  // not a transition
    const auto [place, name] = tagger_state(from);
    const auto [next, next_name] = tagger_state(to);
    if (name != next_name) return;  // a transition between words
    text_data::TaggerTag& tag = tag_named(name);
    if (place == kBegin && next == kEnd) tag.begin_end = value;
    if (place == kBegin && next == kMiddle) tag.begin_middle = value;
    if (place == kMiddle && next == kEnd) tag.middle_end = value;
    if (place == kMiddle && next == kMiddle) tag.middle_middle = value;
  });
  ProbabilityReader(directory + "/prob_emit.py").read([&](const auto& state, const auto& character, double value) {
    if (character.size() != 1) fail("unexpected key in jieba's posseg/prob_emit.py");
    auto [place, name] = tagger_state(state);
    tag_named(name);
    jieba.tagger_emissions.push_back(
        {character[0], static_cast<std::uint8_t>(place), std::move(name), static_cast<float>(value)});
  });
}

}  // namespace

Jieba read_jieba(const std::string& directory) {
  Jieba jieba;
  read_words(directory + "/dict.txt", jieba);
  read_idf(directory + "/analyse/idf.txt", jieba);
  read_hidden_markov_model(directory + "/finalseg", jieba);
  read_tagger(directory + "/posseg", jieba);
  return jieba;
}

}  // namespace paraprint::compiler
