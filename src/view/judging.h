// Pairs that people judge, as the explorer sees it. The laboratory has the samples and the estimates, and the core
// links without it, so it fills in the hook.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "paraprint/result.h"
#include "report/json_writer.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

class TextReader;

// Threads: one at a time.
class JudgingSession {
 public:
  virtual ~JudgingSession() = default;

  // Draws a sample of the stored pairs by strata of score, and writes the file. kInvalidArgument if there is one
  // already or the run has no pairs; those of writing.
  virtual Status draw(std::uint32_t pairs, std::uint64_t seed) = 0;
  // Appends what the judge says of a pair of the sample: 'y', 'n' or '?'. kNotFound for another number; those of
  // writing.
  virtual Status judge(std::uint64_t number, char judgement) = 0;
  // The members of an object about the sample, what was judged, and the estimates. `number`: the pair to be shown; 0:
  // the first one without a judgement.
  virtual Status write_state(std::uint64_t number, JsonWriter& json) = 0;
};

// Opens the file, if there is one, for the pages of `store`, which must outlive the session.
using OpenJudging = Result<std::unique_ptr<JudgingSession>> (*)(const RunStore& store, const std::string& path);
// Null as long as no part of the program has set it. Set it before threads start.
OpenJudging judging_hook();
void set_judging_hook(OpenJudging open);

}  // namespace paraprint::inline explorer
