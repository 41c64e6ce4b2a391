// Writes the surviving records of one input. Other tasks list the removed pages; the rest is done by the record writer
// of a run in one process, so the bytes are the same.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "archive/record_writer.h"
#include "archive/revisit_target.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "distribute/inputs/find_input.h"
#include "distribute/records.h"
#include "distribute/tables/removal_records.h"
#include "distribute/wanted_pages.h"
#include "engine/surviving_records.h"

namespace paraprint {
namespace distribute {

void write_removed_page(const RemovedPage& page, ByteWriter& out) {
  out.variable(page.ordinal);
  out.fixed(static_cast<std::uint8_t>(page.is_template));
  const PageRelation& relation = page.relation;
  out.text(relation.verdict);
  for (const float score : {relation.resemblance, relation.containment, relation.containment_kept}) {
    out.fixed(std::bit_cast<std::uint32_t>(score));
  }
  out.text(relation.reason);
  out.text(relation.kept_id);
  out.text(relation.kept_url);
  out.text(relation.kept_date);
  out.text(page.target);
}

RemovedPage read_removed_page(ByteReader& in) {
  RemovedPage page;
  page.ordinal = in.variable();
  page.is_template = in.fixed<std::uint8_t>() != 0;
  PageRelation& relation = page.relation;
  relation.verdict = in.text();
  for (float* score : {&relation.resemblance, &relation.containment, &relation.containment_kept}) {
    *score = std::bit_cast<float>(in.fixed<std::uint32_t>());
  }
  relation.reason = in.text();
  relation.kept_id = in.text();
  relation.kept_url = in.text();
  relation.kept_date = in.text();
  page.target = in.text();
  return page;
}

}  // namespace distribute

using namespace distribute;

// The ordinals and the targets found for them have one order.
Result<std::vector<Parcel>> read_distributed_targets(const DedupOptions& options, const DistributedInput& input,
                                                     std::string_view wanted, bool ends_early,
                                                     std::span<const std::uint32_t> first_pages) {
  PARAPRINT_ASSIGN(const InputFile found, inputs::find_input(input, options.reading));
  std::vector<std::uint64_t> ordinals;
  std::vector<std::uint32_t> pages;
  for (ByteReader in(wanted); !in.at_end();) {
    const tables::WantedRecord record = tables::read_wanted_record(in);
    if (!in.ok() || first_pages.empty() || record.page >= first_pages.back()) return corrupt("wanted");
    ordinals.push_back(record.ordinal);
    pages.push_back(record.page);
  }
  if (!std::is_sorted(ordinals.begin(), ordinals.end())) return corrupt("wanted");
  PARAPRINT_ASSIGN(const std::vector<std::string> targets,
                   read_revisit_targets(found, ordinals, options.reading, ends_early));
  std::vector<Parcel> parcels;
  ParcelBox box("targets", static_cast<std::uint32_t>(first_pages.size() - (first_pages.empty() ? 0 : 1)));
  for (std::size_t at = 0; at < targets.size(); ++at) {
    if (targets[at].empty()) continue;
    ByteWriter out(box.record_for(owner_of_page(first_pages, pages[at])));
    tables::write_target_of_page({pages[at], targets[at]}, out);
  }
  box.take(parcels, true);
  return parcels;
}

// The counters have the names of summary.json and are added up by the driver.
Result<WrittenRecords> write_distributed_records(const DedupOptions& options, const DistributedInput& input,
                                                 std::string_view removed, bool ends_early,
                                                 const std::string& output_path, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const InputFile found, inputs::find_input(input, options.reading));
  std::vector<RemovedPage> pages;
  for (ByteReader in(removed); !in.at_end();) {
    pages.push_back(read_removed_page(in));
    if (!in.ok()) return corrupt("records");
  }
  // The writer merges this list with the records of the input and needs ascending ordinals.
  const auto order = [](const RemovedPage& x, const RemovedPage& y) { return x.ordinal < y.ordinal; };
  if (!std::is_sorted(pages.begin(), pages.end(), order)) return corrupt("records");
  WriteOptions write_options;
  write_options.write_revisits = options.output.revisits;
  write_options.input_ends_early = ends_early;
  PARAPRINT_ASSIGN(const WriteCounts written,
                   write_survivors(found, output_path, pages, options.reading, write_options));
  Counters counters;
  add_write_counts(written, counters);
  WrittenRecords records;
  records.counters.assign(counters.begin(), counters.end());
  ByteWriter out(records.savings);
  out.variable(found.size_bytes);
  out.variable(written.bytes_written);
  written.savings.encode(out);
  return records;
}

}  // namespace paraprint
