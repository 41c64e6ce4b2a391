// Every mean over a range of units is a difference of two prefix sums, so windows, sections and containers cost O(1)
// each. Means are weighted by tokens, like the F1 that the model is trained for. The rows are part of the trained
// model: any change requires training again (tools/extraction).
#include "extract/context_features.h"

#include <algorithm>
#include <bit>

#include "extract/container_scores.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline extract {
namespace {

// The numbers of units and levels below are part of the trained model.
constexpr std::size_t kContextLevels = 5;
constexpr std::array<std::size_t, 3> kWindows = {2, 5, 12};
constexpr std::size_t kContextNeighbours = 3;
constexpr std::size_t kSideUnits = 6;

enum ContextRow : std::size_t {
  // Columns of a unit's record.
  kWindowMeans,
  kSideMeans = kWindowMeans + kWindows.size(),
  kContainerViews = kSideMeans + 2,  // mean and share of each level
  kHeaviestLow = kContainerViews + 2 * kContextLevels,
  kHeaviestHigh,
  kContentBefore,
  kContentAfter,
  kSinceContent,
  kToContent,
  kKinMean,
  kKinCount,
  kKinOfParentMean,
  kContextColumns,
  // Rows filled directly.
  kOwn = kContextColumns,
  kNeighbourWeights,
  kSectionMean = kNeighbourWeights + 2 * kContextNeighbours,
  kSectionTokens,
  kHeaviestHighMean,
  kPageContent,
  kPageContentShare,
  kPageBestF,
  kContextRowCount,
};

}  // namespace

std::size_t context_feature_count() {
  return kContextRowCount;
}

ContentMass ContextFeatures::mass_of(std::size_t begin, std::size_t end) const {
  ContentMass mass = before_[end];
  mass.tokens -= before_[begin].tokens;
  mass.content -= before_[begin].content;
  return mass;
}

// The heaviest subtree of the weighted DOM tree: an element's weight is its expected content minus `threshold` per
// token. A higher threshold selects a smaller, purer subtree. Of equal elements the innermost wins, as it comes last.
std::uint32_t ContextFeatures::heaviest_element(const PageTree& tree, std::uint64_t threshold) const {
  std::uint32_t best = 0;
  std::int64_t best_weight = INT64_MIN;
  for (std::uint32_t i = 0; i < tree.elements.size(); ++i) {
    const PageElement& element = tree.elements[i];
    if (element.unit_begin == element.unit_end) continue;
    const ContentMass mass = mass_of(element.unit_begin, element.unit_end);
    const std::int64_t weight =
        static_cast<std::int64_t>(mass.content) - static_cast<std::int64_t>(mass.tokens * threshold);
    if (weight >= best_weight) {
      best_weight = weight;
      best = i;
    }
  }
  return best;
}

// The order is free: all features depend only on weights and prefix sums, not on each other.
void ContextFeatures::compute(const PageTree& tree, const std::vector<BlockWeight>& weights, std::size_t first_row,
                              FeatureMatrix& matrix, StopCheck& stop) {
  if (tree.units.empty()) return;
  tree_ = &tree;
  weights_ = &weights;
  matrix_ = &matrix;
  first_row_ = first_row;
  if (!records_.reset(kContextColumns, tree.units.size(), stop)) return;
  sum_masses();
  fill_page();
  fill_neighbours();
  fill_sections();
  set_kin(stop);
  if (!stop.is_stopped()) set_around(stop);
  if (!stop.is_stopped()) set_containers(stop);
  if (stop.is_stopped()) return;
  set_distances();
  records_.transpose(first_row, 0, matrix, stop);
}

// Weights become probabilities here, once per unit; everything below works with expected tokens.
void ContextFeatures::sum_masses() {
  ContentMass total;
  before_.assign(1, total);
  for (std::size_t i = 0; i < tree_->units.size(); ++i) {
    const std::uint64_t tokens = tree_->units[i].text.tokens;
    total.tokens += tokens;
    total.content += tokens * kWeightProbability[(*weights_)[i]];
    before_.push_back(total);
  }
}

