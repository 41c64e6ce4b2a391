// The calls of include/paraprint/vectors.h, implemented on the stages. Training and import meet in WordVectorsBuilder,
// and finish_model() opens the written file as its users will, so a model that cannot be read is reported at once.
#include "paraprint/vectors.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <thread>

#include "api/output_file.h"
#include "base/fingerprint_text.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/mapped_file.h"
#include "options/command_tables.h"
#include "options/option_checks.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/train_fasttext.h"
#include "semantics/vectors/vector_corpus.h"
#include "semantics/vectors/word_vectors.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

// Counts Han words in a pass over all words; they tell whether a model fits Chinese pages.
VectorsInfo info_of(const WordVectors& vectors) {
  const VectorFacts& facts = vectors.facts();
  VectorsInfo info;
  info.origin = vectors_origin_name(facts.origin);
  info.version = hex_of(vectors.version());
  info.dimension = facts.dimension;
  info.words = facts.words;
  for (std::uint32_t row = 0; row < facts.words; ++row) {
    const std::string_view word = vectors.word(row);
    if (!word.empty() && is_han(decode_character(word.data(), word.data() + word.size()).code_point)) {
      ++info.words_with_han;
    }
  }
  info.searched_words = facts.searched_words;
  info.subword_least = facts.subword_least;
  info.subword_most = facts.subword_most;
  info.corpus_words = facts.corpus_words;
  info.size_bytes = vectors.size_bytes();
  return info;
}

// 0 means all processors. Training has a number of its own, because its result depends on it.
unsigned threads_of(const VectorFileOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

// Writes the model, opens it again, and fills in the facts and the counts of skipped words.
Status finish_model(WordVectorsBuilder& builder, const VectorFileOptions& options, const RunControl& control,
                    VectorsOutcome& made) {
  ProgressReporter reporter(control);
  reporter.begin("nearest", std::min<std::uint64_t>(options.searched_words, builder.counts().added), "words");
  WriteVectorsOptions writing;
  writing.searched_words = options.searched_words;
  writing.threads = threads_of(options);
  writing.progress = [&](std::uint64_t done, std::uint64_t) { reporter.update(done); };
  PARAPRINT_TRY(builder.write(options.out, writing));
  reporter.end();
  PARAPRINT_ASSIGN(std::shared_ptr<const WordVectors> vectors, WordVectors::open(options.out));
  made.info = info_of(*vectors);
  made.words_repeated = builder.counts().repeated;
  made.words_not_ours = builder.counts().not_one_word;
  made.words_without_length = builder.counts().without_length;
  return {};
}

// Copies the public options to the settings of src/vectors, which does not know the options.
TrainingSettings settings_of(const TrainVectorsOptions& options) {
  TrainingSettings settings;
  settings.is_cbow = options.method == TrainingMethod::kCbow;
  settings.uses_subwords = options.subwords;
  settings.dimension = options.dimension;
  settings.window = options.window;
  settings.epochs = options.epochs;
  settings.count_minimum = options.min_count;
  settings.negatives = options.negatives;
  settings.rate = options.rate;
  settings.subword_buckets = options.subword_buckets;
  settings.seed = options.seed;
  settings.threads = options.training_threads;
  settings.words_maximum = options.file.words;
  return settings;
}

}  // namespace

Status VectorFileOptions::validate() const {
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no model file given (out)");
  return check_options(vector_file_option_rows(), *this);
}

Status TrainVectorsOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  PARAPRINT_TRY(check_options(vector_option_rows(), *this));
  return file.validate();
}

Status ImportVectorsOptions::validate() const {
  if (input.empty()) return failure(ErrorCode::kInvalidArgument, "no file to import given");
  return file.validate();
}

