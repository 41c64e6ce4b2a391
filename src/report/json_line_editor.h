// Changes single members of JSON objects and leaves all other bytes as they are: numbers keep their digits, strings
// their escapes, members their order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline report {

// Not thread-safe: one per thread. Keeps memory for the longest line so far.
class JsonLineEditor {
 public:
  JsonLineEditor();
  ~JsonLineEditor();

  // Calls visit(name, value) for each member of the object `line`, which may begin with a byte-order mark: `value` is
  // the place of its value in the line, of an object or array that of its first byte. Stops at the first error of
  // `visit`. kCorruptData if the line is not an object; values are not looked into.
  Status for_each_member(std::string_view line,
                         const std::function<Status(std::string_view name, TextSpan value)>& visit);

  // The line with `members`, like "\"a\":1,\"b\":2", as the last ones. `line` must be an object. Valid until the next
  // call.
  std::string_view with_members(std::string_view line, bool is_empty, std::string_view members);

  // The line with `text` as the value of the first member `name`. kCorruptData if there is none. Valid until the next
  // call. `line` must not be a result of this object.
  Result<std::string_view> with_text(std::string_view line, std::string_view name, std::string_view text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string padded_;
  std::string edited_;
};

}  // namespace paraprint::inline report
