// The calls of include/paraprint/topics.h, implemented on the stages. A model is written, then opened by the code that
// its users run: train_topics() returns only if the file can really be used.
#include "paraprint/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "api/corpus_stream.h"
#include "api/output_file.h"
#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "options/command_tables.h"
#include "options/option_checks.h"
#include "report/json_writer.h"
#include "semantics/topics/topic_corpus.h"
#include "semantics/topics/topic_inference.h"
#include "semantics/topics/topic_model_writer.h"
#include "semantics/topics/train_lda.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint {
namespace {

// Size of a model during training (words times topics, 4 bytes each): 1 GiB.
constexpr std::uint64_t kCellsMaximum = std::uint64_t{1} << 28;

// The facts that commands print about a model.
TopicsInfo info_of(const TopicModel& model) {
  TopicsInfo info;
  info.version = hex_of(model.version());
  info.topics = model.facts().topics;
  info.words = model.facts().words;
  info.corpus_pages = model.facts().corpus_pages;
  info.corpus_words = model.facts().corpus_words;
  info.size_bytes = model.size_bytes();
  return info;
}

// Counts the words of the pages in a streaming pass; only the counts of words within the limits stay in memory.
Result<TopicCorpus> read_corpus(const TrainTopicsOptions& options, const RunControl& control,
                                TrainTopicsOutcome& made) {
  TopicCorpusBuilder builder({options.max_pages, options.words, options.min_pages, options.max_share});
  const PageStreamOptions stream = corpus_stream_options(options, options.threads);
  ProgressReporter reporter(control);
  reporter.begin("read", 0, "pages");
  PARAPRINT_ASSIGN(PageStreamOutcome outcome, for_each_page(
                                                  stream,
                                                  [&](const StreamedPage& page) -> Status {
                                                    builder.add(page.content);
                                                    const std::uint64_t pages =
                                                        builder.pages() + builder.pages_repeated();
                                                    reporter.update(pages, pages);
                                                    return {};
                                                  },
                                                  control));
  reporter.end();
  made.pages = builder.pages();
  made.pages_repeated = builder.pages_repeated();
  made.broken_records = outcome.broken_records;
  made.unreadable_inputs = outcome.unreadable_inputs;
  TopicCorpus corpus = builder.finish();
  if (corpus.words.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the input has {} pages of different text, and no word occurs in at least {} and at "
                               "most {:.4g} of them (--min-pages, --max-share)",
                               made.pages, options.min_pages, options.max_share * static_cast<double>(made.pages)));
  }
  return corpus;
}

}  // namespace

// Words and topics are bounded by their product too: training holds a full matrix.
Status TrainTopicsOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no model file given (out)");
  PARAPRINT_TRY(check_options(topic_option_rows(), *this));
  if (std::uint64_t{words} * topics > kCellsMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{} words times {} topics exceed {} numbers; reduce either",
                                                            words, topics, kCellsMaximum));
  }
  return {};
}

// The output file is checked first, so that a wrong path is reported before reading and training.
Result<TrainTopicsOutcome> train_topics(const TrainTopicsOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, expand_inputs(options.inputs, options.reading));
  PARAPRINT_TRY(refuse_inputs(options.out, inputs));
  PARAPRINT_TRY(check_output_file(options.out));
  TrainTopicsOutcome made;
  PARAPRINT_ASSIGN(TopicCorpus corpus, read_corpus(options, control, made));
  LdaSettings settings;
  settings.topics = options.topics;
  settings.passes = options.passes;
  settings.batch_documents = options.batch;
  settings.seed = options.seed;
  settings.threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  ProgressReporter reporter(control);
  reporter.begin("train", std::uint64_t{options.passes} * corpus.size(), "pages");
  PARAPRINT_ASSIGN(const TrainedTopics trained,
                   train_lda(corpus, settings, [&reporter](std::uint64_t done) { reporter.update(done); }));
  reporter.end();
  PARAPRINT_TRY(write_topic_model(options.out, corpus, trained));
  PARAPRINT_ASSIGN(std::shared_ptr<const TopicModel> model, TopicModel::open(options.out));
  made.info = info_of(*model);
  return made;
}

// Only the mapped model; describe() and infer() keep their state on the stack.
class Topics::Implementation {
 public:
  std::shared_ptr<const TopicModel> model;
};

Topics::Topics(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Topics::Topics(Topics&&) noexcept = default;
Topics& Topics::operator=(Topics&&) noexcept = default;
Topics::~Topics() = default;

// The model is shared and immutable, so Topics may be used from several threads.
Result<Topics> Topics::open(const std::string& path) {
  PARAPRINT_ASSIGN(std::shared_ptr<const TopicModel> model, TopicModel::open(path));
  auto implementation = std::make_unique<Implementation>();
  implementation->model = std::move(model);
  return Topics(std::move(implementation));
}

TopicsInfo Topics::info() const {
  return info_of(*implementation_->model);
}

// Topics in falling order of their share of the corpus; ties keep the order of topic numbers.
std::vector<TopicDescription> Topics::describe(std::size_t words) const {
  const TopicModel& model = *implementation_->model;
  const std::vector<std::vector<ProbableWord>> best = model.top_words(words);
  std::vector<TopicDescription> descriptions;
  for (std::uint32_t topic = 0; topic < best.size(); ++topic) {
    TopicDescription& description = descriptions.emplace_back();
    description.topic = topic;
    description.share = model.share(topic);
    for (const ProbableWord& word : best[topic]) {
      description.words.push_back({std::string(model.word(word.row)), word.probability});
    }
  }
  std::stable_sort(descriptions.begin(), descriptions.end(),
                   [](const TopicDescription& x, const TopicDescription& y) { return x.share > y.share; });
  return descriptions;
}

// Normalises and segments as training did; words unknown to the model are ignored. Counts are collected in a sorted
// map, so that inference adds in the same order for any order of words.
std::vector<TopicShare> Topics::infer(std::string_view text) const {
  const TopicModel& model = *implementation_->model;
  const std::string normalised = Normaliser().normalised(text);
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(normalised, tokens);
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const Token& token : tokens) {
    if (const std::optional<std::uint32_t> row = model.find(hash64(token.word(normalised)))) ++counts[*row];
  }
  // Without a word of the model the answer is empty, rather than equal shares of all topics.
  if (counts.empty()) return {};
  std::vector<TopicWord> words;
  for (const auto& [row, count] : counts) words.push_back({row, count});
  std::vector<double> shares;
  TopicInference(model).infer(words, shares);
  std::vector<TopicShare> found;
  for (std::uint32_t topic = 0; topic < shares.size(); ++topic) found.push_back({topic, shares[topic]});
  std::stable_sort(found.begin(), found.end(),
                   [](const TopicShare& x, const TopicShare& y) { return x.share > y.share; });
  return found;
}

std::string topics_json(std::string_view page_id, std::span<const TopicShare> topics) {
  constexpr int kShareDecimals = 6;
  JsonWriter json;
  json.begin_object();
  json.member("id", page_id);
  json.key("topics");
  json.begin_array();
  for (const TopicShare& topic : topics) {
    json.begin_object();
    json.member("topic", topic.topic);
    json.member("share", Real{topic.share, kShareDecimals});
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace paraprint
