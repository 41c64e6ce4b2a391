// Works on three levels: bytes of the passages, tokens of the word diff, and words of the segmenter. Tokens of Han text
// are single characters, words have several; a word is a range of tokens, and all results are converted back to byte
// offsets at the end. Words are compared by the hash of their normalised form, the form that the synonym table uses.
#include "report/word_changes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint::inline report {
namespace {

// A word as a range of diff tokens. `meaning` is the hash of the representative of its synonym class, or `hash` itself.
struct Word {
  std::uint32_t token_begin = 0;
  std::uint32_t token_end = 0;
  std::uint64_t hash = 0;
  std::uint64_t meaning = 0;
  std::uint32_t letters = 0;  // a Han character counts as two; 0: punctuation
};

// A word without a class means itself.
std::uint64_t meaning_of(std::uint64_t hash, const SynonymTable* synonyms) {
  const SynonymTable::Entry* entry = synonyms != nullptr ? synonyms->find(hash) : nullptr;
  if (entry == nullptr || entry->representative == SynonymTable::kNoWord) return hash;
  return hash64(synonyms->words()[entry->representative]);
}

// One side of a diff: its tokens, and the words that they form. Words are found in the normalised text and mapped back,
// because the synonym table holds normalised words.
class DiffSide {
 public:
  DiffSide(std::string_view text, const TokenFold& fold, const SynonymTable* synonyms)
      : text_(text), synonyms_(synonyms), tokens_(diff_tokens(text)) {
    normalise(fold);
    find_words();
  }

  const std::vector<Word>& words() const { return words_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(tokens_.size()); }

  std::uint32_t token_at(std::uint32_t offset_bytes) const {
    const auto found =
        std::lower_bound(tokens_.begin(), tokens_.end(), offset_bytes,
                         [](const DiffToken& token, std::uint32_t offset) { return token.span.begin_bytes < offset; });
    return static_cast<std::uint32_t>(found - tokens_.begin());
  }
  std::uint32_t offset_bytes_of(std::uint32_t token) const {
    return token < size() ? tokens_[token].span.begin_bytes : static_cast<std::uint32_t>(text_.size());
  }
  // True if a word begins at the token, or at the end of the text.
  bool is_border(std::uint32_t token) const { return token >= size() || begins_word_[token]; }

  // All tokens from `begin` to `end` as a single word, however the segmenter divides them.
  Word as_word(std::uint32_t begin, std::uint32_t end) const {
    Word word{begin, end, 0, 0, 0};
    if (begin == end) return word;
    const TextSpan span{folded_[begin].begin_bytes, folded_[end - 1].end_bytes};
    const std::string_view text = std::string_view(normalised_).substr(span.begin_bytes, span.size_bytes());
    word.hash = hash64(text);
    word.meaning = meaning_of(word.hash, synonyms_);
    word.letters = count_content_characters(text) * (tokens_[begin].is_single ? 2 : 1);
    return word;
  }

  // The words within the tokens from `begin` to `end`, without punctuation.
  std::vector<Word> words_within(std::uint32_t begin, std::uint32_t end) const {
    std::vector<Word> within;
    auto word = std::lower_bound(words_.begin(), words_.end(), begin,
                                 [](const Word& w, std::uint32_t token) { return w.token_begin < token; });
    for (; word != words_.end() && word->token_end <= end; ++word) {
      if (word->letters > 0) within.push_back(*word);
    }
    return within;
  }

 private:
  void normalise(const TokenFold& fold) {
    std::string folded;
    for (const DiffToken& token : tokens_) {
      const auto key = text_.substr(token.span.begin_bytes, token.key_end_bytes - token.span.begin_bytes);
      folded.assign(fold ? std::string_view() : key);
      if (fold) fold(key, folded);
      const auto begin = static_cast<std::uint32_t>(normalised_.size());
      normalised_ += folded;
      folded_.push_back({begin, static_cast<std::uint32_t>(normalised_.size())});
      // A space keeps words of other scripts apart; Han characters are joined, so that the segmenter sees whole words.
      if (token.key_end_bytes < token.span.end_bytes || !token.is_single) normalised_ += ' ';
    }
  }

