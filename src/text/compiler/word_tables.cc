// Writes dictionary, hidden Markov model and word weights in the form read by text/word_segmenter.cc and
// text/word_weights.cc. Numbers must equal jieba's bit by bit: other rounding could change ties and thus tokens.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include "base/hash.h"
#include "text/compiler/compiler.h"
#include "text/word_segmenter.h"

namespace paraprint::compiler {
namespace {

using text_data::Constants;
using text_data::WordRecord;
using text_data::WordSlot;

bool is_han(char32_t c) {
  return c >= text_data::kFirstHan && c <= text_data::kLastHan;
}

// The characters of jieba's block expression. Words with other characters can never match and are left out of the tree.
bool is_block_character(char32_t c) {
  if (is_han(c)) return true;
  if (c >= 0x80 || c == 0) return false;
  return std::isalnum(static_cast<int>(c)) != 0 || std::strchr("+#&._%-", static_cast<int>(c)) != nullptr;
}

// Includes characters that only a hidden Markov model knows, with frequency 0.
CharacterIds number_characters(const Jieba& jieba) {
  std::map<char32_t, std::uint64_t> frequency;
  for (const DictionaryWord& word : jieba.words) {
    for (const char32_t c : decode(word.text)) frequency[c] += word.frequency + 1;
  }
  for (const auto& [c, emission] : jieba.emissions) frequency[c] += 0;
  for (const TaggerEmissionRow& row : jieba.tagger_emissions) frequency[row.character] += 0;
  std::vector<std::pair<std::uint64_t, char32_t>> order;
  for (const auto& [c, count] : frequency) {
    if (is_block_character(c)) order.emplace_back(count, c);
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  CharacterIds ids;
  for (const auto& [count, c] : order) ids.ids[c] = static_cast<std::uint16_t>(ids.count++);
  return ids;
}

// Han and ASCII have dense arrays of their own, so looking up an id needs no search.
void write_character_ids(const CharacterIds& ids, TableWriter& writer) {
  std::vector<std::uint16_t> han(text_data::kHanCount);
  std::vector<std::uint16_t> ascii(128);
  for (const auto& [c, id] : ids.ids) (is_han(c) ? han[c - text_data::kFirstHan] : ascii[c]) = id;
  writer.write("han_ids", han);
  writer.write("ascii_ids", ascii);
}

// jieba computes log(frequency or 1) - log(total) in double precision, and so does this function, with the same C
// library function. Nodes store an index into the distinct scores, which takes two bytes instead of eight.
void write_dictionary(const Jieba& jieba, const CharacterIds& ids, TableWriter& writer, Constants& constants) {
  const double log_total = std::log(jieba.total_frequency);
  std::map<std::uint64_t, std::uint16_t> score_index;
  for (const DictionaryWord& word : jieba.words) {
    if (word.frequency > 0) score_index[word.frequency] = 0;
  }
  std::vector<double> scores{0.0};
  for (auto& [frequency, index] : score_index) {
    index = static_cast<std::uint16_t>(scores.size());
    scores.push_back(std::log(static_cast<double>(frequency)) - log_total);
  }
  if (scores.size() > 0xFFFF) fail("too many different frequencies in the dictionary");
  constants.unknown_score = std::log(1.0) - log_total;

  std::vector<PrefixTreeWord> words;
  for (std::uint32_t word_id = 0; word_id < jieba.words.size(); ++word_id) {
    const DictionaryWord& word = jieba.words[word_id];
    const std::vector<char32_t> characters = decode(word.text);
    // Words of frequency 0 get no score: jieba treats them like prefixes.
    if (!std::all_of(characters.begin(), characters.end(), is_block_character)) continue;
    PrefixTreeWord entry{{}, word_id, word.frequency > 0 ? score_index[word.frequency] : std::uint16_t{0}};
    for (const char32_t c : characters) entry.ids.push_back(ids.ids.at(c));
    words.push_back(std::move(entry));
  }
  const PrefixTree tree = build_prefix_tree(std::move(words), ids.count);
  constants.character_count = ids.count;
  constants.unit_count = static_cast<std::uint32_t>(tree.units.size());
  constants.word_count = static_cast<std::uint32_t>(jieba.words.size());
  writer.write("dictionary_units", tree.units);
  writer.write("dictionary_words", tree.words);
  writer.write("dictionary_scores", scores);
}

// Emissions by character id. Characters that the model does not know get finalseg's minimum in every state, so only the
// transitions decide about them.
void write_hidden_markov_model(const Jieba& jieba, const CharacterIds& ids, TableWriter& writer, Constants& constants) {
  constexpr double kLogProbabilityOfNever = -3.14e100;
  Emission never;
  std::fill(std::begin(never.values), std::end(never.values), kLogProbabilityOfNever);
  std::vector<Emission> emissions(ids.count, never);
  for (const auto& [c, emission] : jieba.emissions) {
    if (const auto id = ids.ids.find(c); id != ids.ids.end()) emissions[id->second] = emission;
  }
  writer.write("emissions", emissions);
  std::copy(std::begin(jieba.start), std::end(jieba.start), constants.start);
  std::copy(&jieba.transition[0][0], &jieba.transition[0][0] + 16, &constants.transition[0][0]);
}

// Words are separated by spaces and newlines; lines that begin with '#' are comments.
std::unordered_set<std::string> read_stop_words(const std::string& directory) {
  std::unordered_set<std::string> stop_words;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".txt") continue;
    for_each_line(entry.path().string(), [&](std::string_view line) {
      if (line.starts_with('#')) return;
      while (!line.empty()) {
        const std::size_t end = line.find(' ');
        if (end != 0) stop_words.emplace(line.substr(0, end));
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
      }
    });
  }
  return stop_words;
}

// Words with their document counts. In the file, the line with an empty word gives the number of documents.
struct DocumentFrequencies {
  double documents = 1;
  std::vector<std::pair<std::string, double>> words;
};

DocumentFrequencies read_document_frequencies(const std::string& path) {
  DocumentFrequencies out;
  for_each_line(path, [&](std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) fail("unexpected line in " + path + ": " + std::string(line));
    const double count = std::strtod(std::string(line.substr(tab + 1)).c_str(), nullptr);
    if (tab == 0) {
      out.documents = count;
    } else {
      out.words.emplace_back(line.substr(0, tab), count);
    }
  });
  return out;
}

