// Reads lists line by line. Words are normalised and must be single words under our segmentation: any other entry could
// never match. Classes of several lists are merged by their common words, but never two classes into one, because a
// word with two meanings would chain unrelated classes together.
#include "text/synonym_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/assert.h"
#include "base/propagate.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint::inline text {
namespace {

// Symbols defined in synonym_data.S, which src/text/CMakeLists.txt generates.
extern "C" {
extern const char paraprint_synonyms_begin[];
extern const char paraprint_synonyms_end[];
}

class ListReader {
 public:
  ListReader(SynonymLists& lists, const std::string& name) : lists_(lists), name_(name) {
    for (std::size_t i = 0; i < lists.classes.size(); ++i) {
      for (const std::string& word : lists.classes[i]) class_of_[word] = i;
    }
  }

  Status read(std::string_view text) {
    for (line_ = 1; !text.empty(); ++line_) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      PARAPRINT_TRY(read_line(line.substr(0, line.find('#'))));
    }
    return check_apart();
  }

 private:
  Status wrong(const std::string& what) const {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}:{}: {}", name_, line_, what));
  }

  Status read_line(std::string_view line) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    std::vector<std::string> words;
    bool is_apart = false;
    for (std::size_t begin = 0; begin < line.size();) {
      if (is_space(line[begin])) {
        ++begin;
        continue;
      }
      const auto end = static_cast<std::size_t>(
          std::find_if(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), is_space) - line.begin());
      const std::string_view word = line.substr(begin, end - begin);
      begin = end;
      if (word == "!" && words.empty() && !is_apart) {
        is_apart = true;
        continue;
      }
      words.push_back(normaliser_.normalised(word));
      if (!is_one_word(words.back())) {
        return wrong(fmt::format("'{}' is not a single word: segmentation never produces it", word));
      }
      if (words.size() > kSynonymClassWordsMaximum) {
        return wrong(fmt::format("more than {} words in a line", kSynonymClassWordsMaximum));
      }
    }
    if (words.empty() && !is_apart) return {};
    if (words.size() < 2) return wrong("a line needs at least two words");
    if (is_apart) {
      lists_.apart.push_back(std::move(words));
      apart_lines_.push_back(line_);
      return {};
    }
    return add_class(words);
  }

  // The token must cover the whole word: punctuation, for example, is dropped by segmentation.
  bool is_one_word(const std::string& word) {
    WordSegmenter::shared().segment(word, tokens_);
    return tokens_.size() == 1 && tokens_[0].end_bytes - tokens_[0].begin_bytes == word.size();
  }

  // Finds the one class that the words belong to before it adds any of them.
  Status add_class(const std::vector<std::string>& words) {
    std::size_t into = lists_.classes.size();
    for (const std::string& word : words) {
      if (!line_of_word_.try_emplace(word, line_).second)
        return wrong(fmt::format("'{}' appears twice in the file", word));
      const auto known = class_of_.find(word);
      if (known == class_of_.end()) continue;
      if (into != lists_.classes.size() && into != known->second) {
        return wrong(fmt::format("'{}' would merge two classes of earlier lists", word));
      }
      into = known->second;
    }
    if (into == lists_.classes.size()) lists_.classes.emplace_back();
    for (const std::string& word : words) {
      if (class_of_.try_emplace(word, into).second) lists_.classes[into].push_back(word);
    }
    if (lists_.classes[into].size() > kSynonymClassWordsMaximum) {
      return wrong(fmt::format("extends a class of an earlier list, which would then have more than {} words",
                               kSynonymClassWordsMaximum));
    }
    return {};
  }

  // Checks that no class contains two words that a "!" line keeps apart, over all lists read so far. Names the line of
  // this file that caused the conflict, whichever of the two it is.
  Status check_apart() {
    const std::size_t before = lists_.apart.size() - apart_lines_.size();
    for (std::size_t i = 0; i < lists_.apart.size(); ++i) {
      std::unordered_map<std::size_t, std::string_view> word_of_class;
      for (const std::string& word : lists_.apart[i]) {
        const auto found = class_of_.find(word);
        if (found == class_of_.end()) continue;
        const auto [other, is_new] = word_of_class.try_emplace(found->second, word);
        if (is_new) continue;
        line_ = i >= before ? apart_lines_[i - before] : std::max(line_of(word), line_of(std::string(other->second)));
        return wrong(
            fmt::format("'{}' and '{}' are in one class, but a line with '!' keeps them apart", other->second, word));
      }
    }
    return {};
  }

  // The line of a word that is in a class of this file, else 0.
  std::size_t line_of(const std::string& word) const {
    const auto found = line_of_word_.find(word);
    return found == line_of_word_.end() ? 0 : found->second;
  }

  SynonymLists& lists_;
  const std::string& name_;
  std::size_t line_ = 0;
  Normaliser normaliser_;
  std::vector<Token> tokens_;
  std::unordered_map<std::string, std::size_t> class_of_;
  std::unordered_map<std::string, std::size_t> line_of_word_;  // words in classes of this file
  std::vector<std::size_t> apart_lines_;                       // lines of this file's entries, the last of lists_.apart
};

}  // namespace

Status SynonymLists::add(std::string_view text, const std::string& name) {
  if (text.size() > kSynonymListBytesMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}: {} bytes; the limit for lists is {}", name, text.size(), kSynonymListBytesMaximum));
  }
  return ListReader(*this, name).read(text);
}

std::string_view bundled_synonym_text() {
  return {paraprint_synonyms_begin, static_cast<std::size_t>(paraprint_synonyms_end - paraprint_synonyms_begin)};
}

const SynonymLists& bundled_synonyms() {
  // The bundled lists are part of the program, so an error in them is a programming error.
  static const SynonymLists lists = [] {
    SynonymLists made;
    const Status added = made.add(bundled_synonym_text(), "bundled");
    PARAPRINT_ASSERT(added.has_value());
    return made;
  }();
  return lists;
}

}  // namespace paraprint::inline text
