// Injects file system failures: in a program that links failing_files.cc, file system calls of the program and its
// shared libraries go through it. Nothing fails until a fault is set; there is one fault at a time, for files whose
// path contains a given part. Thread-safe.
#pragma once

#include <cstdint>
#include <string>

namespace paraprint {

enum class FileWork : std::uint8_t {
  kRead,   // reading bytes, except from mapped files
  kWrite,  // writing bytes
  kSync,
  kMake,  // creating, renaming and linking files
};

struct FileFault {
  FileWork work = FileWork::kWrite;
  std::string path_part;    // part of the path of the affected files
  int error = 0;            // errno of failing calls; 0: they process half of the bytes
  std::uint64_t after = 0;  // number of calls that succeed first
  bool is_lasting = true;   // whether all later calls fail as well
};

class FailingFiles {
 public:
  explicit FailingFiles(const FileFault& fault);
  ~FailingFiles() { end(); }
  FailingFiles(const FailingFiles&) = delete;
  FailingFiles& operator=(const FailingFiles&) = delete;

  void end();                    // removes the fault
  std::uint64_t calls() const;   // calls that matched the fault so far
  std::uint64_t failed() const;  // of these, calls that failed
};

}  // namespace paraprint
