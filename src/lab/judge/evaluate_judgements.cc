// `paraprint eval --judgements`: from files of judgements to figures. Everything that estimates need is in the files,
// so no page is read.
#include "base/propagate.h"
#include "base/stop.h"
#include "lab/judge/judged_figures.h"
#include "lab/judge/judged_report.h"
#include "lab/judge/judgement_files.h"
#include "paraprint/judged_samples.h"

namespace paraprint {

Status JudgementOptions::validate() const {
  if (files.empty()) return failure(ErrorCode::kInvalidArgument, "no file of judgements given");
  return {};
}

Result<JudgedEvaluation> evaluate_judgements(const JudgementOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  ProgressReporter progress(control);
  PARAPRINT_ASSIGN(const JudgedSample sample, read_judgements(options.files, progress));
  PARAPRINT_ASSIGN(JudgedEvaluation evaluation, judged_figures(sample));
  evaluation.table = judged_table(evaluation, options.show);
  evaluation.json = judged_json(evaluation);
  if (options.out.empty()) return evaluation;
  PARAPRINT_TRY(write_judged(options.out, evaluation));
  evaluation.report_path = options.out + "/report/index.html";
  return evaluation;
}

}  // namespace paraprint
