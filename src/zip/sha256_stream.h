// SHA-256 of more than is held in memory.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace paraprint::inline zip {

class Sha256Stream {
 public:
  Sha256Stream();
  void add(std::string_view bytes);
  // In hexadecimal digits, of all that was added. The next digest begins anew.
  std::string take_hex();

 private:
  struct Closer {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  void begin();

  std::unique_ptr<EVP_MD_CTX, Closer> context_;
};

}  // namespace paraprint::inline zip