  void find_words() {
    std::vector<Token> segmented;
    // Both sequences ascend, so a single pass maps segmented words to tokens.
    WordSegmenter::shared().segment(normalised_, segmented);
    begins_word_.assign(tokens_.size(), false);
    std::size_t next = 0;
    for (std::uint32_t t = 0; t < size();) {
      while (next < segmented.size() && segmented[next].begin_bytes < folded_[t].begin_bytes) ++next;
      std::uint32_t end = t + 1;
      // Takes several tokens as one word if the segmenter's borders coincide with token
      // borders; otherwise each token is a word.
      if (next < segmented.size() && segmented[next].begin_bytes == folded_[t].begin_bytes) {
        std::uint32_t last = t;
        while (last + 1 < size() && folded_[last].end_bytes < segmented[next].end_bytes) ++last;
        if (folded_[last].end_bytes == segmented[next].end_bytes) end = last + 1;
      }
      begins_word_[t] = true;
      words_.push_back(as_word(t, end));
      t = end;
    }
  }

  std::string_view text_;
  const SynonymTable* synonyms_;
  std::vector<DiffToken> tokens_;
  std::string normalised_;
  std::vector<TextSpan> folded_;  // of each token, in normalised_
  std::vector<bool> begins_word_;
  std::vector<Word> words_;  // cover the tokens
};

// A run of the diff, in token indices.
struct WordStretch {
  std::uint32_t a_begin = 0;
  std::uint32_t a_end = 0;
  std::uint32_t b_begin = 0;
  std::uint32_t b_end = 0;
  DiffKind kind = DiffKind::kChanged;
  std::uint32_t move = 0;
};

void append_words(std::vector<WordStretch>& stretches, const WordStretch& stretch) {
  if (stretch.a_begin == stretch.a_end && stretch.b_begin == stretch.b_end) return;
  // Synonyms and moves stay separate: each has its own partner.
  const bool joins = stretch.kind == DiffKind::kEqual || stretch.kind == DiffKind::kChanged;
  if (joins && !stretches.empty() && stretches.back().kind == stretch.kind) {
    stretches.back().a_end = stretch.a_end;
    stretches.back().b_end = stretch.b_end;
  } else {
    stretches.push_back(stretch);
  }
}

struct WordPair {
  Word a;
  Word b;
};

bool are_synonyms(const Word& a, const Word& b, const SynonymTable& synonyms) {
  if (a.meaning == b.meaning) return true;
  // Lists of neighbours need not be symmetric, so both directions are tried.
  const auto has_neighbour = [&](std::uint64_t hash, std::uint64_t other) {
    const SynonymTable::Entry* entry = synonyms.find(hash);
    if (entry == nullptr) return false;
    const auto neighbours = synonyms.neighbours(*entry);
    return std::any_of(neighbours.begin(), neighbours.end(), [&](const SynonymTable::Neighbour& neighbour) {
      return hash64(synonyms.words()[neighbour.word]) == other;
    });
  };
  return has_neighbour(a.hash, b.hash) || has_neighbour(b.hash, a.hash);
}

// Value of a letter in an alignment. Equal words are worth more than synonyms, so that an equal word is never given up
// for a synonym of the same length.
constexpr std::uint32_t kEqualGain = 4;
constexpr std::uint32_t kSynonymGain = 3;

// The pairs of a best alignment, in order; none if the alignment contains no synonyms,
// because the character diff is then as good.
std::vector<WordPair> align(const std::vector<Word>& a, const std::vector<Word>& b, const SynonymTable& synonyms) {
  if (a.empty() || b.empty() || a.size() * b.size() > kAlignedWordPairsMaximum) return {};
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> best((a.size() + 1) * width, 0);
  const auto gain = [&](std::size_t i, std::size_t j) -> std::uint32_t {
    // The shorter word counts, so that a long synonym does not win by its length.
    const std::uint32_t letters = std::min(a[i].letters, b[j].letters);
    if (a[i].hash == b[j].hash) return kEqualGain * letters;
    return are_synonyms(a[i], b[j], synonyms) ? kSynonymGain * letters : 0;
  };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      best[i * width + j] = std::max(
          {best[(i - 1) * width + j], best[i * width + j - 1], best[(i - 1) * width + j - 1] + gain(i - 1, j - 1)});
    }
  }
  std::vector<WordPair> pairs;
  bool has_synonym = false;
  // Walk back. Gains are computed again rather than stored: the walk visits few cells.
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    const std::uint32_t gained = gain(i - 1, j - 1);
    if (gained > 0 && best[i * width + j] == best[(i - 1) * width + j - 1] + gained) {
      pairs.push_back({a[--i], b[--j]});
      has_synonym = has_synonym || pairs.back().a.hash != pairs.back().b.hash;
    } else if (best[i * width + j] == best[(i - 1) * width + j]) {
      --i;
    } else {
      --j;
    }
  }
  if (!has_synonym) return {};
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

