// The parts are made one after the other, each from those before.
#include "view/explorer.h"

#include <utility>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline explorer {
namespace {

OpenJudging judging_of_program = nullptr;

}  // namespace

OpenJudging judging_hook() {
  return judging_of_program;
}
void set_judging_hook(OpenJudging open) {
  judging_of_program = open;
}

Result<std::unique_ptr<Explorer>> Explorer::open(const DedupOptions& run, const ViewOptions& options) {
  DedupOptions of_run = run;
  of_run.resources.memory = options.memory;
  of_run.resources.tmp = options.tmp;
  of_run.resources.threads = options.threads;
  std::unique_ptr<Explorer> explorer(new Explorer(options));
  PARAPRINT_ASSIGN(explorer->store_, RunStore::open(of_run));
  return explorer;
}

Status Explorer::load(const RunControl& control) {
  const StopScope scope(control.stop);
  const RunControl watched = loading_.watched(control);
  ProgressReporter reporter(watched);
  PARAPRINT_TRY(load_parts(reporter));
  loading_.set_step({});
  return {};
}

// A file of judgements that cannot be used is no reason to show nothing.
Status Explorer::load_parts(ProgressReporter& reporter) {
  PARAPRINT_TRY(store_->load(reporter));
  loading_.set_step({"figures", 0, 0});
  PARAPRINT_ASSIGN(figures_, RunFigures::create(*store_));
  origins_ = std::make_unique<RunOrigins>(store_->pages());
  PARAPRINT_TRY(
      origins_->load(store_->options().output.out + "/provenance.jsonl", store_->cluster_numbers(), reporter));
  origin_figures_ = count_origins(*origins_, *figures_, store_->pages().size());
  PARAPRINT_ASSIGN(sweep_, SliderSweep::create(*store_));
  PARAPRINT_ASSIGN(texts_, TextReader::create(*store_));
  rulings_ = std::make_unique<RulingFiles>(*store_);
  PARAPRINT_TRY(rulings_->load());
  if (const OpenJudging open_judging = judging_hook()) {
    const std::string path =
        options_.judgements.empty() ? store_->options().output.out + "/judgements.jsonl" : options_.judgements;
    Result<std::unique_ptr<JudgingSession>> session = open_judging(*store_, path);
    if (session) {
      judging_ = std::move(*session);
    } else {
      no_judging_ = session.error().message;
    }
  }
  is_ready_.store(true, std::memory_order_release);
  if (!store_->no_thresholds().empty()) return {};
  PARAPRINT_ASSIGN(outcomes_, sweep_->run(slider_thresholds(store_->options().match.near), reporter));
  has_outcomes_.store(true, std::memory_order_release);
  return {};
}

}  // namespace paraprint::inline explorer
