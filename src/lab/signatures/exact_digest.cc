// Exact digests: pages are copies if their bytes, or their normalised texts, are equal (docs/algorithms/digests.md).
//
// The first check of every crawler. Bytes only find files that are served again: a date in the footer makes them
// differ. Normalised text ignores markup, templates, case, width and script. Cost: one pass; index: a hash map.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

#include "base/digest.h"
#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/digest_fingerprinter.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 5> kFunctions = {"md5", "sha1", "sha256", "blake2b", "xxhash"};
constexpr std::array kExactDigestParameters = {
    ParameterInfo{"function", "the digest; only its first 128 bits are compared", 1, 0, 4, true, kFunctions},
};

std::array<std::uint64_t, 2> digest_of(std::string_view function, std::string_view bytes) {
  if (function == "md5") return leading_words(md5(bytes));
  if (function == "sha1") return leading_words(sha1(bytes));
  if (function == "sha256") return leading_words(sha256(bytes));
  if (function == "blake2b") {
    const Fingerprint128 hash = blake2b128(bytes);
    return {hash.high, hash.low};
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

class ExactDigest final : public DigestFingerprinter {
 public:
  ExactDigest(const ParameterValues& values, bool of_bytes)
      : function_(values.choice("function")), of_bytes_(of_bytes) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    set_digest(digest_of(function_, of_bytes_ ? page.page.body : page.terms.normalised), fingerprint);
  }

  // The digest is of all the bytes or of the whole text, so equal pages contain each other.
  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return a.values == b.values ? FingerprintSimilarity{1, 1, 1} : FingerprintSimilarity{};
  }

  bool reads_words() const override { return false; }
  bool compares_raw_bytes() const override { return of_bytes_; }

 private:
  std::string_view function_;
  bool of_bytes_;
};

}  // namespace

const FingerprinterFactory kDigestOfBytes = {kExactDigestParameters,
                                             [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                               return std::make_unique<ExactDigest>(values, true);
                                             }};
const FingerprinterFactory kDigestOfText = {kExactDigestParameters,
                                            [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                              return std::make_unique<ExactDigest>(values, false);
                                            }};

}  // namespace paraprint::inline lab::inline signatures
