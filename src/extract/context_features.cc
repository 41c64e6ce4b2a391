#include "extract/context_features.h"

#include <algorithm>
#include <bit>

#include "extract/container_scores.h"

namespace paraprint {
namespace {

constexpr std::size_t kContainerLevels = 5;
constexpr std::array<std::size_t, 3> kWindows = {2, 5, 12};
constexpr std::size_t kNeighbours = 3;
constexpr std::size_t kSideUnits = 6;

enum Row : std::size_t {
  kOwn,
  kNeighbourWeights,
  kWindowMeans = kNeighbourWeights + 2 * kNeighbours,
  kSideMeans = kWindowMeans + kWindows.size(),
  kContainerMeans = kSideMeans + 2,
  kContainerShares = kContainerMeans + kContainerLevels,
  kKinMean = kContainerShares + kContainerLevels,
  kKinCount,
  kKinOfParentMean,
  kSectionMean,
  kSectionTokens,
  kHeaviestLow,
  kHeaviestHigh,
  kHeaviestHighMean,
  kContentBefore,
  kContentAfter,
  kSinceContent,
  kToContent,
  kPageContent,
  kPageContentShare,
  kPageBestF,
  kRowCount,
};

}  // namespace

std::size_t context_feature_count() {
  return kRowCount;
}

ContextFeatures::Mass ContextFeatures::mass_of(std::size_t begin, std::size_t end) const {
  Mass mass = before_[end];
  mass.tokens -= before_[begin].tokens;
  mass.content -= before_[begin].content;
  return mass;
}

// The weighted DOM tree: each element weighs its expected content minus `threshold` for every token it holds.
std::uint32_t ContextFeatures::heaviest_element(const PageTree& tree, std::uint64_t threshold) const {
  std::uint32_t best = 0;
  std::int64_t best_weight = INT64_MIN;
  for (std::uint32_t i = 0; i < tree.elements.size(); ++i) {
    const PageElement& element = tree.elements[i];
    if (element.unit_begin == element.unit_end) continue;
    const Mass mass = mass_of(element.unit_begin, element.unit_end);
    const std::int64_t weight =
        static_cast<std::int64_t>(mass.content) - static_cast<std::int64_t>(mass.tokens * threshold);
    if (weight >= best_weight) {
      best_weight = weight;
      best = i;
    }
  }
  return best;
}

void ContextFeatures::compute(const PageTree& tree, const std::vector<BlockWeight>& weights, std::size_t first_row,
                              FeatureMatrix& matrix) {
  if (tree.units.empty()) return;
  tree_ = &tree;
  weights_ = &weights;
  matrix_ = &matrix;
  first_row_ = first_row;
  sum_masses();
  fill_page();
  fill_kin();
  fill_around();
  fill_containers();
  fill_sections();
  fill_distances();
}

void ContextFeatures::sum_masses() {
  Mass total;
  before_.assign(1, total);
  for (std::size_t i = 0; i < tree_->units.size(); ++i) {
    const std::uint64_t tokens = tree_->units[i].text.tokens;
    total.tokens += tokens;
    total.content += tokens * kWeightProbability[(*weights_)[i]];
    before_.push_back(total);
  }
}

void ContextFeatures::fill_page() {
  const std::size_t count = tree_->units.size();
  const Mass& total = before_.back();
  std::fill_n(row(kPageContent), count, log_level(static_cast<std::uint32_t>(total.content / kCertain)));
  std::fill_n(row(kPageContentShare), count, mean(total));
  std::fill_n(row(kPageBestF), count, best_expected_f1());
}

// Of all borders by weight: how clear the page is.
std::uint8_t ContextFeatures::best_expected_f1() const {
  std::array<Mass, 256> by_weight{};
  for (std::size_t i = 0; i < tree_->units.size(); ++i) {
    const Mass own = mass_of(i, i + 1);
    by_weight[(*weights_)[i]].tokens += own.tokens;
    by_weight[(*weights_)[i]].content += own.content;
  }
  std::uint8_t best = 0;
  Mass chosen;
  for (std::size_t weight = by_weight.size(); weight-- > 0;) {
    chosen.tokens += by_weight[weight].tokens;
    chosen.content += by_weight[weight].content;
    best = std::max(best, share_level(2 * chosen.content, before_.back().content + chosen.tokens * kCertain));
  }
  return best;
}

// Kin: units whose elements, or whose containers, look alike.
void ContextFeatures::fill_kin() {
  const auto& elements = tree_->elements;
  collect_kin([&](const TextUnit& unit) {
    const PageElement& element = elements[unit.element];
    const std::uint64_t above = elements[element.parent].signature;
    return (above << 32 | element.signature) * 8 + unit.heading_level;
  });
  fill_means_of_kin(row(kKinMean), row(kKinCount));
  collect_kin([&](const TextUnit& unit) {
    const PageElement& container = elements[elements[unit.element].container];
    return std::uint64_t{elements[container.container].signature} << 32 | container.signature;
  });
  fill_means_of_kin(row(kKinOfParentMean), nullptr);
}

// Sums up the units of each key in kin_.
template <class KeyOf>
void ContextFeatures::collect_kin(KeyOf&& key_of) {
  const std::size_t count = tree_->units.size();
  const std::size_t slots = std::bit_ceil(count * 2);
  kin_.assign(slots, Kin{});
  kin_slot_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t key = key_of(tree_->units[i]);
    std::size_t slot = (key * std::uint64_t{0x9E3779B97F4A7C15} >> 32) & (slots - 1);
    while (kin_[slot].count != 0 && kin_[slot].key != key) slot = (slot + 1) & (slots - 1);
    Kin& kin = kin_[slot];
    const Mass own = mass_of(i, i + 1);
    kin.key = key;
    kin.mass.tokens += own.tokens;
    kin.mass.content += own.content;
    ++kin.count;
    kin_slot_[i] = static_cast<std::uint32_t>(slot);
  }
}

