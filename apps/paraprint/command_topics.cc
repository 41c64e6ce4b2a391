// `paraprint topics`: trains topic models on pages, prints them, and infers the topics of other pages
// (paraprint/topics.h). Output meant for other programs (show, infer, info) goes to standard output; training reports
// to standard error.
#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <memory>

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
  std::string model;
  std::size_t words = 10;
  std::size_t topics = 5;
  bool is_quiet = false;
};

constexpr std::size_t kShownMaximum = 1000;

void print_info(const TopicsInfo& info, const std::string& path) {
  print_line(fmt::format("model: {} topics of {} words, version {}", info.topics, info.words, info.version));
  print_line(fmt::format("output: {}", path));
}

int run_train(const TopicsCommand& command) {
  ProgressPrinter printer(command.is_quiet);
  const Result<TrainTopicsOutcome> made = train_topics(command.training, command_control(printer, !command.is_quiet));
  if (!made) return report_end(made.error(), kBeginsAgain);
  if (!command.is_quiet) {
    print_line(fmt::format("{} words on {} of {} pages; {} pages of equal text skipped", made->info.corpus_words,
                           made->info.corpus_pages, made->pages, made->pages_repeated));
    print_info(made->info, command.training.out);
  }
  return made->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

int run_info(const TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.model);
  if (!model) return report_error(model.error());
  const TopicsInfo info = model->info();
  return print_output(
      fmt::format("version           {}\ntopics            {}\nwords             {}\ntrained on pages  {}\n"
                  "trained on words  {}\nbytes             {}\n",
                  info.version, info.topics, info.words, info.corpus_pages, info.corpus_words, info.size_bytes));
}

// One line per topic, separated by tabs: number, share, words with their probabilities.
int run_show(const TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.model);
  if (!model) return report_error(model.error());
  std::string lines;
  for (const TopicDescription& topic : model->describe(command.words)) {
    lines += fmt::format("{}\t{:.4f}\t", topic.topic, topic.share);
    for (const TopicDescription::Word& word : topic.words) {
      lines += fmt::format("{}{}:{:.4f}", &word == &topic.words.front() ? "" : " ", word.word, word.probability);
    }
    lines += '\n';
  }
  return print_output(lines);
}

// Shares have six fixed digits, so that the same model and page give the same bytes.
Status print_topics(const StreamedPage& page, const std::vector<TopicShare>& topics, std::size_t count) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  json.StartObject();
  json.Key("id");
  json.String(page.page.id.data(), static_cast<rapidjson::SizeType>(page.page.id.size()));
  json.Key("topics");
  json.StartArray();
  for (std::size_t i = 0; i < std::min(count, topics.size()); ++i) {
    json.StartObject();
    json.Key("topic");
    json.Uint(topics[i].topic);
    json.Key("share");
    const std::string share = fmt::format("{:.6f}", topics[i].share);
    json.RawValue(share.data(), share.size(), rapidjson::kNumberType);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return write_output_line({buffer.GetString(), buffer.GetSize()});
}

int run_infer(TopicsCommand& command) {
  const Result<Topics> model = Topics::open(command.model);
  if (!model) return report_error(model.error());
  // Topics are inferred from the extracted text.
  command.pages.with_profiles = false;
  RunControl control;
  if (!command.is_quiet) control.warning = print_line;
  const Result<PageStreamOutcome> outcome = for_each_page(
      command.pages,
      [&](const StreamedPage& page) { return print_topics(page, model->infer(page.content.text), command.topics); },
      control);
  if (!outcome) return report_error(outcome.error());
  if (Status written = flush_output(); !written) return report_error(written.error());
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
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
  train->add_option("--input,inputs", command->training.inputs, kInputsHelp);
  declare_options(*train, topic_option_rows(), command->training);
  declare_options(*train, read_option_rows(), command->training.reading);
  train->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  train->callback([command, &run] { run = [command] { return run_train(*command); }; });

  CLI::App* show =
      topics->add_subcommand("show", "Print the topics, largest first: number, share, most probable words");
  show->add_option("model", command->model, "The model file")->required();
  show->add_option("--words", command->words, "Number of words per topic")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, kShownMaximum));
  show->callback([command, &run] { run = [command] { return run_show(*command); }; });

  CLI::App* info = topics->add_subcommand("info", "Describe a model and print its version");
  info->add_option("model", command->model, "The model file")->required();
  info->callback([command, &run] { run = [command] { return run_info(*command); }; });

  CLI::App* infer = topics->add_subcommand("infer", "Infer the topics of pages, one JSON line per page");
  infer->add_option("model", command->model, "The model file")->required();
  infer->add_option("inputs", command->pages.inputs, "WARC, JSONL, HTML or text files, folders of them, or -")
      ->required();
  infer->add_option("--topics", command->topics, "Number of topics per page, largest share first")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, kShownMaximum));
  infer->add_option("--extractor", command->pages.profile.extractor, "Extractor of the main content")
      ->capture_default_str();
  infer->add_option("--threads", command->pages.threads, "Threads; 0: one per processor")->capture_default_str();
  infer->add_flag("--quiet", command->is_quiet, "Do not report broken records");
  declare_options(*infer, read_option_rows(), command->pages.reading);
  infer->callback([command, &run] { run = [command] { return run_infer(*command); }; });
}

}  // namespace paraprint::cli
