// The fingerprints of a run by one page-level algorithm, and what it says of pairs of its pages: the counterpart of the
// paragraph method's PairScorer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/registry.h"

namespace paraprint {

// All fingerprints stay in memory: what the algorithm keeps of a page (docs/algorithms/), and 72 bytes around it.
class FingerprintSet {
 public:
  // Prepares fingerprints of these pages for comparison. Requires an algorithm other than the paragraph method.
  FingerprintSet(const AlgorithmChoice& algorithm, std::vector<PageFingerprint> fingerprints);

  // Reads the fingerprints that read_and_profile() left in the log. Errors: those of reading it.
  static Result<FingerprintSet> read(const PageLog& log, const AlgorithmChoice& algorithm);

  std::uint32_t size() const { return static_cast<std::uint32_t>(fingerprints_.size()); }
  std::span<const PageFingerprint> fingerprints() const { return fingerprints_; }
  const PageFingerprinter& fingerprinter() const { return *fingerprinter_; }
  // Of the values and weights that are kept.
  std::uint64_t kept_bytes() const;

  // For each page the first page of equal text, itself if it is the first: pages that the algorithm can't tell apart
  // are compared once. Itself for every page where the algorithm compares bytes.
  std::vector<std::uint32_t> same_text_representatives() const;

  // The match of two pages, kDistinct included. Thread-safe. `characters_*` are the pages' content characters.
  Match match(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t characters_a, std::uint32_t characters_b,
              const MatchOptions& options) const;

  // The verdict of scores that match() gave and a file kept.
  Verdict verdict(const Match& match, const MatchOptions& options) const;

 private:
  std::unique_ptr<PageFingerprinter> fingerprinter_;
  std::vector<PageFingerprint> fingerprints_;
};

}  // namespace paraprint