// The mean weight of each unit's kin, and, if asked for, their number.
void ContextFeatures::fill_means_of_kin(std::uint8_t* means, std::uint8_t* counts) {
  for (std::size_t i = 0; i < kin_slot_.size(); ++i) {
    const Kin& kin = kin_[kin_slot_[i]];
    means[i] = mean(kin.mass);
    if (counts != nullptr) counts[i] = log_level(kin.count);
  }
}

void ContextFeatures::fill_around() {
  const std::vector<BlockWeight>& weights = *weights_;
  const std::size_t count = weights.size();
  for (std::size_t i = 0; i < count; ++i) {
    row(kOwn)[i] = weights[i];
    for (std::size_t n = 0; n < kNeighbours; ++n) {
      row(kNeighbourWeights + 2 * n)[i] = i > n ? weights[i - n - 1] : BlockWeight{0};
      row(kNeighbourWeights + 2 * n + 1)[i] = i + n + 1 < count ? weights[i + n + 1] : BlockWeight{0};
    }
    for (std::size_t w = 0; w < kWindows.size(); ++w) {
      row(kWindowMeans + w)[i] = mean(mass_of(i - std::min(i, kWindows[w]), std::min(count, i + kWindows[w] + 1)));
    }
    row(kSideMeans)[i] = mean(mass_of(i - std::min(i, kSideUnits), i));
    row(kSideMeans + 1)[i] = mean(mass_of(i + 1, std::min(count, i + 1 + kSideUnits)));
  }
}

void ContextFeatures::fill_containers() {
  views_.assign(tree_->elements.size(), ContainerView{});
  const std::uint32_t heaviest_low = heaviest_element(*tree_, kCertain * 3 / 10);
  const std::uint32_t heaviest_high = heaviest_element(*tree_, kCertain * 6 / 10);
  const PageElement& high = tree_->elements[heaviest_high];
  const std::uint8_t high_mean = mean(mass_of(high.unit_begin, high.unit_end));
  for (std::size_t i = 0; i < tree_->units.size(); ++i) {
    row(kHeaviestLow)[i] = levels_outside(*tree_, heaviest_low, i);
    row(kHeaviestHigh)[i] = levels_outside(*tree_, heaviest_high, i);
    row(kHeaviestHighMean)[i] = high_mean;
    std::uint32_t container = tree_->units[i].element;
    for (std::size_t level = 0; level < kContainerLevels; ++level) {
      const PageElement& holder = tree_->elements[container];
      ContainerView& view = views_[container];
      if (!view.is_known) {
        const Mass mass = mass_of(holder.unit_begin, holder.unit_end);
        view = {mean(mass), share_level(mass.content, before_.back().content), true};
      }
      row(kContainerMeans + level)[i] = view.mean;
      row(kContainerShares + level)[i] = view.share;
      container = holder.container;
    }
  }
}

// Sections reach from one heading to the next.
void ContextFeatures::fill_sections() {
  const std::size_t count = tree_->units.size();
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && tree_->units[end].heading_level == 0) ++end;
    const Mass section = mass_of(begin, end);
    std::fill(row(kSectionMean) + begin, row(kSectionMean) + end, mean(section));
    std::fill(row(kSectionTokens) + begin, row(kSectionTokens) + end,
              log_level(static_cast<std::uint32_t>(section.tokens)));
    begin = end;
  }
}

// How much content stands before and after, and how far the next content is on both sides.
void ContextFeatures::fill_distances() {
  const std::size_t count = tree_->units.size();
  const std::uint64_t content = before_.back().content;
  std::size_t last_content = count;
  for (std::size_t i = 0; i < count; ++i) {
    row(kContentBefore)[i] = share_level(before_[i].content, content);
    row(kContentAfter)[i] = share_level(content - before_[i + 1].content, content);
    row(kSinceContent)[i] = last_content == count ? 255 : log_level(static_cast<std::uint32_t>(i - last_content));
    if ((*weights_)[i] >= kEvenWeight) last_content = i;
  }
  std::size_t next_content = count;
  for (std::size_t i = count; i-- > 0;) {
    row(kToContent)[i] = next_content == count ? 255 : log_level(static_cast<std::uint32_t>(next_content - i));
    if ((*weights_)[i] >= kEvenWeight) next_content = i;
  }
}

}  // namespace paraprint
