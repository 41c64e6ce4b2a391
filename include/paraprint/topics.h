// Topic models (docs/algorithms/topics.md): learn the topics of a collection of pages, describe them, and infer them
// for other texts.
//
// Example:
//
//   TrainTopicsOptions options;
//   options.inputs = {"crawl/"};
//   options.out = "model.topics";
//   Result<TrainTopicsOutcome> made = train_topics(options);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// The same pages and options give the same file, regardless of page order and number of threads.
struct TrainTopicsOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  std::string out;  // the model file, written atomically

  std::uint32_t topics = 100;  // range 2 to 1000
  std::uint32_t passes = 10;   // over the pages; range 1 to 1000
  std::uint32_t batch = 64;    // pages between two updates of the topics; range 1 to 65,536
  std::uint32_t seed = 1;
  // Maximum vocabulary: the words found on the most pages. Range 1 to 1,000,000, and at most 2^28 / topics.
  std::uint32_t words = 50'000;
  std::uint32_t min_pages = 5;  // pages that must contain a word; range 1 to 1,000,000
  double max_share = 0.5;       // words on a larger share of the pages carry no topic; range (0, 1]
  // If there are more pages, a fixed sample is used. Memory: about 2 KB per page. Range 1 to 10,000,000.
  std::uint32_t max_pages = 100'000;
  unsigned threads = 0;  // 0: one per processor

  Status validate() const;
};

struct TopicsInfo {
  std::string version;  // digest of the content, 32 hexadecimal digits; part of the settings identity of fingerprints
  std::uint32_t topics = 0;
  std::uint32_t words = 0;
  std::uint64_t corpus_pages = 0;
  std::uint64_t corpus_words = 0;
  std::uint64_t size_bytes = 0;
};

struct TrainTopicsOutcome {
  TopicsInfo info;
  std::uint64_t pages = 0;           // pages with distinct texts
  std::uint64_t pages_repeated = 0;  // further pages with equal text
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Warnings: one per broken record. Errors: kInvalidArgument for options and for input with too little text;
// those of reading and writing; kCancelled. After an error, an existing model file is unchanged.
Result<TrainTopicsOutcome> train_topics(const TrainTopicsOptions& options, const RunControl& control = {});

struct TopicDescription {
  std::uint32_t topic = 0;
  float share = 0;  // of the corpus
  struct Word {
    std::string word;
    double probability = 0;  // of the word in the topic
  };
  std::vector<Word> words;  // by descending probability
};

struct TopicShare {
  std::uint32_t topic = 0;
  double share = 0;  // of the text
};

// An open model. Thread-safe.
class Topics {
 public:
  static Result<Topics> open(const std::string& path);
  Topics(Topics&&) noexcept;
  Topics& operator=(Topics&&) noexcept;
  ~Topics();

  TopicsInfo info() const;
  // All topics, largest first, each with its `words` most probable words.
  std::vector<TopicDescription> describe(std::size_t words) const;
  // All topics of a text, largest share first. Empty if the text has no word of the model.
  std::vector<TopicShare> infer(std::string_view text) const;

 private:
  class Implementation;
  explicit Topics(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// As printed by `paraprint topics infer`: one object without a trailing newline, with the id of the page and these
// topics. Shares have six fixed digits, so that the same model and page give the same bytes. Thread-safe.
std::string topics_json(std::string_view page_id, std::span<const TopicShare> topics);

}  // namespace paraprint
