// Votes are counted by hashes of site and paragraph. The first vote goes into a Bloom filter, the second moves the
// paragraph into the exact table, so memory is spent on the few paragraphs that repeat. A false positive of the filter
// gives a paragraph one vote too many, which the minimum of three votes tolerates.
//
// The counts are written as a whole and derived from the texts: if they are lost or outdated, they are counted again.
#include "store/site_templates.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <mutex>

#include "base/byte_codec.h"
#include "base/hash.h"

namespace paraprint::inline store {
namespace {

constexpr std::uint32_t kSitePagesMinimum = 10;
constexpr std::uint32_t kVotesMinimum = 3;
constexpr std::uint32_t kVotesShare = 10;  // one page in ten

constexpr std::string_view kSiteTemplatesMagic = "paraprint site templates\n";

// There are many small layers, and the false-positive rates of all layers add up, so small ones get more bits.
constexpr std::uint64_t kBitsPerEntry = 12;
constexpr std::uint64_t kBitsPerEntryOfSmall = 20;
constexpr std::uint64_t kSmallCapacity = 1 << 20;
constexpr int kProbes = 6;
constexpr std::uint64_t kFirstCapacity = 1 << 14;
// Limit for decoding: 2^36 entries would take 100 GiB.
constexpr std::uint64_t kCapacityLimit = std::uint64_t{1} << 36;

// Two mixing steps, so that neither equal paragraphs on different sites nor similar hashes on one site collide.
std::uint64_t entry_of(std::uint64_t site, std::uint64_t paragraph_hash) {
  return mix64(mix64(site) + paragraph_hash);
}

std::uint64_t words_for(std::uint64_t capacity) {
  return (capacity * (capacity < kSmallCapacity ? kBitsPerEntryOfSmall : kBitsPerEntry) + 63) / 64;
}

// Calls visit(word, mask) for the bits of an entry until it returns false. A multiplication maps a hash to a bit
// without a division.
template <class Visitor>
void for_each_probe(std::uint64_t entry, std::uint64_t word_count, Visitor&& visit) {
  const std::uint64_t bits = word_count * 64;
  std::uint64_t hash = entry;
  for (int probe = 0; probe < kProbes; ++probe) {
    __extension__ using Wide = unsigned __int128;
    const auto bit = static_cast<std::uint64_t>(Wide{hash} * bits >> 64);
    if (!visit(static_cast<std::size_t>(bit / 64), std::uint64_t{1} << bit % 64)) return;
    hash = mix64(hash + 0x9E3779B97F4A7C15ULL);
  }
}

// A page has one vote per paragraph, however often it repeats it: duplicates are removed.
std::vector<std::uint64_t> entries_of(std::uint64_t site, const Profile& profile) {
  std::vector<std::uint64_t> entries;
  entries.reserve(profile.paragraphs.size());
  for (const ParagraphProfile& paragraph : profile.paragraphs) entries.push_back(entry_of(site, paragraph.hash));
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

using Counts = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

// Sorted, so that equal counts give equal bytes.
void encode_counts(Counts counts, ByteWriter& writer) {
  std::sort(counts.begin(), counts.end());
  writer.fixed(std::uint64_t{counts.size()});
  for (const auto& [key, count] : counts) {
    writer.fixed(key);
    writer.fixed(count);
  }
}

// Calls begin(size) once, then keep(key, count) for each entry. The size is checked against the bytes left, so a wrong
// one cannot reserve memory.
template <class Beginner, class Keeper>
bool decode_counts(ByteReader& reader, Beginner&& begin, Keeper&& keep) {
  constexpr std::size_t kEntryBytes = 12;
  const auto size = reader.fixed<std::uint64_t>();
  if (size > reader.left_bytes() / kEntryBytes) return false;
  begin(size);
  for (std::uint64_t i = 0; i < size; ++i) {
    const auto key = reader.fixed<std::uint64_t>();
    keep(key, reader.fixed<std::uint32_t>());
  }
  return reader.ok();
}

}  // namespace

// Stops at the first bit that is not set: most entries of a filter query differ early.
bool SiteTemplates::FilterLayer::contains(std::uint64_t entry) const {
  bool found = true;
  for_each_probe(entry, words.size(),
                 [&](std::size_t word, std::uint64_t mask) { return found = (words[word] & mask) != 0; });
  return found;
}

void SiteTemplates::FilterLayer::add(std::uint64_t entry) {
  for_each_probe(entry, words.size(), [&](std::size_t word, std::uint64_t mask) {
    words[word] |= mask;
    return true;
  });
  ++count;
}

bool SiteTemplates::was_seen(std::uint64_t entry) const {
  return std::any_of(layers_.begin(), layers_.end(), [&](const FilterLayer& layer) { return layer.contains(entry); });
}

// A Bloom filter cannot grow, so a new layer is added when the last one is full. Its capacity is half of all layers
// before it: memory stays proportional to the number of entries, and the number of layers logarithmic.
void SiteTemplates::remember(std::uint64_t entry) {
  if (layers_.empty() || layers_.back().count == layers_.back().capacity) {
    std::uint64_t all = 0;
    for (const FilterLayer& layer : layers_) all += layer.capacity;
    FilterLayer layer;
    layer.capacity = std::max(kFirstCapacity, all / 2);
    layer.words.assign(words_for(layer.capacity), 0);
    layers_.push_back(std::move(layer));
  }
  layers_.back().add(entry);
}

// Hashing and sorting precede the lock, which readers wait for.
void SiteTemplates::add_votes(std::uint64_t site, const Profile& profile) {
  if (site == 0 || profile.content_characters == 0) return;
  const std::vector<std::uint64_t> entries = entries_of(site, profile);
  const std::unique_lock lock(mutex_);
  ++site_pages_[site];
  for (const std::uint64_t entry : entries) {
    if (std::uint32_t* const votes = repeated_.find(entry)) {
      ++*votes;
    } else if (was_seen(entry)) {
      repeated_.add(entry, 2);
    } else {
      remember(entry);
    }
  }
}

bool SiteTemplates::is_template(std::uint64_t site, std::uint32_t needed, std::uint64_t paragraph_hash) const {
  const std::uint32_t* const votes = repeated_.find(entry_of(site, paragraph_hash));
  return votes != nullptr && *votes >= needed;
}

void SiteTemplates::flag(std::uint64_t site, const Profile& profile, std::span<std::uint8_t> flags) const {
  if (site == 0) return;
  const std::shared_lock lock(mutex_);
  const auto pages = site_pages_.find(site);
  if (pages == site_pages_.end() || pages->second < kSitePagesMinimum) return;
  // The share is rounded up: 101 pages need eleven votes.
  const std::uint32_t needed = std::max(kVotesMinimum, (pages->second + kVotesShare - 1) / kVotesShare);
  for (std::size_t p = 0; p < flags.size() && p < profile.paragraphs.size(); ++p) {
    if (is_template(site, needed, profile.paragraphs[p].hash)) flags[p] = 1;
  }
}

std::uint64_t SiteTemplates::sites() const {
  const std::shared_lock lock(mutex_);
  return site_pages_.size();
}

std::uint64_t SiteTemplates::memory_bytes() const {
  constexpr std::uint64_t kNodeBytes = 40;  // a map node with its allocation overhead and bucket
  const std::shared_lock lock(mutex_);
  std::uint64_t bytes = site_pages_.size() * kNodeBytes + repeated_.memory_bytes();
  for (const FilterLayer& layer : layers_) bytes += layer.words.size() * sizeof(std::uint64_t);
  return bytes;
}

// Readers may continue meanwhile; the caller ensures that `covered_text` matches the votes.
std::string SiteTemplates::encode(std::uint64_t covered_text) const {
  const std::shared_lock lock(mutex_);
  std::string bytes(kSiteTemplatesMagic);
  ByteWriter writer(bytes);
  writer.fixed(kSiteTemplatesFormatVersion);
  writer.fixed(covered_text);
  encode_counts(Counts(site_pages_.begin(), site_pages_.end()), writer);
  encode_counts(repeated_.all(), writer);
  writer.fixed(std::uint64_t{layers_.size()});
  for (const FilterLayer& layer : layers_) {
    writer.fixed(layer.capacity);
    writer.fixed(layer.count);
    bytes.append(reinterpret_cast<const char*>(layer.words.data()), layer.words.size() * sizeof(std::uint64_t));
  }
  writer.fixed(std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
  return bytes;
}

// A failed decoding may have filled a part of the content, which would be counted twice when texts are counted again.
Status SiteTemplates::decode(std::string_view bytes, std::uint64_t& covered_text) {
  const std::unique_lock lock(mutex_);
  site_pages_.clear();
  repeated_.clear();
  layers_.clear();
  Status decoded = decode_content(bytes, covered_text);
  if (!decoded) {
    site_pages_.clear();
    repeated_.clear();
    layers_.clear();
  }
  return decoded;
}

Status SiteTemplates::decode_content(std::string_view bytes, std::uint64_t& covered_text) {
  constexpr std::size_t kSumBytes = sizeof(std::uint64_t);
  const auto damaged = [] { return failure(ErrorCode::kCorruptData, "the counts of site templates are damaged"); };
  if (!bytes.starts_with(kSiteTemplatesMagic) || bytes.size() < kSiteTemplatesMagic.size() + kSumBytes)
    return damaged();
  ByteReader sum(bytes.substr(bytes.size() - kSumBytes));
  bytes.remove_suffix(kSumBytes);
  ByteReader reader(bytes.substr(kSiteTemplatesMagic.size()));
  const auto version = reader.fixed<std::uint32_t>();
  if (reader.ok() && version < kSiteTemplatesFormatVersion) {
    return failure(ErrorCode::kCorruptData, fmt::format("site templates in the older format {}", version));
  }
  if (reader.ok() && version != kSiteTemplatesFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("site templates in unsupported format {}; this build reads format {}", version,
                               kSiteTemplatesFormatVersion));
  }
  if (sum.fixed<std::uint64_t>() != XXH3_64bits(bytes.data(), bytes.size())) return damaged();
  covered_text = reader.fixed<std::uint64_t>();
  const bool are_read = decode_counts(
                            reader, [&](std::uint64_t size) { site_pages_.reserve(size); },
                            [&](std::uint64_t site, std::uint32_t pages) { site_pages_[site] = pages; }) &&
                        decode_counts(
                            reader, [&](std::uint64_t size) { repeated_.reserve(size); },
                            [&](std::uint64_t entry, std::uint32_t votes) {
                              if (repeated_.find(entry) == nullptr) repeated_.add(entry, votes);
                            });
  if (!are_read) return damaged();
  const auto layers = reader.fixed<std::uint64_t>();
  for (std::uint64_t i = 0; i < layers && reader.ok(); ++i) {
    FilterLayer layer;
    layer.capacity = reader.fixed<std::uint64_t>();
    layer.count = reader.fixed<std::uint64_t>();
    if (layer.capacity == 0 || layer.capacity > kCapacityLimit || layer.count > layer.capacity) return damaged();
    // The size of a layer follows from its capacity; it is checked before memory is reserved.
    const std::uint64_t words = words_for(layer.capacity);
    if (words > reader.left_bytes() / sizeof(std::uint64_t)) return damaged();
    layer.words.reserve(words);
    for (std::uint64_t w = 0; w < words; ++w) layer.words.push_back(reader.fixed<std::uint64_t>());
    layers_.push_back(std::move(layer));
  }
  if (!reader.ok() || !reader.at_end()) return damaged();
  return {};
}

}  // namespace paraprint::inline store
