// Joins what a run removes with the records that only repeat the payload of another one.
#include <fmt/format.h>

#include <algorithm>

#include "archive/revisit_target.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "engine/output_stage.h"
#include "engine/surviving_records.h"
#include "paraprint/payloads.h"
#include "payloads/read_captures.h"
#include "report/json_writer.h"

namespace paraprint::inline engine {
namespace {

void write_revisit(JsonWriter& json, const InputFile& input, const Replacement& row, const CaptureText& copy,
                   const CaptureText& original) {
  const RevisitTarget of_copy = RevisitTarget::decode(copy.target);
  const RevisitTarget target = RevisitTarget::decode(original.target);
  json.begin_object();
  json.member("id", of_copy.id);
  json.member("url", copy.url);
  json.member("date", of_copy.date);
  json.member("refers_to_id", target.id);
  json.member("refers_to_url", original.url);
  json.member("refers_to_date", target.date);
  json.member("payload_digest", target.digest);
  json.member("payload_bytes", row.payload_bytes);
  json.member("file", input.path);
  json.member("offset_bytes", copy.offset_bytes);
  json.end_object();
}

// Both sources are ascending by file and ordinal.
class RevisitMerge {
 public:
  RevisitMerge(const RemovedPages& removed, RemovedPages& joined) : removed_(removed), joined_(joined) {}

  // Copies the removed pages before this place.
  Status pass_to(std::uint64_t file, std::uint64_t ordinal) {
    while (file_ < file) PARAPRINT_TRY(end_file());
    const std::span<const RemovedPage> pages = removed_.of_file(file_);
    while (next_ < pages.size() && pages[next_].ordinal < ordinal) {
      PARAPRINT_TRY(joined_.pages.push_back(pages[next_++]));
    }
    return {};
  }

  // Requires pass_to() this place.
  Status add(std::uint64_t ordinal, const CaptureText& original) {
    const std::span<const RemovedPage> pages = removed_.of_file(file_);
    RemovedPage page;
    if (next_ < pages.size() && pages[next_].ordinal == ordinal) page = pages[next_++];
    page.ordinal = ordinal;
    page.relation.kept_url = original.url;
    page.target = original.target;
    page.only_as_revisit = true;
    return joined_.pages.push_back(page);
  }

  Status end_file() {
    const std::span<const RemovedPage> pages = removed_.of_file(file_);
    while (next_ < pages.size()) PARAPRINT_TRY(joined_.pages.push_back(pages[next_++]));
    next_ = 0;
    ++file_;
    joined_.begin.push_back(joined_.pages.size());
    return {};
  }

 private:
  const RemovedPages& removed_;
  RemovedPages& joined_;
  std::uint64_t file_ = 0;
  std::size_t next_ = 0;  // in the removed pages of the file
};

}  // namespace

Result<RemovedPages> add_payload_revisits(const std::vector<InputFile>& inputs, const RemovedPages& removed,
                                          const CaptureCollector& collector, ReplacementSorter replacements,
                                          const std::string& list_path) {
  PARAPRINT_ASSIGN(AtomicFile list, AtomicFile::create(list_path));
  JsonWriter json;
  RemovedPages joined(removed.pages.budget());
  joined.begin.push_back(0);
  RevisitMerge merge(removed, joined);
  Replacement row;
  while (replacements.next(row)) {
    const CaptureText copy = collector.text(row.copy_text);
    const CaptureText original = collector.text(row.original_text);
    PARAPRINT_TRY(merge.pass_to(row.file, row.ordinal));
    PARAPRINT_TRY(merge.add(row.ordinal, original));
    write_revisit(json, inputs[row.file], row, copy, original);
    PARAPRINT_TRY(list.write(json.take() + "\n"));
  }
  PARAPRINT_TRY(replacements.status());
  while (joined.begin.size() <= inputs.size()) PARAPRINT_TRY(merge.end_file());
  PARAPRINT_TRY(list.commit());
  return joined;
}

Result<RemovedPages> replace_equal_payloads(const RunSetup& run, const RemovedPages& removed,
                                            CaptureCollector& collector, Counters& counters,
                                            ProgressReporter& progress) {
  CaptureRules rules;
  rules.min_payload_bytes = PayloadOptions().min_payload_bytes;
  rules.is_removed = [&](std::uint32_t file, std::uint64_t ordinal) {
    const std::span<const RemovedPage> pages = removed.of_file(file);
    const auto found =
        std::lower_bound(pages.begin(), pages.end(), ordinal,
                         [](const RemovedPage& page, std::uint64_t wanted) { return page.ordinal < wanted; });
    return found != pages.end() && found->ordinal == ordinal;
  };
  // Defects were counted when the pages were read.
  const auto ignore = [](const InputFile&) -> DefectSink { return [](const Defect&) {}; };
  PARAPRINT_ASSIGN(const Counters reading,
                   read_all_captures(run.inputs, run.options.reading, rules, run.threads, collector, ignore, progress));
  PARAPRINT_TRY(collector.finish());
  PARAPRINT_ASSIGN(ReplacementSorter replacements,
                   choose_originals(collector, std::nullopt, payload_sorting(run.budget), counters));
  return add_payload_revisits(run.inputs, removed, collector, std::move(replacements),
                              fmt::format("{}/{}", run.options.output.out, kRevisitsName));
}

}  // namespace paraprint::inline engine
