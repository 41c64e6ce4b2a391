// The rules for pages with little text, applied around every algorithm so that none has to repeat them: EMPTY pages are
// never compared, SHORT pages match by equal text only (base/short_page.h).
#include "fingerprint/page_fingerprinter.h"

#include "base/hash.h"

namespace paraprint::inline fingerprint {

void make_page_fingerprint(PageFingerprinter& fingerprinter, const FingerprinterInput& page,
                           PageFingerprint& fingerprint) {
  fingerprint.clear();
  fingerprint.text_hash = text_hash_of(page.terms.normalised);
  if (!fingerprinter.compares_raw_bytes() && page.terms.content_characters == 0) return;  // EMPTY
  const bool is_short = !fingerprinter.compares_raw_bytes() && page.terms.content_characters < kShortPageCharacters;
  fingerprint.state = is_short ? FingerprintState::kShort : FingerprintState::kUsable;
  fingerprinter.fingerprint(page, fingerprint);
}

// If either page is SHORT, the text hash decides instead of the fingerprint.
FingerprintSimilarity similarity_of(const PageFingerprinter& fingerprinter, const PageFingerprint& a,
                                    const PageFingerprint& b) {
  if (a.state == FingerprintState::kEmpty || b.state == FingerprintState::kEmpty) return {};
  if (a.state == FingerprintState::kShort || b.state == FingerprintState::kShort) {
    return a.text_hash == b.text_hash ? FingerprintSimilarity{1, 1, 1} : FingerprintSimilarity{};
  }
  return fingerprinter.similarity(a, b);
}

Fingerprint128 PageFingerprinter::summary(const PageFingerprint& fingerprint) const {
  SmallSet set;
  small_set(fingerprint, set);
  return value_bits_of(set);
}

PageFingerprinter::SummaryFilter PageFingerprinter::summary_filter(const PageFingerprint& asked) const {
  SmallSet set;
  small_set(asked, set);
  return [filter = SmallSetFilter(set, small_set_share(threshold()))](const Fingerprint128& summary) {
    return filter.may_have_enough_in_common(summary);
  };
}

}  // namespace paraprint::inline fingerprint
