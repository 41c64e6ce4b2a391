// `paraprint topics`: trains topic models on pages, prints them, and infers the topics of other pages
// (paraprint/topics.h). Output meant for other programs (show, infer, info) goes to standard output; training reports
// to standard error.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/topics.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct TopicsCommand {
  TrainTopicsOptions training;
  PageStreamOptions pages;
  ModelArguments arguments;
  WarningArguments warnings;
  ProgressArguments progress;
};

void print_info(const TopicsInfo& info, const std::string& path) {
  print_line(fmt::format("model: {} topics of {} words, version {}", info.topics, info.words, info.version));
  print_line(fmt::format("output: {}", path));
}

int run_train(const TopicsCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const Result<TrainTopicsOutcome> made =
      train_topics(command.training, command_control(printer, !command.progress.quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.progress.quiet) {
    print_line(fmt::format("{} words on {} of {} pages; {} pages of equal text skipped", made->info.corpus_words,
                           made->info.corpus_pages, made->pages, made->pages_repeated));
    print_info(made->info, command.training.out);
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

int run_info(const TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.arguments.model);
  if (!model) return report_error(model.error());
  const TopicsInfo info = model->info();
  return print_output(
      fmt::format("version           {}\ntopics            {}\nwords             {}\ntrained on pages  {}\n"
                  "trained on words  {}\nbytes             {}\n",
                  info.version, info.topics, info.words, info.corpus_pages, info.corpus_words, info.size_bytes));
}

// One line per topic, separated by tabs: number, share, words with their probabilities.
int run_show(const TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.arguments.model);
  if (!model) return report_error(model.error());
  std::string lines;
  for (const TopicDescription& topic : model->describe(command.arguments.words)) {
    lines += fmt::format("{}\t{:.4f}\t", topic.topic, topic.share);
    for (const TopicDescription::Word& word : topic.words) {
      lines += fmt::format("{}{}:{:.4f}", &word == &topic.words.front() ? "" : " ", word.word, word.probability);
    }
    lines += '\n';
  }
  return print_output(lines);
}

Status print_topics(const StreamedPage& page, std::span<const TopicShare> topics, std::size_t count) {
  return write_output_line(topics_json(page.page.id, topics.first(std::min(count, topics.size()))));
}

int run_infer(TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.arguments.model);
  if (!model) return report_error(model.error());
  // Topics are inferred from the extracted text.
  command.pages.with_profiles = false;
  RunControl control;
  if (!command.warnings.quiet) control.warning = print_line;
  const Result<PageStreamOutcome> outcome = for_each_page(
      command.pages,
      [&](const StreamedPage& page) {
        return print_topics(page, model->infer(page.content.text), command.arguments.topics);
      },
      control);
  if (!outcome) return report_error(outcome.error());
  if (Status written = flush_output(); !written) return report_error(written.error());
  return report_stream(*outcome, command.warnings.quiet);
}

}  // namespace

void add_topics_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<TopicsCommand>();
  CLI::App* topics = app.add_subcommand("topics", "Train, inspect and apply topic models");
  topics->require_subcommand(1);
  topics->footer(
      "Examples:\n"
      "  paraprint topics train crawl/*.warc.gz --out model.topics\n"
      "  paraprint topics show model.topics\n"
      "  paraprint topics infer model.topics page.html\n"
      "  paraprint dedup crawl/*.warc.gz --out clean --relevance topics --topic-model model.topics");

  CLI::App* train = topics->add_subcommand("train", "Learn topics from pages (latent Dirichlet allocation)");
  declare_options(*train, topic_argument_rows(), command->training);
  declare_options(*train, topic_option_rows(), command->training);
  declare_options(*train, read_option_rows(), command->training.reading);
  declare_options(*train, progress_argument_rows(), command->progress);
  train->callback([command, &run] { run = [command] { return run_train(*command); }; });

  CLI::App* show =
      topics->add_subcommand("show", "Print the topics, largest first: number, share, most probable words");
  declare_options(*show, model_rows(), command->arguments);
  declare_options(*show, topics_show_rows(), command->arguments);
  show->callback([command, &run] { run = [command] { return run_show(*command); }; });

  CLI::App* info = topics->add_subcommand("info", "Describe a model and print its version");
  declare_options(*info, model_rows(), command->arguments);
  info->callback([command, &run] { run = [command] { return run_info(*command); }; });

  CLI::App* infer = topics->add_subcommand("infer", "Infer the topics of pages, one JSON line per page");
  declare_options(*infer, model_rows(), command->arguments);
  declare_options(*infer, page_stream_argument_rows(), command->pages);
  declare_options(*infer, topics_infer_rows(), command->arguments);
  declare_options(*infer, page_stream_option_rows(), command->pages);
  declare_options(*infer, warning_argument_rows(), command->warnings);
  // Nothing else of a profile matters to the text.
  declare_options(*infer, profile_option_rows(), command->pages.profile,
                  [](const auto& row) { return row.name == "extractor"; });
  declare_options(*infer, read_option_rows(), command->pages.reading);
  infer->callback([command, &run] { run = [command] { return run_infer(*command); }; });
}

}  // namespace paraprint::cli