// Widens changed stretches to whole words and extracts pairs of synonyms from them.
class SynonymFinder {
 public:
  SynonymFinder(const DiffSide& a, const DiffSide& b, const SynonymTable& synonyms)
      : a_(a), b_(b), synonyms_(synonyms) {}

  std::vector<WordStretch> refine(std::vector<WordStretch> stretches) {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const WordStretch stretch = stretches[i];
      WordStretch* next = i + 1 < stretches.size() ? &stretches[i + 1] : nullptr;
      if (stretch.kind != DiffKind::kChanged || !refine_one(stretch, next)) append_words(refined_, stretch);
    }
    return std::move(refined_);
  }

 private:
  // Returns false, and changes nothing, if there is no pair of synonyms. `next` is the following stretch, which loses
  // the tokens that the widened stretch takes.
  bool refine_one(const WordStretch& stretch, WordStretch* next) {
    // First the whole stretch as a word: the segmenter may see a listed word as part
    // of a longer one, such as 电脑 in 电脑控制.
    const Word a_word = a_.as_word(stretch.a_begin, stretch.a_end);
    const Word b_word = b_.as_word(stretch.b_begin, stretch.b_end);
    if (a_word.letters > 0 && b_word.letters > 0 && are_synonyms(a_word, b_word, synonyms_)) {
      refined_.push_back({stretch.a_begin, stretch.a_end, stretch.b_begin, stretch.b_end, DiffKind::kSynonym, 0});
      return true;
    }
    const bool has_before = !refined_.empty() && refined_.back().kind == DiffKind::kEqual;
    const std::uint32_t before = has_before ? refined_.back().a_end - refined_.back().a_begin : 0;
    // Widen into the equal neighbours on both sides until words begin in both texts at the same place.
    std::uint32_t left = 0;
    while (left < before && !(a_.is_border(stretch.a_begin - left) && b_.is_border(stretch.b_begin - left))) ++left;
    const std::uint32_t after = next != nullptr && next->kind == DiffKind::kEqual ? next->a_end - next->a_begin : 0;
    std::uint32_t right = 0;
    while (right < after && !(a_.is_border(stretch.a_end + right) && b_.is_border(stretch.b_end + right))) ++right;
    const WordStretch wide = {stretch.a_begin - left, stretch.a_end + right, stretch.b_begin - left,
                              stretch.b_end + right,  DiffKind::kChanged,    0};
    const std::vector<WordPair> pairs =
        align(a_.words_within(wide.a_begin, wide.a_end), b_.words_within(wide.b_begin, wide.b_end), synonyms_);
    if (pairs.empty()) return false;
    if (left > 0) take_from_last(left);
    if (right > 0) {
      next->a_begin += right;
      next->b_begin += right;
    }
    // Pairs become equal or synonym stretches; what is between them stays changed.
    std::uint32_t a = wide.a_begin;
    std::uint32_t b = wide.b_begin;
    for (const WordPair& pair : pairs) {
      append_words(refined_, {a, pair.a.token_begin, b, pair.b.token_begin, DiffKind::kChanged, 0});
      const DiffKind kind = pair.a.hash == pair.b.hash ? DiffKind::kEqual : DiffKind::kSynonym;
      append_words(refined_, {pair.a.token_begin, pair.a.token_end, pair.b.token_begin, pair.b.token_end, kind, 0});
      a = pair.a.token_end;
      b = pair.b.token_end;
    }
    append_words(refined_, {a, wide.a_end, b, wide.b_end, DiffKind::kChanged, 0});
    return true;
  }

  void take_from_last(std::uint32_t tokens) {
    WordStretch& last = refined_.back();
    last.a_end -= tokens;
    last.b_end -= tokens;
    if (last.a_begin == last.a_end) refined_.pop_back();
  }

  const DiffSide& a_;
  const DiffSide& b_;
  const SynonymTable& synonyms_;
  std::vector<WordStretch> refined_;
};

