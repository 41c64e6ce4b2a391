// Rows of the model are looked up once per page; sentences and paragraphs then count by index. The topics of a
// paragraph are inferred when the first of its sentences is asked for, since many paragraphs have no long sentence.
#include "semantics/topics/topic_relevance.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/file_stamp.h"
#include "base/fingerprint_text.h"

namespace paraprint::inline semantics::inline topics {
namespace {

constexpr std::uint32_t kNoTopicRow = 0xFFFFFFFF;

class TopicRelevanceModel : public RelevanceModel {
 public:
  explicit TopicRelevanceModel(std::shared_ptr<const TopicModel> model) : model_(std::move(model)) {}

  std::unique_ptr<SentenceRelevance> make_relevance() const override {
    return std::make_unique<TopicRelevance>(model_);
  }
  std::string version() const override { return hex_of(model_->version()); }

 private:
  std::shared_ptr<const TopicModel> model_;
};

}  // namespace

void TopicRelevance::begin_page(std::span<const std::uint64_t> words) {
  rows_.resize(words.size());
  std::transform(words.begin(), words.end(), rows_.begin(),
                 [this](std::uint64_t hash) { return model_->find(hash).value_or(kNoTopicRow); });
  counts_.assign(words.size(), 0);
}

void TopicRelevance::begin_paragraph(std::span<const std::uint32_t> words) {
  words_of_paragraph_ = words;
  has_paragraph_ = false;
}

float TopicRelevance::relevance(std::span<const std::uint32_t> words) {
  if (!has_paragraph_) infer(words_of_paragraph_, paragraph_);
  has_paragraph_ = true;
  return infer(words, sentence_) ? static_cast<float>(topic_affinity(sentence_, paragraph_)) : 0;
}

// False if the model has none of the words.
bool TopicRelevance::infer(std::span<const std::uint32_t> words, std::vector<double>& shares) {
  words_.clear();
  for (const std::uint32_t word : words) {
    if (rows_[word] == kNoTopicRow) continue;
    if (counts_[word]++ == 0) words_.push_back({word, 0});
  }
  for (TopicWord& word : words_) {
    word = {rows_[word.row], std::exchange(counts_[word.row], 0)};
  }
  inference_.infer(words_, shares);
  return !words_.empty();
}

Result<std::shared_ptr<const RelevanceModel>> open_topic_relevance_model(const ProfileOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const RelevanceModel>> opened;
  const std::lock_guard lock(mutex);
  const std::string key = options.topic_model + '\n' + file_stamp(options.topic_model);
  if (std::shared_ptr<const RelevanceModel> known = opened[key].lock()) return known;
  Result<std::shared_ptr<const TopicModel>> model = TopicModel::open(options.topic_model);
  std::erase_if(opened, [](const auto& entry) { return entry.second.expired(); });
  if (!model) return tl::unexpected<Error>(model.error());
  std::shared_ptr<const RelevanceModel> made = std::make_shared<const TopicRelevanceModel>(std::move(*model));
  opened[key] = made;
  return made;
}

}  // namespace paraprint::inline semantics::inline topics
