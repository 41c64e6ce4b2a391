// Scores of fingerprints in the form of a Match, so that clustering, output and report need not know the algorithm.
#include "profile/fingerprint_set.h"

#include <unordered_map>
#include <utility>

#include "base/propagate.h"
#include "memory/seeded_hash.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_match.h"

namespace paraprint::inline profile {

FingerprintSet::FingerprintSet(const AlgorithmChoice& algorithm, std::vector<PageFingerprint> fingerprints)
    : fingerprinter_(algorithm.make()), fingerprints_(std::move(fingerprints)) {
  fingerprinter_->prepare(fingerprints_);
}

// Every page has a fingerprint, empty ones and those that are not compared included, so indexes are page numbers.
Result<FingerprintSet> FingerprintSet::read(const PageLog& log, const AlgorithmChoice& algorithm) {
  const std::unique_ptr<PageFingerprinter> fingerprinter = algorithm.make();
  std::vector<PageFingerprint> fingerprints;
  PARAPRINT_TRY(log.read(
      [&](const LoggedPage& page) -> Status {
        PageFingerprint& fingerprint = fingerprints.emplace_back();
        if (!page.is_compared) return {};
        return decode_fingerprint_of(*fingerprinter, page.fingerprint, fingerprint);
      },
      [](const PageBatch&) -> Status { return {}; }));
  return FingerprintSet(algorithm, std::move(fingerprints));
}

std::uint64_t FingerprintSet::kept_bytes() const {
  std::uint64_t bytes = 0;
  for (const PageFingerprint& fingerprint : fingerprints_) {
    bytes += fingerprint.values.size() * sizeof(std::uint64_t) + fingerprint.weights.size() * sizeof(float);
  }
  return bytes;
}

// Empty pages represent themselves: they have equal (empty) text but are not copies of each other.
std::vector<std::uint32_t> FingerprintSet::same_text_representatives() const {
  struct HashOfText {
    std::size_t operator()(const std::array<std::uint64_t, 2>& text_hash) const { return SeededHash()(text_hash[0]); }
  };
  std::vector<std::uint32_t> representatives(size());
  std::unordered_map<std::array<std::uint64_t, 2>, std::uint32_t, HashOfText> first_page;
  for (std::uint32_t page = 0; page < size(); ++page) {
    const bool has_equals =
        !fingerprinter_->compares_raw_bytes() && fingerprints_[page].state != FingerprintState::kEmpty;
    representatives[page] =
        has_equals ? first_page.try_emplace(fingerprints_[page].text_hash, page).first->second : page;
  }
  return representatives;
}

Match FingerprintSet::match(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t characters_a,
                            std::uint32_t characters_b, const MatchOptions& options) const {
  const FingerprintSimilarity similarity = similarity_of(*fingerprinter_, fingerprints_[page_a], fingerprints_[page_b]);
  Match match = match_of(similarity, fingerprinter_->threshold(), characters_a, characters_b, options);
  match.page_a = page_a;
  match.page_b = page_b;
  return match;
}

Verdict FingerprintSet::verdict(const Match& match, const MatchOptions& options) const {
  return verdict_by_threshold(match, fingerprinter_->threshold(), options);
}

}  // namespace paraprint::inline profile
