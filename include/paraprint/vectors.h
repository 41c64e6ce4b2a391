// Word vectors, used to find synonyms (docs/algorithms/word-vectors.md): trained on pages or imported from word2vec,
// GloVe or fastText, and stored in one model file.
//
// Example:
//
//   TrainVectorsOptions options;
//   options.inputs = {"crawl/"};
//   options.file.out = "model.vectors";
//   Result<VectorsOutcome> made = train_vectors(options);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// Options common to training and import.
struct VectorFileOptions {
  std::string out;  // the model file, written atomically
  // Maximum vocabulary; the most frequent words are kept. Range 1 to 4,194,304.
  std::uint32_t words = 200'000;
  // Nearest neighbours, from which synonyms are found, are computed for this many of the most frequent words.
  // Quadratic: doubling it takes four times as long. Range 0 to 1,000,000.
  std::uint32_t searched_words = 50'000;
  unsigned threads = 0;  // 0: one per processor. Does not change the file, but see TrainVectorsOptions

  Status validate() const;
};

// CBOW is faster and weaker on rare words. In the order of their names in the option table.
enum class TrainingMethod : std::uint8_t { kSkipGram, kCbow };

struct TrainVectorsOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  VectorFileOptions file;

  TrainingMethod method = TrainingMethod::kSkipGram;
  bool subwords = false;          // also learn parts of words: gives rare forms a vector, but favours like spelling
  int dimension = 100;            // range 2 to 1024
  int window = 5;                 // words on each side; range 1 to 100. Smaller favours interchangeable words
  int epochs = 5;                 // range 1 to 1000
  int min_count = 5;              // rarer words have no vector; range 1 to 1,000,000
  int negatives = 5;              // range 1 to 100
  double rate = 0.05;             // range (0, 10]
  int subword_buckets = 500'000;  // with subwords: rows shared by their parts; range 1 to 10,000,000
  std::uint32_t seed = 1;
  // With 1, the same text gives the same model. Training speed scales with the threads, but the result then varies.
  unsigned training_threads = 1;  // range 1 to 1024
  std::string tmp;                // for the segmented text; empty: the system default

  Status validate() const;
};

// Of other programs' models; kAuto: recognised by the file's first bytes. In the order of their names in the option
// table.
enum class VectorFormat : std::uint8_t { kAuto, kWord2vec, kWord2vecText, kGlove, kFastText };

struct ImportVectorsOptions {
  std::string input;
  VectorFormat format = VectorFormat::kAuto;
  VectorFileOptions file;

  Status validate() const;
};

struct VectorsInfo {
  std::string origin;   // "skip-gram", "cbow", or the format it was imported from
  std::string version;  // digest of the content, 32 hexadecimal digits; part of the settings identity of fingerprints
  std::uint32_t dimension = 0;
  std::uint32_t words = 0;
  std::uint32_t words_with_han = 0;
  std::uint32_t searched_words = 0;
  std::uint32_t subword_least = 0;  // minimum length in characters; 0: no subwords
  std::uint32_t subword_most = 0;   // maximum length
  std::uint64_t corpus_words = 0;   // number of words in the training text; 0: unknown
  std::uint64_t size_bytes = 0;
};

// A new model, and counts of the input read and skipped.
struct VectorsOutcome {
  VectorsInfo info;
  std::uint64_t pages = 0;           // pages with distinct texts
  std::uint64_t pages_repeated = 0;  // further pages with equal text
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
  std::uint64_t words_repeated = 0;        // imported entries equal to an earlier one after normalisation
  std::uint64_t words_not_ours = 0;        // imported entries that are not single words under our segmentation
  std::uint64_t words_without_length = 0;  // entries whose vector is all zeros
};

// Warnings: one per broken record. Errors: kInvalidArgument for options and for input with too little text;
// those of reading and writing; kCancelled. After an error, an existing model file is unchanged.
Result<VectorsOutcome> train_vectors(const TrainVectorsOptions& options, const RunControl& control = {});

// No warnings. Errors: those of options, reading and writing; kCorruptData and kUnsupported, naming the file, the line
// or byte, and what to do; kCancelled.
Result<VectorsOutcome> import_vectors(const ImportVectorsOptions& options, const RunControl& control = {});

// Computes principal components of paragraph vectors, from which semantic fingerprints are made
// (ProfileOptions::reduction, docs/algorithms/dense-paragraphs.md). The same pages, options and model give the same
// file, regardless of page order and number of threads.
struct ReduceVectorsOptions {
  std::string model;                // a file, or "hashed" or "hashed:N" for words hashed to 512 or N components
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  std::string out;                    // the components file, written atomically
  double share = 1;                   // share of the variance to keep; range (0, 1]
  bool even = true;                   // whiten: scale all components to equal variance
  std::uint32_t components = 256;     // range 1 to 256
  std::uint32_t paragraphs = 50'000;  // if there are more, a fixed sample is used; range 1 to 1,000,000
  unsigned threads = 0;               // 0: one per processor

  Status validate() const;
};

struct ReduceVectorsOutcome {
  std::string version;  // digest of the content, 32 hexadecimal digits
  std::uint32_t components = 0;
  float share = 0;               // share of the variance kept
  std::uint64_t paragraphs = 0;  // in the sample
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Warnings: one per broken record. Errors: kInvalidArgument for options, for a file that is not a model, and if no
// paragraph of the input has a word of the model; kCancelled.
Result<ReduceVectorsOutcome> reduce_vectors(const ReduceVectorsOptions& options, const RunControl& control = {});

struct WordNeighbour {
  std::string word;
  float cosine = 0;
};

// An open model. Thread-safe.
class VectorModel {
 public:
  static Result<VectorModel> open(const std::string& path);
  VectorModel(VectorModel&&) noexcept;
  VectorModel& operator=(VectorModel&&) noexcept;
  ~VectorModel();

  VectorsInfo info() const;
  // The `count` nearest words of a word, which is normalised first. kNotFound if the word is not in the model.
  Result<std::vector<WordNeighbour>> neighbours(std::string_view word, std::size_t count) const;

 private:
  class Implementation;
  explicit VectorModel(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
