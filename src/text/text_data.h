// The tables that src/text/compiler/ creates at build time and text_data.S embeds as read-only data of the library.
// Each table is a separate symbol, so a lookup is one load from a fixed address, without start-up work, run-time files
// or pointer chasing. Only src/text/ reads them; the compiler writes them with the types below.
//
// Little-endian, compiled on the same machine type. docs/algorithms/segmentation.md describes the dictionary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "paraprint/model.h"

namespace paraprint::inline text::text_data {

// --- Unicode ---------------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t kCodePointLimit = 0x110000;
inline constexpr std::uint32_t kStageBits = 8;  // log2 of the number of code points per block of a two-stage table
inline constexpr std::uint32_t kStageBlocks = kCodePointLimit >> kStageBits;

// How normalisation treats a code point. Stored in the top bits of an action; the remaining bits are its argument.
enum class ActionType : std::uint32_t {
  kKeep = 0,     // unchanged
  kReplace = 1,  // argument: the code point that replaces it
  kExpand = 2,   // argument: offset << 6 | length in the pool of expansions, UTF-8
  kDrop = 3,     // control or zero-width
  kSpace = 4,    // white space
  kSlow = 5,     // combines or reorders with its neighbours: left to ICU
};
inline constexpr std::uint32_t kActionShift = 28;
inline constexpr std::uint32_t kExpansionLengthBits = 6;

// --- Han dictionary --------------------------------------------------------------------------------------------------

// The characters that jieba's block expression treats as Han: U+4E00 to U+9FD5.
inline constexpr std::uint32_t kFirstHan = 0x4E00;
inline constexpr std::uint32_t kLastHan = 0x9FD5;
inline constexpr std::uint32_t kHanCount = kLastHan - kFirstHan + 1;

// A node of the prefix tree. The child for character id c is at index base ^ c, provided its label is c.
struct DictionaryUnit {
  std::uint32_t base;         // 0: leaf
  std::uint16_t label;        // id of the character that leads to this node
  std::uint16_t score_index;  // into dictionary_scores; 0: a prefix, but not a word
};
static_assert(sizeof(DictionaryUnit) == 8);

struct WordRecord {
  std::uint64_t hash_high;  // MurmurHash3 of the UTF-8 bytes
  std::uint64_t hash_low;
  float idf;         // base 10
  std::uint8_t tag;  // index into paraprint_tag_names
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

inline constexpr std::size_t kHiddenStates = 4;  // B, E, M, S in alphabetical order: ties go to the later letter
inline constexpr std::size_t kTagNameSize = 8;

// The second hidden Markov model, which tags words. A state is a pair of a place in a word and a tag.
enum class TaggerPlace : std::uint8_t { kBegin = 0, kEnd = 1, kMiddle = 2, kSingle = 3 };
inline constexpr std::size_t kTaggerTagsMaximum = 96;

// Log probabilities of the states of one tag. Tags are sorted by name: ties go to the later one.
struct TaggerTag {
  char name[kTagNameSize];
  double start_begin;  // a text begins with a word of this tag
  double start_single;
  double begin_end;  // transition from begin to end; the rest likewise
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
  double unknown_score;   // log probability of a character that is not a word
  double start[kHiddenStates];
  double transition[kHiddenStates][kHiddenStates];  // from, to
  std::uint32_t character_count;                    // number of character ids
  std::uint32_t unit_count;
  std::uint32_t word_count;
  std::uint32_t tag_count;
  std::uint32_t word_slot_mask;
  float dictionary_default_idf;  // for Han words in no table
  float other_default_idf;       // for other words in no table
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
extern const std::uint32_t paraprint_tagger_begins[];  // by character id, plus one: offsets into the emissions
extern const TaggerEmission paraprint_tagger_emissions[];
}

}  // namespace paraprint::inline text::text_data
