// The tables that src/text/compiler/ makes at build time and text_data.S embeds as read-only data of the library.
// Every table is a symbol of its own, so that a lookup is one load from a fixed address: no start-up work, no file at
// run time, no pointer to follow. Only src/text/ reads them; the compiler writes them with the types below.
//
// Little-endian, as compiled on the same machine type. docs/algorithms/segmentation.md describes the dictionary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "paraprint/model.h"

namespace paraprint::text_data {

// --- Unicode ---------------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t kCodePointLimit = 0x110000;
inline constexpr std::uint32_t kStageBits = 8;  // code points in a block of a two-stage table, as a power of two
inline constexpr std::uint32_t kStageBlocks = kCodePointLimit >> kStageBits;

// What normalisation does with one code point, in the top bits of an action; the rest is its argument.
enum class ActionType : std::uint32_t {
  kKeep = 0,     // stays as it is
  kReplace = 1,  // argument: the one code point that it becomes
  kExpand = 2,   // argument: offset << 6 | length in the pool of expansions, UTF-8
  kDrop = 3,     // control, zero-width
  kSpace = 4,    // white space
  kSlow = 5,     // joins or reorders with its neighbours: a stretch for ICU
};
inline constexpr std::uint32_t kActionShift = 28;
inline constexpr std::uint32_t kExpansionLengthBits = 6;

// --- Han dictionary --------------------------------------------------------------------------------------------------

// The characters that jieba's block expression and ours take as Han: U+4E00 to U+9FD5.
inline constexpr std::uint32_t kFirstHan = 0x4E00;
inline constexpr std::uint32_t kLastHan = 0x9FD5;
inline constexpr std::uint32_t kHanCount = kLastHan - kFirstHan + 1;

// A node of the prefix tree. The child for character id c of a node stands at index base ^ c, if its label is c.
struct DictionaryUnit {
  std::uint32_t base;         // 0: no longer word begins with this one
  std::uint16_t label;        // id of the character that leads here
  std::uint16_t score_index;  // into dictionary_scores; 0: only a prefix of words
};
static_assert(sizeof(DictionaryUnit) == 8);

struct WordRecord {
  std::uint64_t hash_high;  // MurmurHash3 of the UTF-8 bytes
  std::uint64_t hash_low;
  float idf;         // base 10
  std::uint8_t tag;  // index into the part-of-speech names
  std::uint8_t is_stop_word;
  std::uint16_t size_bytes;
};
static_assert(sizeof(WordRecord) == 24);

// A slot of the table of words outside the dictionary: open addressing, linear probing from key & mask.
struct WordSlot {
  std::uint64_t key;  // first half of MurmurHash3; 0: empty
  float idf;
  std::uint32_t is_stop_word;
};
static_assert(sizeof(WordSlot) == 16);

inline constexpr std::size_t kHiddenStates = 4;  // B E M S, in the order of their letters: ties go to the later letter
inline constexpr std::size_t kTagNameSize = 8;

// The second hidden Markov model, which tags words: a state is a place in a word and a tag.
enum class TaggerPlace : std::uint8_t { kBegin = 0, kEnd = 1, kMiddle = 2, kSingle = 3 };
inline constexpr std::size_t kTaggerTagsMaximum = 96;

// Log probabilities of the states of one tag. By name: ties go to the later one.
struct TaggerTag {
  char name[kTagNameSize];
  double start_begin;  // of a text that begins with a word of this tag
  double start_single;
  double begin_end;  // from begin to end, and so on
  double begin_middle;
  double middle_end;
  double middle_middle;
};
static_assert(sizeof(TaggerTag) == 56);

struct TaggerEmission {
  float log_probability;
  std::uint8_t place;  // TaggerPlace
  std::uint8_t tag;    // index into the tags
  std::uint16_t padding;
};
static_assert(sizeof(TaggerEmission) == 8);

struct Constants {
  std::uint64_t version;  // hash of every other table
  double unknown_score;   // log probability of a character that is no word
  double start[kHiddenStates];
  double transition[kHiddenStates][kHiddenStates];  // from, to
  std::uint32_t character_count;                    // ids
  std::uint32_t unit_count;
  std::uint32_t word_count;
  std::uint32_t tag_count;
  std::uint32_t word_slot_mask;
  float dictionary_default_idf;  // of Han words that no table knows
  float other_default_idf;       // of other words that no table knows
  std::uint32_t tagger_tag_count;
};

extern "C" {
extern const std::uint16_t paraprint_character_stage1[kStageBlocks];
extern const std::uint8_t paraprint_character_stage2[];
extern const std::uint64_t paraprint_keep_bits[2]
                                              [0x10000 / 64];  // [fold traditional][code point / 64], ActionType::kKeep
extern const std::uint16_t paraprint_action_stage1[2][kStageBlocks];
extern const std::uint32_t paraprint_action_stage2[];
extern const char paraprint_expansions[];

extern const Constants paraprint_constants;
extern const std::uint16_t paraprint_han_ids[kHanCount];
extern const std::uint16_t paraprint_ascii_ids[128];
extern const DictionaryUnit paraprint_dictionary_units[];
extern const std::uint32_t paraprint_dictionary_words[];  // by unit: word id, or kUnknownWord
extern const double paraprint_dictionary_scores[];
extern const double paraprint_emissions[][kHiddenStates];  // by character id
extern const WordRecord paraprint_word_records[];          // by word id
extern const WordSlot paraprint_word_slots[];
extern const char paraprint_tag_names[][kTagNameSize];

extern const TaggerTag paraprint_tagger_tags[];
extern const std::uint32_t paraprint_tagger_begins[];  // by character id, and one more: into the emissions
extern const TaggerEmission paraprint_tagger_emissions[];
}

}  // namespace paraprint::text_data
