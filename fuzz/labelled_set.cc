// Fuzzes the readers of a labelled set. The input holds its files, separated by lines "====":
// labels.tsv, clusters.tsv, labels_detail.tsv and set.json. A set is rejected with a message, or its
// pairs are pairs of existing pages, each once.
#include "lab/evaluate/labelled_set.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lab/evaluate/evaluate_inputs.h"
#include "lab/evaluate/label_file.h"
#include "temporary_folder.h"

namespace {

using namespace paraprint;

constexpr std::string_view kParting = "====\n";
constexpr std::array<std::string_view, 4> kFiles = {"labels.tsv", "clusters.tsv", "labels_detail.tsv", "set.json"};
constexpr std::uint32_t kPages = 64;  // further ids are unknown pages

// A temporary folder with a labelled set; missing parts are missing files.
class SetFolder {
 public:
  SetFolder() { write("docs.jsonl", "{}\n"); }
  void write(std::string_view name, std::string_view bytes) const {
    std::FILE* file = std::fopen(path_of(name).c_str(), "wb");
    if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::abort();
    std::fclose(file);
  }
  void remove(std::string_view name) const { ::unlink(path_of(name).c_str()); }
  const std::string& path() const { return folder_.path(); }

 private:
  std::string path_of(std::string_view name) const { return folder_ / std::string(name); }

  TemporaryFolder folder_;
};

void check(const LabelledSet& set, const LabelFile& file) {
  if (set.edit_lists.size() != file.edits.size() || set.edit_counts.size() != file.edits.size()) std::abort();
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    const TruthPair& pair = set.pairs[i];
    const bool is_pair = pair.page_a < pair.page_b && pair.page_b < set.pages && pair.edits < set.edit_lists.size();
    const bool is_new =
        i == 0 || std::pair(set.pairs[i - 1].page_a, set.pairs[i - 1].page_b) < std::pair(pair.page_a, pair.page_b);
    if (!is_pair || !is_new || set.unit_of_pair(pair.page_a, pair.page_b) >= set.units) std::abort();
  }
  for (const auto& edits : set.edit_lists) {
    for (const std::uint32_t edit : edits) {
      if (edit >= set.edit_names.size()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SetFolder folder;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  bool has_part = true;
  for (const std::string_view name : kFiles) {
    folder.remove(name);
    if (!has_part) continue;
    const std::size_t end = rest.find(kParting);
    folder.write(name, rest.substr(0, end));
    has_part = end != std::string_view::npos;
    if (has_part) rest.remove_prefix(end + kParting.size());
  }
  EvaluateOptions options;
  options.sets = {folder.path()};
  const auto sets = find_labelled_sets(options);
  if (!sets) return 0;
  const LabelledSetFiles& files = sets->front();
  const auto labels = read_label_file(files.labels, files.clusters, files.details);
  if (!labels) {
    if (labels.error().message.empty()) std::abort();
    return 0;
  }
  // Ids are pages in the order of first use.
  std::unordered_map<std::string, std::uint32_t> page_of;
  const auto set = bind_labels(*labels, kPages, files.world, 1, [&](std::string_view id) {
    const std::uint32_t page =
        page_of.try_emplace(std::string(id), static_cast<std::uint32_t>(page_of.size())).first->second;
    return page < kPages ? std::optional(page) : std::nullopt;
  });
  if (set) check(*set, *labels);
  return 0;
}
