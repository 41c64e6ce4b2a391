// Fuzzes the reader of judgement files and the estimates made from them. A file is rejected with a message, or its
// counts fit together and every interval contains its estimate.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lab/judge/judged_figures.h"
#include "lab/judge/judged_report.h"
#include "lab/judge/judgement_files.h"
#include "temporary_folder.h"

namespace {

using namespace paraprint;

class SampleFile {
 public:
  void write(const std::uint8_t* data, std::size_t size) const {
    std::FILE* file = std::fopen(path().c_str(), "wb");
    if (file == nullptr || std::fwrite(data, 1, size, file) != size) std::abort();
    std::fclose(file);
  }
  std::string path() const { return folder_ / "sample.jsonl"; }

 private:
  TemporaryFolder folder_;
};

void check(const JudgedShare& share) {
  const bool is_interval =
      0 <= share.interval.low && share.interval.low <= share.interval.high && share.interval.high <= 1;
  if (!is_interval) std::abort();
  constexpr double kRounding = 1e-9;
  if (share.is_known &&
      (share.estimate < share.interval.low - kRounding || share.estimate > share.interval.high + kRounding)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SampleFile file;
  file.write(data, size);
  std::uint64_t warnings = 0;
  RunControl control;
  control.warning = [&](std::string_view line) {
    if (line.empty()) std::abort();
    ++warnings;
  };
  ProgressReporter progress(control);
  const Result<JudgedSample> sample = read_judgements({file.path()}, progress);
  if (!sample) {
    if (sample.error().message.empty()) std::abort();
    return 0;
  }
  if (sample->unusable_lines != warnings) std::abort();
  const Result<JudgedEvaluation> evaluation = judged_figures(*sample);
  if (!evaluation) return 0;
  if (evaluation->decided + evaluation->undecided + evaluation->unjudged != evaluation->sampled) std::abort();
  for (const JudgedAlgorithm& algorithm : evaluation->algorithms) {
    check(algorithm.precision);
    check(algorithm.pooled_recall);
    check(algorithm.recall);
  }
  if (judged_table(*evaluation, 10).empty() || judged_json(*evaluation).empty() || judged_page(*evaluation).empty()) {
    std::abort();
  }
  return 0;
}
