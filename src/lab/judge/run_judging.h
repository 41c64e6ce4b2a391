// Judging in the explorer of a run (src/view): a sample of its stored pairs, judged one by one. The file has the format
// of `paraprint eval --sample` (docs/formats/judgements.md), so `eval --judgements` reads it.
#pragma once

#include <memory>
#include <string>

#include "paraprint/result.h"
#include "view/judging.h"

namespace paraprint::inline lab::inline judge {

// For set_judging_hook(). A file that does not exist is no error: there is no sample yet. Errors: those of
// read_judgements().
Result<std::unique_ptr<JudgingSession>> open_run_judging(const RunStore& store, const std::string& path);

}  // namespace paraprint::inline lab::inline judge
