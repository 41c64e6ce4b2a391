// `paraprint vectors`: trains or imports models of word vectors, reduces them to principal components for --synonyms
// dense, and prints what a model contains (paraprint/vectors.h). Training is deterministic by default, at the price of
// one thread.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/vectors.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct VectorsCommand {
  TrainVectorsOptions training;
  ImportVectorsOptions importing;
  ReduceVectorsOptions reducing;
  std::string model;
  std::string word;
  std::size_t count = 10;
  bool is_quiet = false;
};

constexpr std::size_t kNeighboursMaximum = 1000;

void print_model(const VectorsInfo& info, const std::string& path) {
  print_line(fmt::format("model: {} words ({} with Han characters), {} dimensions, version {}", info.words,
                         info.words_with_han, info.dimension, info.version));
  if (info.words_with_han == 0) {
    print_line("the model has no Chinese words: Chinese pages are compared as if there were no model");
  }
  print_line(fmt::format("output: {}", path));
}

int run_train(const VectorsCommand& command) {
  ProgressPrinter printer(command.is_quiet);
  const Result<VectorsOutcome> made = train_vectors(command.training, command_control(printer, !command.is_quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.is_quiet) {
    print_line(fmt::format("{} words on {} pages; {} pages of equal text skipped", made->info.corpus_words, made->pages,
                           made->pages_repeated));
    print_model(made->info, command.training.file.out);
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

// There are no pages here, so there are no broken records to report.
int run_import(const VectorsCommand& command) {
  ProgressPrinter printer(command.is_quiet);
  const Result<VectorsOutcome> made = import_vectors(command.importing, command_control(printer, !command.is_quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.is_quiet) {
    print_line(
        fmt::format("skipped: {} duplicates after normalisation, {} entries that are not single words, {} zero vectors",
                    made->words_repeated, made->words_not_ours, made->words_without_length));
    print_model(made->info, command.importing.file.out);
  }
  return kSuccess;
}

int run_reduce(const VectorsCommand& command) {
  ProgressPrinter printer(command.is_quiet);
  const Result<ReduceVectorsOutcome> made =
      reduce_vectors(command.reducing, command_control(printer, !command.is_quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.is_quiet) {
    print_line(fmt::format("components: {} keep {:.1f} % of the variance of {} paragraphs, version {}",
                           made->components, 100 * made->share, made->paragraphs, made->version));
    print_line(fmt::format("output: {}", command.reducing.out));
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

int run_info(const VectorsCommand& command) {
  const Result<VectorModel> model = VectorModel::open(command.model);
  if (!model) return report_error(model.error());
  const VectorsInfo info = model->info();
  std::string text = fmt::format(
      "origin            {}\nversion           {}\nwords             {}\n  with Han        {}\n  searched        {}\n"
      "dimension         {}\n",
      info.origin, info.version, info.words, info.words_with_han, info.searched_words, info.dimension);
  if (info.subword_most > 0) {
    text += fmt::format("subwords          {} to {} characters\n", info.subword_least, info.subword_most);
  }
  // Unknown for imported models.
  if (info.corpus_words > 0) text += fmt::format("trained on words  {}\n", info.corpus_words);
  return print_output(text + fmt::format("bytes             {}\n", info.size_bytes));
}

int run_neighbours(const VectorsCommand& command) {
  const Result<VectorModel> model = VectorModel::open(command.model);
  if (!model) return report_error(model.error());
  const Result<std::vector<WordNeighbour>> found = model->neighbours(command.word, command.count);
  if (!found) return report_error(found.error());
  std::string lines;
  for (const WordNeighbour& neighbour : *found) lines += fmt::format("{:.4f}\t{}\n", neighbour.cosine, neighbour.word);
  return print_output(lines);
}

}  // namespace

void add_vectors_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<VectorsCommand>();
  CLI::App* vectors =
      app.add_subcommand("vectors", "Train, import and inspect word vectors, with which synonyms are found");
  vectors->require_subcommand(1);
  vectors->footer(
      "Examples:\n"
      "  paraprint vectors train crawl/*.warc.gz --out model.vectors\n"
      "  paraprint vectors import cc.zh.300.bin --out model.vectors\n"
      "  paraprint vectors neighbours model.vectors 计算机\n"
      "  paraprint dedup crawl/*.warc.gz --out clean --synonyms map --word-vectors model.vectors\n"
      "  paraprint vectors reduce model.vectors crawl/*.warc.gz --out model.reduction");

  CLI::App* train = vectors->add_subcommand("train", "Train a model on pages, with fastText's library");
  train->add_option("--input,inputs", command->training.inputs, kInputsHelp);
  declare_options(*train, vector_file_option_rows(), command->training.file);
  declare_options(*train, vector_option_rows(), command->training);
  declare_options(*train, read_option_rows(), command->training.reading);
  train->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  train->callback([command, &run] { run = [command] { return run_train(*command); }; });

  CLI::App* import = vectors->add_subcommand("import", "Import a model from word2vec, GloVe or fastText");
  import->add_option("file", command->importing.input, "The model file of the other program, not compressed")
      ->required();
  import
      ->add_option("--format", command->importing.format,
                   "auto, word2vec, word2vec-text (.vec), glove or fasttext (.bin)")
      ->capture_default_str();
  declare_options(*import, vector_file_option_rows(), command->importing.file);
  import->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  import->callback([command, &run] { run = [command] { return run_import(*command); }; });

  CLI::App* reduce =
      vectors->add_subcommand("reduce", "Compute principal components of paragraphs, for --synonyms dense");
  reduce->add_option("model", command->reducing.model, "The model file")->required();
  reduce->add_option("--input,inputs", command->reducing.inputs, kInputsHelp);
  declare_options(*reduce, reduction_option_rows(), command->reducing);
  declare_options(*reduce, read_option_rows(), command->reducing.reading);
  reduce->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  reduce->callback([command, &run] { run = [command] { return run_reduce(*command); }; });

  CLI::App* neighbours =
      vectors->add_subcommand("neighbours", "Print the nearest words of a word: cosine and word per line");
  neighbours->add_option("model", command->model, "The model file")->required();
  neighbours->add_option("word", command->word, "The word")->required();
  neighbours->add_option("--count", command->count, "Number of neighbours")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, kNeighboursMaximum));
  neighbours->callback([command, &run] { run = [command] { return run_neighbours(*command); }; });

  CLI::App* info = vectors->add_subcommand("info", "Describe a model and print its version");
  info->add_option("model", command->model, "The model file")->required();
  info->callback([command, &run] { run = [command] { return run_info(*command); }; });
}

}  // namespace paraprint::cli
