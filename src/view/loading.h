// How far loading in the background is, and serving the page meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/progress.h"
#include "paraprint/result.h"
#include "paraprint/view.h"
#include "serve/http_service.h"

namespace paraprint::inline explorer {

struct LoadingStep {
  std::string stage;  // "pages", "pairs", "clusters", "figures", "provenance", "thresholds"; empty: nothing left to do
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// Threads: any number.
class LoadingState {
 public:
  LoadingStep step() const {
    const std::lock_guard lock(mutex_);
    return step_;
  }
  void set_step(const LoadingStep& step) {
    const std::lock_guard lock(mutex_);
    step_ = step;
  }
  // `control` with steps that also become the step of this state, which must outlive the copy.
  RunControl watched(const RunControl& control);

 private:
  mutable std::mutex mutex_;
  LoadingStep step_{"pages", 0, 0};
};

// Listens, calls `load` on a thread of its own, and answers until `control.stop` is set, which is a success. Errors:
// kInputOutput if it cannot listen on the address, and those of `load`, which end it.
Status serve_while_loading(HttpService& service, const ViewOptions& options, const RunControl& control,
                           const ViewEvents& events, const std::function<Status(const RunControl&)>& load);

}  // namespace paraprint::inline explorer
