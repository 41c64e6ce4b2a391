// Variable names follow Hoffman et al.: gamma are the topics of a document, lambda (weights_) the words of a topic,
// beta and theta the distributions that they describe. Each batch fixes beta, settles gamma for its documents in
// parallel, and then moves lambda a step towards what the batch implies.
//
// Reproducibility shapes the code: work is cut into pieces whose number does not depend on the threads, and
// floating-point sums are taken within a piece and then over pieces in order.
#include "semantics/topics/train_lda.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "base/assert.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/split_mix.h"
#include "semantics/topics/topic_model.h"

namespace paraprint::inline semantics::inline topics {
namespace {

// The step of batch t is (kDelay + t) ^ -kForgetting, so the early batches, learnt from random topics, are forgotten.
constexpr double kDelay = 10;
constexpr double kForgetting = 0.7;
constexpr float kWordPrior = 0.01F;    // of each word in each topic
constexpr float kStartLargest = 1.5F;  // initial weights are random, from 0.5 to this
constexpr float kUnseen = 1e-9F;       // weight of a word in a topic in which it was never seen, without its prior
constexpr int kRoundsMaximum = 50;     // per document and batch
constexpr float kSettled = 1e-3F;      // mean change of a document's topics at which its rounds end
// Smaller probabilities become 0: denormal numbers are slow and add nothing.
constexpr float kNothing = 1e-30F;
constexpr std::size_t kDocumentsPerPiece = 8;
constexpr std::size_t kPieces = 64;  // ranges of words; a fixed number, so that sums have one order
constexpr std::size_t kLanes = 8;    // partial sums of a dot product, to fill a vector register

// Digamma, the logarithmic derivative of the gamma function, to about 1e-8: recurrence up to 6, then asymptotic series.
double digamma(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  const double square = 1 / (x * x);
  return std::log(x) - 0.5 / x - square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252))) - below;
}

// exp E[log x] of a Dirichlet parameter, with the digamma of their sum in `minus`.
float exp_digamma(double x, double minus) {
  const auto value = static_cast<float>(std::exp(digamma(x) - minus));
  return value < kNothing ? 0 : value;
}

// Lanes are written out because compilers may not reorder a floating-point sum; `size` is a multiple of kLanes.
float dot_product(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  }
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

void add_scaled(const float* row, float factor, float* sum, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) sum[i] += factor * row[i];
}

// Calls work(0) to work(pieces - 1) on all threads. Skips calls only if asked to stop.
template <class Work>
Status for_each_piece(unsigned threads, std::size_t pieces, const Work& work) {
  std::size_t next = 0;
  return run_in_order<std::size_t, std::size_t>(
      threads,
      [&]() -> Result<std::optional<std::size_t>> {
        return next < pieces ? std::optional<std::size_t>(next++) : std::nullopt;
      },
      [&](unsigned, std::size_t piece) {
        work(piece);
        return piece;
      },
      [](std::size_t) { return Status{}; });
}

