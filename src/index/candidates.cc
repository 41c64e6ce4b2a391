#include "index/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"
#include "index/hamming_join_external.h"

namespace paraprint {
namespace {

// Shares of the memory limit. Keys and simhashes fill at the same time as pages come in; pairs fill while keys drain.
constexpr double kKeyShare = 0.4;
constexpr double kSimhashShare = 0.2;
constexpr double kPairShare = 0.4;

// Of an in-memory join: fingerprint, page list, and the join's own records. Above the limit the join goes to disk.
constexpr std::uint64_t kJoinBytesPerSimhash = 48;

constexpr std::size_t kFirstTextSlots = 1024;

// Anchors and paragraph hashes live in one key space: a page that is one sentence should meet the paragraph it is
// elsewhere, and the definition of both is H64 of the normalised text.
ExternalSortOptions sorter_options(const CandidateOptions& options, double share) {
  return {static_cast<std::uint64_t>(static_cast<double>(options.memory_limit_bytes) * share),
          options.temporary_directory};
}

std::uint16_t saturate16(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(value, 0xFFFF));
}

}  // namespace

// CSR: the pages of fingerprint i are pages[begin[i]] to pages[begin[i + 1]], ascending.
struct CandidateBuilder::SimhashGroups {
  std::vector<Fingerprint128> fingerprints;  // one of the two holds the fingerprints
  std::optional<FingerprintFile> file;
  std::vector<std::uint16_t> weights;
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> pages;

  std::span<const std::uint32_t> pages_of(std::uint32_t index) const {
    return std::span(pages).subspan(begin[index], begin[index + 1] - begin[index]);
  }
};

bool CandidateBuilder::SimhashKeyTraits::combine(SimhashKey& into, const SimhashKey& from) {
  if (into.fingerprint != from.fingerprint || into.page != from.page) return false;
  into.weight = from.weight;  // the larger one: weight is the last part of the order
  return true;
}

CandidateBuilder::CandidateBuilder(CandidateOptions options)
    : options_(std::move(options)),
      keys_(sorter_options(options_, kKeyShare)),
      simhashes_(sorter_options(options_, kSimhashShare)),
      pairs_(sorter_options(options_, kPairShare)),
      texts_(kFirstTextSlots) {}

std::uint32_t CandidateBuilder::find_or_add_text(const std::array<std::uint64_t, 2>& text_hash, std::uint32_t page) {
  if ((text_count_ + 1) * 3 > texts_.size() * 2) grow_texts();
  const std::size_t mask = texts_.size() - 1;
  for (std::size_t slot = mix64(text_hash[0]) & mask;; slot = (slot + 1) & mask) {
    Text& text = texts_[slot];
    if (text.page_plus_one == 0) {
      text = {text_hash, page + 1};
      ++text_count_;
      return page;
    }
    if (text.hash == text_hash) return text.page_plus_one - 1;
  }
}

void CandidateBuilder::grow_texts() {
  std::vector<Text> old(texts_.size() * 2);
  old.swap(texts_);
  const std::size_t mask = texts_.size() - 1;
  for (const Text& text : old) {
    if (text.page_plus_one == 0) continue;
    std::size_t slot = mix64(text.hash[0]) & mask;
    while (texts_[slot].page_plus_one != 0) slot = (slot + 1) & mask;
    texts_[slot] = text;
  }
}

// A paragraph whose sentences are all anchors, but for sentences too short to be a key, needs no key of its own: equal
// paragraphs then have equal anchors. That saves about a third of the keys.
void CandidateBuilder::find_paragraphs_without_anchors(const Profile& profile) {
  constexpr std::uint8_t kHasAnchor = 1;
  constexpr std::uint8_t kHasUncovered = 2;
  needs_own_key_.assign(profile.paragraphs.size(), 0);
  for (const SentenceProfile& sentence : profile.sentences) {
    if (sentence.content_characters < options_.minimum_key_characters) continue;
    needs_own_key_[sentence.paragraph] |= sentence.is_anchor ? kHasAnchor : kHasUncovered;
  }
  for (std::uint8_t& found : needs_own_key_) found = found != kHasAnchor;
}

