// Shared by the fuzzers of the service: a service with an index in a temporary folder.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>

#include "serve/page_service.h"
#include "temporary_folder.h"

namespace paraprint {

class ScratchService {
 public:
  explicit ScratchService(ServeOptions options = {}) {
    options.data = folder_.path();
    options.index.sync = SyncMode::kNone;
    options.index.head_pages = 64;
    Result<std::unique_ptr<PageService>> service = PageService::open(options);
    if (!service) std::abort();
    service_ = std::move(*service);
  }
  PageService& operator*() { return *service_; }

 private:
  TemporaryFolder folder_;  // outlives the service
  std::unique_ptr<PageService> service_;
};

// A ParallelRunner of one thread.
inline void run_parts(std::size_t count, const std::function<void(std::size_t)>& action) {
  for (std::size_t i = 0; i < count; ++i) action(i);
}

}  // namespace paraprint
