// Makes one call of an unchanged program fail: a library for LD_PRELOAD. It counts the calls by which a program asks
// for memory, files and threads, from the beginning of main() to its end, and lets the one with a given number fail, or
// kills the process there. Calls of all shared libraries count. Sockets, pipes and standard error do not: what peers
// do has tests of its own, and a message that cannot be written is not an error.
//
// PARAPRINT_FAULT         KIND:NUMBER:ACTION:TIMES. KIND: a name of kKindNames. NUMBER: from 1 on; 0 only counts.
//                         ACTION: the number of an error, "half" (a read or write processes half of the bytes),
//                         "kill", or with number 0 "places": the number of the first call from each place in the
//                         program is reported, a place being the innermost functions on the stack, with a hash of the
//                         place that is the same in all runs ("stacks": and the stack). TIMES: "once" or "lasting",
//                         which lets all later calls of this kind fail as well.
// PARAPRINT_FAULT_REPORT  a file that receives the counts at the end of main(), and the call that failed, with the path
//                         and the stack.
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// kWrite includes reserving and cutting off bytes, kName whatever changes folders, kStat questions about names.
enum Kind : std::size_t { kMemory, kRead, kWrite, kSync, kOpen, kName, kStat, kMap, kThread, kKinds };
constexpr std::array<const char*, kKinds> kKindNames = {"memory", "read", "write", "sync",  "open",
                                                        "name",   "stat", "map",   "thread"};

enum class Fate : std::uint8_t { kGood, kFails, kHalf };

struct Fault {
  std::size_t kind = kKinds;
  std::uint64_t number = 0;
  int error = 0;  // 0: half of the bytes
  bool is_kill = false;
  bool reports_places = false;
  bool reports_stacks = false;
  bool is_lasting = false;
};
Fault fault;  // constant while calls are counted
std::atomic<bool> is_counting = false;
std::array<std::atomic<std::uint64_t>, kKinds> calls{};
// Set while a thread reports, so that what it calls for that is not counted.
thread_local bool is_reporting = false;

constexpr int kStackDepth = 60;
constexpr int kPlaceDepth = 14;  // tells the callers of a container apart, and is far from main()
constexpr std::size_t kPlacesMaximum = std::size_t{1} << 16;
std::array<std::atomic<std::uint64_t>, kPlacesMaximum> places{};  // hashes of stacks; 0: free
constexpr mode_t kReportMode = 0644;

// Without functions of this library, and without memory.
void append_to_report(const char* text, bool with_stack) {
  const char* const path = std::getenv("PARAPRINT_FAULT_REPORT");
  if (path == nullptr) return;
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kReportMode);
  if (file < 0) return;
  ::syscall(SYS_write, file, text, std::strlen(text));
  if (with_stack) {
    std::array<void*, kStackDepth> stack{};
    ::backtrace_symbols_fd(stack.data(), ::backtrace(stack.data(), kStackDepth), static_cast<int>(file));
  }
  ::syscall(SYS_close, file);
}

// Of the functions that call this, by their places in the files that they are loaded from, as addresses differ in each
// run.
std::uint64_t hash_of_place() {
  std::array<void*, kPlaceDepth> stack{};
  const int depth = ::backtrace(stack.data(), kPlaceDepth);
  std::uint64_t hash = 1;
  const auto add = [&](std::uintptr_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  };
  for (int i = 0; i < depth; ++i) {
    Dl_info loaded{};
    if (::dladdr(stack[static_cast<std::size_t>(i)], &loaded) == 0) continue;  // made at run time
    for (const char* letter = loaded.dli_fname; *letter != '\0'; ++letter) add(static_cast<unsigned char>(*letter));
    add(reinterpret_cast<std::uintptr_t>(stack[static_cast<std::size_t>(i)]) -
        reinterpret_cast<std::uintptr_t>(loaded.dli_fbase));
  }
  return hash | 1;
}

// Whether no call came from this place before.
bool is_new_place(std::uint64_t hash) {
  for (std::size_t slot = hash % kPlacesMaximum, tried = 0; tried < kPlacesMaximum; ++tried) {
    std::uint64_t found = 0;
    if (places[slot].compare_exchange_strong(found, hash)) return true;
    if (found == hash) return false;
    slot = (slot + 1) % kPlacesMaximum;
  }
  std::abort();  // the table is full
}

void report_place(std::uint64_t number) {
  is_reporting = true;
  if (const std::uint64_t hash = hash_of_place(); is_new_place(hash)) {
    std::array<char, 64> line{};
    std::snprintf(line.data(), line.size(), "place %llu %016llx\n", static_cast<unsigned long long>(number),
                  static_cast<unsigned long long>(hash));
    append_to_report(line.data(), fault.reports_stacks);
  }
  is_reporting = false;
}

