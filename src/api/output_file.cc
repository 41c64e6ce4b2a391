// Two names of one file are compared by the file system, which knows links.
#include "api/output_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "memory/scratch_folder.h"

namespace paraprint::inline api {
namespace {

namespace fs = std::filesystem;

}  // namespace

Status refuse_inputs(const std::string& out, const std::vector<InputFile>& inputs) {
  std::error_code ignored;
  if (!fs::exists(out, ignored)) return {};
  const auto is_out = [&](const std::string& path) { return fs::equivalent(path, out, ignored); };
  for (const InputFile& input : inputs) {
    if (input.kind == InputKind::kStandardInput) continue;
    const bool is_page = std::any_of(input.pages.begin(), input.pages.end(),
                                     [&](const std::string& page) { return is_out(input.path + "/" + page); });
    if (is_page || is_out(input.stored_path())) {
      return failure(ErrorCode::kInvalidArgument, out + ": is an input; choose another --out");
    }
  }
  return {};
}

Result<std::string> temporary_folder_beside(const std::string& out, const std::string& chosen) {
  if (chosen.empty() && !out.empty()) {
    const std::string folder = fs::path(out).parent_path().string();
    return folder.empty() ? "." : folder;
  }
  std::string folder = temporary_folder(chosen);
  PARAPRINT_TRY(create_folders(folder));
  return folder;
}

}  // namespace paraprint::inline api