// Writes the tag names in alphabetical order and returns the index of each.
std::map<std::string, std::uint8_t> write_tags(const Jieba& jieba, TableWriter& writer, Constants& constants) {
  std::map<std::string, std::uint8_t> tags;
  for (const DictionaryWord& word : jieba.words) tags[word.tag] = 0;
  if (tags.size() > 0xFF) fail("too many parts of speech in the dictionary");
  std::string names;
  std::uint8_t next = 0;
  for (auto& [name, index] : tags) {
    index = next++;
    std::string padded = name;
    if (padded.size() >= text_data::kTagNameSize) fail("part of speech with a long name: " + name);
    padded.resize(text_data::kTagNameSize);
    names += padded;
  }
  constants.tag_count = static_cast<std::uint32_t>(tags.size());
  writer.write_bytes("tag_names", names);
  return tags;
}

// Writes the weights of dictionary words as an array by word id, and of all other words as a hash table.
class WeightWriter {
 public:
  WeightWriter(const Jieba& jieba, std::unordered_set<std::string> stop_words, DocumentFrequencies frequencies,
               Constants& constants)
      : jieba_(jieba), stop_words_(std::move(stop_words)), frequencies_(std::move(frequencies)), constants_(constants) {
    double largest = 0;
    for (const auto& [word, idf] : jieba.idf) largest = std::max(largest, idf);
    // The rarest words of jieba's table are in one document, so their value is log D.
    constants_.dictionary_default_idf = static_cast<float>(largest / std::log(10.0));
    constants_.other_default_idf = static_cast<float>(std::log10(frequencies_.documents));
  }

  void write_records(TableWriter& writer) {
    const std::map<std::string, std::uint8_t> tags = write_tags(jieba_, writer, constants_);
    std::vector<WordRecord> records;
    for (const DictionaryWord& word : jieba_.words) {
      const Fingerprint128 hash = murmur128(word.text);
      const auto idf = jieba_.idf.find(word.text);
      WordRecord record{};
      record.hash_high = hash.high;
      record.hash_low = hash.low;
      record.idf = idf == jieba_.idf.end() ? constants_.dictionary_default_idf
                                           : static_cast<float>(idf->second / std::log(10.0));
      record.tag = tags.at(word.tag);
      record.is_stop_word = stop_words_.contains(word.text) ? 1 : 0;
      record.size_bytes = static_cast<std::uint16_t>(word.text.size());
      records.push_back(record);
      dictionary_.insert(word.text);
    }
    writer.write("word_records", records);
  }

  // All weighted words outside the dictionary, in ascending precedence: stop words, jieba's other words, our counts.
  void write_slots(TableWriter& writer) {
    std::map<std::string, float> words;
    for (const std::string& word : stop_words_) words.emplace(word, constants_.other_default_idf);
    for (const auto& [word, idf] : jieba_.idf) words[word] = static_cast<float>(idf / std::log(10.0));
    for (const auto& [word, count] : frequencies_.words) {
      words[word] = static_cast<float>(std::log10(frequencies_.documents / count));
    }
    std::erase_if(words, [&](const auto& entry) { return dictionary_.contains(entry.first); });
    // A power of two, at most half full. The words are sorted, so the layout of the table is reproducible.
    std::size_t capacity = 1;
    while (capacity < 2 * words.size()) capacity *= 2;
    std::vector<WordSlot> slots(capacity, WordSlot{0, 0, 0});
    constants_.word_slot_mask = static_cast<std::uint32_t>(capacity - 1);
    for (const auto& [word, idf] : words) {
      const std::uint64_t key = hash64(word);
      std::size_t position = key & constants_.word_slot_mask;
      while (slots[position].key != 0) position = (position + 1) & constants_.word_slot_mask;
      slots[position] = {key, idf, stop_words_.contains(word) ? 1U : 0U};
    }
    writer.write("word_slots", slots);
  }

 private:
  const Jieba& jieba_;
  std::unordered_set<std::string> stop_words_;
  DocumentFrequencies frequencies_;
  Constants& constants_;
  std::unordered_set<std::string> dictionary_;
};

}  // namespace

void write_word_tables(const Jieba& jieba, const std::string& stop_word_directory,
                       const std::string& document_frequency_path, TableWriter& writer) {
  Constants constants{};
  const CharacterIds ids = number_characters(jieba);
  write_character_ids(ids, writer);
  write_dictionary(jieba, ids, writer, constants);
  write_hidden_markov_model(jieba, ids, writer, constants);
  write_tagger_tables(jieba, ids, writer, constants);
  WeightWriter weights(jieba, read_stop_words(stop_word_directory), read_document_frequencies(document_frequency_path),
                       constants);
  weights.write_records(writer);
  weights.write_slots(writer);
  // The version is computed while its own field is still 0.
  const std::string bytes(reinterpret_cast<const char*>(&constants), sizeof(constants));
  constants.version = mix64(writer.version() ^ hash64(bytes));
  writer.write("constants", std::vector<Constants>{constants});
}

}  // namespace paraprint::compiler
