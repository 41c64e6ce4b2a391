#include "extract/context_features.h"

#include <algorithm>

namespace paraprint {
namespace {

constexpr std::uint64_t kCertain = 65535;
constexpr std::size_t kContainerLevels = 5;
constexpr std::array<std::size_t, 3> kWindows = {2, 5, 12};
constexpr std::size_t kNeighbours = 3;

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

std::uint8_t levels_outside(const PageTree& tree, std::uint32_t element, std::size_t unit) {
  std::uint8_t levels = 0;
  while (unit < tree.elements[element].unit_begin || unit >= tree.elements[element].unit_end) {
    const std::uint32_t up = tree.elements[element].container;
    if (up == element || levels == kFarDistance) break;
    element = up;
    ++levels;
  }
  return levels;
}

}  // namespace

std::size_t context_feature_count() {
  return kRowCount;
}

ContextFeatures::Mass ContextFeatures::mass_of(std::size_t begin, std::size_t end) const {
  Mass mass = before_[end];
  mass.tokens -= before_[begin].tokens;
  mass.content -= before_[begin].content;
  mass.units -= before_[begin].units;
  mass.content_units -= before_[begin].content_units;
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
  const std::size_t count = tree.units.size();
  if (count == 0) return;
  const auto row = [&](std::size_t index) { return matrix.row(first_row + index); };
  const auto mean = [](const Mass& mass) { return share_level(mass.content, mass.tokens * kCertain); };

  before_.resize(count + 1);
  Mass total;
  before_[0] = total;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t tokens = tree.units[i].text.tokens;
    total.tokens += tokens;
    total.content += tokens * kWeightProbability[weights[i]];
    ++total.units;
    total.content_units += weights[i] >= kEvenWeight;
    before_[i + 1] = total;
  }

  // Kin: units whose element and container look alike.
  const auto means_of_kin = [&](auto key_of, std::uint8_t* target, std::uint8_t* counts) {
    kin_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) kin_[i] = {key_of(tree.units[i]), i};
    std::sort(kin_.begin(), kin_.end(),
              [](const Kin& a, const Kin& b) { return a.key != b.key ? a.key < b.key : a.unit < b.unit; });
    for (std::size_t begin = 0; begin < count;) {
      std::size_t end = begin;
      Mass mass;
      for (; end < count && kin_[end].key == kin_[begin].key; ++end) {
        const Mass own = mass_of(kin_[end].unit, kin_[end].unit + 1);
        mass.tokens += own.tokens;
        mass.content += own.content;
      }
      const std::uint8_t value = mean(mass);
      for (std::size_t i = begin; i < end; ++i) {
        target[kin_[i].unit] = value;
        if (counts != nullptr) counts[kin_[i].unit] = log_level(static_cast<std::uint32_t>(end - begin));
      }
      begin = end;
    }
  };
  means_of_kin(
      [&](const TextUnit& unit) {
        const PageElement& element = tree.elements[unit.element];
        const std::uint64_t above = tree.elements[element.parent].signature;
        return (above << 32 | element.signature) * 8 + unit.heading_level;
      },
      row(kKinMean), row(kKinCount));
  means_of_kin(
      [&](const TextUnit& unit) {
        const PageElement& container = tree.elements[tree.elements[unit.element].container];
        return std::uint64_t{tree.elements[container.container].signature} << 32 | container.signature;
      },
      row(kKinOfParentMean), nullptr);

  const std::uint32_t heaviest_low = heaviest_element(tree, kCertain * 3 / 10);
  const std::uint32_t heaviest_high = heaviest_element(tree, kCertain * 6 / 10);
  const PageElement& high = tree.elements[heaviest_high];
  const std::uint8_t high_mean = mean(mass_of(high.unit_begin, high.unit_end));

  // Expected F1 of the best choice, for judging how clear the page is.
  std::array<Mass, 256> by_weight{};
  for (std::size_t i = 0; i < count; ++i) {
    by_weight[weights[i]].tokens += tree.units[i].text.tokens;
    by_weight[weights[i]].content += std::uint64_t{tree.units[i].text.tokens} * kWeightProbability[weights[i]];
  }
  std::uint8_t best_f = 0;
  Mass chosen;
  for (std::size_t weight = by_weight.size(); weight-- > 0;) {
    chosen.tokens += by_weight[weight].tokens;
    chosen.content += by_weight[weight].content;
    best_f = std::max(best_f, share_level(2 * chosen.content, total.content + chosen.tokens * kCertain));
  }

  views_.assign(tree.elements.size(), ContainerView{});
  std::size_t section_begin = 0;
  std::size_t section_end = 0;
  std::size_t last_content = count;
  for (std::size_t i = 0; i < count; ++i) {
    row(kOwn)[i] = weights[i];
    for (std::size_t n = 0; n < kNeighbours; ++n) {
      row(kNeighbourWeights + 2 * n)[i] = i > n ? weights[i - n - 1] : BlockWeight{0};
      row(kNeighbourWeights + 2 * n + 1)[i] = i + n + 1 < count ? weights[i + n + 1] : BlockWeight{0};
    }
    for (std::size_t w = 0; w < kWindows.size(); ++w) {
      row(kWindowMeans + w)[i] = mean(mass_of(i - std::min(i, kWindows[w]), std::min(count, i + kWindows[w] + 1)));
    }
    row(kSideMeans)[i] = mean(mass_of(i - std::min<std::size_t>(i, 6), i));
    row(kSideMeans + 1)[i] = mean(mass_of(i + 1, std::min(count, i + 7)));
    std::uint32_t container = tree.units[i].element;
    for (std::size_t level = 0; level < kContainerLevels; ++level) {
      const PageElement& holder = tree.elements[container];
      ContainerView& view = views_[container];
      if (!view.is_known) {
        const Mass mass = mass_of(holder.unit_begin, holder.unit_end);
        view = {mean(mass), share_level(mass.content, total.content), true};
      }
      row(kContainerMeans + level)[i] = view.mean;
      row(kContainerShares + level)[i] = view.share;
      container = holder.container;
    }
    if (i >= section_end) {  // from one heading to the next
      section_begin = i;
      section_end = i + 1;
      while (section_end < count && tree.units[section_end].heading_level == 0) ++section_end;
    }
    const Mass section = mass_of(section_begin, section_end);
    row(kSectionMean)[i] = mean(section);
    row(kSectionTokens)[i] = log_level(static_cast<std::uint32_t>(section.tokens));
    row(kHeaviestLow)[i] = levels_outside(tree, heaviest_low, i);
    row(kHeaviestHigh)[i] = levels_outside(tree, heaviest_high, i);
    row(kHeaviestHighMean)[i] = high_mean;
    row(kContentBefore)[i] = share_level(before_[i].content, total.content);
    row(kContentAfter)[i] = share_level(total.content - before_[i + 1].content, total.content);
    row(kSinceContent)[i] = last_content == count ? 255 : log_level(static_cast<std::uint32_t>(i - last_content));
    if (weights[i] >= kEvenWeight) last_content = i;
    row(kPageContent)[i] = log_level(static_cast<std::uint32_t>(total.content / kCertain));
    row(kPageContentShare)[i] = share_level(total.content, total.tokens * kCertain);
    row(kPageBestF)[i] = best_f;
  }
  std::size_t next_content = count;
  for (std::size_t i = count; i-- > 0;) {
    row(kToContent)[i] = next_content == count ? 255 : log_level(static_cast<std::uint32_t>(next_content - i));
    if (weights[i] >= kEvenWeight) next_content = i;
  }
}

}  // namespace paraprint
