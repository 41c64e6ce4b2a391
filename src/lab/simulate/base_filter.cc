// Base articles are compared by sampled shingles ("hash is 0 modulo 2^level"), a sampling that needs no knowledge of
// the other texts: a shingle common to two articles is either sampled in both at the coarser level or in neither. All
// accepted samples share one open-addressing hash set; which article a shingle came from does not matter, because an
// article made of pieces of several accepted ones must be refused, too.
#include "lab/simulate/base_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "lab/simulate/shared_text.h"
#include "text/normalise.h"

namespace paraprint::inline lab::inline simulate {

BaseFilter::BaseFilter() {
  // A power of two, because slots are found with a mask.
  constexpr std::size_t kFirstSlots = std::size_t{1} << 16;
  slots_.resize(kFirstSlots);
}

void BaseFilter::sample_article(const Article& article) {
  units_.clear();
  // The same article in another script or width must not become a second base article.
  const Normaliser normaliser({.fold_traditional = true});
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    append_units(normaliser.normalised(paragraph.text), units_);
  }
  sample_.clear();
  for (std::size_t i = 0; i + kFilterUnits <= units_.size(); ++i) {
    const std::uint64_t hash =
        hash64({reinterpret_cast<const char*>(&units_[i]), kFilterUnits * sizeof(std::uint32_t)});
    // 0 marks an empty slot.
    if (hash != 0) sample_.push_back(hash);
  }
  std::sort(sample_.begin(), sample_.end());
  sample_.erase(std::unique(sample_.begin(), sample_.end()), sample_.end());
  // Halve the sample while at least kSampleMinimum hashes would remain.
  for (level_ = 0;; ++level_) {
    const std::uint64_t next_mask = (std::uint64_t{2} << level_) - 1;
    const auto left = std::count_if(sample_.begin(), sample_.end(),
                                    [next_mask](std::uint64_t hash) { return (hash & next_mask) == 0; });
    if (static_cast<std::size_t>(left) < kSampleMinimum) return;
    std::erase_if(sample_, [next_mask](std::uint64_t hash) { return (hash & next_mask) != 0; });
  }
}

// Compares at one sampling level. Longer accepted articles were sampled at a higher level, so only the article's hashes
// that are multiples of that power can be found among theirs; counting the others would dilute the share.
bool BaseFilter::is_known_at(unsigned level) const {
  // At high levels few shingles are left, and one match may be chance.
  constexpr std::size_t kKnownMinimum = 2;
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
  constexpr unsigned kLevelsAbove = 4;  // finds parts of articles up to sixteen times as long
  sample_article(article);
  if (sample_.empty()) return false;
  for (unsigned level = level_; level <= level_ + kLevelsAbove; ++level) {
    if (is_known_at(level)) return false;
  }
  // Only accepted articles are remembered: a refused one must not cause further refusals.
  for (const std::uint64_t hash : sample_) insert(hash);
  return true;
}

// Linear probing. Sampled hashes are multiples of a power of two, so their low bits are
// zero; mix64() spreads them over the slots.
bool BaseFilter::contains(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = mix64(hash) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (slots_[slot] == hash) return true;
  }
  return false;
}

void BaseFilter::insert(std::uint64_t hash) {
  if (contains(hash)) return;
  // At most half full, so that probe sequences stay short and always end at an empty slot.
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
  // Parts of about equal size instead of full parts and a short rest, which would often fall below the minimum.
  const std::uint64_t part_count = (total + characters_maximum - 1) / characters_maximum;
  const std::uint64_t wanted = (total + part_count - 1) / part_count;
  Article part;
  std::uint64_t size = 0;
  // Closes the current part. A part that is too short is dropped rather than joined to the previous one, which might
  // then exceed the maximum.
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
    // Allow an eighth more than the target before starting a new part, so that a paragraph just
    // over the limit does not force a short part.
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
  // Measured in characters: many short list items must not outweigh a few long paragraphs.
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

}  // namespace paraprint::inline lab::inline simulate
