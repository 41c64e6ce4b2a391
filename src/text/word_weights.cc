// Dictionary words find their weight in an array, others in a hash table of the bundled or learnt counts. The batch
// version overlaps cache misses: it computes and prefetches all addresses of a batch before it reads the first one.
#include "text/word_weights.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "memory/seeded_hash.h"
#include "text/text_data.h"
#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

using text_data::WordSlot;

const WordSlot* find_slot(std::uint64_t key) {
  const std::uint32_t mask = text_data::paraprint_constants.word_slot_mask;
  for (std::size_t position = key & mask;; position = (position + 1) & mask) {
    const WordSlot& slot = text_data::paraprint_word_slots[position];
    if (slot.key == key) return &slot;
    if (slot.key == 0) return nullptr;
  }
}

}  // namespace

WordWeights::WordWeights() : version_(text_data::paraprint_constants.version) {}

WordWeights::WordWeights(std::uint64_t documents, const std::vector<WordCount>& counts) : is_learnt_(true) {
  const double total = documents == 0 ? 1.0 : static_cast<double>(documents);
  default_idf_ = static_cast<float>(std::log10(total));
  // At most half full, with at least one empty slot, which ends unsuccessful lookups even without any counts.
  std::size_t capacity = 1;
  while (capacity < 2 * counts.size() + 1) capacity *= 2;
  learnt_slots_.resize(capacity);
  version_ = mix64(documents + 1);
  for (const WordCount& count : counts) {
    if (count.hash == 0 || count.documents == 0) continue;
    std::size_t position = learnt_position(count.hash);
    while (learnt_slots_[position].key != 0 && learnt_slots_[position].key != count.hash) {
      position = (position + 1) & (capacity - 1);
    }
    learnt_slots_[position] = {count.hash, static_cast<float>(std::max(0.0, std::log10(total / count.documents)))};
    version_ += mix64(count.hash ^ mix64(count.documents));  // a sum, because the order of counts must not matter
  }
  // Copied into an array by word id, so that dictionary words need no hash lookup afterwards.
  const std::uint32_t word_count = text_data::paraprint_constants.word_count;
  learnt_dictionary_idf_.resize(word_count);
  for (std::uint32_t id = 0; id < word_count; ++id) {
    learnt_dictionary_idf_[id] = learnt_idf(text_data::paraprint_word_records[id].hash_high);
  }
}

const WordWeights& WordWeights::bundled() {
  static const WordWeights weights;
  return weights;
}

// Seeded: the words are those of pages.
std::size_t WordWeights::learnt_position(std::uint64_t hash) const {
  return seeded_mix64(hash, process_hash_seed()) & (learnt_slots_.size() - 1);
}

float WordWeights::learnt_idf(std::uint64_t hash) const {
  const std::size_t mask = learnt_slots_.size() - 1;
  for (std::size_t position = learnt_position(hash);; position = (position + 1) & mask) {
    if (learnt_slots_[position].key == hash) return learnt_slots_[position].idf;
    if (learnt_slots_[position].key == 0) return default_idf_;
  }
}

Fingerprint128 WordWeights::hash(const Token& token, std::string_view word) {
  // Dictionary words have their hash precomputed.
  if (token.word_id == kUnknownWord) return murmur128(word);
  const text_data::WordRecord& record = text_data::paraprint_word_records[token.word_id];
  return {record.hash_high, record.hash_low};
}

WordWeight WordWeights::weigh(const Token& token, std::string_view word) const {
  if (token.word_id != kUnknownWord) return weigh_dictionary_word(token.word_id);
  return weigh_other_word(murmur128(word), word);
}

void WordWeights::weigh(std::span<const Token> tokens, std::string_view text, std::vector<WordWeight>& weights,
                        StopCheck& stop) const {
  // About as many words as the processor can have outstanding memory requests.
  constexpr std::size_t kBatch = 32;
  weights.resize(tokens.size());
  for (std::size_t begin = 0; begin < tokens.size(); begin += kBatch) {
    const std::size_t end = std::min(begin + kBatch, tokens.size());
    if (stop.after(StopCheck::kUnitsPerNode * kBatch)) return;
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens[i].word_id != kUnknownWord) {
        prefetch_word(tokens[i].word_id);
      } else {
        weights[i].hash = murmur128(tokens[i].word(text));
        prefetch_hash(weights[i].hash.high);
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      weights[i] = tokens[i].word_id != kUnknownWord ? weigh_dictionary_word(tokens[i].word_id)
                                                     : weigh_other_word(weights[i].hash, tokens[i].word(text));
    }
  }
}

void WordWeights::prefetch_word(std::uint32_t word_id) const {
  __builtin_prefetch(&text_data::paraprint_word_records[word_id]);
  if (is_learnt_) __builtin_prefetch(&learnt_dictionary_idf_[word_id]);
}

void WordWeights::prefetch_hash(std::uint64_t hash) const {
  __builtin_prefetch(&text_data::paraprint_word_slots[hash & text_data::paraprint_constants.word_slot_mask]);
  if (is_learnt_) __builtin_prefetch(&learnt_slots_[learnt_position(hash)]);
}

WordWeight WordWeights::weigh_dictionary_word(std::uint32_t word_id) const {
  const text_data::WordRecord& record = text_data::paraprint_word_records[word_id];
  return {{record.hash_high, record.hash_low},
          is_learnt_ ? learnt_dictionary_idf_[word_id] : record.idf,
          record.is_stop_word != 0};
}

// For a word outside the dictionary, given its murmur128. Stop words come from the bundled table even if the weights
// are learnt.
WordWeight WordWeights::weigh_other_word(const Fingerprint128& hash, std::string_view word) const {
  const WordSlot* slot = find_slot(hash.high);
  const bool is_stop_word = slot != nullptr && slot->is_stop_word != 0;
  if (is_learnt_) return {hash, learnt_idf(hash.high), is_stop_word};
  if (slot != nullptr) return {hash, slot->idf, is_stop_word};
  const text_data::Constants& constants = text_data::paraprint_constants;
  // The collection whose default weight the word gets; tokens do not mix scripts.
  return {hash, begins_with_han(word) ? constants.dictionary_default_idf : constants.other_default_idf, false};
}

}  // namespace paraprint::inline text
