#include "lab/simulate/base_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "lab/simulate/shared_text.h"
#include "text/normalise.h"

namespace paraprint {

BaseFilter::BaseFilter() {
  constexpr std::size_t kFirstSlots = std::size_t{1} << 16;
  slots_.resize(kFirstSlots);
}

void BaseFilter::sample_article(const Article& article) {
  units_.clear();
  // Twins in another script or width are the same article.
  const Normaliser normaliser({.fold_traditional = true});
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    append_units(normaliser.normalised(paragraph.text), units_);
  }
  sample_.clear();
  for (std::size_t i = 0; i + kFilterUnits <= units_.size(); ++i) {
    const std::uint64_t hash =
        hash64({reinterpret_cast<const char*>(&units_[i]), kFilterUnits * sizeof(std::uint32_t)});
    if (hash != 0) sample_.push_back(hash);
  }
  std::sort(sample_.begin(), sample_.end());
  sample_.erase(std::unique(sample_.begin(), sample_.end()), sample_.end());
  for (level_ = 0;; ++level_) {
    const std::uint64_t next_mask = (std::uint64_t{2} << level_) - 1;
    const auto left = std::count_if(sample_.begin(), sample_.end(),
                                    [next_mask](std::uint64_t hash) { return (hash & next_mask) == 0; });
    if (static_cast<std::size_t>(left) < kSampleMinimum) return;
    std::erase_if(sample_, [next_mask](std::uint64_t hash) { return (hash & next_mask) != 0; });
  }
}

// Of longer articles only multiples of a higher power were kept: at their level, what is known shows.
bool BaseFilter::is_known_at(unsigned level) const {
  constexpr std::size_t kKnownMinimum = 2;  // one shingle in common is chance
  const std::uint64_t mask = (std::uint64_t{1} << level) - 1;
  std::size_t sampled = 0;
  std::size_t known = 0;
  for (const std::uint64_t hash : sample_) {
    if ((hash & mask) != 0) continue;
    ++sampled;
    known += contains(hash) ? 1 : 0;
  }
  return known >= kKnownMinimum && static_cast<double>(known) > kKnownShare * static_cast<double>(sampled);
}

bool BaseFilter::accept(const Article& article) {
  constexpr unsigned kLevelsAbove = 4;  // articles sixteen times as long
  sample_article(article);
  if (sample_.empty()) return false;
  for (unsigned level = level_; level <= level_ + kLevelsAbove; ++level) {
    if (is_known_at(level)) return false;
  }
  for (const std::uint64_t hash : sample_) insert(hash);
  return true;
}

bool BaseFilter::contains(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = mix64(hash) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (slots_[slot] == hash) return true;
  }
  return false;
}

void BaseFilter::insert(std::uint64_t hash) {
  if (contains(hash)) return;
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix64(hash) & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = hash;
  ++used_;
}

void BaseFilter::grow() {
  std::vector<std::uint64_t> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const std::uint64_t hash : old) {
    if (hash == 0) continue;
    std::size_t slot = mix64(hash) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = hash;
  }
}

std::vector<Article> cut_article(Article&& article, std::uint32_t characters_minimum,
                                 std::uint32_t characters_maximum) {
  std::vector<std::uint32_t> sizes;
  std::uint64_t total = 0;
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    sizes.push_back(count_content_characters(paragraph.text));
    total += sizes.back();
  }
  std::vector<Article> parts;
  if (total < characters_minimum) return parts;
  // Parts of about equal size.
  const std::uint64_t part_count = (total + characters_maximum - 1) / characters_maximum;
  const std::uint64_t wanted = (total + part_count - 1) / part_count;
  Article part;
  std::uint64_t size = 0;
  const auto end_part = [&] {
    if (size >= characters_minimum) {
      const bool is_first = parts.empty();
      const auto heading = std::find_if(part.paragraphs.begin(), part.paragraphs.end(),
                                        [](const ArticleParagraph& p) { return p.role == BlockRole::kHeading; });
      if (is_first) {
        part.title = article.title;
      } else {
        part.title =
            heading != part.paragraphs.end() ? heading->text : fmt::format("{} ({})", article.title, parts.size() + 1);
      }
      detect_language(part);
      parts.push_back(std::move(part));
    }
    part = {};
    size = 0;
  };
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    if (size > 0 && size + sizes[i] > wanted + wanted / 8) end_part();
    size += sizes[i];
    part.paragraphs.push_back(std::move(article.paragraphs[i]));
    if (size >= wanted) end_part();
  }
  end_part();
  return parts;
}

bool is_prose_article(const Article& article) {
  constexpr double kRunningShare = 0.5;
  constexpr std::size_t kParagraphsMinimum = 3;
  double running = 0;
  double all = 0;
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    const double size = count_content_characters(paragraph.text);
    all += size;
    const bool is_running = paragraph.role == BlockRole::kParagraph || paragraph.role == BlockRole::kQuote;
    running += is_running ? size : 0;
  }
  return article.paragraphs.size() >= kParagraphsMinimum && running >= kRunningShare * all;
}

}  // namespace paraprint
