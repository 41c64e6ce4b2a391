// Reader of topic models. The file is mapped and used in place; only the hash table of words is built when it is
// opened. After parse() every offset and topic number has been checked, so the accessors need no checks.
#include "semantics/topics/topic_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "semantics/topics/topic_layout.h"

namespace paraprint::inline semantics::inline topics {

Result<std::shared_ptr<const TopicModel>> TopicModel::open(const std::string& path) {
  return ModelAccess::open<TopicModel>(path);
}

Result<std::shared_ptr<const TopicModel>> TopicModel::read(std::string_view bytes, const std::string& name) {
  return ModelAccess::read<TopicModel>(bytes, name);
}

// Sizes of sections follow from the header, so its limits are checked before anything is computed from them.
Status TopicModel::parse(const std::string& name) {
  PARAPRINT_ASSIGN(
      ByteReader header,
      read_model_header(bytes_, kTopicMagic, "not a paraprint topic model; create one with `paraprint topics train`",
                        kTopicModelFormatVersion, name));
  ByteReader& reader = header;
  facts_.topics = reader.fixed<std::uint32_t>();
  facts_.words = reader.fixed<std::uint32_t>();
  const auto entries = reader.fixed<std::uint32_t>();
  const auto word_bytes = reader.fixed<std::uint32_t>();
  facts_.prior = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  facts_.corpus_pages = reader.fixed<std::uint64_t>();
  facts_.corpus_words = reader.fixed<std::uint64_t>();
  if (facts_.topics < 2 || facts_.topics > kTopicsMaximum || facts_.words == 0 || facts_.words > kTopicWordsMaximum ||
      !(facts_.prior > 0 && facts_.prior <= 1)) {
    return damaged_model(name, "invalid header");
  }
  std::array<std::string_view, kTopicSections> sections;
  const std::array<std::uint64_t, kTopicSections> sizes = topic_section_sizes(facts_, entries, word_bytes);
  PARAPRINT_ASSIGN(Fingerprint128 version, find_model_sections(bytes_, sizes, sections, name));
  version_ = version;
  word_ends_ = reinterpret_cast<const std::uint32_t*>(sections[kTopicWordEnds].data());
  entry_ends_ = reinterpret_cast<const std::uint32_t*>(sections[kTopicEntryEnds].data());
  documents_ = reinterpret_cast<const std::uint32_t*>(sections[kTopicDocuments].data());
  scales_ = reinterpret_cast<const float*>(sections[kTopicScales].data());
  entries_ = reinterpret_cast<const TopicEntry*>(sections[kTopicEntries].data());
  shares_ = reinterpret_cast<const float*>(sections[kTopicShares].data());
  word_bytes_ = sections[kTopicWordBytes];
  if (entry_ends_[facts_.words - 1] != entries) return damaged_model(name, "entries without a word");
  PARAPRINT_TRY(check_tables(name));
  hash_words();
  return {};
}

// The digest detects accidental damage, not malice: anyone can compute it. Everything that could lead outside the file
// or its tables is therefore checked value by value.
Status TopicModel::check_tables(const std::string& name) const {
  std::uint32_t word_end = 0;
  std::uint32_t entry_end = 0;
  const std::uint32_t entries = entry_ends_[facts_.words - 1];
  for (std::uint32_t row = 0; row < facts_.words; ++row) {
    const bool fits = word_ends_[row] > word_end && word_ends_[row] <= word_bytes_.size() &&
                      word_ends_[row] - word_end <= kTopicWordBytesMaximum;
    if (!fits) return damaged_model(name, fmt::format("word {} ends out of bounds", row));
    word_end = word_ends_[row];
    if (row > 0 && word(row - 1) >= word(row)) return damaged_model(name, "words not in ascending order");
    if (entry_ends_[row] <= entry_end || entry_ends_[row] > entries) {
      return damaged_model(name, fmt::format("the topics of word {} end out of bounds", row));
    }
    for (std::uint32_t i = entry_end; i < entry_ends_[row]; ++i) {
      const bool rises = i == entry_end || entries_[i].topic > entries_[i - 1].topic;
      if (!rises || entries_[i].topic >= facts_.topics || entries_[i].weight == 0) {
        return damaged_model(name, fmt::format("word {} has an invalid topic", row));
      }
    }
    entry_end = entry_ends_[row];
    if (!(scales_[row] > 0 && scales_[row] <= 1)) {
      return damaged_model(name, fmt::format("word {} has an invalid probability", row));
    }
  }
  for (std::uint32_t topic = 0; topic < facts_.topics; ++topic) {
    if (!(shares_[topic] >= 0 && shares_[topic] <= 1)) {
      return damaged_model(name, fmt::format("topic {} has an invalid share", topic));
    }
  }
  return {};
}

// Linear probing in a table at most half full, so searches end. Words arrive as hashes that feature extraction computes
// anyway; a sorted search would need their letters. The hash is mixed with a seed, because a model may come from
// someone who chose words that begin at one slot. Of words of one hash, which cannot be told apart, the first is found.
void TopicModel::hash_words() {
  slots_.assign(std::bit_ceil(std::size_t{2} * facts_.words), VocabularySlot{});
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t row = 0; row < facts_.words; ++row) {
    const std::uint64_t hash = hash64(word(row));
    std::size_t slot = seeded_mix64(hash, seed_) & mask;
    while (slots_[slot].is_used != 0 && slots_[slot].hash != hash) slot = (slot + 1) & mask;
    if (slots_[slot].is_used == 0) slots_[slot] = {hash, row, 1};
  }
}

std::string_view TopicModel::word(std::uint32_t row) const {
  const std::uint32_t begin = row == 0 ? 0 : word_ends_[row - 1];
  return word_bytes_.substr(begin, word_ends_[row] - begin);
}

std::optional<std::uint32_t> TopicModel::find(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = seeded_mix64(hash, seed_) & mask; slots_[slot].is_used != 0; slot = (slot + 1) & mask) {
    if (slots_[slot].hash == hash) return slots_[slot].row;
  }
  return std::nullopt;
}

std::span<const TopicEntry> TopicModel::entries(std::uint32_t row) const {
  const std::uint32_t begin = row == 0 ? 0 : entry_ends_[row - 1];
  return {entries_ + begin, entries_ + entry_ends_[row]};
}

// Undoes the quantisation of the writer.
double TopicModel::probability(std::uint32_t row, const TopicEntry& entry) const {
  return static_cast<double>(scales_[row]) * entry.weight / kTopicWeightMaximum;
}

// For each topic a heap of its best words so far, the worst of them on top.
std::vector<std::vector<ProbableWord>> TopicModel::top_words(std::size_t count) const {
  const auto is_better = [](const ProbableWord& x, const ProbableWord& y) {
    return x.probability != y.probability ? x.probability > y.probability : x.row < y.row;
  };
  std::vector<std::vector<ProbableWord>> best(facts_.topics);
  if (count == 0) return best;
  for (std::uint32_t row = 0; row < facts_.words; ++row) {
    for (const TopicEntry& entry : entries(row)) {
      std::vector<ProbableWord>& words = best[entry.topic];
      const ProbableWord word{row, probability(row, entry)};
      if (words.size() == count) {
        if (!is_better(word, words.front())) continue;
        std::pop_heap(words.begin(), words.end(), is_better);
        words.pop_back();
      }
      words.push_back(word);
      std::push_heap(words.begin(), words.end(), is_better);
    }
  }
  for (std::vector<ProbableWord>& words : best) std::sort_heap(words.begin(), words.end(), is_better);
  return best;
}

}  // namespace paraprint::inline semantics::inline topics
