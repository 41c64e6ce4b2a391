// What the options of a run must fulfil together, in addition to the range of each (options/run_options.cc).
#include <fmt/format.h>

#include "base/propagate.h"
#include "cluster/survivor.h"
#include "options/option_table.h"
#include "profile/semantics.h"
#include "report/annotation.h"
#include "text/language.h"

namespace paraprint {

Status SurvivorOptions::validate() const {
  PARAPRINT_TRY(parse_survivor_criteria(keep));
  PARAPRINT_TRY(LanguageSet::parse(languages));
  return check_options(survivor_option_rows(), *this);
}

std::string SurvivorOptions::score_field() const {
  Result<SurvivorCriteria> criteria = parse_survivor_criteria(keep);
  return criteria ? std::move(criteria->score_field) : std::string();
}

Status DedupOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (output.out.empty()) return failure(ErrorCode::kInvalidArgument, "no output folder given (out)");
  PARAPRINT_TRY(check_options(read_option_rows(), reading));
  PARAPRINT_TRY(check_options(resource_option_rows(), resources));
  if (match.align_words) {
    if (profile.algorithm != "paragraph") {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("align_words is on, but words are aligned by what the paragraph method matched; the "
                                 "algorithm is '{}'",
                                 profile.algorithm));
    }
    PARAPRINT_TRY(semantics_for("align_words"));
  }
  if (!profile.paragraphs && (output.evidence || output.report)) {
    return failure(ErrorCode::kInvalidArgument,
                   "paragraphs is off, but evidence and report show matching paragraphs; turn both off");
  }
  if (!profile.paragraphs && output.trim) {
    return failure(ErrorCode::kInvalidArgument, "paragraphs is off, but trim compares them; turn one of them off");
  }
  if (!profile.paragraphs && output.provenance) {
    return failure(ErrorCode::kInvalidArgument,
                   "paragraphs is off, but provenance compares sentences; turn one of them off");
  }
  PARAPRINT_TRY(check_options(output_option_rows(), output));
  PARAPRINT_TRY(parse_annotation_fields(output.annotation_fields));
  if (output.annotate && (output.revisits || output.payloads)) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("annotate keeps all records, so that {0} has nothing to put in their place; turn {0} off",
                    output.payloads ? "payloads" : "revisits"));
  }
  const std::string_view of_records = output.revisits                ? "revisits"
                                      : output.payloads              ? "payloads"
                                      : output.cdx != CdxForm::kNone ? "cdx"
                                                                     : "";
  if (!output.records && !of_records.empty()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("records is off, so that {0} has nothing to be written for; turn {0} off", of_records));
  }
  PARAPRINT_TRY(profile.validate());
  PARAPRINT_TRY(candidates.validate());
  PARAPRINT_TRY(match.validate());
  return survivors.validate();
}

}  // namespace paraprint
