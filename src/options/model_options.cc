// The options of the commands that make models: vectors train, import and reduce, and topics train.
#include <array>

#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::array<std::string_view, 2> kTrainingMethods = {"skip-gram", "cbow"};
constexpr std::array<std::string_view, 5> kVectorFormats = {"auto", "word2vec", "word2vec-text", "glove", "fasttext"};

constexpr std::string_view kModel = "Model";
constexpr std::string_view kTraining = "Training";
constexpr std::string_view kModelReading = "Reading";
constexpr std::string_view kModelResources = "Resources";

constexpr std::string_view kExtractorHelp = "Extractor of the main content";
constexpr std::string_view kThreadsHelp = "Threads; 0: one per processor. Does not change the model";
constexpr std::string_view kSeedHelp = "Different seeds give different models";
constexpr NumberRange kThreads = {.minimum = 0, .maximum = kThreadsMaximum};

const OptionRow<TrainTopicsOptions> kTopicRows[] = {
    {.name = "out", .field = &TrainTopicsOptions::out, .group = kModel, .help = "The model file"},
    {.name = "topics",
     .field = &TrainTopicsOptions::topics,
     .group = kModel,
     .help = "Number of topics",
     .range = {.minimum = 2, .maximum = 1000}},
    {.name = "words",
     .field = &TrainTopicsOptions::words,
     .group = kModel,
     .help = "Maximum number of words; those of most pages are kept",
     .range = {.minimum = 1, .maximum = 1'000'000}},
    {.name = "min_pages",
     .field = &TrainTopicsOptions::min_pages,
     .group = kModel,
     .help = "Words in fewer pages are ignored",
     .range = {.minimum = 1, .maximum = 1'000'000}},
    {.name = "max_share",
     .field = &TrainTopicsOptions::max_share,
     .group = kModel,
     .help = "Words in a larger share of the pages are ignored",
     .range = {.minimum = 0, .maximum = 1, .excludes_minimum = true}},
    {.name = "passes",
     .field = &TrainTopicsOptions::passes,
     .group = kTraining,
     .help = "Number of passes over the pages",
     .range = {.minimum = 1, .maximum = 1000}},
    {.name = "batch",
     .field = &TrainTopicsOptions::batch,
     .group = kTraining,
     .help = "Pages per update of the topics",
     .range = {.minimum = 1, .maximum = 65'536}},
    {.name = "seed", .field = &TrainTopicsOptions::seed, .group = kTraining, .help = kSeedHelp},
    {.name = "extractor", .field = &TrainTopicsOptions::extractor, .group = kModelReading, .help = kExtractorHelp},
    {.name = "max_pages",
     .field = &TrainTopicsOptions::max_pages,
     .group = kModelResources,
     .help = "If there are more, a fixed sample is used; about 2 KB of memory per page",
     .range = {.minimum = 1, .maximum = 10'000'000}},
    {.name = "threads",
     .field = &TrainTopicsOptions::threads,
     .group = kModelResources,
     .help = kThreadsHelp,
     .range = kThreads},
};

const OptionRow<VectorFileOptions> kVectorFileRows[] = {
    {.name = "out", .field = &VectorFileOptions::out, .group = kModel, .help = "The model file"},
    {.name = "words",
     .field = &VectorFileOptions::words,
     .group = kModel,
     .help = "Maximum number of words; the most frequent are kept",
     .range = {.minimum = 1, .maximum = 4'194'304}},
    {.name = "searched_words",
     .field = &VectorFileOptions::searched_words,
     .group = kModel,
     .help = "Number of most frequent words with stored neighbours, from which synonyms are made",
     .range = {.minimum = 0, .maximum = 1'000'000}},
    {.name = "threads",
     .field = &VectorFileOptions::threads,
     .group = kModelResources,
     .help = kThreadsHelp,
     .range = kThreads},
};

const OptionRow<TrainVectorsOptions> kVectorRows[] = {
    {.name = "method",
     .field = choice<&TrainVectorsOptions::method>(kTrainingMethods),
     .group = kTraining,
     .help = "skip-gram, or cbow, which is faster and weaker on rare words"},
    {.name = "subwords",
     .field = &TrainVectorsOptions::subwords,
     .group = kTraining,
     .help = "Also learn vectors of word parts"},
    {.name = "dimension",
     .field = &TrainVectorsOptions::dimension,
     .group = kTraining,
     .help = "Components of a vector",
     .range = {.minimum = 2, .maximum = 1024}},
    {.name = "window",
     .field = &TrainVectorsOptions::window,
     .group = kTraining,
     .help = "Context words on each side",
     .range = {.minimum = 1, .maximum = 100}},
    {.name = "epochs",
     .field = &TrainVectorsOptions::epochs,
     .group = kTraining,
     .help = "Number of passes over the text",
     .range = {.minimum = 1, .maximum = 1000}},
    {.name = "min_count",
     .field = &TrainVectorsOptions::min_count,
     .group = kTraining,
     .help = "Rarer words get no vector",
     .range = {.minimum = 1, .maximum = 1'000'000}},
    {.name = "negatives",
     .field = &TrainVectorsOptions::negatives,
     .group = kTraining,
     .help = "Negative samples per positive one",
     .range = {.minimum = 1, .maximum = 100}},
    {.name = "rate",
     .field = &TrainVectorsOptions::rate,
     .group = kTraining,
     .help = "Initial learning rate",
     .range = {.minimum = 0, .maximum = 10, .excludes_minimum = true}},
    {.name = "subword_buckets",
     .field = &TrainVectorsOptions::subword_buckets,
     .group = kTraining,
     .help = "With subwords: rows shared by the word parts",
     .range = {.minimum = 1, .maximum = 10'000'000}},
    {.name = "seed", .field = &TrainVectorsOptions::seed, .group = kTraining, .help = kSeedHelp},
    {.name = "training_threads",
     .field = &TrainVectorsOptions::training_threads,
     .group = kTraining,
     .help = "1: the same text gives the same model; with more, training is faster but not reproducible",
     .range = {.minimum = 1, .maximum = kThreadsMaximum}},
    {.name = "extractor", .field = &TrainVectorsOptions::extractor, .group = kModelReading, .help = kExtractorHelp},
    {.name = "tmp",
     .field = &TrainVectorsOptions::tmp,
     .group = kModelResources,
     .help = "Folder for the segmented text [the system's]"},
};

const OptionRow<ImportVectorsOptions> kImportRows[] = {
    {.name = "input",
     .field = &ImportVectorsOptions::input,
     .group = kGeneralGroup,
     .help = "The model file of the other program, not compressed",
     .uses = kPositional | kRequired},
    {.name = "format",
     .field = choice<&ImportVectorsOptions::format>(kVectorFormats),
     .group = kGeneralGroup,
     .help = "auto, word2vec, word2vec-text (.vec), glove or fasttext (.bin)"},
};

const OptionRow<ReduceVectorsOptions> kReductionRows[] = {
    {.name = "out", .field = &ReduceVectorsOptions::out, .group = kModel, .help = "The output file"},
    {.name = "share",
     .field = &ReduceVectorsOptions::share,
     .group = kModel,
     .help = "Share of the variance that the components must keep",
     .range = {.minimum = 0, .maximum = 1, .excludes_minimum = true}},
    {.name = "even",
     .field = &ReduceVectorsOptions::even,
     .group = kModel,
     .help = "Give all components the same weight, also those of small variance"},
    {.name = "components",
     .field = &ReduceVectorsOptions::components,
     .group = kModel,
     .help = "Maximum number of components",
     .range = {.minimum = 1, .maximum = 256}},
    {.name = "paragraphs",
     .field = &ReduceVectorsOptions::paragraphs,
     .group = kModel,
     .help = "Distinct paragraphs to use; if there are more, a sample",
     .range = {.minimum = 1, .maximum = 1'000'000}},
    {.name = "extractor", .field = &ReduceVectorsOptions::extractor, .group = kModelReading, .help = kExtractorHelp},
    {.name = "threads",
     .field = &ReduceVectorsOptions::threads,
     .group = kModelResources,
     .help = "Threads; 0: one per processor. Does not change the file",
     .range = kThreads},
};

}  // namespace

std::span<const OptionRow<TrainTopicsOptions>> topic_option_rows() {
  return kTopicRows;
}
std::span<const OptionRow<VectorFileOptions>> vector_file_option_rows() {
  return kVectorFileRows;
}
std::span<const OptionRow<TrainVectorsOptions>> vector_option_rows() {
  return kVectorRows;
}
std::span<const OptionRow<ImportVectorsOptions>> import_option_rows() {
  return kImportRows;
}
std::span<const OptionRow<ReduceVectorsOptions>> reduction_option_rows() {
  return kReductionRows;
}

}  // namespace paraprint::inline options
