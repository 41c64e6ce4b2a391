#include "engine/evaluate_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "report/text_safety.h"

namespace paraprint {
namespace {

// "simhash-64:distance_bits=3" as a file's name.
std::string file_name(std::string_view label) {
  std::string name(label);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':' || c == '\0'; }, '_');
  return name;
}

}  // namespace

Status write_found_pairs(const std::string& folder, std::string_view set, std::string_view algorithm,
                         const FoundPairs& found, std::uint32_t pages,
                         const std::function<std::string_view(std::uint32_t page)>& id_of) {
  const std::string set_folder = fmt::format("{}/{}", folder, file_name(set));
  if (Status created = create_folders(set_folder); !created) return created;
  Result<AtomicFile> file = AtomicFile::create(fmt::format("{}/{}.tsv", set_folder, file_name(algorithm)));
  if (!file) return tl::unexpected<Error>(file.error());
  std::string line;
  Status written;
  const auto write_pair = [&](std::uint32_t page_a, std::uint32_t page_b, float score) {
    line.clear();
    append_tsv_field(line, id_of(page_a));
    line += '\t';
    append_tsv_field(line, id_of(page_b));
    line += fmt::format("\t{:.9g}\n", score);
    if (written) written = file->write(line);
  };
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
  return written ? file->commit() : written;
}

}  // namespace paraprint
