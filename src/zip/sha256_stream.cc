// A thin layer over OpenSSL.
#include "zip/sha256_stream.h"

#include <fmt/format.h>

#include <array>
#include <new>

#include "base/assert.h"
#include "base/digest.h"

namespace paraprint::inline zip {

Sha256Stream::Sha256Stream() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr) throw std::bad_alloc();
  begin();
}

// The built-in digests fail on valid arguments only without memory for their state.
void Sha256Stream::begin() {
  require_openssl();
  if (EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

void Sha256Stream::add(std::string_view bytes) {
  PARAPRINT_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256Stream::take_hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  PARAPRINT_ASSERT(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  begin();
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace paraprint::inline zip
