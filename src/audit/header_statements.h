// What the header of a stored response says about the page in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline audit {

struct HeaderStatements {
  int status = 0;  // 0: not stated
  std::string location;
  std::string canonical;            // of Link: <url>; rel="canonical", as written
  std::vector<std::string> robots;  // values of X-Robots-Tag
};

// `message` is an HTTP response as stored. Cost: that of its header.
HeaderStatements read_header_statements(std::string_view message);

// The body with its transfer coding undone; content encodings stay. Without `is_http` all of `message`.
std::string body_of_response(std::string_view message, bool is_http);

}  // namespace paraprint::inline audit
