// The fingerprints of a run with one page-level algorithm, and the matches that follow from them: the counterpart of
// the paragraph method's PairScorer.
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

namespace paraprint::inline profile {

// All fingerprints are in memory: 72 bytes per page in addition to what the algorithm keeps (docs/algorithms/).
class FingerprintSet {
 public:
  // Prepares the fingerprints for comparison; their index is the page number. Requires an algorithm other than the
  // paragraph method.
  FingerprintSet(const AlgorithmChoice& algorithm, std::vector<PageFingerprint> fingerprints);

  // Reads the fingerprints that read_and_profile() left in the log. Errors: those of reading it.
  static Result<FingerprintSet> read(const PageLog& log, const AlgorithmChoice& algorithm);

  std::uint32_t size() const { return static_cast<std::uint32_t>(fingerprints_.size()); }
  std::span<const PageFingerprint> fingerprints() const { return fingerprints_; }
  const PageFingerprinter& fingerprinter() const { return *fingerprinter_; }
  // Total size of values and weights.
  std::uint64_t kept_bytes() const;

  // For each page the first page with the same text (itself if it is the first), so that pages the algorithm cannot
  // distinguish are compared only once. Each page is its own representative if the algorithm compares raw bytes.
  std::vector<std::uint32_t> same_text_representatives() const;

  // The match of two pages, possibly kDistinct. Thread-safe. `characters_*` are the pages' content characters.
  Match match(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t characters_a, std::uint32_t characters_b,
              const MatchOptions& options) const;

  // Decides again from scores that match() gave and a file stored.
  Verdict verdict(const Match& match, const MatchOptions& options) const;

 private:
  std::unique_ptr<PageFingerprinter> fingerprinter_;
  std::vector<PageFingerprint> fingerprints_;
};

}  // namespace paraprint::inline profile