// The output file is checked before hours of training, and written only at the end. The corpus file stays open until
// the model is finished, since fastText opens it by a path that refers to the descriptor.
Result<VectorsOutcome> train_vectors(const TrainVectorsOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, expand_inputs(options.inputs, options.reading));
  PARAPRINT_TRY(refuse_inputs(options.file.out, inputs));
  PARAPRINT_TRY(check_output_file(options.file.out));
  PARAPRINT_ASSIGN(VectorCorpus corpus, write_vector_corpus(options, control));
  VectorsOutcome made;
  made.pages = corpus.pages;
  made.pages_repeated = corpus.pages_repeated;
  made.broken_records = corpus.broken_records;
  made.unreadable_inputs = corpus.unreadable_inputs;
  // fastText reports a share of all epochs; progress is shown in words read.
  const std::uint64_t words_to_read = corpus.words * static_cast<std::uint64_t>(options.epochs);
  ProgressReporter reporter(control);
  std::mutex reporter_mutex;  // fastText reports from its training threads
  reporter.begin("train", words_to_read, "words");
  PARAPRINT_ASSIGN(WordVectorsBuilder builder,
                   train_word_vectors(corpus.file.path(), corpus.words, settings_of(options), [&](double share) {
                     const std::lock_guard lock(reporter_mutex);
                     reporter.update(static_cast<std::uint64_t>(share * static_cast<double>(words_to_read)));
                   }));
  reporter.update(words_to_read);
  reporter.end();
  PARAPRINT_TRY(finish_model(builder, options.file, control, made));
  return made;
}

// The file is mapped, not read: models can have gigabytes, of which only the leading words are used.
Result<VectorsOutcome> import_vectors(const ImportVectorsOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  std::vector<InputFile> input(1);
  input.front().path = options.input;
  PARAPRINT_TRY(refuse_inputs(options.file.out, input));
  PARAPRINT_TRY(check_output_file(options.file.out));
  PARAPRINT_ASSIGN(MappedFile file, MappedFile::open(options.input));
  if (file.bytes().empty()) return failure(ErrorCode::kCorruptData, options.input + ": empty file");
  // A format given by the user is not second-guessed: detection looks at the first bytes only.
  VectorFormat format = options.format;
  if (format == VectorFormat::kAuto) {
    PARAPRINT_ASSIGN(format, find_vector_format(file.bytes(), options.input));
  }
  PARAPRINT_ASSIGN(WordVectorsBuilder builder, import_vectors(format, file.bytes(), options.input, options.file.words));
  if (builder.counts().added == 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: no usable words: {} are not single words, {} have zero vectors", options.input,
                               builder.counts().not_one_word, builder.counts().without_length));
  }
  VectorsOutcome made;
  PARAPRINT_TRY(finish_model(builder, options.file, control, made));
  return made;
}

// The path is kept for messages.
class VectorModel::Implementation {
 public:
  std::string path;
  std::shared_ptr<const WordVectors> vectors;
};

VectorModel::VectorModel(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
VectorModel::VectorModel(VectorModel&&) noexcept = default;
VectorModel& VectorModel::operator=(VectorModel&&) noexcept = default;
VectorModel::~VectorModel() = default;

// Checks the whole file (WordVectors::open), so later calls cannot meet damage.
Result<VectorModel> VectorModel::open(const std::string& path) {
  PARAPRINT_ASSIGN(std::shared_ptr<const WordVectors> vectors, WordVectors::open(path));
  auto implementation = std::make_unique<Implementation>();
  implementation->path = path;
  implementation->vectors = std::move(vectors);
  return VectorModel(std::move(implementation));
}

VectorsInfo VectorModel::info() const {
  return info_of(*implementation_->vectors);
}

// Normalised like pages: a word is found however its user writes it. Searches all words, not only the stored
// neighbours.
Result<std::vector<WordNeighbour>> VectorModel::neighbours(std::string_view word, std::size_t count) const {
  const WordVectors& vectors = *implementation_->vectors;
  const std::string normalised = Normaliser().normalised(word);
  const std::optional<std::uint32_t> row = vectors.find(normalised);
  if (!row) {
    return failure(ErrorCode::kNotFound, fmt::format("{}: contains no word '{}'", implementation_->path, normalised));
  }
  std::vector<WordNeighbour> found;
  for (const NearWord& near : vectors.search(*row, count)) {
    found.push_back({std::string(vectors.word(near.row)), near.cosine});
  }
  return found;
}

}  // namespace paraprint
