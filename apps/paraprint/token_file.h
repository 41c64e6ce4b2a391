// Where the commands that serve take their bearer token from.
#pragma once

#include <string>

#include "paraprint/result.h"

namespace paraprint::cli {

// Reads the first line of the file or, without a path, the variable PARAPRINT_TOKEN, which may be missing: `token`
// stays empty then. kNotFound for a file without a token.
Status read_token(const std::string& path, std::string& token);

}  // namespace paraprint::cli
