// Labelled sets written as text in tests: pages are numbers, ids are "p0", "p1", ...
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/labelled_set.h"
#include "lab/evaluate/pair_outcomes.h"

namespace paraprint::testing {

// A temporary file, removed by the destructor.
class ScratchFile {
 public:
  ScratchFile(std::string_view name, std::string_view content)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "-" + std::string(name))) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string page_id(std::uint32_t page) {
  return "p" + std::to_string(page);
}

inline std::optional<std::uint32_t> page_number(std::string_view id, std::uint32_t pages) {
  const auto number = static_cast<std::uint32_t>(std::stoul(std::string(id.substr(1))));
  return number < pages ? std::optional(number) : std::nullopt;
}

// A set from `labels` and `clusters`, given as file contents.
inline LabelledSet labelled_set(std::uint32_t pages, std::string_view labels, std::string_view clusters,
                                std::string_view world, std::uint64_t seed = 1) {
  const ScratchFile label_file("labels.tsv", labels);
  const ScratchFile cluster_file("clusters.tsv", clusters);
  const Result<LabelFile> file = read_label_file(label_file.path(), clusters.empty() ? "" : cluster_file.path(), "");
  if (!file) throw std::runtime_error(file.error().message);
  Result<LabelledSet> set =
      bind_labels(*file, pages, world, seed, [&](std::string_view id) { return page_number(id, pages); });
  if (!set) throw std::runtime_error(set.error().message);
  return std::move(*set);
}

}  // namespace paraprint::testing
