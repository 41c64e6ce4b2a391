// One pass over the text. Where there are no Han characters, only runs of letters must be found. Around Han characters,
// jieba's unit of work is the block: a maximal sequence of Han, ASCII letters and digits and + # & . _ % -. The best
// route depends on the whole block, so a block is decoded to character ids, routed from end to beginning, and then read
// forwards:
//
//   route   for each position, the best next word by (log probability of the rest, end), which is how jieba compares
//   words   words of two or more characters are tokens; sequences of single characters are unknown to the dictionary
//           and go to the hidden Markov model, unless the sequence as a whole is a dictionary word
//   others  letters and digits that are not part of a Han word join the runs around them
#include "text/word_segmenter.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>

#include "memory/per_thread.h"
#include "text/ascii_words.h"
#include "text/complex_script.h"
#include "text/hidden_markov.h"
#include "text/text_data.h"
#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

using text_data::DictionaryUnit;

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr char32_t kProlongedSoundMark = 0x30FC;  // follows both hiragana and katakana

// Bytes by their role in blocks and runs. One table lookup per byte replaces a chain of comparisons.
enum class ByteKind : std::uint8_t { kSeparator, kAlphanumeric, kBlockPunctuation, kNonAscii };

constexpr std::array<ByteKind, 256> make_byte_kinds() {
  std::array<ByteKind, 256> kinds{};
  for (std::size_t byte = '0'; byte <= '9'; ++byte) kinds[byte] = ByteKind::kAlphanumeric;
  for (std::size_t byte = 'a'; byte <= 'z'; ++byte) kinds[byte] = ByteKind::kAlphanumeric;
  for (std::size_t byte = 'A'; byte <= 'Z'; ++byte) kinds[byte] = ByteKind::kAlphanumeric;
  for (const unsigned char byte : {'+', '#', '&', '.', '_', '%', '-'}) kinds[byte] = ByteKind::kBlockPunctuation;
  for (std::size_t byte = 0x80; byte < kinds.size(); ++byte) kinds[byte] = ByteKind::kNonAscii;
  return kinds;
}

constexpr std::array<ByteKind, 256> kByteKinds = make_byte_kinds();

// The best continuation from a character of a block.
struct BestRoute {
  double score;        // log probability of everything from here to the end of the block
  std::uint32_t end;   // index of the character after the word that begins here
  std::uint32_t unit;  // dictionary unit of that word
};

// Per-thread buffers, kept between calls, unless a block was longer than most: they take some 60 bytes for each of its
// characters. The first four have the same size, or if memory ran out, the size of `ids` and more.
struct Scratch {
  std::vector<std::uint16_t> ids;      // of the block's characters; 0 after its end
  std::vector<std::uint32_t> offsets;  // of the block's characters in the text, and of its end
  std::vector<std::uint32_t> pairs;    // unit of each character with the next one; 0: not a prefix of any word
  std::vector<BestRoute> routes;       // from each character of the block, and from its end
  std::vector<std::uint32_t> word_ends;
  HiddenMarkovScratch hidden_markov;

  void grow() {
    constexpr std::size_t kFirstSize = 256;
    const std::size_t size = std::max(kFirstSize, 2 * ids.size());
    offsets.resize(size);
    pairs.resize(size);
    routes.resize(size);
    ids.resize(size);  // last: the others have room for as many, also if one of them throws
  }

  void release_if_large() {
    constexpr std::size_t kKeptCharacters = std::size_t{1} << 16;
    if (ids.size() > kKeptCharacters) *this = Scratch();
  }
};

// The unit of the word `ids`, or 0 if it is not in the dictionary. Unit 0 is never a word: id 0 means "no character".
std::uint32_t find_unit(std::span<const std::uint16_t> ids) {
  const DictionaryUnit* const units = text_data::paraprint_dictionary_units;
  std::uint32_t unit = ids[0];
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const std::uint32_t base = units[unit].base;
    if (base == 0) return 0;
    unit = base ^ ids[i];
    if (units[unit].label != ids[i]) return 0;
  }
  return units[unit].score_index == 0 ? 0 : unit;
}

