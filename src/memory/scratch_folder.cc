// The standard library's function for the system's folder fails if TMPDIR names none; here, the failure is that of
// using the folder, whose message has its name.
#include "memory/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline memory {

std::string temporary_folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const char* const of_system = std::getenv("TMPDIR");
  return of_system != nullptr && *of_system != '\0' ? of_system : "/tmp";
}

Result<ScratchFolder> ScratchFolder::create(const std::string& chosen, const std::string& prefix) {
  const std::string parent = temporary_folder(chosen);
  PARAPRINT_TRY(create_folders(parent));
  std::string path = parent + "/" + prefix + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return tl::unexpected<Error>(system_error("create a temporary folder in", parent, errno));
  }
  return ScratchFolder(std::move(path));
}

ScratchFolder::ScratchFolder(std::string path) : path_(std::move(path)) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace paraprint::inline memory
