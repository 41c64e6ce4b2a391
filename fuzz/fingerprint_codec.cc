// Fuzzes the decoder of stored fingerprints: any bytes are rejected, leaving the result empty, or decode to a value
// that encodes and decodes to itself.
#include "profile/fingerprint_codec.h"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace paraprint;
  PageFingerprint fingerprint;
  if (!decode_fingerprint({reinterpret_cast<const char*>(data), size}, fingerprint)) {
    if (!(fingerprint == PageFingerprint{})) std::abort();
    return 0;
  }
  std::string bytes;
  encode_fingerprint(fingerprint, bytes);
  PageFingerprint again;
  if (!decode_fingerprint(bytes, again)) std::abort();
  // Compared as bytes: a weight may be NaN, which does not equal itself.
  std::string bytes_again;
  encode_fingerprint(again, bytes_again);
  if (bytes != bytes_again) std::abort();
  return 0;
}
