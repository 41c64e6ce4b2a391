// The arguments go through a file in memory, because there may be more of them than fit on a command line: the names of
// all files of a crawl.
#include "package_command.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "commands.h"
#include "paraprint/result.h"
#include "paraprint/table_inputs.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

constexpr const char* kPythonVariable = "PARAPRINT_PYTHON";
// The interpreter looks for modules in the current folder first, where a stranger's file may have the name of one.
constexpr const char* kStart =
    "import sys; sys.path[:] = [folder for folder in sys.argv[2:] + sys.path if folder]; "
    "from paraprint.table_command import main; sys.exit(main(int(sys.argv[1])))";

int fail(ErrorCode code, std::string message) {
  return report_error({code, std::move(message)});
}

// A file with "name\0value\0..." that is open in the next program as well; negative after an error, with errno.
int argument_file(std::span<const PackageArgument> arguments) {
  std::string text;
  for (const PackageArgument& argument : arguments) {
    text.append(argument.name).push_back('\0');
    text.append(argument.value).push_back('\0');
  }
  const int file = ::memfd_create("paraprint-arguments", 0);
  if (file < 0) return file;
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    written += static_cast<std::size_t>(count);
  }
  return ::lseek(file, 0, SEEK_SET) == 0 ? file : -1;
}

// The folder with the package that brought this program, at paraprint/bin/paraprint in it; empty if none did. The
// interpreter may not know it: `pip install --target`.
std::string folder_of_package() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path package = program.parent_path().parent_path();
  return std::filesystem::exists(package / "table_command.py", ignored) ? package.parent_path().string() : "";
}

}  // namespace

std::string first_of_package(std::span<const std::string> paths) {
  const auto found = std::find_if(paths.begin(), paths.end(),
                                  [](const std::string& path) { return is_remote(path) || is_table(path); });
  return found == paths.end() ? std::string() : *found;
}

int run_in_package(std::string_view input, std::span<const PackageArgument> arguments) {
  const char* const python = std::getenv(kPythonVariable);
  if (python == nullptr || *python == '\0') {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: tables (Parquet, Arrow, CSV) and object stores need the command of the Python package: "
                    "pip install 'paraprint[arrow]'",
                    input));
  }
  const int file = argument_file(arguments);
  if (file < 0)
    return fail(ErrorCode::kInputOutput, "cannot pass on the arguments: " + std::generic_category().message(errno));
  const std::string number = std::to_string(file);
  const std::string packages = folder_of_package();
  const std::array<const char*, 6> words = {python, "-c", kStart, number.c_str(), packages.c_str(), nullptr};
  ::execvp(python, const_cast<char* const*>(words.data()));
  return fail(ErrorCode::kInputOutput, fmt::format("cannot start {}, which {} names: {}", python, kPythonVariable,
                                                   std::generic_category().message(errno)));
}

}  // namespace paraprint::cli
