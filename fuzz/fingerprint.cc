// Fuzzes all page-level algorithms with the texts of two pages: similarities must be symmetric, within [0, 1] and at
// least the threshold for a page and itself. The first byte selects all algorithms with default parameters, or one
// algorithm with extreme ones, which may be slow; the texts are separated by the first byte FF.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "feature/page_terms.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"

namespace {

using namespace paraprint;

// Longer inputs find nothing more, only more slowly.
constexpr std::size_t kInputBytes = 4096;

// First bytes from here on select one algorithm, with minimum parameters if even, maximum if odd.
constexpr std::uint8_t kFirstExtreme = 0x80;

struct ReadPage {
  Page page;
  PageTerms terms;
  Profile profile;
};

using Methods = std::vector<std::unique_ptr<PageFingerprinter>>;

// Every algorithm with default (0), minimum (1) or maximum (2) parameters.
Methods make_methods(int settings) {
  Methods methods;
  for (const AlgorithmRow& row : algorithm_rows()) {
    if (row.factory == nullptr) continue;
    ParameterValues values(row.factory->parameters);
    for (const ParameterInfo& parameter : row.factory->parameters) {
      if (settings == 1) values.set(parameter.name, parameter.minimum);
      if (settings == 2) values.set(parameter.name, parameter.maximum);
    }
    methods.push_back(row.factory->make(values));
  }
  return methods;
}

ReadPage read_page(std::string_view text) {
  static PageTermsBuilder builder(WordWeights::bundled(), true);
  static const std::unique_ptr<PageProfiler> profiler = [] {
    auto made = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
    PARAPRINT_ASSERT(made.has_value());
    return std::move(*made);
  }();
  ReadPage read;
  read.page.format = PageFormat::kPlainText;
  read.page.body = text;
  read.profile = profiler->profile(read.page);
  builder.build(profiler->content(), read.terms);
  return read;
}

void require_similarity(const FingerprintSimilarity& similarity) {
  for (const double value : {similarity.resemblance, similarity.containment_a, similarity.containment_b}) {
    PARAPRINT_ASSERT(value >= 0 && value <= 1);
  }
}

void require_codec_round_trip(const PageFingerprint& fingerprint) {
  std::string bytes;
  encode_fingerprint(fingerprint, bytes);
  PageFingerprint decoded;
  PARAPRINT_ASSERT(decode_fingerprint(bytes, decoded).has_value());
  PARAPRINT_ASSERT(decoded == fingerprint);
}

void compare(PageFingerprinter& method, const ReadPage& a, const ReadPage& b) {
  std::vector<PageFingerprint> fingerprints(2);
  make_page_fingerprint(method, {a.page, a.terms, a.profile}, fingerprints[0]);
  make_page_fingerprint(method, {b.page, b.terms, b.profile}, fingerprints[1]);
  for (const PageFingerprint& fingerprint : fingerprints) require_codec_round_trip(fingerprint);
  method.prepare(fingerprints);
  const FingerprintSimilarity forward = similarity_of(method, fingerprints[0], fingerprints[1]);
  const FingerprintSimilarity backward = similarity_of(method, fingerprints[1], fingerprints[0]);
  require_similarity(forward);
  PARAPRINT_ASSERT(forward.resemblance == backward.resemblance);
  PARAPRINT_ASSERT(forward.containment_a == backward.containment_b && forward.containment_b == backward.containment_a);
  const IndexPlan plan = method.index_plan(method.threshold());
  for (const PageFingerprint& fingerprint : fingerprints) {
    if (fingerprint.state != FingerprintState::kUsable) continue;
    PARAPRINT_ASSERT(similarity_of(method, fingerprint, fingerprint).resemblance >= method.threshold());
    std::vector<std::uint64_t> keys;
    if (const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan)) method.index_keys(fingerprint, *by_keys, keys);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Methods methods[] = {make_methods(0), make_methods(1), make_methods(2)};
  if (size == 0 || size > kInputBytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = text.find('\xFF');
  const ReadPage a = read_page(text.substr(0, end));
  const ReadPage b = read_page(end == std::string_view::npos ? text : text.substr(end + 1));
  if (data[0] < kFirstExtreme) {
    for (const auto& method : methods[0]) compare(*method, a, b);
  } else {
    const Methods& extreme = methods[1 + data[0] % 2];
    compare(*extreme[static_cast<std::size_t>(data[0] - kFirstExtreme) / 2 % extreme.size()], a, b);
  }
  return 0;
}
