// fastText's binary models (versions 11 and 12): arguments, dictionary, input matrix. The matrix has one row per word
// and one per bucket of subwords; the vector of a word is the mean of its row and of those of its subwords.
//
// The file is not trusted: every size is checked against the bytes left before memory is reserved or a row is read.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "base/byte_codec.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "semantics/vectors/import.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

constexpr std::uint32_t kPartCharactersMaximum = 64;

// The arguments that matter for reading the vectors.
struct Arguments {
  std::uint32_t dimension = 0;
  std::uint32_t model = 0;  // 1: CBOW, 2: skip-gram, 3: classifier
  std::uint32_t buckets = 0;
  std::uint32_t part_least = 0;
  std::uint32_t part_most = 0;
};

// Call order: read_arguments, read_dictionary, read_matrix_shape, add_words, each only after success of the one before.
class FastTextFile {
 public:
  FastTextFile(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name), reader_(bytes) {}

  Status read_arguments();
  Status read_dictionary();
  Status read_matrix_shape();
  Status add_words(WordVectorsBuilder& builder);
  const Arguments& arguments() const { return arguments_; }
  std::uint64_t corpus_words() const { return corpus_words_; }

 private:
  struct Entry {
    std::string_view word;
    std::uint64_t count = 0;
    bool is_label = false;
  };

  std::size_t offset() const { return bytes_.size() - reader_.left_bytes(); }
  tl::unexpected<Error> wrong(std::string_view what) const {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{}: at byte {}: {}; the file is damaged or cut off", name_, offset(), what));
  }
  void add_row(std::uint64_t row);
  void add_parts(std::string_view marked_word);

  std::string_view bytes_;
  const std::string& name_;
  ByteReader reader_;
  Arguments arguments_;
  std::uint32_t words_ = 0;
  std::uint64_t corpus_words_ = 0;
  std::vector<Entry> entries_;
  std::uint64_t rows_ = 0;
  std::string_view matrix_;
  std::vector<float> sum_;
  std::uint32_t summed_ = 0;
};

// Fields in the order of fastText's Args::save. Most concern training only and are skipped.
Status FastTextFile::read_arguments() {
  const auto magic = reader_.fixed<std::uint32_t>();
  const auto version = reader_.fixed<std::uint32_t>();
  if (magic != kFastTextMagic) return wrong("no fastText magic number");
  if (reader_.ok() && version != 11 && version != 12) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("{}: fastText format version {}; only 11 and 12 are supported", name_, version));
  }
  arguments_.dimension = reader_.fixed<std::uint32_t>();
  for (int skipped = 0; skipped < 6; ++skipped) reader_.fixed<std::uint32_t>();  // window, epochs, ..., loss
  arguments_.model = reader_.fixed<std::uint32_t>();
  arguments_.buckets = reader_.fixed<std::uint32_t>();
  arguments_.part_least = reader_.fixed<std::uint32_t>();
  arguments_.part_most = reader_.fixed<std::uint32_t>();
  reader_.fixed<std::uint32_t>();  // how often the rate is set
  reader_.fixed<std::uint64_t>();  // threshold of sampling
  if (!reader_.ok()) return wrong("the arguments are incomplete");
  if (version == 11 && arguments_.model == 3) arguments_.part_most = 0;  // old classifiers had no subwords
  if (arguments_.dimension == 0 || arguments_.dimension > kVectorDimensionMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{}: vectors have {} numbers; 1 to {} are supported (kVectorDimensionMaximum)", name_,
                               arguments_.dimension, kVectorDimensionMaximum));
  }
  if (arguments_.model < 1 || arguments_.model > 3 || arguments_.part_most > kPartCharactersMaximum ||
      (arguments_.part_most > 0 && arguments_.buckets == 0)) {
    return wrong("invalid arguments");
  }
  return {};
}

// Words are terminated by a zero byte, so the reader is restarted behind each. Classifiers list their labels after the
// words; labels have no row among those of words.
Status FastTextFile::read_dictionary() {
  const auto size = reader_.fixed<std::uint32_t>();
  words_ = reader_.fixed<std::uint32_t>();
  const auto labels = reader_.fixed<std::uint32_t>();
  corpus_words_ = reader_.fixed<std::uint64_t>();
  const auto pruned = static_cast<std::int64_t>(reader_.fixed<std::uint64_t>());
  constexpr std::size_t kEntryBytesMinimum = 1 + 8 + 1;
  if (!reader_.ok() || std::uint64_t{words_} + labels != size || size > reader_.left_bytes() / kEntryBytesMinimum) {
    return wrong("invalid dictionary size");
  }
  if (pruned > 0) {
    return failure(ErrorCode::kUnsupported, name_ + ": pruned model; use the .bin it was made from, or a .vec");
  }
  entries_.reserve(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::string_view rest = bytes_.substr(offset());
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos) return wrong(fmt::format("word {} is not terminated", i));
    Entry entry;
    entry.word = rest.substr(0, end);
    reader_ = ByteReader(rest.substr(end + 1));
    entry.count = reader_.fixed<std::uint64_t>();
    entry.is_label = reader_.fixed<std::uint8_t>() != 0;
    if (!reader_.ok()) return wrong(fmt::format("word {} is incomplete", i));
    entries_.push_back(entry);
  }
  return {};
}