// The same for all units: how much content the page has, and how sure the first stage is.
void ContextFeatures::fill_page() {
  const std::size_t count = tree_->units.size();
  const ContentMass& total = before_.back();
  std::fill_n(row(kPageContent), count, log_level(static_cast<std::uint32_t>(total.content / kCertain)));
  std::fill_n(row(kPageContentShare), count, mean(total));
  std::fill_n(row(kPageBestF), count, best_expected_f1());
}

// The best expected F1 over all thresholds, without the scenarios of block_selection.cc: a measure of how clear-cut the
// page is.
std::uint8_t ContextFeatures::best_expected_f1() const {
  std::array<ContentMass, 256> by_weight{};
  for (std::size_t i = 0; i < tree_->units.size(); ++i) {
    const ContentMass own = mass_of(i, i + 1);
    by_weight[(*weights_)[i]].tokens += own.tokens;
    by_weight[(*weights_)[i]].content += own.content;
  }
  std::uint8_t best = 0;
  ContentMass chosen;
  for (std::size_t weight = by_weight.size(); weight-- > 0;) {
    chosen.tokens += by_weight[weight].tokens;
    chosen.content += by_weight[weight].content;
    best = std::max(best, share_level(2 * chosen.content, before_.back().content + chosen.tokens * kCertain));
  }
  return best;
}

// Kin are units anywhere on the page whose elements, or whose containers, look alike: the items of a list, the posts of
// a thread. Weights of single items are unreliable, their mean much less so.
void ContextFeatures::set_kin(StopCheck& stop) {
  const auto& elements = tree_->elements;
  collect_kin(stop, [&](const TextUnit& unit) {
    const PageElement& element = elements[unit.element];
    const std::uint64_t above = elements[element.parent].signature;
    return (above << 32 | element.signature) * 8 + unit.heading_level;
  });
  if (stop.is_stopped()) return;
  set_means_of_kin(kKinMean);
  for (std::size_t i = 0; i < kin_of_.size(); ++i) records_.of(i)[kKinCount] = log_level(kin_[kin_of_[i]].count);
  collect_kin(stop, [&](const TextUnit& unit) {
    const PageElement& container = elements[elements[unit.element].container];
    return std::uint64_t{elements[container.container].signature} << 32 | container.signature;
  });
  if (!stop.is_stopped()) set_means_of_kin(kKinOfParentMean);
}

// Groups the units by key and sums up each group in kin_; not all if stopped. The table is at most half full, and
// seeded: names of elements, which make the keys, are the page's choice.
template <class KeyOf>
void ContextFeatures::collect_kin(StopCheck& stop, KeyOf&& key_of) {
  const std::size_t count = tree_->units.size();
  const std::size_t slots = std::bit_ceil(count * 2);
  kin_.clear();
  kin_slots_.assign(slots, 0);
  kin_of_.resize(count);
  in_pieces(count, stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t key = key_of(tree_->units[i]);
      std::size_t slot = seeded_mix64(key, process_hash_seed()) & (slots - 1);
      while (kin_slots_[slot] != 0 && kin_[kin_slots_[slot] - 1].key != key) slot = (slot + 1) & (slots - 1);
      if (kin_slots_[slot] == 0) {
        kin_.push_back({key, {}, 0, 0});
        kin_slots_[slot] = static_cast<std::uint32_t>(kin_.size());
      }
      kin_of_[i] = kin_slots_[slot] - 1;
      Kin& kin = kin_[kin_of_[i]];
      const ContentMass own = mass_of(i, i + 1);
      kin.mass.tokens += own.tokens;
      kin.mass.content += own.content;
      ++kin.count;
    }
  });
}

// The mean weight of each unit's kin.
void ContextFeatures::set_means_of_kin(std::size_t column) {
  for (Kin& kin : kin_) kin.mean = mean(kin.mass);
  for (std::size_t i = 0; i < kin_of_.size(); ++i) records_.of(i)[column] = kin_[kin_of_[i]].mean;
}