// A changed word, and the stretch it is in.
struct ChangedWord {
  Word word;
  std::size_t stretch = 0;
  bool is_moved = false;
};

struct TokenRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t move = 0;
};

// Pairs runs of changed words on one side with the same words on the other. Greedy: the longest run first, until runs
// get too short or kMovesMaximum is reached.
class MoveFinder {
 public:
  MoveFinder(const DiffSide& a, const DiffSide& b, const std::vector<WordStretch>& stretches) : stretches_(stretches) {
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      const WordStretch& stretch = stretches[s];
      if (stretch.kind != DiffKind::kChanged) continue;
      for (const Word& word : a.words_within(stretch.a_begin, stretch.a_end)) a_.push_back({word, s, false});
      for (const Word& word : b.words_within(stretch.b_begin, stretch.b_end)) b_.push_back({word, s, false});
    }
    moved_a_.resize(stretches.size());
    moved_b_.resize(stretches.size());
  }

  std::vector<WordStretch> refine() {
    if (a_.size() * b_.size() <= kAlignedWordPairsMaximum) {
      for (std::uint32_t move = 1; move <= kMovesMaximum; ++move) {
        if (!take_longest(move)) break;
      }
    }
    std::vector<WordStretch> refined;
    for (std::size_t s = 0; s < stretches_.size(); ++s) split(s, refined);
    return refined;
  }

 private:
  // A run must not cross the border of a stretch or words that already belong to another move.
  bool follows(const std::vector<ChangedWord>& words, std::size_t i) const {
    return i > 0 && words[i - 1].stretch == words[i].stretch && !words[i - 1].is_moved;
  }

  // Finds the longest common run of words by letters, the first among equals, and marks it; false if it is too short.
  // Longest common substring by dynamic programming over two rows.
  bool take_longest(std::uint32_t move) {
    struct Run {
      std::uint32_t letters = 0;
      std::size_t words = 0;
    };
    std::vector<Run> before(b_.size() + 1);
    std::vector<Run> row(b_.size() + 1);
    Run longest;
    std::size_t end_a = 0;
    std::size_t end_b = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      for (std::size_t j = 0; j < b_.size(); ++j) {
        row[j + 1] = {};
        if (a_[i].is_moved || b_[j].is_moved || a_[i].word.hash != b_[j].word.hash) continue;
        const Run run = follows(a_, i) && follows(b_, j) ? before[j] : Run{};
        row[j + 1] = {run.letters + a_[i].word.letters, run.words + 1};
        if (row[j + 1].letters <= longest.letters) continue;
        longest = row[j + 1];
        end_a = i + 1;
        end_b = j + 1;
      }
      std::swap(before, row);
    }
    // A single word that occurs in both texts is no evidence of a move.
    if (longest.words < 2 || longest.letters < kMovedLettersMinimum) return false;
    mark(a_, end_a - longest.words, end_a, move, moved_a_);
    mark(b_, end_b - longest.words, end_b, move, moved_b_);
    return true;
  }

  static void mark(std::vector<ChangedWord>& words, std::size_t begin, std::size_t end, std::uint32_t move,
                   std::vector<std::vector<TokenRange>>& moved) {
    for (std::size_t i = begin; i < end; ++i) words[i].is_moved = true;
    moved[words[begin].stretch].push_back({words[begin].word.token_begin, words[end - 1].word.token_end, move});
  }

  // Splits a stretch into the part before the first moved words of either side, then the rest of a, then the rest of b.
  // Moved words have no counterpart in the same stretch, so the sides are written one after the other.
  void split(std::size_t s, std::vector<WordStretch>& refined) {
    const WordStretch& stretch = stretches_[s];
    if (moved_a_[s].empty() && moved_b_[s].empty()) {
      append_words(refined, stretch);
      return;
    }
    const auto by_place = [](const TokenRange& x, const TokenRange& y) { return x.begin < y.begin; };
    std::sort(moved_a_[s].begin(), moved_a_[s].end(), by_place);
    std::sort(moved_b_[s].begin(), moved_b_[s].end(), by_place);
    std::uint32_t a = moved_a_[s].empty() ? stretch.a_end : moved_a_[s].front().begin;
    std::uint32_t b = moved_b_[s].empty() ? stretch.b_end : moved_b_[s].front().begin;
    append_words(refined, {stretch.a_begin, a, stretch.b_begin, b, DiffKind::kChanged, 0});
    for (const TokenRange& range : moved_a_[s]) {
      append_words(refined, {a, range.begin, b, b, DiffKind::kChanged, 0});
      append_words(refined, {range.begin, range.end, b, b, DiffKind::kMoved, range.move});
      a = range.end;
    }
    append_words(refined, {a, stretch.a_end, b, b, DiffKind::kChanged, 0});
    a = stretch.a_end;
    for (const TokenRange& range : moved_b_[s]) {
      append_words(refined, {a, a, b, range.begin, DiffKind::kChanged, 0});
      append_words(refined, {a, a, range.begin, range.end, DiffKind::kMoved, range.move});
      b = range.end;
    }
    append_words(refined, {a, a, b, stretch.b_end, DiffKind::kChanged, 0});
  }

  const std::vector<WordStretch>& stretches_;
  std::vector<ChangedWord> a_;
  std::vector<ChangedWord> b_;
  std::vector<std::vector<TokenRange>> moved_a_;  // of each stretch
  std::vector<std::vector<TokenRange>> moved_b_;
};

}  // namespace

