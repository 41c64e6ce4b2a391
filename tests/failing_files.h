// Injects file system failures: in a program that links failing_files.cc, file system calls of the program and its
// shared libraries go through it. Nothing fails until a fault is set; there is one fault at a time, for files whose
// path contains a given part. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

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
  // If set, no call fails: this is called once, before the call after those that succeed first.
  std::function<void()> moment;
  bool (*concerns_thread)() = nullptr;  // if set, only calls of threads for which it is true matter
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

// How many bytes of each file have been synced, for tests of power cuts: a file that was never synced is missing. Names
// change with rename(); hard links count as new files.
class SyncedFiles {
 public:
  SyncedFiles();
  ~SyncedFiles();
  SyncedFiles(const SyncedFiles&) = delete;
  SyncedFiles& operator=(const SyncedFiles&) = delete;

  static std::map<std::string, std::uint64_t> sizes();
  // Forgets the renames, too.
  static void set_sizes(std::map<std::string, std::uint64_t> sizes);

  struct Rename {
    std::string from;
    std::string to;
  };
  // The renames to names that nothing had, in their order, after which the folder of the new name was not synced.
  static std::vector<Rename> unsynced_renames();
};

}  // namespace paraprint
