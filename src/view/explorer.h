// Everything that the explorer has of a run, and its loading in the background: the page can be opened at once, and
// shows what summary.json says until the rest is there.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/progress.h"
#include "paraprint/result.h"
#include "paraprint/view.h"
#include "view/copies/run_origins.h"
#include "view/judging.h"
#include "view/loading.h"
#include "view/origin_figures.h"
#include "view/ruling_files.h"
#include "view/run_figures.h"
#include "view/run_store.h"
#include "view/text_reader.h"
#include "view/threshold_sweep.h"

namespace paraprint::inline explorer {

// Threads: load() on one; all others may read what is there (is_ready(), has_outcomes()).
class Explorer {
 public:
  // Errors: those of RunStore::open().
  static Result<std::unique_ptr<Explorer>> open(const DedupOptions& run, const ViewOptions& options);

  // Loads everything, in this order. Errors: those of RunStore::load() and of the parts.
  Status load(const RunControl& control);

  const RunStore& store() const { return *store_; }
  LoadingStep step() const { return loading_.step(); }

  // Whether all below may be used, except outcomes().
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  const RunFigures& figures() const { return *figures_; }
  // Where pages come from; is_there() tells whether the run has that.
  const RunOrigins& origins() const { return *origins_; }
  const OriginFigures& origin_figures() const { return origin_figures_; }
  const SliderSweep& sweep() const { return *sweep_; }
  TextReader& texts() { return *texts_; }
  RulingFiles& rulings() { return *rulings_; }
  // Null if this program has no laboratory. Lock judging_mutex() before using it.
  JudgingSession* judging() { return judging_.get(); }
  std::mutex& judging_mutex() { return judging_mutex_; }
  // Why there is no judging(); empty if there is, or if the program cannot judge at all.
  const std::string& no_judging() const { return no_judging_; }

  bool has_outcomes() const { return has_outcomes_.load(std::memory_order_acquire); }
  const std::vector<ThresholdOutcome>& outcomes() const { return outcomes_; }

 private:
  explicit Explorer(const ViewOptions& options) : options_(options) {}
  Status load_parts(ProgressReporter& reporter);

  ViewOptions options_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<RunFigures> figures_;
  std::unique_ptr<RunOrigins> origins_;
  OriginFigures origin_figures_;
  std::unique_ptr<SliderSweep> sweep_;
  std::unique_ptr<TextReader> texts_;
  std::unique_ptr<RulingFiles> rulings_;
  std::unique_ptr<JudgingSession> judging_;
  std::mutex judging_mutex_;
  std::string no_judging_;
  std::vector<ThresholdOutcome> outcomes_;
  LoadingState loading_;
  std::atomic<bool> is_ready_ = false;
  std::atomic<bool> has_outcomes_ = false;
};

}  // namespace paraprint::inline explorer