class Segmentation {
 public:
  Segmentation(std::string_view text, std::vector<Token>& tokens, Scratch& scratch, StopCheck& stop)
      : text_(text), size_(static_cast<std::uint32_t>(text.size())), tokens_(tokens), scratch_(scratch), stop_(stop) {}

  void run() {
    if (scratch_.ids.empty()) scratch_.grow();
    while (position_ < size_) {
      const std::uint32_t begin = position_;
      segment_until(begin + std::min(size_ - begin, kStopBytes));
      if (position_ < size_ && stop_.after(position_ - begin)) return;
    }
    flush_run();
  }

 private:
  static constexpr std::uint32_t kStopBytes = StopCheck::kStopUnits;

  // Continues until `pause` is reached, or a little further. A separator ends run and block, block punctuation only the
  // run. Letters belong to both.
  void segment_until(std::uint32_t pause) {
    while (position_ < pause) {
      switch (kind_at(position_)) {
        case ByteKind::kSeparator:
          flush_run();
          block_begin_ = kNowhere;
          ++position_;
          break;
        case ByteKind::kBlockPunctuation:
          begin_block();
          flush_run();
          ++position_;
          break;
        case ByteKind::kAlphanumeric:
          begin_block();
          extend_run(CharacterClass::kWord, position_);
          pass_alphanumerics();
          break;
        case ByteKind::kNonAscii:
          take_other(decode_character(text_.data() + position_, text_.data() + size_));
          break;
      }
    }
  }

  ByteKind kind_at(std::uint32_t position) const { return kByteKinds[static_cast<unsigned char>(text_[position])]; }

  // Moves past the ASCII letters and digits at position_. Non-ASCII bytes have their high bit cleared for the test,
  // which requires ASCII, and are then added to the non-matches.
  void pass_alphanumerics() {
    while (size_ - position_ >= ascii_words::kSizeBytes) {
      const std::uint64_t word = ascii_words::load(text_.data() + position_);
      const std::uint64_t others = ~ascii_words::letters_and_digits(word & ~ascii_words::kHighBits) | word;
      const std::uint32_t passed = ascii_words::before_first(others & ascii_words::kHighBits);
      position_ += passed;
      if (passed < ascii_words::kSizeBytes) return;
    }
    while (position_ < size_ && kind_at(position_) == ByteKind::kAlphanumeric) ++position_;
  }

  // --- runs of letters outside Han words ---

  // A run consists of characters of one class; a character of another class ends it.
  void extend_run(CharacterClass run_class, std::uint32_t begin) {
    if (run_begin_ != kNowhere && run_class_ == run_class) return;
    flush_run_until(begin);
    run_begin_ = begin;
    run_class_ = run_class;
  }

  // Ends the current run before `end`. Only complex scripts need more than its boundaries.
  void flush_run_until(std::uint32_t end) {
    if (run_begin_ == kNowhere) return;
    if (run_class_ == CharacterClass::kComplex) {
      append_complex_words(text_, run_begin_, end, tokens_, stop_);
    } else {
      tokens_.push_back({run_begin_, end, kUnknownWord});
    }
    run_begin_ = kNowhere;
  }

  void flush_run() { flush_run_until(position_); }

  // A non-ASCII character. All but Han end the block, because jieba's block expression does not contain them.
  void take_other(DecodedCharacter character) {
    const CharacterClass found = character_class(character.code_point);
    if (found == CharacterClass::kHan) {
      begin_block();
      segment_block();
      return;
    }
    block_begin_ = kNowhere;
    switch (found) {
      case CharacterClass::kSeparator:
        flush_run();
        break;
      case CharacterClass::kMark:
        break;  // belongs to the preceding run, if there is one
      case CharacterClass::kHan:
      case CharacterClass::kOtherHan:
        flush_run();
        tokens_.push_back({position_, position_ + character.size_bytes, kUnknownWord});
        break;
      case CharacterClass::kWord:
      case CharacterClass::kHiragana:
      case CharacterClass::kKatakana:
      case CharacterClass::kComplex:
        // The prolonged sound mark continues a run of either kana.
        if (character.code_point != kProlongedSoundMark || run_begin_ == kNowhere) extend_run(found, position_);
        break;
    }
    position_ += character.size_bytes;
  }

