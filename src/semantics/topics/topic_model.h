// A model of topics (latent Dirichlet allocation; algorithms.md 20): which words each topic uses. One immutable file,
// mapped into memory (docs/formats/topic-model.md).
//
// Kept is, for each word, in which topics it is at home and how much: its probability in each, without those that are
// a small part of the largest. Most words have few.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint32_t kTopicModelFormatVersion = 1;  // persisted

// Limits on what a file may say of itself: beyond anything of use.
inline constexpr std::uint32_t kTopicsMaximum = 1000;
inline constexpr std::uint32_t kTopicWordsMaximum = 1'000'000;
inline constexpr std::uint32_t kTopicWordBytesMaximum = 200;

struct TopicFacts {
  std::uint32_t topics = 0;
  std::uint32_t words = 0;
  float prior = 0;                 // of each topic in a text, before any word of it was read
  std::uint64_t corpus_pages = 0;  // it was trained on
  std::uint64_t corpus_words = 0;  // running words of these that the model has
};

// How much a word belongs to a topic.
struct TopicEntry {
  std::uint16_t topic = 0;
  std::uint16_t weight = 0;  // 65535: the topic in which the word is most probable
};

class TopicModel {
 public:
  // Maps the file and checks every byte of it. kCorruptData names the file and what is wrong; kUnsupported for another
  // version of the format; kNotFound, kInputOutput.
  static Result<std::shared_ptr<const TopicModel>> open(const std::string& path);
  // The same over bytes in memory, which must stay; aligned to 16. `name` goes into messages.
  static Result<std::shared_ptr<const TopicModel>> read(std::string_view bytes, const std::string& name);

  const TopicFacts& facts() const { return facts_; }
  // Digest of the content: what depends on this model depends on it.
  const Fingerprint128& version() const { return version_; }
  std::uint64_t size_bytes() const { return bytes_.size(); }

  // Rows stand in the order of the bytes of their words.
  std::string_view word(std::uint32_t row) const;
  std::uint32_t documents(std::uint32_t row) const { return documents_[row]; }  // that hold the word
  // The row of a word by its H64, without a look at its letters.
  std::optional<std::uint32_t> find(std::uint64_t hash) const;
  // By rising topic; at least one.
  std::span<const TopicEntry> entries(std::uint32_t row) const;
  // Probability of the word in the topic of the entry.
  double probability(std::uint32_t row, const TopicEntry& entry) const;
  // Part of the corpus that a topic is; the sum of all is 1.
  float share(std::uint32_t topic) const { return shares_[topic]; }
  // The `count` most probable words of a topic, falling, ties to the smaller row. A look at every word.
  std::vector<std::uint32_t> top_words(std::uint32_t topic, std::size_t count) const;

 private:
  friend class ModelAccess;
  TopicModel() = default;
  Status parse(const std::string& name);
  Status check_tables(const std::string& name) const;
  void hash_words();

  MappedFile file_;
  std::string_view bytes_;
  TopicFacts facts_;
  Fingerprint128 version_;
  const std::uint32_t* word_ends_ = nullptr;   // in word_bytes_
  const std::uint32_t* entry_ends_ = nullptr;  // in entries_
  const std::uint32_t* documents_ = nullptr;
  const float* scales_ = nullptr;  // probability in the topic of weight 65535
  const TopicEntry* entries_ = nullptr;
  const float* shares_ = nullptr;
  std::string_view word_bytes_;

  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t row = 0;
    std::uint32_t is_used = 0;
  };
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace paraprint
