// What indexes say of requests that send a body: their method, and the body as text that looks like a query. Players
// append both to the address, so that each request has a key of its own.
//
//   request_query("POST /find HTTP/1.1\r\nContent-Type: application/json\r\n...\r\n\r\n{\"a\": 1}");
//   // method "POST", text "a=1", suffix "__wb_method=POST&a=1"
//
// The results are those of cdxj-indexer 1.5 with --post-append; docs/cdx.md has the exceptions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// In characters; what is longer is cut.
inline constexpr std::size_t kRequestQueryCharactersMaximum = 4096;
// Larger bodies are treated as bytes of an unknown form, of which only the first ones appear in the text.
inline constexpr std::size_t kParsedBodyBytesMaximum = std::size_t{16} << 20;

struct RequestQuery {
  std::string method;               // in capitals
  std::optional<std::string> text;  // UTF-8; none if the stated length is not a number
  std::string suffix;               // of the address, behind its "?" or "&"
};

// `message` is the HTTP message of a request, as stored. Nullopt for other methods than POST and PUT. Any bytes are
// allowed. Pure and thread-safe. Cost: O(size). Memory: some 50 times the size of a body in JSON.
std::optional<RequestQuery> request_query(std::string_view message);

// The address with the suffix.
std::string with_query(std::string_view url, const RequestQuery& query);

}  // namespace paraprint::inline cdx