  // --- blocks ---

  // Remembers the state at the start of a block. If a Han character turns up in it, the block is segmented again from
  // there as jieba does; blocks without Han, such as Latin words, are handled on the fly.
  void begin_block() {
    if (block_begin_ != kNowhere) return;
    block_begin_ = position_;
    block_token_count_ = tokens_.size();
    block_run_begin_ = run_begin_;
    block_run_class_ = run_class_;
  }

  // Undoes what was emitted since the start of the block, then segments the block as a whole. If stopped in between,
  // the block has no tokens.
  void segment_block() {
    tokens_.resize(block_token_count_);
    run_begin_ = block_run_begin_;
    run_class_ = block_run_class_;
    decode_block();
    find_pairs();
    if (find_routes()) read_routes();
    block_begin_ = kNowhere;
  }

  // Fills ids and offsets starting at block_begin_ and moves position_ to the end of the block.
  void decode_block() {
    const DictionaryUnit* const units = text_data::paraprint_dictionary_units;
    const char* const end = text_.data() + size_;
    const char* position = text_.data() + block_begin_;
    std::uint32_t last_base = 0;
    std::uint32_t count = 0;
    for (; position < end; ++count) {
      std::uint16_t id;
      std::uint32_t size_bytes = 1;
      const ByteKind kind = kByteKinds[static_cast<unsigned char>(*position)];
      if (kind == ByteKind::kNonAscii) {
        const DecodedCharacter character = decode_character(position, end);
        const std::uint32_t index = character.code_point - text_data::kFirstHan;
        if (index >= text_data::kHanCount) break;
        id = text_data::paraprint_han_ids[index];
        size_bytes = 3;
      } else if (kind == ByteKind::kSeparator) {
        break;
      } else {
        id = text_data::paraprint_ascii_ids[static_cast<unsigned char>(*position)];
      }
      if (count + 1 == scratch_.ids.size()) scratch_.grow();
      scratch_.ids[count] = id;
      scratch_.offsets[count] = static_cast<std::uint32_t>(position - text_.data());
      position += size_bytes;
      // The dictionary exceeds the inner caches, and find_pairs() will look up this pair of characters soon.
      __builtin_prefetch(&units[last_base ^ id]);
      last_base = units[id].base;
    }
    count_ = count;
    position_ = static_cast<std::uint32_t>(position - text_.data());
    scratch_.offsets[count] = position_;
  }

  // Looks up each pair of characters without a branch: a misprediction would keep the processor from requesting the
  // next pairs while it waits for this one. Prefetches the words of three characters.
  void find_pairs() {
    const DictionaryUnit* const units = text_data::paraprint_dictionary_units;
    std::uint16_t* const ids = scratch_.ids.data();
    std::uint32_t* const pairs = scratch_.pairs.data();
    ids[count_] = 0;
    for (std::uint32_t i = 0; i + 1 < count_; ++i) {
      const std::uint32_t base = units[ids[i]].base;
      const std::uint32_t pair = base ^ ids[i + 1];
      const bool is_prefix = (base != 0) & (units[pair].label == ids[i + 1]);
      pairs[i] = pair & (std::uint32_t{0} - is_prefix);  // a mask, because compilers turn ?: into a branch
      __builtin_prefetch(&units[units[pairs[i]].base ^ ids[i + 2]]);
    }
    pairs[count_ - 1] = 0;
  }

  // Dynamic programming from the end of the block. Scores are added in jieba's order, so that rounding and hence ties
  // are the same. Ties go to the larger end, as in jieba's max() over (score, end). False if stopped.
  bool find_routes() {
    for (std::uint32_t end = count_; end > 0;) {
      const std::uint32_t begin = end - std::min(end, kStopBytes);
      find_routes_of(begin, end);
      end = begin;
      if (end > 0 && stop_.after(kStopBytes)) return false;
    }
    return true;
  }

