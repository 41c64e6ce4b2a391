// arc4random_buf() for a static Expat (PARAPRINT_STATIC_EXPAT), which seeds its hash tables with it. glibc has the
// function from 2.36 on; with this one the program also runs on older systems.
#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) void arc4random_buf(void* buffer, std::size_t size) noexcept {
  auto* next = static_cast<unsigned char*>(buffer);
  while (size > 0) {
    const ssize_t written = ::getrandom(next, size, 0);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) std::abort();  // as in glibc: there is no way to report it
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}