// What happens to the next call of the kind; `call` and `path` are for the report.
Fate fate_of(Kind kind, const char* call, const char* path) {
  if (!is_counting.load(std::memory_order_relaxed) || is_reporting) return Fate::kGood;
  const std::uint64_t number = calls[kind].fetch_add(1) + 1;
  if (fault.reports_places && fault.kind == kind) report_place(number);
  if (fault.kind != kind || fault.number == 0 || number < fault.number) return Fate::kGood;
  if (number > fault.number) {
    if (!fault.is_lasting) return Fate::kGood;
    errno = fault.error;
    return Fate::kFails;
  }
  is_reporting = true;
  std::array<char, 4400> line{};
  std::snprintf(line.data(), line.size(), "fault %s %s\n", call, path);
  append_to_report(line.data(), true);
  is_reporting = false;
  if (fault.is_kill) ::syscall(SYS_kill, ::getpid(), SIGKILL);
  if (fault.error == 0) return Fate::kHalf;
  errno = fault.error;
  return Fate::kFails;
}

bool fails(Kind kind, const char* call, const char* path) {
  return fate_of(kind, call, path) == Fate::kFails;
}

// Only regular files and folders count. errno is kept.
Fate fate_of(Kind kind, const char* call, int descriptor) {
  if (!is_counting.load(std::memory_order_relaxed) || is_reporting) return Fate::kGood;
  const int error_before = errno;
  struct stat status {};
  const bool counts = descriptor != STDERR_FILENO && ::syscall(SYS_fstat, descriptor, &status) == 0 &&
                      (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  if (!counts) {
    errno = error_before;
    return Fate::kGood;
  }
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const long size = ::syscall(SYS_readlink, link.data(), path.data(), path.size() - 1);
  path[size > 0 ? static_cast<std::size_t>(size) : 0] = '\0';
  errno = error_before;
  return fate_of(kind, call, path.data());
}

bool fails(Kind kind, const char* call, int descriptor) {
  return fate_of(kind, call, descriptor) == Fate::kFails;
}

bool fails(Kind kind, const char* call, FILE* file) {
  const int descriptor = ::fileno(file);
  if (descriptor < 0 || !fails(kind, call, descriptor)) return false;
  constexpr int kErrorSeen = 0x20;  // of the GNU C library; what ferror() looks at
  file->_flags |= kErrorSeen;
  return true;
}

bool memory_fails(const char* call) {
  if (!fails(kMemory, call, "")) return false;
  errno = ENOMEM;
  return true;
}

template <class Function>
Function* next_definition(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

// Makes the call with all or half of the bytes, or fails.
template <class Call>
auto part_of(Kind kind, const char* name, int descriptor, std::size_t bytes, const Call& call) -> ssize_t {
  const Fate fate = fate_of(kind, name, descriptor);
  if (fate == Fate::kFails) return -1;
  return call(fate == Fate::kHalf ? std::max<std::size_t>(bytes / 2, std::min<std::size_t>(bytes, 1)) : bytes);
}

void read_fault() {
  const char* const text = std::getenv("PARAPRINT_FAULT");
  if (text == nullptr) return;
  std::array<char, 16> kind{};
  std::array<char, 16> action{};
  std::array<char, 16> times{};
  unsigned long long number = 0;
  if (std::sscanf(text, "%15[^:]:%llu:%15[^:]:%15s", kind.data(), &number, action.data(), times.data()) != 4) {
    std::abort();
  }
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (std::strcmp(kind.data(), kKindNames[i]) == 0) fault.kind = i;
  }
  if (fault.kind == kKinds) std::abort();
  fault.number = number;
  fault.is_kill = std::strcmp(action.data(), "kill") == 0;
  fault.reports_stacks = std::strcmp(action.data(), "stacks") == 0;
  fault.reports_places = fault.reports_stacks || std::strcmp(action.data(), "places") == 0;
  fault.error = std::atoi(action.data());
  fault.is_lasting = std::strcmp(times.data(), "lasting") == 0;
}

using Main = int(int, char**, char**);
Main* main_of_program = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  read_fault();
  std::array<void*, 1> stack{};
  ::backtrace(stack.data(), 1);  // the first call loads a library
  is_counting = true;
  const int code = main_of_program(count, arguments, environment);
  is_counting = false;
  std::array<char, 512> text{};
  std::size_t size = 0;
  for (std::size_t i = 0; i < kKinds; ++i) {
    size += static_cast<std::size_t>(std::snprintf(text.data() + size, text.size() - size, "calls %s %llu\n",
                                                   kKindNames[i], static_cast<unsigned long long>(calls[i].load())));
  }
  append_to_report(text.data(), false);
  return code;
}

