// Copies the folder at the interruption; what a power cut takes is decided afterwards.
#include "simulation/interrupted_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace paraprint {
namespace {

namespace fs = std::filesystem;

// Of all files in the folder and below it.
std::map<std::string, std::uint64_t> sizes_in(const std::string& folder) {
  std::map<std::string, std::uint64_t> sizes;
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
    if (entry.is_regular_file(failed)) sizes[entry.path()] = entry.file_size(failed);
  }
  return sizes;
}

}  // namespace

// RocksDB may be writing and removing files in the background: the copy is of one moment if nothing changed meanwhile.
void InterruptedFolder::interrupt() {
  if (is_interrupted_) return;
  const std::string copy = prefix_ + std::to_string(generation_ + 1);
  std::error_code failed;
  std::map<std::string, std::uint64_t> before;
  do {
    before = sizes_in(path_);
    fs::remove_all(copy);
    fs::copy(path_, copy, fs::copy_options::recursive, failed);
  } while (failed || before != sizes_in(path_));
  synced_ = SyncedFiles::sizes();
  renames_ = SyncedFiles::unsynced_renames();
  is_interrupted_ = true;
}

// The last first, because a file may have been renamed twice. `killed`: path of the folder at the interruption.
void InterruptedFolder::lose_renames(const std::string& killed, std::mt19937_64& random) {
  const std::string lossy = killed + "/" + renames_lost_in_ + "/";
  if (renames_lost_in_.empty()) return;
  for (std::size_t i = renames_.size(); i-- > 0;) {
    const auto& [from, to] = renames_[i];
    if (!from.starts_with(lossy) || !to.starts_with(lossy) || random() % 2 == 0) continue;
    const std::string found = path_ + to.substr(killed.size());
    const std::string before = path_ + from.substr(killed.size());
    if (!fs::exists(found) || fs::exists(before)) continue;
    fs::rename(found, before);
    if (const auto known = synced_.find(to); known != synced_.end()) synced_[from] = known->second;
  }
}

void InterruptedFolder::resume(bool has_lost_power, std::mt19937_64& random) {
  fs::remove_all(path_);
  const std::string killed = std::exchange(path_, prefix_ + std::to_string(++generation_));
  if (has_lost_power) lose_renames(killed, random);
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path_));
  }
  std::sort(names.begin(), names.end());
  std::map<std::string, std::uint64_t> synced;
  for (const std::string& name : names) {
    const std::string path = path_ + "/" + name;
    const std::uint64_t size = fs::file_size(path);
    const auto known = synced_.find(killed + "/" + name);
    std::uint64_t kept = known == synced_.end() ? 0 : known->second;
    if (has_lost_power && size > kept) {
      fs::resize_file(path, kept + random() % (size - kept + 1));
      if (random() % 3 == 0) fs::resize_file(path, size);  // ends with zeros
      kept = size;                                         // what is left is on disk
    }
    synced[path] = kept;
  }
  SyncedFiles::set_sizes(std::move(synced));
  is_interrupted_ = false;
}

}  // namespace paraprint
