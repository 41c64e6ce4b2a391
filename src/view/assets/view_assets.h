// The files of the explorer's page, embedded in the program by embed_files.py from this folder and the styles of the
// report.
#pragma once

#include <span>
#include <string_view>

namespace paraprint::inline explorer::assets {

struct ViewAsset {
  std::string_view name;  // "view.js"
  std::string_view content_type;
  std::string_view text;
};

std::span<const ViewAsset> view_assets();

}  // namespace paraprint::inline explorer::assets
