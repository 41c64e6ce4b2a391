// Fuzzes the reader of topic models: any bytes, given the version that fits them, are rejected with a message that
// names the file, or every word can be found, and inferred topic shares add up to 1.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/hash.h"
#include "model_versions.h"
#include "semantics/topics/topic_inference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  struct alignas(16) Unit {
    char bytes[16];
  };
  const std::string model_bytes = paraprint::with_topic_model_version({reinterpret_cast<const char*>(data), size});
  std::vector<Unit> storage(size / sizeof(Unit) + 1);
  model_bytes.copy(reinterpret_cast<char*>(storage.data()), size);
  const auto model = paraprint::TopicModel::read({reinterpret_cast<const char*>(storage.data()), size}, "model.topics");
  if (!model) {
    if (model.error().message.find("model.topics") == std::string::npos) std::abort();
    return 0;
  }
  paraprint::TopicInference inference(**model);
  std::vector<double> shares;
  for (std::uint32_t row = 0; row < (*model)->facts().words; ++row) {
    if ((*model)->find(paraprint::hash64((*model)->word(row))) != row) std::abort();
    const paraprint::TopicWord word{row, 3};
    inference.infer({&word, 1}, shares);
    double sum = 0;
    for (const double share : shares) sum += share;
    if (!(std::abs(sum - 1) < 1e-9)) std::abort();
  }
  constexpr std::size_t kWordsShown = 10;
  for (const std::vector<paraprint::ProbableWord>& words : (*model)->top_words(kWordsShown)) {
    for (const paraprint::ProbableWord& word : words) {
      if (!(word.probability > 0 && word.probability <= 1)) std::abort();
    }
  }
  return 0;
}