  // Of the characters [begin, end) of the block; those of the characters behind them are known.
  void find_routes_of(std::uint32_t begin, std::uint32_t end) {
    const DictionaryUnit* const units = text_data::paraprint_dictionary_units;
    const double* const scores = text_data::paraprint_dictionary_scores;
    const double unknown_score = text_data::paraprint_constants.unknown_score;
    const std::uint32_t count = count_;
    const std::uint16_t* const ids = scratch_.ids.data();
    BestRoute* const routes = scratch_.routes.data();
    routes[count] = {0.0, count, 0};
    for (std::uint32_t i = end; i-- > begin;) {
      constexpr double kNoWord = -std::numeric_limits<double>::infinity();
      BestRoute best{kNoWord, i + 1, ids[i]};
      const std::uint16_t single_score = units[ids[i]].score_index;
      if (single_score != 0) best.score = scores[single_score] + routes[i + 1].score;
      std::uint32_t child = scratch_.pairs[i];
      for (std::uint32_t j = i + 1; child != 0; ++j) {
        const DictionaryUnit unit = units[child];
        if (unit.score_index != 0) {
          const double score = scores[unit.score_index] + routes[j + 1].score;
          if (score >= best.score) best = {score, j + 1, child};
        }
        if (unit.base == 0 || j + 1 == count) break;
        child = unit.base ^ ids[j + 1];
        if (units[child].label != ids[j + 1]) break;
      }
      // jieba gives a character that begins no word the frequency 1.
      if (best.score == kNoWord) best.score = unknown_score + routes[i + 1].score;
      routes[i] = best;
      __builtin_prefetch(&text_data::paraprint_dictionary_words[best.unit]);  // for read_routes
    }
  }

  // Emits the tokens of the block along the best route.
  void read_routes() {
    const BestRoute* const routes = scratch_.routes.data();
    std::uint32_t singles_begin = 0;  // start of the current sequence of single characters
    std::uint32_t pause = kStopBytes;
    for (std::uint32_t i = 0; i < count_;) {
      if (i >= pause) {
        if (stop_.after(kStopBytes)) return;
        pause = i + kStopBytes;
      }
      const std::uint32_t end = routes[i].end;
      if (end - i > 1) {
        take_singles(singles_begin, i);
        take_piece(i, end, text_data::paraprint_dictionary_words[routes[i].unit]);
        singles_begin = end;
      }
      i = end;
    }
    take_singles(singles_begin, count_);
  }

  // Characters of a block are either ASCII (one byte) or Han (three bytes).
  bool is_han_at(std::uint32_t i) const { return scratch_.offsets[i + 1] - scratch_.offsets[i] > 1; }

  std::span<const std::uint16_t> ids_of(std::uint32_t begin, std::uint32_t end) const {
    return {scratch_.ids.data() + begin, end - begin};
  }

  // Emits a word of the block: as a token if it contains a Han character (it has more bytes than characters), else as
  // part of the letter runs.
  void take_piece(std::uint32_t begin, std::uint32_t end, std::uint32_t word_id) {
    const std::uint32_t begin_bytes = scratch_.offsets[begin];
    const std::uint32_t end_bytes = scratch_.offsets[end];
    if (end_bytes - begin_bytes > end - begin) {
      flush_run_until(begin_bytes);
      tokens_.push_back({begin_bytes, end_bytes, word_id});
      return;
    }
    for (std::uint32_t position = begin_bytes; position < end_bytes; ++position) {
      if (kind_at(position) == ByteKind::kAlphanumeric) {
        extend_run(CharacterClass::kWord, position);
      } else {
        flush_run_until(position);
      }
    }
  }

  // A one-character word; its unit is the character's id (the first level of the prefix tree).
  void take_single(std::uint32_t i) { take_piece(i, i + 1, text_data::paraprint_dictionary_words[scratch_.ids[i]]); }

