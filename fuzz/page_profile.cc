// Fuzzes the whole path from bytes to profile with every extractor: all spans are within the text, the profile survives
// its own byte form, and a page with text is the same as itself.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "profile/registry.h"
#include "verify/paragraph_matching.h"

namespace {

using namespace paraprint;

std::vector<std::unique_ptr<PageProfiler>> make_profilers() {
  std::vector<std::unique_ptr<PageProfiler>> profilers;
  for (const ExtractorRow& row : extractors()) {
    ProfileOptions options;
    options.extractor = row.name;
    auto profiler = PageProfiler::create(options, WordWeights::bundled());
    if (!profiler) std::abort();
    profilers.push_back(std::move(*profiler));
  }
  return profilers;
}

void check(const Profile& profile, const MainContent& content) {
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    if (paragraph.span.begin_bytes > paragraph.span.end_bytes) std::abort();
    if (paragraph.span.end_bytes > content.text.size()) std::abort();
  }
  for (const SentenceProfile& sentence : profile.sentences) {
    if (sentence.span.end_bytes > content.text.size()) std::abort();
    if (sentence.paragraph >= profile.paragraphs.size()) std::abort();
  }
  std::string bytes;
  encode_profile(profile, bytes);
  Profile decoded;
  if (!decode_profile(bytes, decoded)) std::abort();
  std::string again;
  encode_profile(decoded, again);
  if (bytes != again) std::abort();
  // A page is the same as itself, unless it has no text to compare.
  const PairScore score = ParagraphMatcher(MatchOptions{}).score(profile, decoded, {}, {});
  if (profile.content_characters > 0 && score.verdict != Verdict::kSame) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::unique_ptr<PageProfiler>> profilers = make_profilers();
  if (size == 0) return 0;
  Page page;
  page.format = (data[0] & 1) != 0 ? PageFormat::kPlainText : PageFormat::kHtml;
  page.body.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const auto& profiler : profilers) check(profiler->profile(page), profiler->content());
  return 0;
}
