// Files whose words go into hash tables when they are opened: topic models, word vectors, synonym lists.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "aligned_bytes.h"
#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "input_kinds.h"
#include "model_versions.h"
#include "murmur_attack.h"
#include "semantics/topics/topic_model.h"
#include "semantics/topics/topic_model_writer.h"
#include "semantics/vectors/dense_paragraphs.h"
#include "semantics/vectors/vectors_layout.h"
#include "semantics/vectors/word_vectors.h"
#include "text/synonym_list.h"
#include "text/synonym_table.h"

namespace paraprint {
namespace {

std::string usual_word(std::size_t number) {
  return "w" + std::to_string(10'000'000 + number);
}

std::vector<std::string> usual_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(usual_word(i));
  return words;
}

// In ascending order, as topic models have them.
std::vector<std::string> words_of_one_hash(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(word_of_one_hash(i));
  PARAPRINT_ASSERT(count == 0 || hash64(words.front()) == hash64(words.back()));
  return words;
}

// Words that begin at one slot of a hash table at most half full whose hash is not seeded; in ascending order.
std::vector<std::string> words_of_one_slot(std::size_t count) {
  std::size_t slots = 1;
  while (slots < 2 * count) slots *= 2;
  std::vector<std::string> words;
  for (std::size_t i = 0; words.size() < count; ++i) {
    std::string word = usual_word(i);
    if ((hash64(word) & (slots - 1)) == 0) words.push_back(std::move(word));
  }
  return words;
}

using MakeWords = std::vector<std::string> (*)(std::size_t count);
using MakeModel = std::string (*)(const std::vector<std::string>& words);

// A model of as many words as fit, if each takes this many bytes.
std::function<std::string(std::size_t)> model_of(MakeModel model, MakeWords words, std::size_t word_bytes) {
  return [=](std::size_t size_bytes) { return model(words(std::max(size_bytes / word_bytes, std::size_t{1}))); };
}

// Each word in one topic.
std::string topic_model_of(const std::vector<std::string>& words) {
  TopicCorpus corpus;
  corpus.words = words;
  corpus.documents.assign(words.size(), 1);
  corpus.running_words = words.size();
  TrainedTopics trained;
  trained.topics = 2;
  trained.prior = 0.5F;
  trained.shares = {0.5F, 0.5F};
  for (std::size_t i = 0; i < words.size(); ++i) {
    trained.probabilities.push_back(0.5F);
    trained.probabilities.push_back(0);
  }
  return topic_model_bytes(corpus, trained);
}

bool is_topic_model(std::string_view bytes) {
  const AlignedBytes copy{std::string(bytes)};
  return TopicModel::read(copy.view(), "file").has_value();
}

HostileKind topic_model() {
  constexpr std::size_t kUsualBytes = 32;  // of the file, for each word
  constexpr std::size_t kLongBytes = 55;
  return {"topic_model",
          '\0',
          of_size(model_of(topic_model_of, usual_words, kUsualBytes)),
          [](std::string_view bytes) { (void)is_topic_model(bytes); },
          {
              {"words_of_one_slot", model_of(topic_model_of, words_of_one_slot, kUsualBytes)},
              {"words_of_one_hash", model_of(topic_model_of, words_of_one_hash, kLongBytes)},
          },
          is_topic_model,
          with_topic_model_version};
}

// Vectors of one component. Written here, because imports reject words that are none.
std::string word_vectors_of(const std::vector<std::string>& words) {
  const auto count = static_cast<std::uint32_t>(words.size());
  std::vector<std::uint32_t> ends;
  std::string word_bytes;
  for (const std::string& word : words) {
    word_bytes += word;
    ends.push_back(static_cast<std::uint32_t>(word_bytes.size()));
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<std::uint32_t> counts(count, 1);
  const std::vector<float> scales(count, kScaleMaximum);
  const std::vector<std::int8_t> rows(row_bytes_of(1) * count, kLargestComponent);
  const std::string_view sections[kVectorsSections] = {
      section_bytes(ends), section_bytes(order), section_bytes(counts), section_bytes(scales), section_bytes(rows), {},
      word_bytes};
  std::string header(kVectorsMagic);
  ByteWriter writer(header);
  writer.fixed(kWordVectorsFormatVersion);
  for (const std::uint32_t field : {1U, count, 0U, 1U, 0U, 0U}) writer.fixed(field);  // skip-gram, no subwords
  writer.fixed(static_cast<std::uint32_t>(word_bytes.size()));
  writer.fixed(std::uint64_t{count});
  std::string bytes;
  const Status written = write_model_parts(std::move(header), sections, [&](std::string_view part) -> Status {
    bytes += part;
    return {};
  });
  PARAPRINT_ASSERT(written.has_value());
  return bytes;
}

bool are_word_vectors(std::string_view bytes) {
  const AlignedBytes copy{std::string(bytes)};
  auto vectors = WordVectors::read(copy.view(), "file");
  if (!vectors) return false;
  const DenseParagraphs paragraphs(std::move(*vectors), /*use_blake2b=*/false);
  return true;
}

HostileKind word_vectors() {
  constexpr std::size_t kUsualBytes = 41;  // of the file, for each word
  constexpr std::size_t kLongBytes = 64;
  return {"word_vectors",
          '\0',
          of_size(model_of(word_vectors_of, usual_words, kUsualBytes)),
          [](std::string_view bytes) { (void)are_word_vectors(bytes); },
          {
              {"words_of_one_slot", model_of(word_vectors_of, words_of_one_slot, kUsualBytes)},
              {"words_of_one_hash", model_of(word_vectors_of, words_of_one_hash, kLongBytes)},
          },
          are_word_vectors,
          with_word_vectors_version};
}

// Pairs of words.
std::string synonyms_of(const std::vector<std::string>& words) {
  std::string lines;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) lines += words[i] + ' ' + words[i + 1] + '\n';
  return lines;
}

HostileKind synonyms() {
  constexpr std::size_t kSlotBytes = 11;  // for each word
  return {"synonyms",
          '\n',
          items_of_text("", "fast{n} quick{n} rapid{n}\n", ""),
          [](std::string_view bytes) {
            SynonymLists lists;
            if (!lists.add(bytes, "file")) return;
            SynonymContent content;
            content.classes = std::move(lists.classes);
            const SynonymTable table(content);
          },
          {
              {"classes", repeated("", "a{n} b{n}\n")},
              {"apart", repeated("", "! a b\n")},
              {"apart_in_classes", in_two_halves("", "a{n} b{n}\n", "", "! a1 a2 a3 a4 a5 a6 a7 a8\n")},
              {"one_word", repeated("", "a", " b\n")},
              {"one_line", repeated("a", " a{n}", "\n")},
              {"spaces", repeated("a", " ", "b\n")},
              {"comments", repeated("", "#\n")},
              {"chinese_words", repeated("", "\u4E2D\u534E{n} \u4EBA\u6C11{n}\n")},
              {"marks", repeated("a", "\u0301\u0316", " b\n")},
              {"chinese_word", repeated("", "\u4E2D", " b\n")},
              {"words_of_one_slot", model_of(synonyms_of, words_of_one_slot, kSlotBytes)},
          }};
}

}  // namespace

void add_word_table_inputs(std::vector<HostileKind>& kinds) {
  for (HostileKind kind : {topic_model(), word_vectors(), synonyms()}) kinds.push_back(std::move(kind));
}

}  // namespace paraprint
