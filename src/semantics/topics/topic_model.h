// A topic model (latent Dirichlet allocation; docs/algorithms/topics.md): which words each topic uses. One immutable
// file, mapped into memory (docs/formats/topic-model.md).
//
// For each word it stores the probability in each topic, without topics where that is only a small fraction of the
// largest one. Most words have few entries.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/mapped_file.h"
#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline semantics::inline models {

class ModelAccess;

}  // namespace paraprint::inline semantics::inline models

namespace paraprint::inline semantics::inline topics {

inline constexpr std::uint32_t kTopicModelFormatVersion = 1;  // persisted

// Limits on the values in a file's header, far beyond useful models.
inline constexpr std::uint32_t kTopicsMaximum = 1000;
inline constexpr std::uint32_t kTopicWordsMaximum = 1'000'000;
inline constexpr std::uint32_t kTopicWordBytesMaximum = 200;

struct TopicFacts {
  std::uint32_t topics = 0;
  std::uint32_t words = 0;
  float prior = 0;                 // of each topic in a text, before any word is read
  std::uint64_t corpus_pages = 0;  // pages that it was trained on
  std::uint64_t corpus_words = 0;  // running words of these pages that are in the model
};

// A topic of a word, weighted relative to the word's most probable topic.
struct TopicEntry {
  std::uint16_t topic = 0;
  std::uint16_t weight = 0;  // 65535: the topic in which the word is most probable
};

struct ProbableWord {
  std::uint32_t row = 0;
  double probability = 0;  // in the topic
};

class TopicModel {
 public:
  // Maps the file and checks every byte of it. Errors: kCorruptData (names the file and the damage), kUnsupported for
  // another version of the format, kInvalidArgument for another kind of file, kNotFound, kInputOutput.
  static Result<std::shared_ptr<const TopicModel>> open(const std::string& path);
  // The same over bytes in memory, which must outlive the model and be aligned to 16. `name` is used in messages.
  static Result<std::shared_ptr<const TopicModel>> read(std::string_view bytes, const std::string& name);

  const TopicFacts& facts() const { return facts_; }
  // Digest of the content. Everything computed with this model must carry it.
  const Fingerprint128& version() const { return version_; }
  std::uint64_t size_bytes() const { return bytes_.size(); }

  // Rows are in the order of their words' bytes.
  std::string_view word(std::uint32_t row) const;
  std::uint32_t documents(std::uint32_t row) const { return documents_[row]; }  // that contain the word
  // The row of a word by its H64. The letters are not compared: different words with equal hashes are the same word.
  std::optional<std::uint32_t> find(std::uint64_t hash) const;
  // At least one entry, in ascending order of topics.
  std::span<const TopicEntry> entries(std::uint32_t row) const;
  // Probability of the word in the topic of the entry.
  double probability(std::uint32_t row, const TopicEntry& entry) const;
  // The share of a topic in the corpus; all shares sum to 1.
  float share(std::uint32_t topic) const { return shares_[topic]; }
  // By topic, its `count` most probable words in descending order, ties to the smaller row. O(entries log(count)).
  std::vector<std::vector<ProbableWord>> top_words(std::size_t count) const;

 private:
  friend ModelAccess;
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

  struct VocabularySlot {
    std::uint64_t hash = 0;
    std::uint32_t row = 0;
    std::uint32_t is_used = 0;
  };
  HashSeed seed_ = process_hash_seed();
  std::vector<VocabularySlot> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace paraprint::inline semantics::inline topics
