// Word vectors: trained on one's own pages, or taken over from word2vec, GloVe and fastText, and kept in one file that
// synonyms are found with (docs/algorithms/word-vectors.md).
//
//   TrainVectorsOptions options;
//   options.inputs = {"crawl/"};
//   options.output = "model.vectors";
//   Result<VectorsMade> made = train_vectors(options, {}, {});
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// What both ways to a model have in common.
struct VectorFileOptions {
  std::string output;  // the model file; it appears when it is complete
  // More frequent words first; the rest is left out. Range 1 to 4,194,304.
  std::uint32_t words_maximum = 200'000;
  // The first so many words get their nearest words, which is what synonyms are found by. All of them are compared with
  // each other: twice as many take four times as long. Range 0 to 1,000,000.
  std::uint32_t searched_words = 50'000;
  unsigned threads = 0;  // 0: one a processor. Does not change the file, but see TrainVectorsOptions

  Status validate() const;
};

struct TrainVectorsOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  VectorFileOptions file;

  std::string method = "skip-gram";  // or "cbow", which is faster and weaker on rare words
  bool subwords = false;             // words also by their parts: vectors for rare forms, and likeness by spelling
  int dimension = 100;               // range 2 to 1024
  int window = 5;                    // words to each side; range 1 to 100. Fewer: what can stand in its place
  int epochs = 5;                    // range 1 to 1000
  int count_minimum = 5;             // rarer words have no vector; range 1 to 1,000,000
  int negatives = 5;                 // range 1 to 100
  double rate = 0.05;                // range (0, 10]
  int subword_buckets = 500'000;     // with subwords: rows that their parts share; range 1 to 10,000,000
  std::uint32_t seed = 1;
  // 1: the same text gives the same model. More train as many times faster, and no two models are the same.
  unsigned training_threads = 1;  // range 1 to 1024
  std::string temporary_folder;   // for the text as words; empty: the system's

  Status validate() const;
};

struct ImportVectorsOptions {
  std::string input;
  std::string format = "auto";  // or "word2vec", "word2vec-text", "glove", "fasttext"
  VectorFileOptions file;

  Status validate() const;
};

struct VectorsInfo {
  std::string origin;   // "skip-gram", "cbow", or the format it was imported from
  std::string version;  // 32 hexadecimal digits: digest of the content, part of the settings identity of a fingerprint
  std::uint32_t dimension = 0;
  std::uint32_t words = 0;
  std::uint32_t words_with_han = 0;
  std::uint32_t searched_words = 0;
  std::uint32_t subword_least = 0;  // characters; 0: none
  std::uint32_t subword_most = 0;
  std::uint64_t corpus_words = 0;  // running words it was trained on; 0: unknown
  std::uint64_t size_bytes = 0;
};

// What was read for a model, and what of it could not be used.
struct VectorsMade {
  VectorsInfo info;
  std::uint64_t pages = 0;           // of the corpus, pages of equal text once
  std::uint64_t pages_repeated = 0;  // the others
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
  std::uint64_t words_repeated = 0;        // imported: equal to an earlier one once normalised
  std::uint64_t words_not_ours = 0;        // imported: phrases, punctuation, what our segmentation would cut
  std::uint64_t words_without_length = 0;  // vectors of zeros
};

// `complain` gets a line for each broken record. Errors: kInvalidArgument for options and for input without enough
// text; those of reading and writing; kCancelled (paraprint/stop.h). After an error there is no model file, or the one
// that was there before.
Result<VectorsMade> train_vectors(const TrainVectorsOptions& options, const ProgressCallback& progress,
                                  const std::function<void(std::string_view)>& complain);

// kCorruptData and kUnsupported name file, line or byte, and what to do.
Result<VectorsMade> import_vectors(const ImportVectorsOptions& options, const ProgressCallback& progress);

// Principal components of paragraphs in a model, which fingerprints of meaning are made with
// (ProfileOptions::reduction). The same pages, options and model give the same file, whatever the order of pages and
// the number of threads.
struct ReduceVectorsOptions {
  std::string model;
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  std::string output;                         // the file of components; it appears when it is complete
  double share = 1;                           // of the variance to keep; range (0, 1]
  bool even = true;                           // components count alike, however much paragraphs differ along them
  std::uint32_t components_maximum = 256;     // range 1 to 256
  std::uint32_t paragraphs_maximum = 50'000;  // of more, a fixed sample; range 1 to 1,000,000
  unsigned threads = 0;                       // 0: one a processor

  Status validate() const;
};

struct ReductionMade {
  std::string version;  // 32 hexadecimal digits: digest of the content
  std::uint32_t components = 0;
  float share = 0;               // of the variance that they keep
  std::uint64_t paragraphs = 0;  // of the sample
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Errors: kInvalidArgument for options, for what is no model, and for input without paragraphs whose words it has.
Result<ReductionMade> reduce_vectors(const ReduceVectorsOptions& options, const ProgressCallback& progress,
                                     const std::function<void(std::string_view)>& complain);

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
  // The `count` words nearest to a word, which is normalised first. kNotFound if the model doesn't have it.
  Result<std::vector<WordNeighbour>> neighbours(std::string_view word, std::size_t count) const;

 private:
  class Implementation;
  explicit VectorModel(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