  // Emits a sequence of single characters. If it is a dictionary word as a whole, of too low a probability to be on the
  // route, jieba keeps the characters separate; else the hidden Markov model segments its Han parts.
  void take_singles(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    if (end - begin == 1 || find_unit(ids_of(begin, end)) != 0) {
      for (std::uint32_t i = begin; i < end; ++i) take_single(i);
      return;
    }
    while (begin < end) {
      std::uint32_t han_end = begin;
      while (han_end < end && is_han_at(han_end)) ++han_end;
      if (han_end > begin) take_unknown(begin, han_end);
      begin = han_end;
      while (begin < end && !is_han_at(begin)) take_single(begin++);
    }
  }

  // A sequence found by the hidden Markov model can still be a dictionary word; then it gets that word's id.
  void take_unknown(std::uint32_t begin, std::uint32_t end) {
    if (end - begin == 1) {
      take_single(begin);
      return;
    }
    cut_unknown(ids_of(begin, end), scratch_.hidden_markov, scratch_.word_ends);
    std::uint32_t word_begin = begin;
    for (const std::uint32_t relative_end : scratch_.word_ends) {
      const std::uint32_t word_end = begin + relative_end;
      const std::uint32_t unit = find_unit(ids_of(word_begin, word_end));
      take_piece(word_begin, word_end, text_data::paraprint_dictionary_words[unit]);
      word_begin = word_end;
    }
  }

  std::string_view text_;
  std::uint32_t size_;
  std::vector<Token>& tokens_;
  Scratch& scratch_;
  StopCheck& stop_;
  std::uint32_t position_ = 0;

  std::uint32_t run_begin_ = kNowhere;
  CharacterClass run_class_ = CharacterClass::kWord;

  std::uint32_t count_ = 0;  // characters in the current block
  std::uint32_t block_begin_ = kNowhere;
  std::size_t block_token_count_ = 0;
  std::uint32_t block_run_begin_ = kNowhere;
  CharacterClass block_run_class_ = CharacterClass::kWord;
};

}  // namespace

const WordSegmenter& WordSegmenter::shared() {
  static const WordSegmenter segmenter;
  return segmenter;
}

void WordSegmenter::segment(std::string_view normalised, std::vector<Token>& tokens, StopCheck& stop) const {
  // Per thread rather than per call, because blocks are short and allocation would dominate.
  static PerThread<Scratch> scratches;
  Scratch& scratch = scratches.get([] { return std::make_unique<Scratch>(); });
  // Also when an exception ends the call.
  const struct Release {
    Scratch& scratch;
    ~Release() { scratch.release_if_large(); }
  } release{scratch};
  tokens.clear();
  Segmentation(normalised, tokens, scratch, stop).run();
}

std::uint32_t WordSegmenter::find_word(std::string_view word) const {
  std::vector<std::uint16_t> ids;
  for (const char* position = word.data(); position < word.data() + word.size();) {
    const DecodedCharacter character = decode_character(position, word.data() + word.size());
    // Unsigned wrap-around makes smaller code points large, so one comparison tests both bounds.
    const std::uint32_t index = character.code_point - text_data::kFirstHan;
    if (index < text_data::kHanCount) {
      ids.push_back(text_data::paraprint_han_ids[index]);
    } else if (character.code_point < 0x80) {
      ids.push_back(text_data::paraprint_ascii_ids[character.code_point]);
    } else {
      return kUnknownWord;
    }
    position += character.size_bytes;
  }
  return ids.empty() ? kUnknownWord : text_data::paraprint_dictionary_words[find_unit(ids)];
}

std::string_view WordSegmenter::part_of_speech(std::uint32_t word_id) const {
  if (word_id >= word_count()) return {};
  return text_data::paraprint_tag_names[text_data::paraprint_word_records[word_id].tag];
}

std::uint32_t WordSegmenter::word_count() const {
  return text_data::paraprint_constants.word_count;
}

std::uint64_t WordSegmenter::data_version() const {
  return text_data::paraprint_constants.version;
}

}  // namespace paraprint::inline text
