// A thin layer over OpenSSL. MD5 and SHA-1 serve to identify equal text as published methods do, not for security.
#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/opensslv.h>

#include <new>

#include "base/assert.h"

namespace paraprint::inline base {
namespace {

template <std::size_t kSize>
std::array<std::uint8_t, kSize> digest_of(const EVP_MD* function, std::string_view bytes) {
  require_openssl();
  std::array<std::uint8_t, kSize> digest{};
  unsigned size = 0;
  // The built-in digests fail on valid arguments only without memory for their state.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, function, nullptr) != 1) throw std::bad_alloc();
  PARAPRINT_ASSERT(size == kSize);
  return digest;
}

}  // namespace

// Version 3 looks digests up in a context that is made at the first call. Older ones have none.
void require_openssl() {
#if OPENSSL_VERSION_MAJOR >= 3
  if (OSSL_LIB_CTX_get0_global_default() == nullptr) throw std::bad_alloc();
#endif
}

std::array<std::uint8_t, 16> md5(std::string_view bytes) {
  return digest_of<16>(EVP_md5(), bytes);
}
std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  return digest_of<20>(EVP_sha1(), bytes);
}
std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  return digest_of<32>(EVP_sha256(), bytes);
}

std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view bytes) {
  require_openssl();
  std::array<std::uint8_t, 32> code{};
  unsigned size = 0;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(), code.data(), &size) == nullptr)
    throw std::bad_alloc();
  PARAPRINT_ASSERT(size == code.size());
  return code;
}

struct Sha1Stream::State {
  EVP_MD_CTX* context = (require_openssl(), EVP_MD_CTX_new());
  ~State() { EVP_MD_CTX_free(context); }
};

Sha1Stream::Sha1Stream() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr || EVP_DigestInit_ex(state_->context, EVP_sha1(), nullptr) != 1)
    throw std::bad_alloc();
}
Sha1Stream::~Sha1Stream() = default;

void Sha1Stream::update(std::string_view bytes) {
  if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
}

std::array<std::uint8_t, 20> Sha1Stream::finish() {
  std::array<std::uint8_t, 20> digest{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(state_->context, digest.data(), &size) != 1) throw std::bad_alloc();
  PARAPRINT_ASSERT(size == digest.size());
  return digest;
}

}  // namespace paraprint::inline base
