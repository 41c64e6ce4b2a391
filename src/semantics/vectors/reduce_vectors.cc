// reduce_vectors(): principal components of the mean word vectors of paragraphs (docs/algorithms/dense-paragraphs.md).
// The components are found from a sample that fits in memory: `paragraphs` times the dimension, in floats.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "api/corpus_stream.h"
#include "api/output_file.h"
#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "feature/page_features.h"
#include "options/command_tables.h"
#include "options/option_checks.h"
#include "paraprint/vectors.h"
#include "segment/paragraph_segmenter.h"
#include "semantics/vectors/dense_paragraphs.h"

namespace paraprint {
namespace {

// A paragraph with fewer distinct words of the model has no meaningful mean. The same limit as for fingerprints, so
// that the sample consists of paragraphs that will be fingerprinted.
std::size_t distinct_words_least() {
  return static_cast<std::size_t>(ProfileOptions{}.simhash_words);
}

// Bottom-k sample: of all distinct paragraphs, those whose text has the smallest hash. It is uniform over texts and
// does not depend on the order of pages or the number of threads, and repeated paragraphs count once.
class ParagraphSample {
 public:
  ParagraphSample(const DenseParagraphs& dense, std::size_t maximum)
      : dense_(dense), features_builder_(WordWeights::bundled(), FeatureOptions{}), maximum_(maximum) {}

  // Segmented into paragraphs as pages are, with bundled word weights, whatever weights a later run uses.
  void add_page(const MainContent& content) {
    segmenter_.segment(content, paragraphs_);
    features_builder_.build(content, paragraphs_, features_);
    for (const ParagraphFeatures& paragraph : features_.paragraphs) add_paragraph(paragraph);
  }

  std::size_t size() const { return kept_.size(); }

  // The sampled vectors, concatenated in the order of their hashes, which makes the result reproducible. Destroys the
  // heap.
  std::vector<float> points() {
    std::sort(kept_.begin(), kept_.end());
    std::vector<float> points;
    for (const Kept& kept : kept_) points.insert(points.end(), kept.vector.begin(), kept.vector.end());
    return points;
  }

 private:
  struct Kept {
    std::uint64_t hash = 0;
    std::vector<float> vector;
    friend bool operator<(const Kept& x, const Kept& y) { return x.hash < y.hash; }
  };

  // Means are kept as floats: half the memory, and far more precise than the byte components they come from.
  void add_paragraph(const ParagraphFeatures& paragraph) {
    const std::uint64_t hash = hash64(
        std::string_view(features_.content_text).substr(paragraph.content.begin_bytes, paragraph.content.size_bytes()));
    const bool is_full = kept_.size() >= maximum_;
    // Most paragraphs of a large crawl end here, before their words are looked up.
    if ((is_full && hash >= kept_.front().hash) || known_.contains(hash)) return;
    hashes_.clear();
    votes_.clear();
    for (std::uint32_t t = paragraph.words.begin; t < paragraph.words.end; ++t) {
      const PageWord& word = features_.words[features_.word_of_token[t]];
      hashes_.push_back(word.hash);
      votes_.push_back(word.vote);
    }
    if (!dense_.mean(hashes_, votes_, least_, mean_)) return;
    if (is_full) {
      known_.erase(kept_.front().hash);
      std::pop_heap(kept_.begin(), kept_.end());
      kept_.pop_back();
    }
    known_.insert(hash);
    Kept& kept = kept_.emplace_back(Kept{hash, {}});
    for (const double value : mean_) kept.vector.push_back(static_cast<float>(value / kMeanOne));
    std::push_heap(kept_.begin(), kept_.end());
  }

  const DenseParagraphs& dense_;
  FeatureBuilder features_builder_;
  ParagraphSegmenter segmenter_;
  std::size_t maximum_;
  const std::size_t least_ = distinct_words_least();
  std::vector<Paragraph> paragraphs_;
  PageFeatures features_;
  std::vector<Fingerprint128> hashes_;
  std::vector<std::uint32_t> votes_;
  std::vector<double> mean_;
  std::unordered_set<std::uint64_t> known_;  // hashes of kept_
  std::vector<Kept> kept_;                   // a heap, largest hash first
};

// `version` is that of the word vectors, or what stands for it.
Result<DenseParagraphs> open_paragraphs(const std::string& model, Fingerprint128& version) {
  PARAPRINT_ASSIGN(const std::optional<std::uint32_t> hashed, hashed_dimension(model));
  if (hashed) {
    version = hashed_version(*hashed);
    return DenseParagraphs(*hashed);
  }
  PARAPRINT_ASSIGN(std::shared_ptr<const WordVectors> vectors, WordVectors::open(model));
  version = vectors->version();
  return DenseParagraphs(std::move(vectors), false);
}

}  // namespace

Status ReduceVectorsOptions::validate() const {
  if (model.empty()) return failure(ErrorCode::kInvalidArgument, "no word vector model given");
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no output file given (out)");
  return check_options(reduction_option_rows(), *this);
}

// The seed is fixed, so the same pages and word vectors give the same components.
Result<ReduceVectorsOutcome> reduce_vectors(const ReduceVectorsOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs(options.inputs, options.reading));
  inputs.emplace_back().path = options.model;
  PARAPRINT_TRY(refuse_inputs(options.out, inputs));
  PARAPRINT_TRY(check_output_file(options.out));
  Fingerprint128 version;
  PARAPRINT_ASSIGN(const DenseParagraphs dense, open_paragraphs(options.model, version));
  ParagraphSample sample(dense, options.paragraphs);
  const PageStreamOptions stream = corpus_stream_options(options, options.threads);
  ProgressReporter reporter(control);
  reporter.begin("read", 0, "pages");
  std::uint64_t pages = 0;
  PARAPRINT_ASSIGN(PageStreamOutcome outcome, for_each_page(
                                                  stream,
                                                  [&](const StreamedPage& page) -> Status {
                                                    sample.add_page(page.content);
                                                    ++pages;
                                                    reporter.update(pages, pages);
                                                    return {};
                                                  },
                                                  control));
  reporter.end();
  if (sample.size() < 2) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the input has {} paragraphs with at least {} words of {}; two are needed",
                               sample.size(), distinct_words_least(), options.model));
  }
  ReductionFacts facts;
  facts.vectors = version;
  facts.paragraphs = sample.size();
  PARAPRINT_ASSIGN(PrincipalComponents components,
                   find_principal_components(sample.points(), dense.dimension(),
                                             {.share = options.share, .maximum = options.components, .seed = 1}));
  if (options.even) even_out(components);
  PARAPRINT_TRY(write_reduction(options.out, facts, components));
  PARAPRINT_ASSIGN(std::shared_ptr<const Reduction> reduction, Reduction::open(options.out));
  ReduceVectorsOutcome made;
  made.version = hex_of(reduction->version());
  made.components = reduction->facts().components;
  made.share = reduction->facts().share;
  made.paragraphs = facts.paragraphs;
  made.broken_records = outcome.broken_records;
  made.unreadable_inputs = outcome.unreadable_inputs;
  return made;
}

}  // namespace paraprint
