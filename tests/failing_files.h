// Files that fail on purpose: a program that links failing_files.cc has its calls of the system (and those of the
// shared libraries it uses) go through it. Nothing fails until a fault is set; one at a time, for files below one
// folder. Thread-safe.
#pragma once

#include <cstdint>
#include <string>

namespace paraprint {

enum class FileWork : std::uint8_t {
  kRead,   // reading bytes; not from files that are mapped
  kWrite,  // writing bytes
  kSync,
  kMake,  // creating, renaming and linking files
};

struct FileFault {
  FileWork work = FileWork::kWrite;
  std::string path_part;    // of the files meant
  int error = 0;            // what calls fail with; 0: they do half of what they should
  std::uint64_t after = 0;  // so many calls succeed first
  bool is_lasting = true;   // all later calls fail as well
};

class FailingFiles {
 public:
  explicit FailingFiles(const FileFault& fault);
  ~FailingFiles() { end(); }
  FailingFiles(const FailingFiles&) = delete;
  FailingFiles& operator=(const FailingFiles&) = delete;

  void end();                    // all is well from now on
  std::uint64_t calls() const;   // that the fault was about, so far
  std::uint64_t failed() const;  // of them
};

}  // namespace paraprint
