// The command `paraprint` of an installed wheel. pip puts it into a folder of programs, such as .venv/bin, and the real
// program into the Python package, where it finds the libraries that the wheel brings. This program looks for the
// package in the places where installers put it relative to their programs, and becomes the real program: process,
// arguments, standard streams, signals and exit code are the same.
//
// The environment variable PARAPRINT_PYTHON tells the real program which Python to start for files of rows and object
// stores: the one of the environment, if its name is that of the folder with the package.
//
// It uses only the C library, so that it starts within a millisecond; a script in Python would need tens.
#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kRecord = "paraprint-" PARAPRINT_VERSION ".dist-info";  // the installer's record of this version
constexpr int kCannotRun = 126;                                               // as of a shell
constexpr int kNotFound = 127;

using Path = char[PATH_MAX];

// False if the path is too long.
__attribute__((format(printf, 2, 3))) bool join(Path& path, const char* format, ...) {
  std::va_list parts;
  va_start(parts, format);
  const int length = std::vsnprintf(path, sizeof path, format, parts);
  va_end(parts);
  return length >= 0 && length < PATH_MAX;
}

// Becomes the program of the package in `packages`, which is for the interpreter `python`. Returns if it is not there,
// or belongs to another version.
void become_program(const char* packages, const char* python, char** arguments) {
  Path path;
  if (!join(path, "%s/%s", packages, kRecord) || ::access(path, F_OK) != 0) return;
  if (!join(path, "%s/paraprint/bin/paraprint", packages) || ::access(path, F_OK) != 0) return;
  ::setenv("PARAPRINT_PYTHON", python, 1);
  ::execv(path, arguments);
  std::fprintf(stderr, "paraprint: cannot run %s: %s\n", path, std::strerror(errno));
  std::exit(kCannotRun);
}

// The same for all Pythons below `libraries`: which one the wheel was installed for is not known.
void become_program_of_any_python(const char* prefix, const char* libraries, const char* packages, char** arguments) {
  DIR* folder = ::opendir(libraries);
  if (folder == nullptr) return;
  while (const dirent* entry = ::readdir(folder)) {
    Path path;
    if (std::strncmp(entry->d_name, "python3", std::strlen("python3")) != 0) continue;
    if (!join(path, "%s/%s/%s", libraries, entry->d_name, packages)) continue;
    Path python;
    const bool has_own = join(python, "%s/bin/%s", prefix, entry->d_name) && ::access(python, X_OK) == 0;
    become_program(path, has_own ? python : entry->d_name, arguments);
  }
  ::closedir(folder);
}

// The folder above the one of this program, whose symbolic links are resolved.
bool find_prefix(Path& prefix) {
  const ssize_t length = ::readlink("/proc/self/exe", prefix, sizeof prefix - 1);
  if (length <= 0) return false;
  prefix[length] = '\0';
  for (int level = 0; level < 2; ++level) {
    char* slash = std::strrchr(prefix, '/');
    if (slash == nullptr) return false;
    *slash = '\0';
  }
  return true;
}

}  // namespace

int main(int, char** arguments) {
  Path prefix;
  if (!find_prefix(prefix)) {
    std::fputs("paraprint: cannot read /proc/self/exe; run: python3 -m paraprint\n", stderr);
    return kNotFound;
  }
  Path libraries;
  if (join(libraries, "%s/lib", prefix)) {
    become_program_of_any_python(prefix, libraries, "site-packages", arguments);  // virtual environments, --user, conda
    become_program_of_any_python(prefix, libraries, "dist-packages", arguments);  // Debian's own Python
  }
  if (join(libraries, "%s/lib64", prefix)) {
    become_program_of_any_python(prefix, libraries, "site-packages", arguments);  // Fedora and its relatives
  }
  become_program(prefix, "python3", arguments);  // pip install --target
  std::fprintf(stderr,
               "paraprint: no Python package paraprint %s below %s; install it again with pip, or run: python3 -m "
               "paraprint\n",
               PARAPRINT_VERSION, prefix);
  return kNotFound;
}
