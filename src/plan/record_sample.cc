// Whatever the way, a record is kept by chance alone: by a hash of its place, or because a window drawn by the seed has
// its start. Records that are no pages are kept as well, in files that have any, so that a run over the sample meets
// what a run over the inputs meets.
#include "plan/record_sample.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "base/split_mix.h"
#include "plan/place_sample.h"
#include "plan/whole_sample.h"

namespace paraprint::inline plan {
namespace {

constexpr std::uint64_t kFewestPages = 2000;
constexpr std::uint64_t kMostPages = 20'000;
constexpr double kUsualShare = 0.01;

// Of a large folder of pages, as many as are wanted and some more, drawn by their names, so that the others need not be
// opened. Returns by how much.
double thin_folder(const RecordSampleOptions& options, InputFile& folder) {
  const auto pages = static_cast<double>(folder.pages.size());
  const std::uint64_t wanted = options.pages > 0 ? options.pages : usual_sample(pages);
  const std::uint64_t drawn = wanted + wanted / 2;  // some are no pages
  if (folder.pages.size() <= 2 * drawn) return 1;
  std::vector<std::pair<std::uint64_t, std::string>> names;
  for (std::string& page : folder.pages) {
    names.emplace_back(split_mix_output(hash64(page) + options.seed * kSplitMixStep), std::move(page));
  }
  std::nth_element(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(drawn), names.end());
  names.resize(drawn);
  folder.pages.clear();
  for (auto& [hash, page] : names) folder.pages.push_back(std::move(page));
  std::sort(folder.pages.begin(), folder.pages.end());
  const double share = static_cast<double>(drawn) / pages;
  folder.size_bytes = static_cast<std::uint64_t>(static_cast<double>(folder.size_bytes) * share);
  return 1 / share;
}

}  // namespace

std::uint64_t usual_sample(double pages) {
  return std::clamp(static_cast<std::uint64_t>(pages * kUsualShare), kFewestPages, kMostPages);
}

Result<RecordSample> sample_records(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                    const RecordSampleOptions& options, const std::string& folder,
                                    ProgressReporter& progress) {
  std::uint64_t bytes = 0;
  for (const InputFile& input : inputs) {
    if (input.kind == InputKind::kStandardInput) {
      return failure(ErrorCode::kInvalidArgument,
                     "standard input cannot be sampled: its size is unknown. Write it to a file first");
    }
    bytes += input.size_bytes;
  }
  if (bytes > options.whole_bytes) {
    std::optional<std::map<std::string, StoredForm>> forms = stored_forms(inputs, reading);
    if (forms) return sample_places(inputs, std::move(*forms), reading, options, folder, progress);
  }
  if (inputs.size() == 1 && inputs[0].kind == InputKind::kPageFolder) {
    std::vector<InputFile> thinned = inputs;
    const double factor = thin_folder(options, thinned[0]);
    PARAPRINT_ASSIGN(RecordSample sample, sample_whole(thinned, reading, options, folder, progress));
    sample.page_records_total *= factor;
    sample.input_bytes = bytes;
    if (factor > 1) sample.is_whole = sample.has_all_been_read = false;
    return sample;
  }
  return sample_whole(inputs, reading, options, folder, progress);
}

}  // namespace paraprint::inline plan
