// Shared by the fuzzers of the service: a service with an index in a temporary folder.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "serve/page_service.h"

namespace paraprint {

class ScratchService {
 public:
  explicit ScratchService(ServeOptions options = {}) {
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
    options.data = folder_;
    options.index.sync = SyncMode::kNone;
    options.index.head_pages = 64;
    Result<std::unique_ptr<PageService>> service = PageService::open(options);
    if (!service) std::abort();
    service_ = std::move(*service);
  }
  ~ScratchService() {
    service_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchService(const ScratchService&) = delete;
  ScratchService& operator=(const ScratchService&) = delete;
  PageService& operator*() { return *service_; }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "paraprint_fuzz_XXXXXX").string();
  std::unique_ptr<PageService> service_;
};

// A ParallelRunner of one thread.
inline void run_parts(std::size_t count, const std::function<void(std::size_t)>& action) {
  for (std::size_t i = 0; i < count; ++i) action(i);
}

}  // namespace paraprint
