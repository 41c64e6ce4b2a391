// Fuzzes what indexes say of requests with a body: the text is valid UTF-8 of limited length.
#include "cdx/request_query.h"

#include <cstdint>
#include <cstdlib>

#include "cdx/surt.h"
#include "text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  const std::optional<paraprint::RequestQuery> query = paraprint::request_query(message);
  if (!query || !query->text) return 0;
  if (!paraprint::is_valid_utf8(*query->text)) std::abort();
  if (query->text->size() > 4 * paraprint::kRequestQueryCharactersMaximum) std::abort();
  if (paraprint::surt_key(paraprint::with_query("http://example.org/", *query)).empty()) std::abort();
  return 0;
}
