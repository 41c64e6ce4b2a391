// Where the commands that serve take their secrets from.
#pragma once

#include <string>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::cli {

// Reads the first line of the file or, without a path, the variable PARAPRINT_TOKEN, which may be missing: `token`
// stays empty then. kNotFound for a file without a token.
Status read_token(const std::string& path, std::string& token);

// Reads the lines of the file that are not empty; none without a path. kNotFound for a file without any.
Status read_secrets(const std::string& path, std::vector<std::string>& secrets);

}  // namespace paraprint::cli
