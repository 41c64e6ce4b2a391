// Symbol interposition: the wrappers at the end decide the fate of each call and forward it to the next definition,
// found with dlsym(RTLD_NEXT). While no fault is set, they cost one atomic load.
#include "failing_files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace paraprint {
namespace {

std::atomic<bool> is_set = false;
std::mutex mutex;
FileFault fault;  // guarded by the mutex, as are the counts
std::uint64_t calls_made = 0;
std::uint64_t failures = 0;

std::atomic<bool> records_syncs = false;
std::map<std::string, std::uint64_t> synced_bytes;  // guarded by the mutex, as are the renames
std::vector<SyncedFiles::Rename> renames_to_sync;

std::string path_of(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

enum class Fate : std::uint8_t { kGood, kFails, kHalf };

bool is_counted(FileWork work, const std::string& path) {
  return is_set && work == fault.work && path.find(fault.path_part) != std::string::npos &&
         (fault.concerns_thread == nullptr || fault.concerns_thread());
}

Fate fate_of_locked(FileWork work, const std::string& path) {
  if (!is_counted(work, path)) return Fate::kGood;
  const std::uint64_t number = calls_made++;
  if (number < fault.after || (!fault.is_lasting && number > fault.after)) return Fate::kGood;
  ++failures;
  if (fault.error == 0) return Fate::kHalf;
  // A disk that becomes full writes the beginning of the data.
  if (work == FileWork::kWrite && number == fault.after) return Fate::kHalf;
  errno = fault.error;
  return Fate::kFails;
}

Fate fate_of(FileWork work, const std::string& path) {
  std::function<void()> moment;
  {
    const std::lock_guard lock(mutex);
    if (!fault.moment) return fate_of_locked(work, path);
    if (is_counted(work, path) && calls_made++ == fault.after) moment = fault.moment;
  }
  if (moment) moment();
  return Fate::kGood;
}

Fate fate_of(FileWork work, int descriptor) {
  if (!is_set.load(std::memory_order_relaxed)) return Fate::kGood;
  return fate_of(work, path_of(descriptor));
}

Fate fate_of_name(const char* path) {
  if (!is_set.load(std::memory_order_relaxed)) return Fate::kGood;
  return fate_of(FileWork::kMake, std::string(path));
}

template <class Function>
Function* real(const char* name) {
  void* found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

// Makes the call with all or half of `bytes`, or fails.
template <class Call>
ssize_t part_of(FileWork work, int descriptor, std::size_t bytes, const Call& call) {
  const Fate fate = fate_of(work, descriptor);
  if (fate == Fate::kFails) return -1;
  return call(fate == Fate::kHalf ? std::max<std::size_t>(bytes / 2, std::min<std::size_t>(bytes, 1)) : bytes);
}

// Syncs with `call` and remembers what had been written before.
template <class Call>
int sync(int descriptor, const Call& call) {
  if (fate_of(FileWork::kSync, descriptor) == Fate::kFails) return -1;
  if (!records_syncs.load(std::memory_order_relaxed)) return call(descriptor);
  struct stat status {};
  const bool has_size = ::fstat(descriptor, &status) == 0;
  const int result = call(descriptor);
  if (result == 0 && has_size) {
    const std::lock_guard lock(mutex);
    const std::string path = path_of(descriptor);
    synced_bytes[path] = static_cast<std::uint64_t>(status.st_size);
    std::erase_if(renames_to_sync,
                  [&](const SyncedFiles::Rename& done) { return done.to.substr(0, done.to.rfind('/')) == path; });
  }
  return result;
}

// Calls the action until it finds memory: tests let single allocations fail, and calls of the system throw nothing.
// Requires that the action may be called again after it has failed.
template <class Action>
auto in_spite_of_memory(Action action) {
  for (;;) {
    try {
      return action();
    } catch (const std::bad_alloc&) {
    }
  }
}

void record_rename(const char* from, const char* to, bool is_new) {
  if (!records_syncs.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  if (is_new) renames_to_sync.push_back({from, to});
  const auto found = synced_bytes.find(from);
  synced_bytes.erase(to);
  if (found == synced_bytes.end()) return;
  synced_bytes[to] = found->second;
  synced_bytes.erase(from);
}

}  // namespace

SyncedFiles::SyncedFiles() {
  const std::lock_guard lock(mutex);
  synced_bytes.clear();
  renames_to_sync.clear();
  records_syncs = true;
}

SyncedFiles::~SyncedFiles() {
  records_syncs = false;
}

std::map<std::string, std::uint64_t> SyncedFiles::sizes() {
  const std::lock_guard lock(mutex);
  return synced_bytes;
}

void SyncedFiles::set_sizes(std::map<std::string, std::uint64_t> sizes) {
  const std::lock_guard lock(mutex);
  synced_bytes = std::move(sizes);
  renames_to_sync.clear();
}

std::vector<SyncedFiles::Rename> SyncedFiles::unsynced_renames() {
  const std::lock_guard lock(mutex);
  return renames_to_sync;
}

FailingFiles::FailingFiles(const FileFault& wanted) {
  const std::lock_guard lock(mutex);
  fault = wanted;
  calls_made = failures = 0;
  is_set = true;
}

void FailingFiles::end() {
  const std::lock_guard lock(mutex);
  is_set = false;
}

std::uint64_t FailingFiles::calls() const {
  const std::lock_guard lock(mutex);
  return calls_made;
}

std::uint64_t FailingFiles::failed() const {
  const std::lock_guard lock(mutex);
  return failures;
}

}  // namespace paraprint

// These definitions take precedence over those of the C library, for the program and its shared libraries.
extern "C" {

using paraprint::Fate;
using paraprint::FileWork;
using paraprint::real;

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static const auto next = real<ssize_t(int, const void*, std::size_t)>("write");
  return paraprint::part_of(FileWork::kWrite, descriptor, size,
                            [&](std::size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t at) {
  static const auto next = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return paraprint::part_of(FileWork::kWrite, descriptor, size,
                            [&](std::size_t part) { return next(descriptor, bytes, part, at); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  static const auto next = real<ssize_t(int, const iovec*, int)>("writev");
  return paraprint::part_of(FileWork::kWrite, descriptor, static_cast<std::size_t>(count),
                            [&](std::size_t part) { return next(descriptor, pieces, static_cast<int>(part)); });
}

ssize_t sendfile(int to, int from, off_t* at, std::size_t size) {
  static const auto next = real<ssize_t(int, int, off_t*, std::size_t)>("sendfile");
  return paraprint::part_of(FileWork::kWrite, to, size, [&](std::size_t part) { return next(to, from, at, part); });
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const auto next = real<ssize_t(int, void*, std::size_t)>("read");
  return paraprint::part_of(FileWork::kRead, descriptor, size,
                            [&](std::size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t at) {
  static const auto next = real<ssize_t(int, void*, std::size_t, off_t)>("pread");
  return paraprint::part_of(FileWork::kRead, descriptor, size,
                            [&](std::size_t part) { return next(descriptor, bytes, part, at); });
}

// RocksDB reads its logs with this function. It retries until all bytes are read, so partial reads are not simulated.
std::size_t fread_unlocked(void* bytes, std::size_t size, std::size_t count, FILE* file) {
  static const auto next = real<std::size_t(void*, std::size_t, std::size_t, FILE*)>("fread_unlocked");
  if (paraprint::fate_of(FileWork::kRead, ::fileno(file)) == Fate::kFails) return 0;
  return next(bytes, size, count, file);
}

int fsync(int descriptor) {
  static const auto next = real<int(int)>("fsync");
  return paraprint::sync(descriptor, next);
}

int fdatasync(int descriptor) {
  static const auto next = real<int(int)>("fdatasync");
  return paraprint::sync(descriptor, next);
}

int open(const char* path, int flags, ...) {
  static const auto next = real<int(const char*, int, ...)>("open");
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    std::va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if ((flags & O_CREAT) != 0 && paraprint::fate_of_name(path) == Fate::kFails) return -1;
  return next(path, flags, mode);
}

// RocksDB reserves space for its files, which is optional. In a folder in memory it costs as much as writing it.
int fallocate(int, int, off_t, off_t) {
  errno = EOPNOTSUPP;
  return -1;
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int(const char*, const char*)>("rename");
  if (paraprint::in_spite_of_memory([&] { return paraprint::fate_of_name(to); }) == Fate::kFails) return -1;
  const bool is_new = ::access(to, F_OK) != 0;
  const int result = next(from, to);
  if (result == 0) paraprint::in_spite_of_memory([&] { paraprint::record_rename(from, to, is_new); });
  return result;
}

int link(const char* from, const char* to) noexcept {
  static const auto next = real<int(const char*, const char*)>("link");
  const Fate fate = paraprint::in_spite_of_memory([&] { return paraprint::fate_of_name(to); });
  return fate == Fate::kFails ? -1 : next(from, to);
}

}  // extern "C"
