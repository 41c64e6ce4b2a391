// Topic models: what a collection of pages is about, learnt from it, looked into, and found in other pages
// (docs/algorithms/topics.md).
//
//   TrainTopicsOptions options;
//   options.inputs = {"crawl/"};
//   options.output = "model.topics";
//   Result<TopicsMade> made = train_topics(options, {}, {});
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

// The same pages and options give the same file, whatever their order and the number of threads.
struct TrainTopicsOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";
  std::string output;  // the model file; it appears when it is complete

  std::uint32_t topics = 100;  // range 2 to 1000
  std::uint32_t passes = 10;   // over the pages; range 1 to 1000
  std::uint32_t batch = 64;    // pages after which the topics are corrected; range 1 to 65,536
  std::uint32_t seed = 1;
  // Words of the model, those of most pages. Range 1 to 1,000,000, and at most 2^28 / topics.
  std::uint32_t words_maximum = 50'000;
  std::uint32_t pages_minimum = 5;  // that must hold a word; range 1 to 1,000,000
  double page_share_maximum = 0.5;  // of the pages that may hold it: more say nothing of a subject. Range (0, 1]
  // Of more pages a fixed sample is taken. About 2 KB of memory each. Range 1 to 10,000,000.
  std::uint32_t pages_maximum = 100'000;
  unsigned threads = 0;  // 0: one a processor

  Status validate() const;
};

struct TopicsInfo {
  std::string version;  // 32 hexadecimal digits: digest of the content, part of the settings identity of a fingerprint
  std::uint32_t topics = 0;
  std::uint32_t words = 0;
  std::uint64_t corpus_pages = 0;
  std::uint64_t corpus_words = 0;
  std::uint64_t size_bytes = 0;
};

struct TopicsMade {
  TopicsInfo info;
  std::uint64_t pages = 0;           // pages of equal text once
  std::uint64_t pages_repeated = 0;  // the others
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// `complain` gets a line for each broken record. Errors: kInvalidArgument for options and for input without enough
// text; those of reading and writing; kCancelled (paraprint/stop.h). After an error there is no model file, or the one
// that was there before.
Result<TopicsMade> train_topics(const TrainTopicsOptions& options, const ProgressCallback& progress,
                                const std::function<void(std::string_view)>& complain);

struct TopicDescription {
  std::uint32_t topic = 0;
  float share = 0;  // of the corpus
  struct Word {
    std::string word;
    double probability = 0;  // of the word in the topic
  };
  std::vector<Word> words;  // falling probability
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
  // All topics, the largest first, each with its `words` most probable words.
  std::vector<TopicDescription> describe(std::size_t words) const;
  // The topics of a text, largest share first; all of them. Empty if it has no word of the model.
  std::vector<TopicShare> infer(std::string_view text) const;

 private:
  class Implementation;
  explicit Topics(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