// Missing neighbours at both ends count as certain clutter (weight 0).
void ContextFeatures::fill_neighbours() {
  const std::vector<BlockWeight>& weights = *weights_;
  const std::size_t count = weights.size();
  std::copy_n(weights.data(), count, row(kOwn));
  for (std::size_t n = 0; n < kContextNeighbours; ++n) {
    const std::size_t missing = std::min(count, n + 1);
    std::uint8_t* before = row(kNeighbourWeights + 2 * n);
    std::uint8_t* after = row(kNeighbourWeights + 2 * n + 1);
    std::fill_n(before, missing, BlockWeight{0});
    std::copy_n(weights.data(), count - missing, before + missing);
    std::copy_n(weights.data() + missing, count - missing, after);
    std::fill_n(after + count - missing, missing, BlockWeight{0});
  }
}

// Windows around the unit, and the units on each side of it without itself.
void ContextFeatures::set_around(StopCheck& stop) {
  const std::size_t count = weights_->size();
  in_pieces(count, stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint8_t* record = records_.of(i);
      for (std::size_t w = 0; w < kWindows.size(); ++w) {
        record[kWindowMeans + w] = mean(mass_of(i - std::min(i, kWindows[w]), std::min(count, i + kWindows[w] + 1)));
      }
      record[kSideMeans] = mean(mass_of(i - std::min(i, kSideUnits), i));
      record[kSideMeans + 1] = mean(mass_of(i + 1, std::min(count, i + 1 + kSideUnits)));
    }
  });
}

// Views are cached by element, because all units of a container share them.
void ContextFeatures::set_containers(StopCheck& stop) {
  views_.assign(tree_->elements.size(), ContainerView{});
  // Two thresholds, 0.3 and 0.6 of certainty: a generous and a strict estimate of where the content is.
  const std::uint32_t heaviest_low = heaviest_element(*tree_, kCertain * 3 / 10);
  const std::uint32_t heaviest_high = heaviest_element(*tree_, kCertain * 6 / 10);
  const PageElement& high = tree_->elements[heaviest_high];
  std::fill_n(row(kHeaviestHighMean), tree_->units.size(), mean(mass_of(high.unit_begin, high.unit_end)));
  in_pieces(tree_->units.size(), stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint8_t* record = records_.of(i);
      record[kHeaviestLow] = levels_outside(*tree_, heaviest_low, i);
      record[kHeaviestHigh] = levels_outside(*tree_, heaviest_high, i);
      std::uint32_t container = tree_->units[i].element;
      for (std::size_t level = 0; level < kContextLevels; ++level) {
        const PageElement& holder = tree_->elements[container];
        ContainerView& view = views_[container];
        if (!view.is_known) {
          const ContentMass mass = mass_of(holder.unit_begin, holder.unit_end);
          view = {mean(mass), share_level(mass.content, before_.back().content), true};
        }
        record[kContainerViews + 2 * level] = view.mean;
        record[kContainerViews + 2 * level + 1] = view.share;
        container = holder.container;
      }
    }
  });
}

// A section reaches from one heading to the next; the units before the first heading form one too.
void ContextFeatures::fill_sections() {
  const std::size_t count = tree_->units.size();
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && tree_->units[end].heading_level == 0) ++end;
    const ContentMass section = mass_of(begin, end);
    std::fill(row(kSectionMean) + begin, row(kSectionMean) + end, mean(section));
    std::fill(row(kSectionTokens) + begin, row(kSectionTokens) + end,
              log_level(static_cast<std::uint32_t>(section.tokens)));
    begin = end;
  }
}

// The amount of content before and after each unit, and the distance to the nearest probable content on both sides.
void ContextFeatures::set_distances() {
  const std::size_t count = tree_->units.size();
  const std::uint64_t content = before_.back().content;
  // A unit counts as content here if its probability is at least one half.
  std::size_t last_content = count;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* record = records_.of(i);
    record[kContentBefore] = share_level(before_[i].content, content);
    record[kContentAfter] = share_level(content - before_[i + 1].content, content);
    record[kSinceContent] = last_content == count ? 255 : log_level(static_cast<std::uint32_t>(i - last_content));
    if ((*weights_)[i] >= kEvenWeight) last_content = i;
  }
  std::size_t next_content = count;
  for (std::size_t i = count; i-- > 0;) {
    records_.of(i)[kToContent] = next_content == count ? 255 : log_level(static_cast<std::uint32_t>(next_content - i));
    if ((*weights_)[i] >= kEvenWeight) next_content = i;
  }
}

}  // namespace paraprint::inline extract
