// The build-time program that compiles Unicode, OpenCC, jieba and our own lists into the tables of text/text_data.h.
//
//   jieba dict.txt, */prob_*.py, analyse/idf.txt ---------+
//   ICU properties, OpenCC characters --------------------+--> one .bin file per table --> embedded by text_data.S
//   src/text/stop_words/*.txt, data/document_frequency.tsv+
//
// An error prints one line and exits, because the program runs only during builds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/text_data.h"

namespace paraprint::compiler {

[[noreturn]] void fail(const std::string& message);

std::string read_file(const std::string& path);

// Calls `use(line)` for each line of a file, without its newline.
template <typename Use>
void for_each_line(const std::string& path, Use use) {
  const std::string content = read_file(path);
  std::string_view rest = content;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    use(line);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

std::vector<char32_t> decode(std::string_view utf8);

// Writes tables to a folder and computes a hash over all of them, which depends on their order.
class TableWriter {
 public:
  explicit TableWriter(std::string directory) : directory_(std::move(directory)) {}

  // Writes <name>.bin from trivially copyable elements.
  template <typename T>
  void write(const std::string& name, const std::vector<T>& elements) {
    write_bytes(name, {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)});
  }
  void write_bytes(const std::string& name, std::string_view bytes);

  std::uint64_t version() const { return version_; }

 private:
  std::string directory_;
  std::uint64_t version_ = 0;
};

// Writes the tables of character classes, content and case flags, and normalisation actions.
void write_unicode_tables(TableWriter& writer);

// --- jieba -----------------------------------------------------------------------------------------------------------

struct DictionaryWord {
  std::string text;
  std::uint64_t frequency = 0;
  std::string tag;
};

// Emission log probabilities of one character for the hidden states B, E, M, S.
struct Emission {
  double values[text_data::kHiddenStates];
};

struct TaggerEmissionRow {
  char32_t character;
  std::uint8_t place;  // text_data::TaggerPlace
  std::string tag;
  float log_probability;
};

struct Jieba {
  std::vector<DictionaryWord> words;  // distinct, by descending frequency, then bytes; the index is the word id
  double total_frequency = 0;
  std::unordered_map<std::string, double> idf;  // natural logarithms
  double start[text_data::kHiddenStates];
  double transition[text_data::kHiddenStates][text_data::kHiddenStates];
  std::map<char32_t, Emission> emissions;
  std::map<std::string, text_data::TaggerTag> tagger;  // by tag; TaggerTag::name is empty
  std::vector<TaggerEmissionRow> tagger_emissions;
};

Jieba read_jieba(const std::string& directory);

// --- prefix tree -----------------------------------------------------------------------------------------------------

// Character ids in order of descending frequency, so that the hot part of tables indexed by them is small. Id 0 means
// no character.
struct CharacterIds {
  std::unordered_map<char32_t, std::uint16_t> ids;
  std::uint32_t count = 1;
};

struct PrefixTreeWord {
  std::vector<std::uint16_t> ids;
  std::uint32_t word_id;
  std::uint16_t score_index;
};

struct PrefixTree {
  std::vector<text_data::DictionaryUnit> units;
  std::vector<std::uint32_t> words;  // by unit
};

// Packs the words into a double array. The children of the root are at index id.
PrefixTree build_prefix_tree(std::vector<PrefixTreeWord> words, std::uint32_t character_count);

void write_tagger_tables(const Jieba& jieba, const CharacterIds& ids, TableWriter& writer,
                         text_data::Constants& constants);

// Writes the dictionary tree, scores, hidden Markov models, word records, words outside the dictionary and constants.
void write_word_tables(const Jieba& jieba, const std::string& stop_word_directory,
                       const std::string& document_frequency_path, TableWriter& writer);

}  // namespace paraprint::compiler
