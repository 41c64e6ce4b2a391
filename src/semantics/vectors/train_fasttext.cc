// Adapter for fastText's library. It reports errors by exceptions, which end here, and takes stop requests only through
// its progress callback.
#include "semantics/vectors/train_fasttext.h"

#include <fasttext/args.h>
#include <fasttext/fasttext.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// Characters of a subword, including the marks of beginning and end of a word. fastText's own defaults.
constexpr int kSubwordLeast = 3;
constexpr int kSubwordMost = 6;

// Without subwords there are no buckets: fastText would otherwise allocate their rows.
fasttext::Args arguments_of(const std::string& path, const TrainingSettings& settings) {
  fasttext::Args arguments;
  arguments.input = path;
  arguments.model = settings.is_cbow ? fasttext::model_name::cbow : fasttext::model_name::sg;
  arguments.loss = fasttext::loss_name::ns;
  arguments.dim = settings.dimension;
  arguments.ws = settings.window;
  arguments.epoch = settings.epochs;
  arguments.minCount = settings.count_minimum;
  arguments.neg = settings.negatives;
  arguments.lr = settings.rate;
  arguments.minn = settings.uses_subwords ? kSubwordLeast : 0;
  arguments.maxn = settings.uses_subwords ? kSubwordMost : 0;
  arguments.bucket = settings.uses_subwords ? settings.subword_buckets : 0;
  arguments.seed = static_cast<int>(settings.seed);
  arguments.thread = static_cast<int>(settings.threads);
  arguments.verbose = 0;
  return arguments;
}

// Words in descending order of their counts, ties by bytes: fastText leaves equal counts in the order of its hash
// table, and the order of rows is part of the model. EOS is fastText's own token for the end of a line.
WordVectorsBuilder take_vectors(const fasttext::FastText& model, const VectorFacts& facts,
                                std::uint32_t words_maximum) {
  const std::shared_ptr<const fasttext::Dictionary> dictionary = model.getDictionary();
  const std::vector<std::int64_t> counts = dictionary->getCounts(fasttext::entry_type::word);
  std::vector<std::string> words;
  for (std::int32_t i = 0; i < dictionary->nwords(); ++i) words.push_back(dictionary->getWord(i));
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : words[a] < words[b];
  });
  WordVectorsBuilder builder(facts, words_maximum);
  fasttext::Vector vector(facts.dimension);
  for (const std::size_t i : order) {
    if (builder.is_full()) break;
    if (words[i] == fasttext::Dictionary::EOS) continue;
    model.getWordVector(vector, words[i]);
    builder.add(words[i], {vector.data(), facts.dimension}, static_cast<std::uint64_t>(counts[i]));
  }
  return builder;
}

}  // namespace

Result<WordVectorsBuilder> train_word_vectors(const std::string& path, std::uint64_t words,
                                              const TrainingSettings& settings,
                                              const std::function<void(double)>& progress) {
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(settings.dimension);
  facts.origin = settings.is_cbow ? VectorsOrigin::kCbow : VectorsOrigin::kSkipGram;
  facts.subword_least = settings.uses_subwords ? kSubwordLeast : 0;
  facts.subword_most = settings.uses_subwords ? kSubwordMost : 0;
  facts.corpus_words = words;
  try {
    fasttext::FastText model;
    // fastText's threads have no StopScope, so the flag of this thread is handed over.
    const std::atomic<bool>* const stop = StopScope::current();
    model.train(arguments_of(path, settings), [&](float share, float, double, double, std::int64_t) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) model.abort();
      if (progress) progress(std::clamp(static_cast<double>(share), 0.0, 1.0));
    });
    return take_vectors(model, facts, settings.words_maximum);
  } catch (const std::exception& error) {
    // abort() makes train() throw, too: a stop request is not an error of fastText.
    PARAPRINT_TRY(check_stop());
    if (std::string_view(error.what()).starts_with("Empty vocabulary")) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("none of {} words of text occurs {} times; give more text or a smaller --min-count",
                                 words, settings.count_minimum));
    }
    return failure(ErrorCode::kInputOutput, fmt::format("training of word vectors failed: {}", error.what()));
  }
}

}  // namespace paraprint::inline semantics::inline vectors
