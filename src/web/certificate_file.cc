// Looks for the file of certificate authorities.
#include "web/certificate_file.h"

#include <unistd.h>

#include <array>

namespace paraprint::inline web {
namespace {

constexpr std::array<std::string_view, 5> kPlaces = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch Linux
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
    "/etc/pki/tls/certs/ca-bundle.crt",                   // their older releases
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine Linux
};

}  // namespace

std::span<const std::string_view> certificate_file_places() {
  return kPlaces;
}

std::string find_certificate_file(const char* variable, std::span<const std::string_view> places) {
  if (variable != nullptr && *variable != '\0') return variable;
  for (const std::string_view place : places) {
    std::string path(place);
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

}  // namespace paraprint::inline web
