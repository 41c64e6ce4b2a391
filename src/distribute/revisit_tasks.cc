// The tasks that resolve the revisit records of the input, one input at a time: what revisit records refer to, and the
// captures that they may refer to. The driver joins the two (revisit_plan.h).
#include <memory>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "distribute/inputs/find_input.h"
#include "distribute/records.h"
#include "distribute/revisit_plan.h"
#include "paraprint/distributed.h"
#include "payloads/revisit_links.h"

namespace paraprint {

using namespace distribute;

namespace {

// What an input is to read for; the reader sees it as the first of its run.
struct RevisitInput {
  const DistributedInput& given;
  std::uint32_t file_index = 0;
  bool ends_early = false;
};

Result<std::vector<Parcel>> read_records(const ReadOptions& options, const RevisitInput& input,
                                         const ClaimedNames* claimed, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const InputFile found, inputs::find_input(input.given, options));
  ParcelBox box(claimed == nullptr ? "claims" : "captures", 1);
  PARAPRINT_TRY(read_linked_records(
      found, {options, input.ends_early, claimed},
      [&](LinkedRecord&& record) -> Status {
        record.place.file = input.file_index;
        ByteWriter out(box.record_for(0));
        write_linked_record(record, out);
        return {};
      },
      [](std::uint64_t) {}));
  std::vector<Parcel> parcels;
  box.take(parcels, true);
  return parcels;
}

class CaptureSearchImplementation : public CaptureSearch {
 public:
  CaptureSearchImplementation(const ReadOptions& options, StoredNames names)
      : options_(options), names_(std::move(names)) {}

  Result<std::vector<Parcel>> read_input(const DistributedInput& input, std::uint32_t file_index, bool ends_early,
                                         const RunControl& control) const override {
    const ClaimedNames claimed = names_.names();
    return read_records(options_, {input, file_index, ends_early}, &claimed, control);
  }

 private:
  ReadOptions options_;
  StoredNames names_;
};

}  // namespace

Result<std::vector<Parcel>> read_distributed_claims(const DedupOptions& options, const DistributedInput& input,
                                                    std::uint32_t file_index, bool ends_early,
                                                    const RunControl& control) {
  return read_records(options.reading, {input, file_index, ends_early}, nullptr, control);
}

Result<std::unique_ptr<CaptureSearch>> CaptureSearch::create(const DedupOptions& options, std::string_view claimed) {
  PARAPRINT_ASSIGN(StoredNames names, read_claimed_names(claimed));
  return std::make_unique<CaptureSearchImplementation>(options.reading, std::move(names));
}

}  // namespace paraprint