class Trainer {
 public:
  Trainer(const TopicCorpus& corpus, const LdaSettings& settings)
      : corpus_(corpus),
        settings_(settings),
        words_(corpus.words.size()),
        topics_(settings.topics),
        width_((settings.topics + kLanes - 1) / kLanes * kLanes),
        prior_(1.0F / static_cast<float>(settings.topics)),
        weights_(words_ * width_, 0),
        sums_(topics_, 0),
        batch_row_(words_, kNoRow) {
    // Random initial weights break the symmetry between topics, which would otherwise all learn the same.
    std::uint64_t random = settings.seed;
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::size_t topic = 0; topic < topics_; ++topic) {
        const std::uint64_t bits = split_mix_output(random += kSplitMixStep);
        weights_[word * width_ + topic] = kStartLargest - static_cast<float>(bits >> 40) * 0x1p-24F;
      }
    }
  }

  // Documents are shuffled before each pass, by a random stream of their own (mix_of_seed).
  Result<TrainedTopics> run(const std::function<void(std::uint64_t)>& progress) {
    std::vector<std::uint32_t> order(corpus_.size());
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t random = mix_of_seed();
    std::uint64_t done = 0;
    PARAPRINT_TRY(sum_weights());
    for (std::uint32_t pass = 0; pass < settings_.passes; ++pass) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[split_mix_output(random += kSplitMixStep) % i]);
      }
      // Batch sizes differ by at most one document. A small last batch would have as much influence as a full one.
      const std::size_t batches = (order.size() + settings_.batch_documents - 1) / settings_.batch_documents;
      for (std::size_t batch = 0; batch < batches; ++batch) {
        const std::size_t begin = batch * order.size() / batches;
        const std::size_t end = (batch + 1) * order.size() / batches;
        PARAPRINT_TRY(learn_batch(std::span(order).subspan(begin, end - begin)));
        progress(done += end - begin);
      }
    }
    return result();
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  // A document of the batch, its topics, and the influence of each of its words on them.
  struct Document {
    std::size_t begin = 0;  // in the entries of the corpus
    std::size_t size = 0;
    std::vector<float> topics;  // exp E[log theta]
    std::vector<float> pulls;   // per entry: count over normaliser
  };

  std::uint64_t mix_of_seed() const { return split_mix_output(~settings_.seed); }
  float* weights_of(std::size_t word) { return weights_.data() + word * width_; }
  std::size_t piece_begin(std::size_t piece, std::size_t count) const { return piece * count / kPieces; }

  Status learn_batch(std::span<const std::uint32_t> order) {
    PARAPRINT_TRY(open_batch(order));
    const std::size_t pieces = (documents_.size() + kDocumentsPerPiece - 1) / kDocumentsPerPiece;
    PARAPRINT_TRY(for_each_piece(settings_.threads, pieces, [&](std::size_t piece) {
      const std::size_t begin = piece * kDocumentsPerPiece;
      const std::size_t end = std::min(begin + kDocumentsPerPiece, documents_.size());
      for (std::size_t d = begin; d < end; ++d) settle(documents_[d]);
    }));
    PARAPRINT_TRY(update_weights());
    for (const std::uint32_t word : batch_words_) batch_row_[word] = kNoRow;
    return sum_weights();
  }

  // Collects the documents and words of the batch, and computes exp E[log beta] of these words only: a batch touches
  // few of all words, and the exponentials are the expensive part.
  Status open_batch(std::span<const std::uint32_t> order) {
    documents_.resize(order.size());
    batch_words_.clear();
    for (std::size_t d = 0; d < order.size(); ++d) {
      Document& document = documents_[d];
      document.begin = order[d] == 0 ? 0 : corpus_.ends[order[d] - 1];
      document.size = corpus_.ends[order[d]] - document.begin;
      for (std::size_t i = document.begin; i < document.begin + document.size; ++i) {
        std::uint32_t& row = batch_row_[corpus_.word_of_entry[i]];
        if (row != kNoRow) continue;
        row = static_cast<std::uint32_t>(batch_words_.size());
        batch_words_.push_back(corpus_.word_of_entry[i]);
      }
    }
    std::vector<double> normalisers(topics_);
    for (std::size_t topic = 0; topic < topics_; ++topic) normalisers[topic] = digamma(sums_[topic]);
    beta_.assign(batch_words_.size() * width_, 0);
    return for_each_piece(settings_.threads, kPieces, [&](std::size_t piece) {
      for (std::size_t row = piece_begin(piece, batch_words_.size()); row < piece_begin(piece + 1, batch_words_.size());
           ++row) {
        const float* const weights = weights_of(batch_words_[row]);
        for (std::size_t topic = 0; topic < topics_; ++topic) {
          beta_[row * width_ + topic] = exp_digamma(weights[topic], normalisers[topic]);
        }
      }
    });
  }

  // Iterates the topics of one document with the topics of words held fixed. Called on any thread; writes only to
  // `document`.
  void settle(Document& document) const {
    std::vector<float> gamma(width_, 0);
    std::vector<float> sum(width_);
    document.topics.assign(width_, 0);
    document.pulls.assign(document.size, 0);
    std::fill_n(gamma.begin(), topics_, 1.0F);
    set_topics(gamma, document.topics);
    for (int round = 0; round < kRoundsMaximum; ++round) {
      std::fill(sum.begin(), sum.end(), 0.0F);
      for (std::size_t i = 0; i < document.size; ++i) {
        const float* const row = beta_.data() + batch_row_[corpus_.word_of_entry[document.begin + i]] * width_;
        const float normaliser = dot_product(document.topics.data(), row, width_) + kNothing;
        document.pulls[i] = static_cast<float>(corpus_.count_of_entry[document.begin + i]) / normaliser;
        add_scaled(row, document.pulls[i], sum.data(), width_);
      }
      float change = 0;
      for (std::size_t topic = 0; topic < topics_; ++topic) {
        const float renewed = prior_ + document.topics[topic] * sum[topic];
        change += std::abs(renewed - gamma[topic]);
        gamma[topic] = renewed;
      }
      set_topics(gamma, document.topics);
      if (change < kSettled * static_cast<float>(topics_)) break;
    }
  }

  // exp E[log theta] of gamma.
  void set_topics(const std::vector<float>& gamma, std::vector<float>& topics) const {
    double sum = 0;
    for (std::size_t topic = 0; topic < topics_; ++topic) sum += gamma[topic];
    const double normaliser = digamma(sum);
    for (std::size_t topic = 0; topic < topics_; ++topic) topics[topic] = exp_digamma(gamma[topic], normaliser);
  }

  // Moves the weights a step towards those that the batch would give if all documents were like it. Each piece owns a
  // range of words and visits the documents in order, so no two threads write to the same weight and sums keep one
  // order.
  Status update_weights() {
    const auto step = static_cast<float>(std::pow(kDelay + static_cast<double>(batches_++), -kForgetting));
    start_left_ *= 1 - step;
    const float scale = static_cast<float>(corpus_.size()) / static_cast<float>(documents_.size());
    // `scale` extrapolates the batch to the corpus.
    std::vector<float> counts(batch_words_.size() * width_, 0);
    return for_each_piece(settings_.threads, kPieces, [&](std::size_t piece) {
      const std::size_t begin = piece_begin(piece, words_);
      const std::size_t end = piece_begin(piece + 1, words_);
      for (const Document& document : documents_) {
        const auto first = corpus_.word_of_entry.begin() + static_cast<std::ptrdiff_t>(document.begin);
        const auto last = first + static_cast<std::ptrdiff_t>(document.size);
        for (auto entry = std::lower_bound(first, last, begin); entry != last && *entry < end; ++entry) {
          add_scaled(document.topics.data(), document.pulls[static_cast<std::size_t>(entry - first)],
                     counts.data() + batch_row_[*entry] * width_, width_);
        }
      }
      for (std::size_t word = begin; word < end; ++word) {
        float* const weights = weights_of(word);
        const std::uint32_t row = batch_row_[word];
        for (std::size_t topic = 0; topic < topics_; ++topic) {
          const float seen = row == kNoRow ? 0 : counts[row * width_ + topic] * beta_[row * width_ + topic];
          weights[topic] = (1 - step) * weights[topic] + step * (kWordPrior + scale * seen);
        }
      }
    });
  }

  // Every weight changes in each batch, so the sums are taken afresh: within pieces, then over pieces in order.
  Status sum_weights() {
    std::vector<double> parts(kPieces * topics_, 0);
    PARAPRINT_TRY(for_each_piece(settings_.threads, kPieces, [&](std::size_t piece) {
      for (std::size_t word = piece_begin(piece, words_); word < piece_begin(piece + 1, words_); ++word) {
        const float* const weights = weights_of(word);
        for (std::size_t topic = 0; topic < topics_; ++topic) parts[piece * topics_ + topic] += weights[topic];
      }
    }));
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      for (std::size_t topic = 0; topic < topics_; ++topic) sums_[topic] += parts[piece * topics_ + topic];
    }
    return {};
  }

  // Without the subtraction, every word would have a small probability in every topic, and no entry could be left out
  // of the model. start_left_ bounds what is left of the random initial weights after all steps.
  TrainedTopics result() {
    TrainedTopics trained;
    trained.topics = static_cast<std::uint32_t>(topics_);
    trained.prior = prior_;
    const double all = std::accumulate(sums_.begin(), sums_.end(), 0.0);
    for (const double sum : sums_) trained.shares.push_back(static_cast<float>(sum / all));
    trained.probabilities.reserve(words_ * topics_);
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::size_t topic = 0; topic < topics_; ++topic) {
        const float seen = std::max(weights_of(word)[topic] - kWordPrior - start_left_, kUnseen);
        trained.probabilities.push_back(static_cast<float>(seen / sums_[topic]));
      }
    }
    return trained;
  }

  const TopicCorpus& corpus_;
  const LdaSettings& settings_;
  const std::size_t words_;
  const std::size_t topics_;
  const std::size_t width_;  // of a row: topics, and zeros up to a multiple of kLanes
  const float prior_;
  std::vector<float> weights_;  // lambda: one row per word
  std::vector<double> sums_;    // of weights_, per topic
  std::uint64_t batches_ = 0;
  float start_left_ = kStartLargest;  // upper bound of what is left of the random initial weights
  // The batch:
  std::vector<Document> documents_;
  std::vector<std::uint32_t> batch_words_;
  std::vector<std::uint32_t> batch_row_;  // per word: its row in beta_
  std::vector<float> beta_;               // exp E[log beta]: one row per word of the batch
};

}  // namespace

Result<TrainedTopics> train_lda(const TopicCorpus& corpus, const LdaSettings& settings,
                                const std::function<void(std::uint64_t)>& progress) {
  PARAPRINT_ASSERT(corpus.size() > 0 && !corpus.words.empty());
  PARAPRINT_ASSERT(settings.topics >= 2 && settings.topics <= kTopicsMaximum);
  return Trainer(corpus, settings).run(progress);
}

}  // namespace paraprint::inline semantics::inline topics