mode_t mode_argument(int flags, std::va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

// These definitions take precedence over those of the C library. Names that end in 64 are other names for the same
// functions.
// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

int __libc_start_main(Main* program, int count, char** arguments, Main* initialise, void (*finish)(),
                      void (*finish_loader)(), void* stack_end) {
  using Function = int(Main*, int, char**, Main*, void (*)(), void (*)(), void*);
  main_of_program = program;
  return next_definition<Function>("__libc_start_main")(counted_main, count, arguments, initialise, finish,
                                                        finish_loader, stack_end);
}

void* malloc(std::size_t size) noexcept {
  return memory_fails("malloc") ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  return memory_fails("calloc") ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) noexcept {
  return size > 0 && memory_fails("realloc") ? nullptr : __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return memory_fails("memalign") ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memory_fails("aligned_alloc") ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  if (memory_fails("posix_memalign")) return ENOMEM;
  void* const found = __libc_memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}

void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  static const auto next = next_definition<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  const bool failed = (flags & MAP_ANONYMOUS) != 0 ? memory_fails("mmap") : fails(kMap, "mmap", descriptor);
  return failed ? MAP_FAILED : next(address, size, protection, flags, descriptor, offset);
}

void* mremap(void* address, std::size_t old_size, std::size_t size, int flags, ...) noexcept {
  if (memory_fails("mremap")) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mremap, address, old_size, size, flags, nullptr));
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const auto next = next_definition<ssize_t(int, void*, std::size_t)>("read");
  return part_of(kRead, "read", descriptor, size, [&](std::size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t at) {
  static const auto next = next_definition<ssize_t(int, void*, std::size_t, off_t)>("pread");
  return part_of(kRead, "pread", descriptor, size, [&](std::size_t part) { return next(descriptor, bytes, part, at); });
}

// These retry until all bytes are read, so half of the bytes are not simulated.
std::size_t fread(void* bytes, std::size_t size, std::size_t count, FILE* file) {
  static const auto next = next_definition<std::size_t(void*, std::size_t, std::size_t, FILE*)>("fread");
  return fails(kRead, "fread", file) ? 0 : next(bytes, size, count, file);
}
std::size_t fread_unlocked(void* bytes, std::size_t size, std::size_t count, FILE* file) {
  static const auto next = next_definition<std::size_t(void*, std::size_t, std::size_t, FILE*)>("fread_unlocked");
  return fails(kRead, "fread_unlocked", file) ? 0 : next(bytes, size, count, file);
}
char* fgets(char* text, int size, FILE* file) {
  static const auto next = next_definition<char*(char*, int, FILE*)>("fgets");
  return fails(kRead, "fgets", file) ? nullptr : next(text, size, file);
}

dirent* readdir(DIR* folder) {
  static const auto next = next_definition<dirent*(DIR*)>("readdir");
  return fails(kRead, "readdir", ::dirfd(folder)) ? nullptr : next(folder);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static const auto next = next_definition<ssize_t(int, const void*, std::size_t)>("write");
  return part_of(kWrite, "write", descriptor, size, [&](std::size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t at) {
  static const auto next = next_definition<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return part_of(kWrite, "pwrite", descriptor, size,
                 [&](std::size_t part) { return next(descriptor, bytes, part, at); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  static const auto next = next_definition<ssize_t(int, const iovec*, int)>("writev");
  return part_of(kWrite, "writev", descriptor, static_cast<std::size_t>(count),
                 [&](std::size_t part) { return next(descriptor, pieces, static_cast<int>(part)); });
}

ssize_t sendfile(int to, int from, off_t* at, std::size_t size) noexcept {
  static const auto next = next_definition<ssize_t(int, int, off_t*, std::size_t)>("sendfile");
  return part_of(kWrite, "sendfile", to, size, [&](std::size_t part) { return next(to, from, at, part); });
}

std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count, FILE* file) {
  static const auto next = next_definition<std::size_t(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
  return fails(kWrite, "fwrite", file) ? 0 : next(bytes, size, count, file);
}

int fflush(FILE* file) {
  static const auto next = next_definition<int(FILE*)>("fflush");
  return file != nullptr && fails(kWrite, "fflush", file) ? EOF : next(file);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto next = next_definition<int(int, off_t)>("ftruncate");
  return fails(kWrite, "ftruncate", descriptor) ? -1 : next(descriptor, size);
}
int truncate(const char* path, off_t size) noexcept {
  static const auto next = next_definition<int(const char*, off_t)>("truncate");
  return fails(kWrite, "truncate", path) ? -1 : next(path, size);
}

int fallocate(int descriptor, int mode, off_t at, off_t size) {
  static const auto next = next_definition<int(int, int, off_t, off_t)>("fallocate");
  return fails(kWrite, "fallocate", descriptor) ? -1 : next(descriptor, mode, at, size);
}

int posix_fallocate(int descriptor, off_t at, off_t size) {
  static const auto next = next_definition<int(int, off_t, off_t)>("posix_fallocate");
  return fails(kWrite, "posix_fallocate", descriptor) ? fault.error : next(descriptor, at, size);
}

int fsync(int descriptor) {
  static const auto next = next_definition<int(int)>("fsync");
  return fails(kSync, "fsync", descriptor) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
  static const auto next = next_definition<int(int)>("fdatasync");
  return fails(kSync, "fdatasync", descriptor) ? -1 : next(descriptor);
}

int sync_file_range(int descriptor, off_t at, off_t size, unsigned flags) {
  static const auto next = next_definition<int(int, off_t, off_t, unsigned)>("sync_file_range");
  return fails(kSync, "sync_file_range", descriptor) ? -1 : next(descriptor, at, size, flags);
}

int open(const char* path, int flags, ...) {
  static const auto next = next_definition<int(const char*, int, ...)>("open");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_argument(flags, rest);
  va_end(rest);
  return fails(kOpen, "open", path) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  static const auto next = next_definition<int(int, const char*, int, ...)>("openat");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_argument(flags, rest);
  va_end(rest);
  return fails(kOpen, "openat", path) ? -1 : next(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  static const auto next = next_definition<FILE*(const char*, const char*)>("fopen");
  return fails(kOpen, "fopen", path) ? nullptr : next(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fopen(path, mode);
}

DIR* opendir(const char* path) {
  static const auto next = next_definition<DIR*(const char*)>("opendir");
  return fails(kOpen, "opendir", path) ? nullptr : next(path);
}

int mkostemp(char* pattern, int flags) {
  static const auto next = next_definition<int(char*, int)>("mkostemp");
  return fails(kOpen, "mkostemp", pattern) ? -1 : next(pattern, flags);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = next_definition<int(const char*, const char*)>("rename");
  return fails(kName, "rename", to) ? -1 : next(from, to);
}

int link(const char* from, const char* to) noexcept {
  static const auto next = next_definition<int(const char*, const char*)>("link");
  return fails(kName, "link", to) ? -1 : next(from, to);
}

int unlink(const char* path) noexcept {
  static const auto next = next_definition<int(const char*)>("unlink");
  return fails(kName, "unlink", path) ? -1 : next(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto next = next_definition<int(int, const char*, int)>("unlinkat");
  return fails(kName, "unlinkat", path) ? -1 : next(folder, path, flags);
}

int remove(const char* path) noexcept {
  static const auto next = next_definition<int(const char*)>("remove");
  return fails(kName, "remove", path) ? -1 : next(path);
}

int rmdir(const char* path) noexcept {
  static const auto next = next_definition<int(const char*)>("rmdir");
  return fails(kName, "rmdir", path) ? -1 : next(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = next_definition<int(const char*, mode_t)>("mkdir");
  return fails(kName, "mkdir", path) ? -1 : next(path, mode);
}

int stat(const char* path, struct stat* status) noexcept {
  static const auto next = next_definition<int(const char*, struct stat*)>("stat");
  return fails(kStat, "stat", path) ? -1 : next(path, status);
}

int lstat(const char* path, struct stat* status) noexcept {
  static const auto next = next_definition<int(const char*, struct stat*)>("lstat");
  return fails(kStat, "lstat", path) ? -1 : next(path, status);
}

int fstat(int descriptor, struct stat* status) noexcept {
  static const auto next = next_definition<int(int, struct stat*)>("fstat");
  return fails(kStat, "fstat", descriptor) ? -1 : next(descriptor, status);
}
int fstat64(int descriptor, struct stat64* status) noexcept {
  static const auto next = next_definition<int(int, struct stat64*)>("fstat64");
  return fails(kStat, "fstat64", descriptor) ? -1 : next(descriptor, status);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Function = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = next_definition<Function>("pthread_create");
  return fails(kThread, "pthread_create", "") ? EAGAIN : next(thread, attributes, start, argument);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
