// Binds label rows to page numbers and derives the units. Units are found with union-find over the labels, so copies
// can never be split between the half that chooses a threshold and the half that is judged with it.
#include "lab/evaluate/labelled_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "base/union_find.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

// "original|synonyms=0.2+truncation" -> synonyms, truncation: the edits of both pages, without strengths.
std::vector<std::string_view> edits_of(std::string_view text) {
  std::vector<std::string_view> edits;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("+|, ;#");
    std::string_view edit = text.substr(0, end);
    edit = edit.substr(0, edit.find_first_of("=:"));
    if (!edit.empty() && edit != "-" && edit != "original") edits.push_back(edit);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return edits;
}

constexpr std::uint32_t kNoText = 0xFFFFFFFF;

// Splits every distinct edits text once; pairs refer to texts by index.
void bind_edits(const NameTable& texts, LabelledSet& set) {
  std::unordered_map<std::string_view, std::uint32_t> index_of;
  std::vector<std::uint32_t> last_text_of;  // by edit: the last text that has it
  for (std::uint32_t text = 0; text < texts.size(); ++text) {
    std::vector<std::uint32_t>& list = set.edit_lists.emplace_back();
    const std::string_view all = texts.name(text);
    // Counted with repetitions: typos on both pages are two edits. The list has each edit once.
    set.edit_counts.push_back(static_cast<std::uint32_t>(edits_of(all.substr(0, all.find(kKindMark))).size()));
    for (const std::string_view edit : edits_of(all)) {
      const auto [found, is_new] = index_of.try_emplace(edit, static_cast<std::uint32_t>(set.edit_names.size()));
      if (is_new) set.edit_names.emplace_back(edit);
      if (is_new) last_text_of.push_back(kNoText);
      if (std::exchange(last_text_of[found->second], text) != text) list.push_back(found->second);
    }
  }
}

void count_label(TruthLabel label, LabelCounts& counts) {
  if (label == TruthLabel::kDuplicate) ++counts.duplicate;
  if (label == TruthLabel::kNear) ++counts.near;
  if (label == TruthLabel::kTopic) ++counts.topic;
  if (label == TruthLabel::kDifferent) ++counts.different;
}

// Adds every pair of pages within a cluster, as near-duplicates. The total is checked first, because it grows with the
// square of the cluster size.
Status expand_clusters(const LabelFile& file, LabelledSet& set) {
  std::vector<std::vector<std::uint32_t>> members(file.clusters.size());
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    if (set.cluster_of_page[page] != kNoCluster) members[set.cluster_of_page[page]].push_back(page);
  }
  std::uint64_t total = 0;
  for (const auto& pages : members) total += std::uint64_t{pages.size()} * (pages.size() - (pages.empty() ? 0 : 1)) / 2;
  if (total > kTruthPairsMaximum) {
    return failure(ErrorCode::kLimitExceeded, fmt::format("{}: its clusters contain {} pairs; the maximum is {}",
                                                          file.path, total, kTruthPairsMaximum));
  }
  set.pairs.reserve(total);
  for (const auto& pages : members) {
    for (std::size_t a = 0; a < pages.size(); ++a) {
      for (std::size_t b = a + 1; b < pages.size(); ++b)
        set.pairs.push_back({pages[a], pages[b], TruthLabel::kNear, 0});
    }
  }
  return {};
}

void find_units(LabelledSet& set, std::uint64_t seed) {
  std::vector<std::uint32_t> first_pages(set.pages);  // of the unit of each page
  UnionFind<std::uint32_t> linked(first_pages);
  for (const TruthPair& pair : set.pairs) {
    // `topic` pairs are linked, too: their texts are related, so they are not independent samples.
    if (pair.label != TruthLabel::kDifferent) linked.join(pair.page_a, pair.page_b);
  }
  std::unordered_map<std::uint32_t, std::uint32_t> first_of_cluster;
  for (std::uint32_t page = 0; page < set.cluster_of_page.size(); ++page) {
    if (set.cluster_of_page[page] == kNoCluster) continue;
    linked.join(page, first_of_cluster.try_emplace(set.cluster_of_page[page], page).first->second);
  }
  linked.flatten();
  set.unit_of_page.resize(set.pages);
  set.units = 0;
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    const std::uint32_t first = first_pages[page];
    set.unit_of_page[page] = first == page ? set.units++ : set.unit_of_page[first];
  }
  for (std::uint32_t unit = 0; unit < set.units; ++unit) {
    // A coin per unit from a hash of seed and number, so halves are the same in every run.
    set.is_test_unit.push_back(static_cast<std::uint8_t>(mix64(mix64(seed) + unit) & 1));
  }
}

}  // namespace

std::uint32_t LabelledSet::unit_of_pair(std::uint32_t page_a, std::uint32_t page_b) const {
  const std::uint32_t a = unit_of_page[page_a];
  const std::uint32_t b = unit_of_page[page_b];
  // By hash: always taking the smaller unit would give the first units most of these pairs.
  const bool takes_first = (mix64(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b)) & 1) != 0;
  return takes_first ? std::min(a, b) : std::max(a, b);
}

Result<LabelledSet> bind_labels(const LabelFile& file, std::uint32_t pages, std::string_view world, std::uint64_t seed,
                                const std::function<std::optional<std::uint32_t>(std::string_view id)>& number_of) {
  LabelledSet set;
  set.pages = pages;
  // Clusters alone are a complete labelling: pairs across clusters are known to differ.
  set.is_closed = file.is_clusters_alone || world == "closed";
  // Each id is looked up once, although most occur in many rows. kNoCluster marks an unknown id.
  std::vector<std::uint32_t> page_of_id(file.ids.size(), kNoCluster);
  for (std::uint32_t id = 0; id < file.ids.size(); ++id) {
    if (const std::optional<std::uint32_t> page = number_of(file.ids.name(id))) page_of_id[id] = *page;
  }
  const auto unknown = [&](const std::string& path, std::uint64_t line, std::uint32_t id) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: line {}: no page has the id '{}'", path, line, file.ids.name(id)));
  };
  for (const LabelRow& row : file.pairs) {
    for (const std::uint32_t id : {row.id_a, row.id_b}) {
      if (page_of_id[id] == kNoCluster) return unknown(file.path, row.line, id);
    }
    const auto [a, b] = std::minmax({page_of_id[row.id_a], page_of_id[row.id_b]});
    set.pairs.push_back({a, b, row.label, row.edits});
  }
  set.has_clusters = !file.cluster_rows.empty();
  if (set.has_clusters) set.cluster_of_page.assign(pages, kNoCluster);
  for (const ClusterRow& row : file.cluster_rows) {
    if (page_of_id[row.id] == kNoCluster) {
      return unknown(file.is_clusters_alone ? file.path : file.clusters_path, row.line, row.id);
    }
    set.cluster_of_page[page_of_id[row.id]] = row.cluster;
  }
  if (file.is_clusters_alone) {
    PARAPRINT_TRY(expand_clusters(file, set));
  }
  std::sort(set.pairs.begin(), set.pairs.end(), [](const TruthPair& x, const TruthPair& y) {
    return x.page_a != y.page_a ? x.page_a < y.page_a : x.page_b < y.page_b;
  });
  for (const TruthPair& pair : set.pairs) count_label(pair.label, set.counts);
  find_units(set, seed);
  bind_edits(file.edits, set);
  // Placeholder until the caller sets languages.
  set.language_of_page.assign(pages, 0);
  set.language_names = {"unknown"};
  return set;
}

}  // namespace paraprint::inline lab::inline evaluation
