// The token is never an option, because all users of a machine can see the options of a process. A file takes
// precedence over the variable.
#include "token_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace paraprint::cli {
namespace {

constexpr const char* kTokenVariable = "PARAPRINT_TOKEN";

}  // namespace

Status read_token(const std::string& path, std::string& token) {
  if (path.empty()) {
    const char* const variable = std::getenv(kTokenVariable);
    if (variable != nullptr) token = variable;
    return {};
  }
  std::ifstream file(path);
  if (std::getline(file, token) && !token.empty()) return {};
  return tl::unexpected<Error>(Error{ErrorCode::kNotFound, fmt::format("{}: the first line contains no token", path)});
}

Status read_secrets(const std::string& path, std::vector<std::string>& secrets) {
  if (path.empty()) return {};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    if (!line.empty()) secrets.push_back(line);
  }
  if (!secrets.empty()) return {};
  return tl::unexpected<Error>(Error{ErrorCode::kNotFound, fmt::format("{}: contains no secret", path)});
}

}  // namespace paraprint::cli
