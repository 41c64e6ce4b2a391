// A bounded counter whose result depends only on the set of documents, not on their order or distribution. When there
// are too many words, it halves a limit on mix64(hash) and drops the words above it. Whether a word survives thus
// depends on its hash and on the final limit only, and any way of merging ends with the same limit. An evicted word has
// been evicted everywhere, so a surviving count is always complete.
#include <algorithm>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "memory/seeded_hash.h"
#include "text/text_data.h"
#include "text/word_weights.h"

namespace paraprint::inline text {
namespace {

constexpr std::size_t kFirstSlots = 1024;

// Bundled words are never evicted: their number is bounded, and their weights matter most.
bool is_bundled(std::uint64_t key) {
  const std::uint32_t mask = text_data::paraprint_constants.word_slot_mask;
  for (std::size_t position = key & mask;; position = (position + 1) & mask) {
    const std::uint64_t found = text_data::paraprint_word_slots[position].key;
    if (found == key) return true;
    if (found == 0) return false;
  }
}

// Which words are dropped must be the same in all processes, so it is not seeded as positions in the table are.
std::uint64_t priority(std::uint64_t hash) {
  return mix64(hash);
}

}  // namespace

DocumentFrequencyCounter::DocumentFrequencyCounter(std::size_t maximum_words)
    : maximum_words_(maximum_words),
      dictionary_documents_(text_data::paraprint_constants.word_count),
      slots_(kFirstSlots) {}

void DocumentFrequencyCounter::add_document(const std::vector<Token>& tokens, std::string_view text) {
  ++documents_;
  scratch_ids_.clear();
  scratch_hashes_.clear();
  for (const Token& token : tokens) {
    if (token.word_id != kUnknownWord) {
      scratch_ids_.push_back(token.word_id);
    } else {
      scratch_hashes_.push_back(hash64(token.word(text)));
    }
  }
  // Each word counts once per document.
  std::sort(scratch_ids_.begin(), scratch_ids_.end());
  scratch_ids_.erase(std::unique(scratch_ids_.begin(), scratch_ids_.end()), scratch_ids_.end());
  for (const std::uint32_t id : scratch_ids_) ++dictionary_documents_[id];
  std::sort(scratch_hashes_.begin(), scratch_hashes_.end());
  scratch_hashes_.erase(std::unique(scratch_hashes_.begin(), scratch_hashes_.end()), scratch_hashes_.end());
  for (const std::uint64_t hash : scratch_hashes_) add(hash, 1);
}

void DocumentFrequencyCounter::merge(const DocumentFrequencyCounter& other) {
  documents_ += other.documents_;
  for (std::size_t id = 0; id < dictionary_documents_.size(); ++id) {
    dictionary_documents_[id] += other.dictionary_documents_[id];
  }
  hash_limit_ = std::min(hash_limit_, other.hash_limit_);
  shrink_to_limit();  // first, so that words above the common limit do not push out others
  for (const CountSlot& slot : other.slots_) {
    if (slot.key != 0) add(slot.key, slot.documents);
  }
  shrink_to_limit();
}

bool DocumentFrequencyCounter::is_consistent() const {
  return std::ranges::all_of(dictionary_documents_, [this](std::uint32_t count) { return count <= documents_; }) &&
         std::ranges::all_of(slots_, [this](const CountSlot& slot) { return slot.documents <= documents_; });
}

// Ordered by count, too, so that even words with equal hashes come in an order independent of the table.
std::vector<WordCount> DocumentFrequencyCounter::counts() const {
  std::vector<WordCount> out;
  for (std::size_t id = 0; id < dictionary_documents_.size(); ++id) {
    if (dictionary_documents_[id] == 0) continue;
    out.push_back({text_data::paraprint_word_records[id].hash_high, dictionary_documents_[id]});
  }
  for (const CountSlot& slot : slots_) {
    if (slot.key != 0) out.push_back({slot.key, slot.documents});
  }
  std::sort(out.begin(), out.end(), [](const WordCount& a, const WordCount& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.documents < b.documents;
  });
  return out;
}

// Dictionary words are distributed by id, others by priority. Sorting makes the bytes independent of the order in which
// words entered the table.
std::vector<std::string> DocumentFrequencyCounter::encode(std::uint32_t parts) const {
  struct Part {
    std::uint32_t dictionary_words = 0;
    std::uint64_t other_words = 0;
    std::string dictionary;
    std::string others;
  };
  std::vector<Part> collected(parts);
  for (std::uint32_t id = 0; id < dictionary_documents_.size(); ++id) {
    if (dictionary_documents_[id] == 0) continue;
    Part& part = collected[id % parts];
    ++part.dictionary_words;
    ByteWriter out(part.dictionary);
    out.variable(id);
    out.variable(dictionary_documents_[id]);
  }
  std::vector<WordCount> others;
  for (const CountSlot& slot : slots_) {
    if (slot.key != 0) others.push_back({slot.key, slot.documents});
  }
  std::sort(others.begin(), others.end(), [](const WordCount& a, const WordCount& b) { return a.hash < b.hash; });
  for (const WordCount& word : others) {
    Part& part = collected[priority(word.hash) % parts];
    ++part.other_words;
    ByteWriter out(part.others);
    out.fixed(word.hash);
    out.variable(word.documents);
  }
  std::vector<std::string> encoded(parts);
  for (std::uint32_t index = 0; index < parts; ++index) {
    const Part& part = collected[index];
    ByteWriter out(encoded[index]);
    out.fixed(text_data::paraprint_constants.version);
    out.variable(index == 0 ? documents_ : 0);  // once, because parts are added up
    out.fixed(hash_limit_);
    out.variable(part.dictionary_words);
    encoded[index] += part.dictionary;
    out.variable(part.other_words);
    encoded[index] += part.others;
  }
  return encoded;
}

Status DocumentFrequencyCounter::merge_encoded(std::string_view bytes) {
  constexpr std::uint64_t kDocumentsEnd = std::uint64_t{1} << 32;
  ByteReader in(bytes);
  const auto dictionary_version = in.fixed<std::uint64_t>();
  if (in.ok() && dictionary_version != text_data::paraprint_constants.version) {
    return failure(ErrorCode::kUnsupported, "word counts: made with a different dictionary");
  }
  documents_ += in.variable();
  hash_limit_ = std::min(hash_limit_, in.fixed<std::uint64_t>());
  shrink_to_limit();  // as in merge()
  // Counts are untrusted: the loops stop at the end of the input, whatever number of entries it claims.
  for (std::uint64_t left = in.variable(); left > 0 && in.ok(); --left) {
    const std::uint64_t id = in.variable_below(dictionary_documents_.size());
    const auto documents = static_cast<std::uint32_t>(in.variable_below(kDocumentsEnd));
    if (in.ok()) dictionary_documents_[id] += documents;
  }
  for (std::uint64_t left = in.variable(); left > 0 && in.ok(); --left) {
    const auto hash = in.fixed<std::uint64_t>();
    const auto documents = static_cast<std::uint32_t>(in.variable_below(kDocumentsEnd));
    if (in.ok()) add(hash, documents);
  }
  shrink_to_limit();
  if (!in.ok() || !in.at_end()) return failure(ErrorCode::kCorruptData, "word counts: damaged data");
  return {};
}

// Seeded: pages choose their words, and serialised counts of other processes may be forged.
std::size_t DocumentFrequencyCounter::first_position(std::uint64_t hash) const {
  return seeded_mix64(hash, process_hash_seed()) & (slots_.size() - 1);
}

void DocumentFrequencyCounter::add(std::uint64_t hash, std::uint32_t documents) {
  if (hash == 0) return;  // 0 marks an empty slot; affects one word in 2^64
  const std::size_t mask = slots_.size() - 1;
  std::size_t position = first_position(hash);
  while (slots_[position].key != 0 && slots_[position].key != hash) position = (position + 1) & mask;
  if (slots_[position].key == hash) {
    slots_[position].documents += documents;
    return;
  }
  // Occurrences of a word above the limit may have been dropped before, here or in a merged counter.
  const bool bundled = is_bundled(hash);
  if (!bundled && priority(hash) > hash_limit_) return;
  slots_[position] = {hash, documents, bundled ? 1U : 0U};
  ++used_slots_;
  free_words_ += bundled ? 0 : 1;
  if (free_words_ > maximum_words_) {
    hash_limit_ /= 2;
    shrink_to_limit();
  } else if (2 * used_slots_ > slots_.size()) {
    grow();
  }
}

// The key must be absent.
void DocumentFrequencyCounter::insert_slot(const CountSlot& slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t position = first_position(slot.key);
  while (slots_[position].key != 0) position = (position + 1) & mask;
  slots_[position] = slot;
}

// Called at half full, which keeps probe sequences short.
void DocumentFrequencyCounter::grow() {
  std::vector<CountSlot> old(2 * slots_.size());
  old.swap(slots_);
  for (const CountSlot& slot : old) {
    if (slot.key != 0) insert_slot(slot);
  }
}

// Drops the words above the limit, and halves the limit until few enough words are left. The table is rebuilt, because
// deleting from open addressing would break probe sequences.
void DocumentFrequencyCounter::shrink_to_limit() {
  for (;;) {
    std::vector<CountSlot> old(slots_.size());
    old.swap(slots_);
    used_slots_ = 0;
    free_words_ = 0;
    for (const CountSlot& slot : old) {
      if (slot.key == 0 || (slot.is_bundled == 0 && priority(slot.key) > hash_limit_)) continue;
      insert_slot(slot);
      ++used_slots_;
      free_words_ += slot.is_bundled == 0 ? 1 : 0;
    }
    // Halving the limit drops about half of the remaining words, because mixed hashes are uniform.
    if (free_words_ <= maximum_words_) return;
    hash_limit_ /= 2;
  }
}

}  // namespace paraprint::inline text