void classify_changes(std::string_view a, std::string_view b, const TokenFold& fold, const SynonymTable* synonyms,
                      WordDiff& diff) {
  const auto is_changed = [](const DiffRun& run) { return run.kind == DiffKind::kChanged; };
  // Segmentation is the expensive part; equal passages need none.
  if (std::none_of(diff.runs.begin(), diff.runs.end(), is_changed)) return;
  const DiffSide side_a(a, fold, synonyms);
  const DiffSide side_b(b, fold, synonyms);
  std::vector<WordStretch> stretches;
  for (const DiffRun& run : diff.runs) {
    stretches.push_back({side_a.token_at(run.a.begin_bytes), side_a.token_at(run.a.end_bytes),
                         side_b.token_at(run.b.begin_bytes), side_b.token_at(run.b.end_bytes), run.kind, 0});
  }
  if (synonyms != nullptr) stretches = SynonymFinder(side_a, side_b, *synonyms).refine(std::move(stretches));
  // Synonyms first: a replaced word must not be taken for the missing end of a moved run.
  const std::vector<WordStretch> refined = MoveFinder(side_a, side_b, stretches).refine();
  diff.runs.clear();
  for (const WordStretch& stretch : refined) {
    diff.runs.push_back({{side_a.offset_bytes_of(stretch.a_begin), side_a.offset_bytes_of(stretch.a_end)},
                         {side_b.offset_bytes_of(stretch.b_begin), side_b.offset_bytes_of(stretch.b_end)},
                         stretch.kind,
                         stretch.move});
  }
}

void ChangeTotals::add(std::string_view a, std::string_view b, const WordDiff& diff) {
  const auto count = [](std::string_view text, TextSpan span) -> std::uint64_t {
    return count_content_characters(text.substr(span.begin_bytes, span.size_bytes()));
  };
  for (const DiffRun& run : diff.runs) {
    const auto [of_a, of_b] = [&]() -> std::pair<std::uint64_t*, std::uint64_t*> {
      switch (run.kind) {
        case DiffKind::kEqual:
          return {&equal_a, &equal_b};
        case DiffKind::kSynonym:
          return {&synonym_a, &synonym_b};
        case DiffKind::kMoved:
          return {&moved_a, &moved_b};
        case DiffKind::kChanged:
          break;
      }
      return {&changed_a, &changed_b};
    }();
    *of_a += count(a, run.a);
    *of_b += count(b, run.b);
  }
}

}  // namespace paraprint::inline report