Status CandidateBuilder::add_page(std::uint32_t page, const Profile& profile,
                                  std::span<const std::uint8_t> skip_paragraph) {
  PARAPRINT_ASSERT(page >= representatives_.size());
  PARAPRINT_ASSERT(skip_paragraph.empty() || skip_paragraph.size() == profile.paragraphs.size());
  while (representatives_.size() <= page)
    representatives_.push_back(static_cast<std::uint32_t>(representatives_.size()));
  ++statistics_.pages;
  if (profile.content_characters == 0) {
    ++statistics_.pages_empty;
    return {};
  }
  const std::uint32_t representative = find_or_add_text(profile.text_hash, page);
  representatives_[page] = representative;
  if (representative != page) {
    ++statistics_.pages_same_text;
    return {};
  }
  if (profile.content_characters < options_.short_page_characters) {
    ++statistics_.pages_short;
    return {};
  }
  const auto is_skipped = [&](std::size_t paragraph) {
    return !skip_paragraph.empty() && paragraph < skip_paragraph.size() && skip_paragraph[paragraph] != 0;
  };
  find_paragraphs_without_anchors(profile);
  for (std::size_t index = 0; index < profile.paragraphs.size(); ++index) {
    const ParagraphProfile& paragraph = profile.paragraphs[index];
    if (is_skipped(index) || paragraph.content_characters < options_.minimum_key_characters) continue;
    if (needs_own_key_[index] != 0) {
      ++statistics_.keys;
      const PageKey key{paragraph.hash, page, saturate16(paragraph.content_characters), kSourceParagraph};
      if (Status pushed = keys_->push(key); !pushed) return pushed;
    }
    if (!paragraph.has_simhash || options_.simhash_distance_bits < 0) continue;
    ++statistics_.simhashes;
    if (Status pushed = simhashes_->push({paragraph.simhash, page, paragraph.content_characters}); !pushed)
      return pushed;
  }
  for (const SentenceProfile& sentence : profile.sentences) {
    if (!sentence.is_anchor || is_skipped(sentence.paragraph)) continue;
    if (sentence.content_characters < options_.minimum_key_characters) continue;
    ++statistics_.keys;
    if (Status pushed = keys_->push({sentence.hash, page, sentence.content_characters, kSourceAnchor}); !pushed)
      return pushed;
  }
  return {};
}

Status CandidateBuilder::finish() {
  if (Status finished = keys_->finish(); !finished) return finished;
  if (Status joined = join_keys(*keys_, options_.caps, pairs_, statistics_.exact); !joined) return joined;
  statistics_.bytes_spilled += keys_->statistics().bytes_spilled;
  keys_.reset();
  if (options_.simhash_distance_bits >= 0) {
    if (Status joined = join_simhashes(); !joined) return joined;
  }
  texts_ = {};
  return pairs_.finish();
}

Status CandidateBuilder::push_pair(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t weight) {
  if (page_a == page_b) return {};
  return pairs_.push({std::min(page_a, page_b), std::max(page_a, page_b), weight, 1, kSourceSimhash});
}

Status CandidateBuilder::join_equal_simhash(std::span<const SimhashKey> group) {
  const std::uint64_t size = group.size();
  if (size < 2) return {};
  KeyJoinStatistics& statistics = statistics_.equal_simhash;
  ++statistics.groups;
  statistics.largest_group = std::max(statistics.largest_group, size);
  if (size > options_.caps.group_cap) ++statistics.groups_over_cap;
  Status status;
  const std::uint64_t generated =
      for_each_group_pair(group.size(), options_.caps, [&](std::size_t first, std::size_t second) {
        if (!status) return;
        status = push_pair(group[first].page, group[second].page, std::min(group[first].weight, group[second].weight));
      });
  statistics.pairs_generated += generated;
  statistics.pairs_not_generated += size * (size - 1) / 2 - generated;
  return status;
}

