// Quantises probabilities to 16 bits relative to the largest of each word. Inference uses ratios within a word only, so
// the relative error of a kept entry is at most 64 / (2 * 65535), whatever the probability of the word.
#include "semantics/topics/topic_model_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "semantics/topics/topic_layout.h"

namespace paraprint::inline semantics::inline topics {
namespace {

template <class Value>
std::string_view bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

struct Tables {
  std::vector<std::uint32_t> word_ends;
  std::vector<std::uint32_t> entry_ends;
  std::vector<float> scales;
  std::vector<TopicEntry> entries;
  std::string word_bytes;
};

// The most probable topic always has weight 65535, so every word has an entry.
void add_word(const std::string& word, const float* probabilities, std::uint32_t topics, Tables& tables) {
  tables.word_bytes += word;
  tables.word_ends.push_back(static_cast<std::uint32_t>(tables.word_bytes.size()));
  const float largest = *std::max_element(probabilities, probabilities + topics);
  tables.scales.push_back(largest);
  for (std::uint32_t topic = 0; topic < topics; ++topic) {
    const float part = probabilities[topic] / largest;
    if (part < kTopicEntryLeast) continue;
    tables.entries.push_back(
        {static_cast<std::uint16_t>(topic), static_cast<std::uint16_t>(std::lround(part * kTopicWeightMaximum))});
  }
  tables.entry_ends.push_back(static_cast<std::uint32_t>(tables.entries.size()));
}

// The parts in the order of the file: the fields of the header, then the sections in the order of TopicSection.
Status for_each_part(const TopicCorpus& corpus, const TrainedTopics& trained,
                     const std::function<Status(std::string_view)>& write_part) {
  PARAPRINT_ASSERT(trained.probabilities.size() == corpus.words.size() * trained.topics);
  Tables tables;
  for (std::size_t word = 0; word < corpus.words.size(); ++word) {
    add_word(corpus.words[word], trained.probabilities.data() + word * trained.topics, trained.topics, tables);
  }
  std::string fields(kTopicMagic);
  ByteWriter writer(fields);
  writer.fixed(kTopicModelFormatVersion);
  writer.fixed(trained.topics);
  writer.fixed(static_cast<std::uint32_t>(corpus.words.size()));
  writer.fixed(static_cast<std::uint32_t>(tables.entries.size()));
  writer.fixed(static_cast<std::uint32_t>(tables.word_bytes.size()));
  writer.fixed(std::bit_cast<std::uint32_t>(trained.prior));
  writer.fixed(std::uint64_t{corpus.size()});
  writer.fixed(corpus.running_words);
  const std::array<std::string_view, kTopicSections> sections = {
      bytes_of(tables.word_ends), bytes_of(tables.entry_ends), bytes_of(corpus.documents), bytes_of(tables.scales),
      bytes_of(tables.entries),   bytes_of(trained.shares),    tables.word_bytes};
  return write_model_parts(std::move(fields), sections, write_part);
}

}  // namespace

Status write_topic_model(const std::string& path, const TopicCorpus& corpus, const TrainedTopics& trained) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  PARAPRINT_TRY(for_each_part(corpus, trained, [&](std::string_view part) { return file.write(part); }));
  return file.commit();
}

// For tests and fuzzers; writing to memory cannot fail.
std::string topic_model_bytes(const TopicCorpus& corpus, const TrainedTopics& trained) {
  std::string bytes;
  const Status written = for_each_part(corpus, trained, [&](std::string_view part) -> Status {
    bytes += part;
    return {};
  });
  PARAPRINT_ASSERT(written.has_value());
  return bytes;
}

}  // namespace paraprint::inline semantics::inline topics
