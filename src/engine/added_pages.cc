// A sorted table of digests. Its rows begin with a number for index and input, so one file serves all of them, and a
// run takes the rows of its own inputs from it.
#include "engine/added_pages.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "engine/work_folder.h"
#include "memory/checked_file.h"
#include "profile/profile_codec.h"

namespace paraprint::inline engine {
namespace {

constexpr std::string_view kAddedPagesMagic = "paraprint added pages\n";
constexpr std::size_t kReadBytes = 1 << 18;

// Number of index and input, then the digest of the id.
using AddedRow = std::array<std::uint64_t, 3>;

std::array<std::uint64_t, 2> digest_of(std::string_view id) {
  const Fingerprint128 digest = blake2b128(id);
  return {digest.high, digest.low};
}

// The copy of standard input is made again by a restart, so its time says nothing.
Result<std::uint64_t> hash_of_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(kReadBytes, '\0');
  std::uint64_t hash = 0;
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const std::string_view read(piece.data(), static_cast<std::size_t>(file.gcount()));
    hash = mix64(hash + hash64(read));
  }
  if (!file.is_open() || file.bad()) return failure(ErrorCode::kInputOutput, fmt::format("cannot read {}", path));
  return hash;
}

std::uint64_t number_of_text(const std::string& source, std::string_view text) {
  return hash64(fmt::format("{}\n{}", source, text));
}

// Version 0.1.0 told folders of pages by their time, too, which pages may keep when they are changed.
Result<std::uint64_t> number_by_time(const std::string& source, const InputFile& input) {
  const std::string& stored = input.stored_path();
  struct stat facts {};
  if (::stat(stored.c_str(), &facts) != 0) {
    return tl::unexpected<Error>(system_error("examine", stored, errno));
  }
  const std::string part = input.path.substr(stored.size());  // of a WACZ file
  return number_of_text(source, fmt::format("{}{} {} {}.{:09}", canonical_path(stored), part, input.size_bytes,
                                            facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec));
}

// An input is the same if it has the same path, size and modification time, stamp or digest, as for resuming a run.
Result<std::uint64_t> number_of(const std::string& source, const InputFile& input, const RunSetup& run) {
  if (input.kind == InputKind::kMemory) return number_of_text(source, input.memory_digest);
  const std::string& stored = input.stored_path();
  if (stored == standard_input_copy_of(run.options.output.out)) {
    PARAPRINT_ASSIGN(const std::uint64_t hash, hash_of_content(stored));
    const std::string part = input.path.substr(stored.size());  // of a WACZ file
    return number_of_text(source, fmt::format("-{} {} {:016x}", part, input.size_bytes, hash));
  }
  if (input.kind != InputKind::kPageFolder) return number_by_time(source, input);
  return number_of_text(source, fmt::format("{} {} {}", canonical_path(stored), input.size_bytes, input.stamp));
}

// By RecordLocation::file_index.
Result<std::vector<std::uint64_t>> input_numbers(const std::string& source, const RunSetup& run) {
  std::vector<std::uint64_t> numbers;
  for (const InputFile& input : run.inputs) {
    PARAPRINT_ASSIGN(const std::uint64_t number, number_of(source, input, run));
    numbers.push_back(number);
  }
  return numbers;
}

// Calls visit(row) for every row of the file, in order; none if there is no file.
template <class Visit>
Status for_each_row(const std::string& path, MemoryBudget& budget, Visit&& visit) {
  const Result<CheckedBytes> file = CheckedBytes::read(path, kAddedPagesMagic, kAddedPagesFormatVersion, &budget);
  if (!file && file.error().code == ErrorCode::kNotFound) return {};
  PARAPRINT_TRY(file);
  ByteReader reader(file->content());
  // The count is not used to reserve memory; a wrong one fails at the end of the bytes.
  const std::uint64_t count = reader.variable();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    AddedRow row;
    for (std::uint64_t& part : row) part = reader.fixed<std::uint64_t>();
    if (reader.ok()) PARAPRINT_TRY(visit(row));
  }
  if (reader.ok() && reader.at_end()) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("{} is damaged", path));
}

// Only a page without an id has its text in its name.
Result<std::string> index_id_of(const PageLog& log, const PageTable& pages, std::uint32_t page) {
  const PageRow& row = pages.row(page);
  Profile head;
  if (row.has_id_of_place) {
    std::string profile;
    PARAPRINT_TRY(log.read_bytes(row.profile_offset_bytes, row.profile_bytes, profile));
    PARAPRINT_TRY(decode_profile_head(profile, head));
  }
  return index_id(pages.id(page), row.has_id_of_place, pages.url(page), head.text_hash);
}

}  // namespace

bool AddedPages::contains(std::string_view id) const {
  return std::binary_search(digests_.begin(), digests_.end(), digest_of(id));
}

Result<AddedPages> read_added_pages(const std::string& path, const std::string& source, const RunSetup& run) {
  PARAPRINT_ASSIGN(std::vector<std::uint64_t> numbers, input_numbers(source, run));
  for (const InputFile& input : run.inputs) {
    if (input.kind != InputKind::kPageFolder) continue;
    PARAPRINT_ASSIGN(const std::uint64_t number, number_by_time(source, input));
    numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  AddedPages added(&run.budget);
  PARAPRINT_TRY(for_each_row(path, run.budget, [&](const AddedRow& row) -> Status {
    if (!std::binary_search(numbers.begin(), numbers.end(), row[0])) return {};
    return added.digests_.push_back({row[1], row[2]});
  }));
  std::sort(added.digests_.begin(), added.digests_.end());
  return added;
}

Status record_added_pages(const std::string& path, const std::string& source, const RunSetup& run, const PageLog& log,
                          const PageTable& pages, const Decisions& decisions) {
  PARAPRINT_ASSIGN(const std::vector<std::uint64_t> numbers, input_numbers(source, run));
  SpillArray<AddedRow> rows(&run.budget);
  PARAPRINT_TRY(for_each_row(path, run.budget, [&](const AddedRow& row) { return rows.push_back(row); }));
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (!is_kept(decisions, page) || pages.row(page).content_characters == 0) continue;
    PARAPRINT_ASSIGN(const std::string id, index_id_of(log, pages, page));
    const auto [high, low] = digest_of(id);
    PARAPRINT_TRY(rows.push_back({numbers[pages.row(page).location.file_index], high, low}));
  }
  std::sort(rows.begin(), rows.end());
  rows.shrink(static_cast<std::size_t>(std::unique(rows.begin(), rows.end()) - rows.begin()));
  CheckedFile file(kAddedPagesMagic, kAddedPagesFormatVersion, &run.budget);
  ByteWriter writer(file.piece());
  writer.variable(rows.size());
  for (const AddedRow& row : rows) {
    for (const std::uint64_t part : row) writer.fixed(part);
    PARAPRINT_TRY(file.next());
  }
  return file.commit(path);
}

}  // namespace paraprint::inline engine
