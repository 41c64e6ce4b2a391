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

const OptionRow<DedupOptions> kDedupRows[] = {inputs_row<DedupOptions>()};
const OptionRow<PayloadOptions> kPayloadRows[] = {inputs_row<PayloadOptions>()};
const OptionRow<CdxOptions> kCdxRows[] = {
    {.name = "inputs",
     .field = &CdxOptions::inputs,
     .group = kGeneralGroup,
     .help = "WARC or ARC files, folders of them, or -",
     .uses = kPositional,
     .flag = "input"},
};
const OptionRow<WaczOptions> kWaczRows[] = {
    {.name = "inputs",
     .field = &WaczOptions::inputs,
     .group = kGeneralGroup,
     .help = "WARC or WACZ files, folders of them, or the output folder of a run",
     .uses = kPositional,
     .flag = "input"},
};
const OptionRow<SimulateOptions> kSimulateRows[] = {inputs_row<SimulateOptions>()};
const OptionRow<TrainTopicsOptions> kTopicRows[] = {inputs_row<TrainTopicsOptions>()};
const OptionRow<TrainVectorsOptions> kVectorRows[] = {inputs_row<TrainVectorsOptions>()};
const OptionRow<PageStreamOptions> kPageStreamRows[] = {inputs_row<PageStreamOptions>(kRequired)};

const OptionRow<ReduceVectorsOptions> kReductionRows[] = {
    {.name = "model",
     .field = &ReduceVectorsOptions::model,
     .group = kGeneralGroup,
     .help = "The model file",
     .uses = kPositional | kRequired},
    inputs_row<ReduceVectorsOptions>(),
};

const OptionRow<EvaluateOptions> kEvaluateRows[] = {
    {.name = "sets",
     .field = &EvaluateOptions::sets,
     .group = kGeneralGroup,
     .help = "Folders of labelled sets, or of corpora made by `paraprint simulate`",
     .uses = kPositional},
};

const OptionRow<EvaluateExtractionOptions> kEvaluateExtractionRows[] = {
    {.name = "gold",
     .field = &EvaluateExtractionOptions::gold,
     .group = kGeneralGroup,
     .help = "JSON lines of id, html and text, plain or compressed, folders of them, or -",
     .uses = kPositional | kRequired},
};

const OptionRow<CrawlOptions> kCrawlRows[] = {
    {.name = "seeds",
     .field = &CrawlOptions::seeds,
     .group = kGeneralGroup,
     .help = "URLs to start from; none: resume the crawl in --out",
     .uses = kPositional,
     .flag = "seed"},
};

}  // namespace

std::span<const OptionRow<DedupOptions>> dedup_argument_rows() {
  return kDedupRows;
}
std::span<const OptionRow<PageStreamOptions>> page_stream_argument_rows() {
  return kPageStreamRows;
}
std::span<const OptionRow<PayloadOptions>> payload_argument_rows() {
  return kPayloadRows;
}
std::span<const OptionRow<EvaluateOptions>> evaluate_argument_rows() {
  return kEvaluateRows;
}
std::span<const OptionRow<EvaluateExtractionOptions>> evaluate_extraction_argument_rows() {
  return kEvaluateExtractionRows;
}
std::span<const OptionRow<CdxOptions>> cdx_argument_rows() {
  return kCdxRows;
}
std::span<const OptionRow<WaczOptions>> wacz_argument_rows() {
  return kWaczRows;
}
std::span<const OptionRow<SimulateOptions>> simulate_argument_rows() {
  return kSimulateRows;
}
std::span<const OptionRow<CrawlOptions>> crawl_argument_rows() {
  return kCrawlRows;
}
std::span<const OptionRow<TrainTopicsOptions>> topic_argument_rows() {
  return kTopicRows;
}
std::span<const OptionRow<TrainVectorsOptions>> vector_argument_rows() {
  return kVectorRows;
}
std::span<const OptionRow<ReduceVectorsOptions>> reduction_argument_rows() {
  return kReductionRows;
}

}  // namespace paraprint::inline options
