// What commands work on: the files, folders, URLs and models that are positional arguments. They are no settings, so
// summaries do not list them with those, and Python's functions take them as parameters of their own.

#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

template <class Options>
constexpr OptionRow<Options> inputs_row(std::uint32_t uses = kNoUse) {
  return {.name = "inputs",
          .field = &Options::inputs,
          .group = kGeneralGroup,
          .help = "WARC, ARC, WET, HAR, JSONL, HTML or XML files, folders of them, or -",
          .uses = kPositional | uses,
          .flag = "input"};
}

const OptionRow<DedupOptions> kDedupArguments[] = {inputs_row<DedupOptions>()};
const OptionRow<PayloadOptions> kPayloadArguments[] = {inputs_row<PayloadOptions>()};
const OptionRow<CdxOptions> kCdxArguments[] = {
    {.name = "inputs",
     .field = &CdxOptions::inputs,
     .group = kGeneralGroup,
     .help = "WARC or ARC files, folders of them, or -",
     .uses = kPositional,
     .flag = "input"},
};
const OptionRow<WaczOptions> kWaczArguments[] = {
    {.name = "inputs",
     .field = &WaczOptions::inputs,
     .group = kGeneralGroup,
     .help = "WARC or WACZ files, folders of them, or the output folder of a run",
     .uses = kPositional,
     .flag = "input"},
};
const OptionRow<ContaminationOptions> kContaminationArguments[] = {inputs_row<ContaminationOptions>()};
const OptionRow<SimulateOptions> kSimulateArguments[] = {inputs_row<SimulateOptions>()};
const OptionRow<TrainTopicsOptions> kTopicArguments[] = {inputs_row<TrainTopicsOptions>()};
const OptionRow<TrainVectorsOptions> kVectorArguments[] = {inputs_row<TrainVectorsOptions>()};
const OptionRow<PageStreamOptions> kPageStreamArguments[] = {inputs_row<PageStreamOptions>(kRequired)};

const OptionRow<ReduceVectorsOptions> kReductionArguments[] = {
    {.name = "model",
     .field = &ReduceVectorsOptions::model,
     .group = kGeneralGroup,
     .help = "The model file, or hashed or hashed:N: no model, N components, default 512",
     .uses = kPositional | kRequired},
    inputs_row<ReduceVectorsOptions>(),
};

const OptionRow<EvaluateOptions> kEvaluateArguments[] = {
    {.name = "sets",
     .field = &EvaluateOptions::sets,
     .group = kGeneralGroup,
     .help = "Folders of labelled sets, or of corpora made by `paraprint simulate`",
     .uses = kPositional},
};

const OptionRow<EvaluateExtractionOptions> kEvaluateExtractionArguments[] = {
    {.name = "gold",
     .field = &EvaluateExtractionOptions::gold,
     .group = kGeneralGroup,
     .help = "JSON lines of id, html and text, plain or compressed, folders of them, or -",
     .uses = kPositional | kRequired},
};

const OptionRow<CrawlOptions> kCrawlArguments[] = {
    {.name = "seeds",
     .field = &CrawlOptions::seeds,
     .group = kGeneralGroup,
     .help = "URLs to start from; none: resume the crawl in --out",
     .uses = kPositional,
     .flag = "seed"},
};

}  // namespace

std::span<const OptionRow<DedupOptions>> dedup_argument_rows() {
  return kDedupArguments;
}
std::span<const OptionRow<PageStreamOptions>> page_stream_argument_rows() {
  return kPageStreamArguments;
}
std::span<const OptionRow<PayloadOptions>> payload_argument_rows() {
  return kPayloadArguments;
}
std::span<const OptionRow<EvaluateOptions>> evaluate_argument_rows() {
  return kEvaluateArguments;
}
std::span<const OptionRow<EvaluateExtractionOptions>> evaluate_extraction_argument_rows() {
  return kEvaluateExtractionArguments;
}
std::span<const OptionRow<CdxOptions>> cdx_argument_rows() {
  return kCdxArguments;
}
std::span<const OptionRow<ContaminationOptions>> contamination_argument_rows() {
  return kContaminationArguments;
}
std::span<const OptionRow<WaczOptions>> wacz_argument_rows() {
  return kWaczArguments;
}
std::span<const OptionRow<SimulateOptions>> simulate_argument_rows() {
  return kSimulateArguments;
}
std::span<const OptionRow<CrawlOptions>> crawl_argument_rows() {
  return kCrawlArguments;
}
std::span<const OptionRow<TrainTopicsOptions>> topic_argument_rows() {
  return kTopicArguments;
}
std::span<const OptionRow<TrainVectorsOptions>> vector_argument_rows() {
  return kVectorArguments;
}
std::span<const OptionRow<ReduceVectorsOptions>> reduction_argument_rows() {
  return kReductionArguments;
}

}  // namespace paraprint::inline options
