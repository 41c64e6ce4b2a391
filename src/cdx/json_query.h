// JSON as the text of a query: the named scalars in it, wherever they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline cdx {

//   json_query(R"({"a": 1, "b": {"a": [true, "x y"]}})")    // "a=1&a.2_=True&a.3_=x+y"
//
// Values are written as Python writes them, with names counted where they recur. `json` may also be lines of JSON.
// Nullopt if it is neither. Pure and thread-safe. Cost: O(size). Memory: some 50 times the size.
std::optional<std::string> json_query(std::string_view json);

}  // namespace paraprint::inline cdx
