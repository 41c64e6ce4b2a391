// A folder whose process is killed, or whose machine loses power, at a moment that a test chooses.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "failing_files.h"

namespace paraprint {

// One per program, which must link failing_files.cc: it watches all syncs.
class InterruptedFolder {
 public:
  // The folder is `prefix` and a number, which changes with each interruption.
  // `renames_lost_in`: name of a folder in it, in which a power cut may undo renames until the folder is synced; empty:
  // renames are always durable.
  explicit InterruptedFolder(std::string prefix, std::string renames_lost_in = "")
      : prefix_(std::move(prefix)), renames_lost_in_(std::move(renames_lost_in)), path_(prefix_ + "0") {}

  const std::string& path() const { return path_; }

  // What a kill at this moment leaves: a copy of the files as they are now. Work in path() may go on, but nothing that
  // it does will count. Only the first call counts, until resume().
  void interrupt();
  bool is_interrupted() const { return is_interrupted_; }

  // Replaces the folder by the copy. If power was lost, what had not been synced is cut off anywhere or partly replaced
  // by zeros, and renames that were not synced are undone or not.
  void resume(bool has_lost_power, std::mt19937_64& random);

 private:
  void lose_renames(const std::string& killed, std::mt19937_64& random);

  std::string prefix_;
  std::string renames_lost_in_;
  std::string path_;
  std::uint64_t generation_ = 0;
  bool is_interrupted_ = false;
  SyncedFiles synced_files_;
  std::map<std::string, std::uint64_t> synced_;  // sizes of files at the interruption
  std::vector<SyncedFiles::Rename> renames_;     // those not synced then
};

}  // namespace paraprint
