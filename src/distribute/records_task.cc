// Writes the surviving records of one input. Other tasks list the removed pages; the rest is done by the record writer
// of a run in one process, so the bytes are the same.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "archive/record_writer.h"
#include "archive/revisit_target.h"
#include "archive/wacz_input.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"
#include "distribute/input.h"
#include "distribute/records.h"
#include "distribute/tables/removal_records.h"
#include "distribute/wanted_pages.h"
#include "engine/surviving_records.h"

namespace paraprint {
namespace distribute {

namespace fs = std::filesystem;

namespace {

// The file of a path, which for a part of a WACZ file takes the place of a folder in it; empty if there is a folder.
std::string file_at_or_above(const std::string& path) {
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    std::error_code ignored;
    const fs::file_status status = fs::status(at, ignored);
    if (fs::is_regular_file(status)) return at.string();
    if (fs::exists(status)) break;
  }
  return {};
}

// One, or those of a WACZ file. That a file is cut off or damaged is for its reader to say.
Result<std::vector<InputFile>> inputs_of_source(const DistributedInput& given) {
  const std::string& file = given.file.empty() ? given.path : given.file;
  std::array<char, kZipStartBytes> start{};
  std::size_t got = 0;
  while (got < start.size()) {
    PARAPRINT_ASSIGN(const std::size_t more, given.source->read_at(got, start.data() + got, start.size() - got));
    if (more == 0) break;
    got += more;
  }
  if (is_zip_start({start.data(), got})) {
    PARAPRINT_ASSIGN(WaczListing listing, list_wacz(file, given.source));
    return std::move(listing.inputs);
  }
  std::vector<InputFile> inputs(1);
  inputs[0].path = file;
  inputs[0].size_bytes = given.source->size_bytes();
  inputs[0].source = given.source;
  return inputs;
}

}  // namespace

// Expanding a folder can yield several inputs (its archives, and itself for its loose pages), so the one with this very
// path is chosen. Tasks see one input each, hence index 0; the run's own number of the file travels separately.
Result<InputFile> find_input(const DistributedInput& given, const ReadOptions& options) {
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs,
                   given.source != nullptr ? inputs_of_source(given) : expand_inputs({given.path}, options));
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const InputFile& input) { return input.path == given.path; });
  if (found == inputs.end()) return failure(ErrorCode::kNotFound, given.path + ": not an input");
  found->index = 0;
  return std::move(*found);
}

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

Result<std::vector<std::string>> list_distributed_parts(const DistributedInput& file) {
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, inputs_of_source(file));
  std::vector<std::string> paths;
  for (const InputFile& input : inputs) paths.push_back(input.path);
  return paths;
}

// A WACZ file is not listed for the size of the whole: that would be once more for each of its parts.
Result<std::string> stamp_distributed_input(const std::string& path) {
  const auto size_of = [](const std::string& file) -> Result<std::uint64_t> {
    std::error_code failed;
    const std::uint64_t size_bytes = fs::file_size(file, failed);
    if (failed) return tl::unexpected<Error>(system_error("examine", file, failed.value()));
    return size_bytes;
  };
  const std::string file = file_at_or_above(path);
  if (!file.empty()) {
    PARAPRINT_ASSIGN(const std::uint64_t size_bytes, size_of(file));
    return fmt::format("{}", size_bytes);
  }
  ReadOptions options;
  options.max_files = std::numeric_limits<std::uint64_t>::max();  // whoever reads the input keeps to the run's limit
  PARAPRINT_ASSIGN(const InputFile input, find_input({path}, options));
  std::uint64_t hash = 0;
  for (const std::string& name : input.pages) {
    PARAPRINT_ASSIGN(const std::uint64_t size_bytes, size_of(fmt::format("{}/{}", path, name)));
    hash = hash64(fmt::format("{:016x} {} {}", hash, size_bytes, name));
  }
  return fmt::format("{} {:016x}", input.pages.size(), hash);
}

// The ordinals and the targets found for them have one order.
Result<std::vector<Parcel>> read_distributed_targets(const DedupOptions& options, const DistributedInput& input,
                                                     std::string_view wanted, bool ends_early,
                                                     std::span<const std::uint32_t> first_pages) {
  PARAPRINT_ASSIGN(const InputFile found, find_input(input, options.reading));
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
  PARAPRINT_ASSIGN(const InputFile found, find_input(input, options.reading));
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
