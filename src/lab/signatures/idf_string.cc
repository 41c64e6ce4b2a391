// IDF string with a classic string hash (hash functions collected by A. Partow; docs/algorithms/digests.md).
//
// The rarest 70 % of a page's distinct words, rarest first, are joined into one string and hashed to 32 bits. Pages
// with equal hashes are copies if their strings are equal too, which is decided here by a 128-bit hash of the string.
// Finds little beyond exact copies, since the rarest words are dates, names and typing errors, and strings change with
// the document frequencies. Cost: one pass and a sort; index: a hash map of the 32-bit values.
#include "lab/signatures/idf_string.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"
#include "lab/signatures/string_hashes.h"

namespace paraprint::inline lab::inline signatures {

void append_idf_string(const PageTerms& terms, std::uint32_t kept_percent, std::vector<std::uint32_t>& order,
                       std::string& text) {
  order.clear();
  for (std::uint32_t i = 0; i < terms.terms.size(); ++i) {
    if (terms.terms[i].count > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (terms.terms[a].idf != terms.terms[b].idf) return terms.terms[a].idf > terms.terms[b].idf;
    return terms.bytes_of_token(a) < terms.bytes_of_token(b);
  });
  order.resize((order.size() * kept_percent + 99) / 100);
  for (const std::uint32_t term : order) append_joined(terms.bytes_of_token(term), text);
}

namespace {

constexpr std::array kIdfStringParameters = {
    ParameterInfo{"hash", "the 32-bit string hash", 7, 0, 8, true, kStringHashNames},
    ParameterInfo{"kept_percent", "percentage of the distinct words to keep, by descending idf", 70, 1, 100},
};

// values: the 32-bit hash, by which pages are found, then the M128 hash of the string, by which they are compared.
class IdfString final : public PageFingerprinter {
 public:
  explicit IdfString(const ParameterValues& values)
      : hash_(kStringHashes[values.integer("hash")]), kept_percent_(values.integer("kept_percent")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    text_.clear();
    append_idf_string(page.terms, kept_percent_, order_, text_);
    if (text_.empty()) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    const Fingerprint128 exact = murmur128(text_);
    fingerprint.values = {hash_(text_), exact.high, exact.low};
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {a.values == b.values ? 1.0 : 0.0, 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return fingerprint.values.size() == 3; }
  double threshold() const override { return 1; }
  double sweep_minimum() const override { return 1; }
  IndexPlan index_plan(double) const override { return {}; }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan&,
                  std::vector<std::uint64_t>& keys) const override {
    keys.push_back(fingerprint.values[0]);
  }

 private:
  StringHash hash_;
  std::uint32_t kept_percent_;
  std::vector<std::uint32_t> order_;
  std::string text_;
};

}  // namespace

const FingerprinterFactory kIdfString = {kIdfStringParameters,
                                         [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                           return std::make_unique<IdfString>(values);
                                         }};

}  // namespace paraprint::inline lab::inline signatures
