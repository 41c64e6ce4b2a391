// `paraprint vectors`: trains or imports models of word vectors, reduces them to principal components for --synonyms
// dense, and prints what a model contains (paraprint/vectors.h). Training is deterministic by default, at the price of
// one thread.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
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
  ModelArguments arguments;
  ProgressArguments progress;
};

void print_model(const VectorsInfo& info, const std::string& path) {
  print_line(fmt::format("model: {} words ({} with Han characters), {} dimensions, version {}", info.words,
                         info.words_with_han, info.dimension, info.version));
  if (info.words_with_han == 0) {
    print_line("the model has no Chinese words: Chinese pages are compared as if there were no model");
  }
  print_line(fmt::format("output: {}", path));
}

int run_train(const VectorsCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const Result<VectorsOutcome> made =
      train_vectors(command.training, command_control(printer, !command.progress.quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.progress.quiet) {
    print_line(fmt::format("{} words on {} pages; {} pages of equal text skipped", made->info.corpus_words, made->pages,
                           made->pages_repeated));
    print_model(made->info, command.training.file.out);
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

// There are no pages here, so there are no broken records to report.
int run_import(const VectorsCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const Result<VectorsOutcome> made =
      import_vectors(command.importing, command_control(printer, !command.progress.quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.progress.quiet) {
    print_line(
        fmt::format("skipped: {} duplicates after normalisation, {} entries that are not single words, {} zero vectors",
                    made->words_repeated, made->words_not_ours, made->words_without_length));
    print_model(made->info, command.importing.file.out);
  }
  return kSuccess;
}

int run_reduce(const VectorsCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const Result<ReduceVectorsOutcome> made =
      reduce_vectors(command.reducing, command_control(printer, !command.progress.quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.progress.quiet) {
    print_line(fmt::format("components: {} keep {:.1f} % of the variance of {} paragraphs, version {}",
                           made->components, 100 * made->share, made->paragraphs, made->version));
    print_line(fmt::format("output: {}", command.reducing.out));
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

int run_info(const VectorsCommand& command) {
  const Result<VectorModel> model = VectorModel::open(command.arguments.model);
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
  const Result<VectorModel> model = VectorModel::open(command.arguments.model);
  if (!model) return report_error(model.error());
  const Result<std::vector<WordNeighbour>> found = model->neighbours(command.arguments.word, command.arguments.count);
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
  declare_options(*train, vector_argument_rows(), command->training);
  declare_options(*train, vector_file_option_rows(), command->training.file);
  declare_options(*train, vector_option_rows(), command->training);
  declare_options(*train, read_option_rows(), command->training.reading);
  declare_options(*train, progress_argument_rows(), command->progress);
  train->callback([command, &run] { run = [command] { return run_train(*command); }; });

  CLI::App* import = vectors->add_subcommand("import", "Import a model from word2vec, GloVe or fastText");
  declare_options(*import, import_option_rows(), command->importing);
  declare_options(*import, vector_file_option_rows(), command->importing.file);
  declare_options(*import, progress_argument_rows(), command->progress);
  import->callback([command, &run] { run = [command] { return run_import(*command); }; });

  CLI::App* reduce =
      vectors->add_subcommand("reduce", "Compute principal components of paragraphs, for --synonyms dense");
  declare_options(*reduce, reduction_argument_rows(), command->reducing);
  declare_options(*reduce, reduction_option_rows(), command->reducing);
  declare_options(*reduce, read_option_rows(), command->reducing.reading);
  declare_options(*reduce, progress_argument_rows(), command->progress);
  reduce->callback([command, &run] { run = [command] { return run_reduce(*command); }; });

  CLI::App* neighbours =
      vectors->add_subcommand("neighbours", "Print the nearest words of a word: cosine and word per line");
  declare_options(*neighbours, model_rows(), command->arguments);
  declare_options(*neighbours, vectors_neighbours_rows(), command->arguments);
  neighbours->callback([command, &run] { run = [command] { return run_neighbours(*command); }; });

  CLI::App* info = vectors->add_subcommand("info", "Describe a model and print its version");
  declare_options(*info, model_rows(), command->arguments);
  info->callback([command, &run] { run = [command] { return run_info(*command); }; });
}

}  // namespace paraprint::cli
