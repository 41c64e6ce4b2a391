// The only file of the bindings that includes simdjson, whose header is large.
#include "utf8.h"

#include <simdjson.h>

namespace paraprint::python {

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

}  // namespace paraprint::python
