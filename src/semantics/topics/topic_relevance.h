// Sentence relevance by a topic model: 1 - Hellinger distance of the topics of a sentence and of its paragraph
// (docs/algorithms/topics.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "feature/sentence_relevance.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/semantics.h"
#include "semantics/topics/topic_inference.h"

namespace paraprint::inline semantics::inline topics {

class TopicRelevance : public SentenceRelevance {
 public:
  explicit TopicRelevance(std::shared_ptr<const TopicModel> model) : model_(std::move(model)), inference_(*model_) {}

  void begin_page(std::span<const std::uint64_t> words) override;
  void begin_paragraph(std::span<const std::uint32_t> words) override;
  // 0 for a sentence without a word of the model.
  float relevance(std::span<const std::uint32_t> words) override;

 private:
  bool infer(std::span<const std::uint32_t> words, std::vector<double>& shares);

  std::shared_ptr<const TopicModel> model_;
  TopicInference inference_;
  std::vector<std::uint32_t> rows_;    // per word of the page; kNoTopicRow: not in the model
  std::vector<std::uint32_t> counts_;  // per word of the page, within one text
  std::vector<TopicWord> words_;       // of one text
  std::span<const std::uint32_t> words_of_paragraph_;
  bool has_paragraph_ = false;  // paragraph_ is that of words_of_paragraph_; found when a sentence asks
  std::vector<double> paragraph_;
  std::vector<double> sentence_;
};

// Semantics::open_relevance_model: the topic model that profile options name, opened once per process and shared by all
// its threads. Thread-safe. Errors: those of TopicModel::open().
Result<std::shared_ptr<const RelevanceModel>> open_topic_relevance_model(const ProfileOptions& options);

}  // namespace paraprint::inline semantics::inline topics
