// Options of the command `contaminated`.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kContamination = "Contamination";
constexpr NumberRange kItemShare = {.minimum = 0, .maximum = 1, .excludes_minimum = true};

const OptionRow<ContaminationOptions> kContaminationRows[] = {
    {.name = "against",
     .field = &ContaminationOptions::against,
     .group = kContamination,
     .help = "Benchmarks: JSON lines with a field of item_fields, or files of any other format, a page an item",
     .uses = kOnePerFlag},
    {.name = "out",
     .field = &ContaminationOptions::out,
     .group = kContamination,
     .help = "Folder for all output; created if missing. Inputs must not be in it",
     .uses = kKeepsOutput},
    {.name = "item_fields",
     .field = &ContaminationOptions::item_fields,
     .group = kContamination,
     .help = "Fields of a benchmark's lines that are an item together, as question,choices [the first that exists of "
             "text, question, problem, prompt, query, passage, content]"},
    {.name = "whole",
     .field = &ContaminationOptions::whole,
     .group = kContamination,
     .help = "Share of an item's words, weighted by how rare they are, from which a document holds it as a whole",
     .range = kItemShare},
    {.name = "passage_score",
     .field = &ContaminationOptions::passage_score,
     .group = kContamination,
     .help = "From which a passage in common is no accident: the weight of its words, less 0.5 for each other word "
             "between them",
     .range = {.minimum = 1, .maximum = 10'000}},
    {.name = "passage_documents",
     .field = &ContaminationOptions::passage_documents,
     .group = kContamination,
     .help = "A passage that more documents have without the whole item is no evidence of a part; 0: no limit",
     .range = {.minimum = 0, .maximum = 1'000'000}},
    {.name = "records",
     .field = &ContaminationOptions::records,
     .group = kContamination,
     .help = "Write the documents that hold no item to records/, in the format of the input"},
    {.name = "keep_parts",
     .field = &ContaminationOptions::keep_parts,
     .group = kContamination,
     .help = "Write documents that hold only parts of items as well"},
    {.name = "report", .field = &ContaminationOptions::report, .group = kContamination, .help = "Write report.html"},
};

}  // namespace

std::span<const OptionRow<ContaminationOptions>> contamination_option_rows() {
  return kContaminationRows;
}

}  // namespace paraprint::inline options
