// The operating system's answers. Only Linux gives each boot an id and says when it began.
#include "crawl/crawl_system.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <random>
#include <string_view>

namespace paraprint::inline crawler {

std::int64_t CrawlSystem::unix_milliseconds() const {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

CrawlSystem::Time CrawlSystem::now() const {
  return std::chrono::steady_clock::now();
}

// Linux gives each boot a random id. Elsewhere both values stay empty, and every journal counts as one of another boot.
Boot CrawlSystem::boot() const {
  Boot boot;
  std::ifstream id("/proc/sys/kernel/random/boot_id");
  std::getline(id, boot.id);
  std::ifstream statistics("/proc/stat");
  for (std::string line; std::getline(statistics, line);) {
    constexpr std::string_view kName = "btime ";
    if (!line.starts_with(kName)) continue;
    std::from_chars(line.data() + kName.size(), line.data() + line.size(), boot.began_at_seconds);
  }
  return boot;
}

std::string CrawlSystem::random_id() const {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

// Linux allows 64 bytes, POSIX 255. A name that is cut off may lack its NUL.
std::string CrawlSystem::host_name() const {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

const CrawlSystem& CrawlSystem::real() {
  static const CrawlSystem system;
  return system;
}

}  // namespace paraprint::inline crawler