// Only the input matrix is used; the output matrix after it belongs to training.
Status FastTextFile::read_matrix_shape() {
  const auto is_quantised = reader_.fixed<std::uint8_t>();
  if (reader_.ok() && is_quantised != 0) {
    return failure(ErrorCode::kUnsupported,
                   name_ + ": quantised model (.ftz); use the .bin it was made from, or a .vec");
  }
  rows_ = reader_.fixed<std::uint64_t>();
  const auto columns = reader_.fixed<std::uint64_t>();
  if (!reader_.ok()) return wrong("the matrix is missing");
  if (columns != arguments_.dimension) {
    return wrong(fmt::format("the matrix has {} columns, but the arguments say {}", columns, arguments_.dimension));
  }
  const std::uint64_t needed_rows = words_ + (arguments_.part_most > 0 ? std::uint64_t{arguments_.buckets} : 0);
  if (rows_ < needed_rows) return wrong(fmt::format("the matrix has {} rows, but {} are needed", rows_, needed_rows));
  const std::uint64_t row_bytes = sizeof(float) * std::uint64_t{arguments_.dimension};
  if (rows_ > reader_.left_bytes() / row_bytes) return wrong("the matrix is truncated");
  matrix_ = bytes_.substr(offset(), rows_ * row_bytes);
  return {};
}

// memcpy(), because rows in the file need not be aligned to floats.
void FastTextFile::add_row(std::uint64_t row) {
  const char* at = matrix_.data() + row * sum_.size() * sizeof(float);
  for (float& component : sum_) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    component += value;
    at += sizeof value;
  }
  ++summed_;
}

// Adds the rows of the subwords of "<word>", as fastText's Dictionary::computeSubwords cuts them: by characters, each
// hashed with a variant of FNV-1a in which bytes are signed. The two marks alone are not subwords.
void FastTextFile::add_parts(std::string_view marked_word) {
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(marked_word[i]) & 0xC0) == 0x80; };
  for (std::size_t begin = 0; begin < marked_word.size(); ++begin) {
    if (continues(begin)) continue;
    std::uint32_t hash = 2166136261U;
    std::size_t end = begin;
    for (std::uint32_t characters = 1; characters <= arguments_.part_most && end < marked_word.size(); ++characters) {
      do {
        hash = (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(marked_word[end]))) * 16777619U;
        ++end;
      } while (end < marked_word.size() && continues(end));
      const bool is_mark = characters == 1 && (begin == 0 || end == marked_word.size());
      if (characters >= arguments_.part_least && !is_mark) add_row(words_ + std::uint64_t{hash % arguments_.buckets});
    }
  }
}

// The dictionary includes fastText's end-of-line token, which the builder counts as not a word. Only the words wanted
// are summed: large models have millions of rows, in descending order of frequency.
Status FastTextFile::add_words(WordVectorsBuilder& builder) {
  std::string marked;
  for (std::uint32_t i = 0; i < entries_.size() && i < words_ && !builder.is_full(); ++i) {
    PARAPRINT_TRY(check_stop());
    const Entry& entry = entries_[i];
    if (entry.is_label || entry.word.size() > kVectorWordBytesMaximum) continue;
    sum_.assign(arguments_.dimension, 0);
    summed_ = 0;
    add_row(i);
    if (arguments_.part_most > 0) {
      marked = fmt::format("<{}>", entry.word);
      add_parts(marked);
    }
    for (float& component : sum_) component /= static_cast<float>(summed_);
    if (!builder.add(entry.word, sum_, entry.count)) {
      return wrong(fmt::format("the vector of word {} contains infinity or NaN", i));
    }
  }
  return {};
}

}  // namespace

// A model trained without subwords has part_most 0; part_least is then meaningless and reported as 0.
Result<WordVectorsBuilder> import_fasttext(std::string_view bytes, const std::string& name,
                                           std::uint32_t words_maximum) {
  FastTextFile file(bytes, name);
  PARAPRINT_TRY(file.read_arguments());
  PARAPRINT_TRY(file.read_dictionary());
  PARAPRINT_TRY(file.read_matrix_shape());
  VectorFacts facts;
  facts.dimension = file.arguments().dimension;
  facts.origin = VectorsOrigin::kFastText;
  facts.subword_least = file.arguments().part_most > 0 ? file.arguments().part_least : 0;
  facts.subword_most = file.arguments().part_most;
  facts.corpus_words = file.corpus_words();
  WordVectorsBuilder builder(facts, words_maximum);
  PARAPRINT_TRY(file.add_words(builder));
  return builder;
}

}  // namespace paraprint::inline semantics::inline vectors
