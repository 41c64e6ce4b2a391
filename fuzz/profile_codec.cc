// Fuzzes the decoder of stored profiles: any bytes are rejected, or decode to a profile that
// encodes to the same bytes and can be compared.
#include "profile/profile_codec.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "verify/paragraph_matching.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace paraprint;
  Profile profile;
  if (!decode_profile({reinterpret_cast<const char*>(data), size}, profile)) {
    if (!profile.paragraphs.empty() || !profile.sentences.empty()) std::abort();
    return 0;
  }
  std::string bytes;
  encode_profile(profile, bytes);
  if (bytes != std::string(reinterpret_cast<const char*>(data), size)) std::abort();
  Profile again;
  if (!decode_profile(bytes, again)) std::abort();
  ParagraphMatcher(MatchOptions{}).score(profile, again, {}, {});
  return 0;
}
