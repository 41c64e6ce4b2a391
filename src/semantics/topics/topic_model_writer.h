// Trained topics to a model file.
#pragma once

#include <string>

#include "paraprint/result.h"
#include "semantics/topics/topic_corpus.h"
#include "semantics/topics/train_lda.h"

namespace paraprint {

// Topics in which a word is less probable than this part of its largest probability are left out.
inline constexpr float kTopicEntryLeast = 1.0F / 64;

// `trained` is of `corpus`. The file appears complete or not at all; kNoSpace, kInputOutput.
Status write_topic_model(const std::string& path, const TopicCorpus& corpus, const TrainedTopics& trained);
// The bytes of such a file.
std::string topic_model_bytes(const TopicCorpus& corpus, const TrainedTopics& trained);

}  // namespace paraprint
