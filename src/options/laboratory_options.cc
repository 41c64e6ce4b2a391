// The options of the laboratory's commands, eval and simulate.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kEvaluation = "Evaluation";
constexpr std::string_view kCorpus = "Corpus";

const OptionRow<LabelledInputs> kLabelledInputRows[] = {
    {.name = "pages",
     .field = &LabelledInputs::pages,
     .group = kEvaluation,
     .help = "Pages that are not in a set: the same inputs as for dedup"},
    {.name = "labels",
     .field = &LabelledInputs::labels,
     .group = kEvaluation,
     .help = "Their labels: id_a, id_b, label; or id, cluster"},
    {.name = "clusters",
     .field = &LabelledInputs::clusters,
     .group = kEvaluation,
     .help = "Their clusters: id, cluster"},
};

const OptionRow<EvaluateOptions> kEvaluateRows[] = {
    {.name = "world",
     .field = &EvaluateOptions::world,
     .group = kEvaluation,
     .help = "open: only labelled pairs count; closed: all other pairs are no copies [set.json]"},
    {.name = "algorithms",
     .field = &EvaluateOptions::algorithms,
     .group = kEvaluation,
     .help = "Specifications separated by commas, all (algorithms) or presets; `paraprint algorithms` lists both"},
    {.name = "sweep",
     .field = &EvaluateOptions::sweep,
     .group = kEvaluation,
     .help = "ALGORITHM:PARAMETER=V1,V2,...: one row per value; several parameters: one per combination",
     .uses = kOnePerFlag},
    {.name = "ablation",
     .field = &EvaluateOptions::ablation,
     .group = kEvaluation,
     .help = "Also the paragraph method with its parts switched on and off"},
    {.name = "seed",
     .field = &EvaluateOptions::seed,
     .group = kEvaluation,
     .help = "Decides the split into halves and the bootstrap"},
    {.name = "bootstrap",
     .field = &EvaluateOptions::bootstrap,
     .group = kEvaluation,
     .help = "Rounds of the bootstrap",
     .range = {.minimum = 100, .maximum = 100'000}},
    {.name = "show",
     .field = &EvaluateOptions::show,
     .group = kEvaluation,
     .help = "Number of worst misses and false positives to print per algorithm"},
    {.name = "out",
     .field = &EvaluateOptions::out,
     .group = kEvaluation,
     .help = "Folder for results.json, results.csv, timing.json and report/"},
    {.name = "write_pairs",
     .field = &EvaluateOptions::write_pairs,
     .group = kEvaluation,
     .help = "With out: also every scored pair, pairs/SET/ALGORITHM.tsv"},
};

const OptionRow<SampleOptions> kSampleRows[] = {
    {.name = "sample",
     .field = &SampleOptions::sample,
     .group = kEvaluation,
     .help = "Draw this many of the pairs that the algorithms find (at least 10), for people to judge; needs out",
     .range = {.minimum = 0, .maximum = kSamplePairsMaximum},
     .uses = kNoDefault},
    {.name = "judgements",
     .field = &SampleOptions::judgements,
     .group = kEvaluation,
     .help = "Judged samples: precision and recall are estimated from these files alone"},
};

const OptionRow<EvaluateExtractionOptions> kEvaluateExtractionRows[] = {
    {.name = "extractor",
     .field = &EvaluateExtractionOptions::extractor,
     .group = kEvaluation,
     .help = "Extractors, separated by commas or repeated; the others are compared with the first [all]"},
    {.name = "seed",
     .field = &EvaluateExtractionOptions::seed,
     .group = kEvaluation,
     .help = "Decides the samples of the bootstrap"},
    {.name = "bootstrap",
     .field = &EvaluateExtractionOptions::bootstrap,
     .group = kEvaluation,
     .help = "Rounds of the bootstrap",
     .range = {.minimum = 100, .maximum = 100'000}},
    {.name = "show",
     .field = &EvaluateExtractionOptions::show,
     .group = kEvaluation,
     .help = "Number of pages with the lowest F1 to print per extractor",
     .range = {.minimum = 0, .maximum = kPoorPagesMaximum}},
    {.name = "out",
     .field = &EvaluateExtractionOptions::out,
     .group = kEvaluation,
     .help = "Folder for results.json, pages.csv, timing.json and report/"},
    {.name = "threads",
     .field = &EvaluateExtractionOptions::threads,
     .group = kEvaluation,
     .help = "Threads; 0: one per processor. Does not change the output",
     .range = {.minimum = 0, .maximum = kThreadsMaximum}},
};

const OptionRow<SimulateOptions> kSimulateRows[] = {
    {.name = "out",
     .field = &SimulateOptions::out,
     .group = kCorpus,
     .help = "Folder for the corpus; created if missing, must be empty"},
    {.name = "pages",
     .field = &SimulateOptions::pages,
     .group = kCorpus,
     .help = "Pages of the corpus, including hard negatives",
     .range = {.minimum = 2, .maximum = 100'000'000},
     .uses = kNoDefault},
    {.name = "seed",
     .field = &SimulateOptions::seed,
     .group = kCorpus,
     .help = "Different seeds give different corpora"},
    {.name = "bases",
     .field = &SimulateOptions::bases,
     .group = kCorpus,
     .help = "Base articles; 0: one per five pages, or as many as the input has"},
    {.name = "edits",
     .field = &SimulateOptions::edits,
     .group = kCorpus,
     .help = "Edits to make: name, name=strength or name=min-max, strengths in (0, 1] [all of --list-edits]"},
    {.name = "edits_per_page",
     .field = &SimulateOptions::edits_per_page,
     .group = kCorpus,
     .help = "Maximum number of edits per page, not counting another template",
     .range = {.minimum = 1, .maximum = 8}},
    {.name = "template_share",
     .field = &SimulateOptions::template_share,
     .group = kCorpus,
     .help = "Share of the copies that also get another site's template",
     .range = {.minimum = 0, .maximum = 1}},
    {.name = "formula_share",
     .field = &SimulateOptions::formula_share,
     .group = kCorpus,
     .help = "Share of pages made from grammars, which differ only in facts",
     .range = {.minimum = 0, .maximum = 0.9}},
    {.name = "chain_share",
     .field = &SimulateOptions::chain_share,
     .group = kCorpus,
     .help = "Share of the copies that are made from another copy",
     .range = {.minimum = 0, .maximum = 1}},
    {.name = "dated_share",
     .field = &SimulateOptions::dated_share,
     .group = kCorpus,
     .help = "Share of the pages that state when they were published",
     .range = {.minimum = 0, .maximum = 1}},
    {.name = "sourced_share",
     .field = &SimulateOptions::sourced_share,
     .group = kCorpus,
     .help = "Share of the copies that state where their text comes from",
     .range = {.minimum = 0, .maximum = 1}},
    {.name = "min_characters",
     .field = &SimulateOptions::min_characters,
     .group = kCorpus,
     .help = "Minimum number of letters and digits of a base article",
     .range = {.minimum = 100}},
    {.name = "max_characters",
     .field = &SimulateOptions::max_characters,
     .group = kCorpus,
     .help = "Longer articles are cut between paragraphs into several base articles"},
    {.name = "pages_per_file",
     .field = &SimulateOptions::pages_per_file,
     .group = kCorpus,
     .help = "Average number of pages per WARC file",
     .range = {.minimum = 1}},
    {.name = "texts",
     .field = &SimulateOptions::texts,
     .group = kCorpus,
     .help = "Also write the articles' texts to docs.jsonl"},
    {.name = "extractor",
     .field = &SimulateOptions::extractor,
     .group = kCorpus,
     .help = "Extractor of the base articles"},
    {.name = "threads",
     .field = &SimulateOptions::threads,
     .group = kCorpus,
     .help = "Threads; 0: one per processor. Does not change the output",
     .range = {.minimum = 0, .maximum = kThreadsMaximum}},
};

}  // namespace

std::span<const OptionRow<LabelledInputs>> labelled_input_option_rows() {
  return kLabelledInputRows;
}
std::span<const OptionRow<EvaluateOptions>> evaluate_option_rows() {
  return kEvaluateRows;
}
std::span<const OptionRow<SampleOptions>> sample_option_rows() {
  return kSampleRows;
}
std::span<const OptionRow<EvaluateExtractionOptions>> evaluate_extraction_option_rows() {
  return kEvaluateExtractionRows;
}
std::span<const OptionRow<SimulateOptions>> simulate_option_rows() {
  return kSimulateRows;
}

}  // namespace paraprint::inline options
