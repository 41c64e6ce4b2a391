// All tables share one temporary file, one after the other; a table is a range of its bytes. Equal texts are expanded
// while the file is written, so memory is bounded by a piece, although a group of n equal pages gives n (n - 1) / 2
// rows.
#include "lab/evaluate/evaluate_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// "simhash-64:distance_bits=3" as a file name: without '/', which would make a folder, and ':', which some systems and
// tools reserve.
std::string file_name(std::string_view label) {
  std::string name(label);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':' || c == '\0'; }, '_');
  return name;
}

}  // namespace

Status check_pair_folders(std::span<const LabelledSetFiles> sets) {
  std::map<std::string, const LabelledSetFiles*> set_of_folder;
  for (const LabelledSetFiles& set : sets) {
    const auto [known, is_new] = set_of_folder.try_emplace(file_name(set.name), &set);
    if (is_new) continue;
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} and {}: the pairs of both sets would be written to pairs/{}", known->second->path,
                               set.path, known->first));
  }
  return {};
}

Result<FoundPairTables> FoundPairTables::create(const std::string& temporary_folder) {
  PARAPRINT_ASSIGN(TemporaryFile file, TemporaryFile::create(temporary_folder));
  FoundPairTables tables;
  tables.file_ = std::move(file);
  return tables;
}

Status FoundPairTables::add(std::string_view set, std::string_view algorithm, const FoundPairs& found,
                            std::uint32_t pages, const std::function<std::string_view(std::uint32_t page)>& id_of) {
  StoredTable& table = tables_.emplace_back();
  table.path = fmt::format("{}/{}.tsv", file_name(set), file_name(algorithm));
  table.begin_bytes = file_.size_bytes();
  std::string lines;
  Status written;
  const auto flush = [&](std::size_t bytes_minimum) {
    if (lines.size() < bytes_minimum) return;
    if (written) written = file_.append(std::as_bytes(std::span(lines)));
    lines.clear();
  };
  const auto write_pair = [&](std::uint32_t page_a, std::uint32_t page_b, float score) {
    append_tsv_field(lines, id_of(page_a));
    lines += '\t';
    append_tsv_field(lines, id_of(page_b));
    lines += fmt::format("\t{:.9g}\n", score);
    flush(kPieceBytes);
  };
  // Pairs within a group of equal text first, with the score of equal texts; then the found pairs, which are between
  // representatives, for every pair of members.
  const std::vector<std::vector<std::uint32_t>> groups = equal_text_groups(found, pages);
  for (const std::vector<std::uint32_t>& group : groups) {
    for (std::size_t a = 0; a < group.size(); ++a) {
      for (std::size_t b = a + 1; b < group.size(); ++b) write_pair(group[a], group[b], kEqualTextScore);
    }
  }
  for (const ScoredPagePair& pair : found.pairs) {
    for (const std::uint32_t a : groups[pair.page_a]) {
      for (const std::uint32_t b : groups[pair.page_b]) write_pair(a, b, pair.score);
    }
  }
  flush(0);
  table.end_bytes = file_.size_bytes();
  return written;
}

// Tables are copied from the temporary file piece by piece.
Status FoundPairTables::write(const std::string& folder) const {
  std::string piece;
  for (const StoredTable& table : tables_) {
    const std::string path = fmt::format("{}/{}", folder, table.path);
    PARAPRINT_TRY(create_folders(path.substr(0, path.rfind('/'))));
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
    for (std::uint64_t at = table.begin_bytes; at < table.end_bytes; at += piece.size()) {
      piece.resize(std::min<std::uint64_t>(kPieceBytes, table.end_bytes - at));
      PARAPRINT_TRY(file_.read(at, std::as_writable_bytes(std::span(piece))));
      PARAPRINT_TRY(file.write(piece));
    }
    PARAPRINT_TRY(file.commit());
  }
  return {};
}

}  // namespace paraprint::inline lab::inline evaluation
