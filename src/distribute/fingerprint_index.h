// How a page-level algorithm is divided among tasks. It follows from the index that the algorithm asks for (IndexPlan):
// keys and fingerprints can be shuffled to the tasks that have their equals or their buckets, values of sets to those
// that count them and join their lists; other indexes need all pages at once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "distribute/records.h"
#include "distribute/sets/page_sets.h"
#include "fingerprint/page_fingerprinter.h"
#include "index/key_join.h"
#include "paraprint/options.h"
#include "profile/registry.h"

namespace paraprint::distribute {

// Bits of PageKey::source and CandidatePair::sources of a page-level algorithm. Keys of its index have none.
inline constexpr std::uint16_t kSourceEqualText = 1;  // equal text of SHORT pages

// Fingerprints of this width, joined within this distance. Those of 64 bits are in `high`.
struct HammingReach {
  int width_bits = 128;
  int distance_bits = 0;
};

// Not thread-safe.
class FingerprintIndex {
 public:
  // Requires an algorithm other than the paragraph method. kUnsupported, with the reason, for those that cannot be
  // divided.
  static Result<FingerprintIndex> create(const AlgorithmChoice& algorithm);

  const PageFingerprinter& fingerprinter() const { return *fingerprinter_; }
  // No value: pages are found by keys, or by sets.
  const std::optional<HammingReach>& hamming_reach() const { return hamming_reach_; }
  // No value: pages are not found by sets.
  const std::optional<sets::PageSets>& sets() const { return sets_; }

  // Of a usable fingerprint. For an index of keys, its keys; otherwise the fingerprints to be joined. Valid until the
  // next call; may repeat a value.
  const std::vector<std::uint64_t>& keys_of(const PageFingerprint& fingerprint);
  const std::vector<Fingerprint128>& fingerprints_of(const PageFingerprint& fingerprint);

  // Whether a pair, with the hits of all its keys added up, is to be compared.
  bool is_candidate(const CandidatePair& pair) const {
    return pair.hits >= common_keys_minimum_ || (pair.sources & kSourceEqualText) != 0;
  }

 private:
  explicit FingerprintIndex(std::unique_ptr<PageFingerprinter> fingerprinter);

  std::unique_ptr<PageFingerprinter> fingerprinter_;
  IndexPlan plan_;
  std::optional<HammingReach> hamming_reach_;
  std::optional<sets::PageSets> sets_;
  std::uint32_t common_keys_minimum_ = 1;
  std::vector<std::uint64_t> keys_;
  std::vector<Fingerprint128> fingerprints_;
};

// The index of the run's algorithm; none under the paragraph method. Errors: those of FingerprintIndex::create(), and
// kInvalidArgument for an algorithm that does not exist.
Result<std::optional<FingerprintIndex>> page_level_index(const DedupOptions& options);

// What the Hamming join of a run has to find: nothing, a distance of 0, if its pages are found by keys or by sets.
HammingReach hamming_reach_of(const std::optional<FingerprintIndex>& page_level, const DedupOptions& options);

// Whether pages of equal text are represented by the first of them. Not by algorithms that compare raw bytes.
bool has_text_representatives(const std::optional<FingerprintIndex>& page_level);

}  // namespace paraprint::distribute