Result<CandidateBuilder::SimhashGroups> CandidateBuilder::read_simhash_groups() {
  SimhashGroups groups;
  if (statistics_.simhashes * kJoinBytesPerSimhash > options_.memory_limit_bytes) {
    auto file = FingerprintFile::create(options_.temporary_directory);
    if (!file) return tl::unexpected<Error>(file.error());
    groups.file = std::move(*file);
  }
  std::vector<SimhashKey> group;
  const auto close_group = [&]() -> Status {
    if (group.empty()) return {};
    const Fingerprint128& fingerprint = group.front().fingerprint;
    if (groups.file) {
      if (Status pushed = groups.file->push(fingerprint); !pushed) return pushed;
    } else {
      groups.fingerprints.push_back(fingerprint);
    }
    groups.begin.push_back(static_cast<std::uint32_t>(groups.pages.size()));
    std::uint32_t weight = 0;
    for (const SimhashKey& key : group) {
      weight = std::max(weight, key.weight);
      groups.pages.push_back(key.page);
    }
    groups.weights.push_back(saturate16(weight));
    Status joined = join_equal_simhash(group);
    group.clear();
    return joined;
  };
  SimhashKey key;
  while (simhashes_->next(key)) {
    if (!group.empty() && group.front().fingerprint != key.fingerprint) {
      if (Status closed = close_group(); !closed) return tl::unexpected<Error>(closed.error());
    }
    group.push_back(key);
  }
  if (!simhashes_->status()) return tl::unexpected<Error>(simhashes_->status().error());
  if (Status closed = close_group(); !closed) return tl::unexpected<Error>(closed.error());
  if (groups.file) {
    if (Status finished = groups.file->finish(); !finished) return tl::unexpected<Error>(finished.error());
  }
  groups.begin.push_back(static_cast<std::uint32_t>(groups.pages.size()));
  return groups;
}

Status CandidateBuilder::join_simhashes() {
  if (Status finished = simhashes_->finish(); !finished) return finished;
  const auto groups = read_simhash_groups();
  if (!groups) return tl::unexpected<Error>(groups.error());
  statistics_.bytes_spilled += simhashes_->statistics().bytes_spilled;
  simhashes_.reset();
  if (options_.simhash_distance_bits == 0) return {};

  Status status;
  const auto on_pair = [&](std::uint32_t i, std::uint32_t j, int) {
    if (!status) return;
    std::span<const std::uint32_t> pages_i = groups->pages_of(i);
    std::span<const std::uint32_t> pages_j = groups->pages_of(j);
    const std::uint64_t all = std::uint64_t{pages_i.size()} * pages_j.size();
    // The pages of one fingerprint are already linked among themselves: a few links between the two groups are enough
    // to reach every page of both.
    if (all > options_.caps.group_cap) {
      pages_i = pages_i.first(std::min<std::size_t>(pages_i.size(), options_.caps.star_pages));
      pages_j = pages_j.first(std::min<std::size_t>(pages_j.size(), options_.caps.star_pages));
      statistics_.simhash_page_pairs_not_generated += all - std::uint64_t{pages_i.size()} * pages_j.size();
    }
    const std::uint32_t weight = std::min(groups->weights[i], groups->weights[j]);
    for (const std::uint32_t page_i : pages_i) {
      for (const std::uint32_t page_j : pages_j) {
        if (status) status = push_pair(page_i, page_j, weight);
      }
    }
  };
  HammingJoinOptions options;
  options.distance_bits = options_.simhash_distance_bits;
  options.bucket_cap = options_.simhash_bucket_cap;
  // Fingerprints are different here, so no equal group can come.
  const auto joined =
      groups->file ? hamming_join_128_external(*groups->file, options, sorter_options(options_, kSimhashShare), on_pair)
                   : hamming_join_128(groups->fingerprints, options, on_pair, [](std::span<const std::uint32_t>) {});
  if (!joined) return tl::unexpected<Error>(joined.error());
  statistics_.hamming = *joined;
  return status;
}

Status CandidateBuilder::for_each_candidate(const CandidateCallback& on_pair) {
  Status read = pairs_.for_each([&](const CandidatePair& pair) {
    if (pair.weight < options_.minimum_pair_weight) {
      ++statistics_.pairs_under_minimum_weight;
      return;
    }
    ++statistics_.pairs;
    if (pair.sources & kSourceAnchor) ++statistics_.pairs_by_anchor;
    if (pair.sources & kSourceParagraph) ++statistics_.pairs_by_paragraph;
    if (pair.sources & kSourceSimhash) ++statistics_.pairs_by_simhash;
    on_pair(pair);
  });
  statistics_.bytes_spilled += pairs_.statistics().bytes_spilled;
  return read;
}

}  // namespace paraprint
