// Base of the algorithms whose fingerprint is one 16-byte digest: pages are copies if their digests are equal, and
// there is no degree of similarity.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint::inline lab::inline signatures {

class DigestFingerprinter : public PageFingerprinter {
 public:
  // Equal digests of features do not show that one page is part of the other.
  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {a.values == b.values ? 1.0 : 0.0, 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const final { return fingerprint.values.size() == 2; }
  double threshold() const final { return 1; }
  double sweep_minimum() const final { return 1; }
  IndexPlan index_plan(double) const final { return {}; }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan&,
                  std::vector<std::uint64_t>& keys) const final {
    keys.push_back(fingerprint.values[0]);
  }

 protected:
  static void set_digest(const std::array<std::uint64_t, 2>& words, PageFingerprint& fingerprint) {
    fingerprint.values.assign(words.begin(), words.end());
  }
};

}  // namespace paraprint::inline lab::inline signatures
