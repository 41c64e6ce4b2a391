// The style sheets and scripts embedded in the report's pages. Defined in a source that embed.py generates from the
// files in this folder. The hashes identify the scripts in the pages' content security policy.
#pragma once

#include <string_view>

namespace paraprint::inline report::assets {

extern const std::string_view kStyleCss;
extern const std::string_view kCompareCss;
extern const std::string_view kEvaluationCss;
extern const std::string_view kTablesJs;
extern const std::string_view kTablesJsHash;
extern const std::string_view kCompareJs;
extern const std::string_view kCompareJsHash;

}  // namespace paraprint::inline report::assets
