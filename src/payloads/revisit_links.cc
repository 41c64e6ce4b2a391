// Two passes: the first gathers the names that revisit records state, the second the captures that have one of them.
#include "payloads/revisit_links.h"

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "archive/record_reader.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline payloads {
namespace {

class LinkFinder {
 public:
  LinkFinder(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress)
      : sources_(sources), progress_(progress), tables_(budget) {}

  Result<RevisitLinks> run() {
    std::uint64_t bytes_total = 0;
    for (const InputFile& input : sources_.inputs) {
      bytes_total += input.size_bytes * (sources_.with_revisits.contains(input.index) ? 2 : 1);
    }
    progress_.begin("revisits", bytes_total, "bytes");
    PARAPRINT_TRY(read_inputs(nullptr));
    PARAPRINT_TRY(tables_.end_revisits());
    const ClaimedNames claimed = tables_.claimed();
    PARAPRINT_TRY(read_inputs(&claimed));
    progress_.end();
    return tables_.finish();
  }

 private:
  Status read_inputs(const ClaimedNames* claimed) {
    std::size_t next = 0;
    return run_in_order<const InputFile*, Status>(
        sources_.threads,
        [&]() -> Result<std::optional<const InputFile*>> {
          while (claimed == nullptr && next < sources_.inputs.size() &&
                 !sources_.with_revisits.contains(sources_.inputs[next].index)) {
            ++next;
          }
          if (next == sources_.inputs.size()) return std::optional<const InputFile*>{};
          return std::optional(&sources_.inputs[next++]);
        },
        [&](unsigned, const InputFile*&& input) { return read_input(*input, claimed); },
        [](Status&& status) { return status; });
  }

  Status read_input(const InputFile& input, const ClaimedNames* claimed) {
    const LinkReading reading{sources_.reading, sources_.inputs_ended_early.contains(input.index), claimed};
    return read_linked_records(
        input, reading,
        [&](LinkedRecord&& record) {
          const std::scoped_lock lock(mutex_);
          return claimed == nullptr ? tables_.add_revisit(record) : tables_.add_capture(record);
        },
        [&](std::uint64_t bytes) {
          const std::scoped_lock lock(mutex_);
          progress_.update(bytes_done_ += bytes);
        });
  }

  const LinkSources& sources_;
  ProgressReporter& progress_;
  std::mutex mutex_;
  std::uint64_t bytes_done_ = 0;
  LinkTables tables_;
};

Status visit_linked_record(const RawRecord& record, const ClaimedNames* claimed,
                           const std::function<Status(LinkedRecord&&)>& visit) {
  if (claimed == nullptr) return record.kind == RecordKind::kRevisit ? visit(claims_of(record)) : Status{};
  if (record.kind != RecordKind::kPage || record.source == PageSource::kConversion) return {};
  std::optional<LinkedRecord> answers = answers_of(record, *claimed);
  return answers ? visit(std::move(*answers)) : Status{};
}

}  // namespace

// Defects were counted in the pass that read the pages.
Status read_linked_records(const InputFile& input, const LinkReading& reading,
                           const std::function<Status(LinkedRecord&&)>& visit,
                           const std::function<void(std::uint64_t)>& advance) {
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, reading.options, [](const Defect&) {});
  if (!reader && reading.ends_early) return {};
  if (!reader) return tl::unexpected<Error>(std::move(reader.error()));
  std::uint64_t bytes_done = 0;
  while (true) {
    PARAPRINT_TRY(check_stop());
    const Result<std::optional<RawRecord>> next = (*reader)->next();
    if (!next && (!reading.ends_early || next.error().code == ErrorCode::kCancelled)) {
      return tl::unexpected<Error>(next.error());
    }
    advance((*reader)->stored_bytes_read() - std::exchange(bytes_done, (*reader)->stored_bytes_read()));
    if (!next || !next->has_value()) return {};
    PARAPRINT_TRY(visit_linked_record(**next, reading.claimed, visit));
  }
}

Result<RevisitLinks> find_revisit_links(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress) {
  return LinkFinder(sources, budget, progress).run();
}

}  // namespace paraprint::inline payloads
