// Writes trained topics to a model file.
#pragma once

#include <string>

#include "paraprint/result.h"
#include "semantics/topics/topic_corpus.h"
#include "semantics/topics/train_lda.h"

namespace paraprint::inline semantics::inline topics {

// For each word, topics with less than this fraction of its largest probability are left out.
inline constexpr float kTopicEntryLeast = 1.0F / 64;

// Requires `trained` to be the result of training on `corpus`. The file appears complete or not at all. Errors:
// kNoSpace, kInputOutput.
Status write_topic_model(const std::string& path, const TopicCorpus& corpus, const TrainedTopics& trained);
// The bytes of such a file.
std::string topic_model_bytes(const TopicCorpus& corpus, const TrainedTopics& trained);

}  // namespace paraprint::inline semantics::inline topics
