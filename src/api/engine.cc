// The public calls of include/paraprint/engine.h, implemented on the stages. Options are validated here, before
// anything is read or written: an invalid option must not leave an output folder behind.
#include "paraprint/engine.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/pipeline.h"
#include "engine/work_folder.h"
#include "profile/fingerprint_set.h"
#include "profile/page_match.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"
#include "provenance/origin_record.h"
#include "verify/paragraph_matching.h"

namespace paraprint {

Result<DedupOutcome> deduplicate(const DedupOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  ProgressReporter reporter(control);
  return run_pipeline(options, RunMode::kResume, reporter);
}

// The same pipeline: what differs is that stored pages and scores are required instead of optional.
Result<DedupOutcome> recluster(const DedupOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  ProgressReporter reporter(control);
  return run_pipeline(options, RunMode::kRecluster, reporter);
}

std::string stored_options_path(const std::string& out_folder) {
  return options_path_of(out_folder);
}

Status store_options(const std::string& out_folder, std::string_view text) {
  return write_file_atomically(options_path_of(out_folder), text);
}

// Both parts are built by create(): the identity reads synonym and topic files, so it can fail, and an accessor must
// not.
class Profiler::Implementation {
 public:
  std::unique_ptr<PageProfiler> profiler;
  std::string identity;
  bool keeps_origin = false;
};

Profiler::Profiler(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Profiler::Profiler(Profiler&&) noexcept = default;
Profiler& Profiler::operator=(Profiler&&) noexcept = default;
Profiler::~Profiler() = default;

Result<Profiler> Profiler::create(const ProfileOptions& options, const ExtractDetail& detail) {
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                   PageProfiler::create(options, WordWeights::bundled(), detail));
  auto implementation = std::make_unique<Implementation>();
  implementation->profiler = std::move(profiler);
  implementation->keeps_origin = detail.provenance;
  PARAPRINT_ASSIGN(std::string identity, paraprint::settings_identity(options, WordWeights::bundled()));
  implementation->identity = std::move(identity);
  return Profiler(std::move(implementation));
}

const MainContent& Profiler::extract(const Page& page) {
  return implementation_->profiler->extract(page);
}
const Profile& Profiler::profile(const Page& page) {
  return implementation_->profiler->profile(page);
}
Result<const MainContent*> Profiler::extract(const Page& page, const RunControl& control) {
  StopCheck stop(control.stop);
  return implementation_->profiler->extract(page, stop);
}
Result<const Profile*> Profiler::profile(const Page& page, const RunControl& control) {
  StopCheck stop(control.stop);
  return implementation_->profiler->profile(page, stop);
}
const MainContent& Profiler::content() const {
  return implementation_->profiler->content();
}
Result<std::string> Profiler::markdown(const RunControl& control) {
  StopCheck stop(control.stop);
  return implementation_->profiler->markdown(stop);
}
Result<PageMetadata> Profiler::metadata(const RunControl& control) {
  StopCheck stop(control.stop);
  return implementation_->profiler->metadata(stop);
}
Result<std::string> Profiler::origin(const RunControl& control) {
  if (!implementation_->keeps_origin) return std::string();
  StopCheck stop(control.stop);
  PageProfiler& profiler = *implementation_->profiler;
  PARAPRINT_ASSIGN(StatedOrigin stated, profiler.stated_origin(stop));
  return encoded_origin(std::move(stated), profiler.features());
}
const PageFingerprint& Profiler::fingerprint() const {
  return implementation_->profiler->page_fingerprint();
}
const std::string& Profiler::settings_identity() const {
  return implementation_->identity;
}

// Profiles alone, without pages: there is no site, so no paragraph counts as boilerplate (the two empty spans). Page
// numbers 0 and 1 are a and b.
Result<CompareOutcome> compare(const Profile& a, const Profile& b, const MatchOptions& options) {
  PARAPRINT_TRY(options.validate());
  CompareOutcome pair;
  pair.match = match_of(ParagraphMatcher(options).score(a, b, {}, {}, &pair.spans), 0, 1, options);
  return pair;
}

Result<Match> compare(const FingerprintedPage& a, const FingerprintedPage& b, std::string_view specification,
                      const MatchOptions& options) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(specification));
  if (algorithm.is_paragraph_method()) {
    return failure(ErrorCode::kInvalidArgument, "the paragraph method compares profiles, not page fingerprints");
  }
  const std::unique_ptr<PageFingerprinter> fingerprinter = algorithm.make();
  for (const FingerprintedPage* const page : {&a, &b}) {
    if (page->fingerprint.state == FingerprintState::kUsable && !fingerprinter->has_shape(page->fingerprint)) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("a page fingerprint was not made by {}", algorithm.canonical));
    }
  }
  const FingerprintSet pair(algorithm, {a.fingerprint, b.fingerprint});
  return pair.match(0, 1, a.content_characters, b.content_characters, options);
}

std::vector<NamedChoice> extractor_names() {
  std::vector<NamedChoice> names;
  for (const ExtractorRow& row : extractors()) names.push_back({row.name, row.summary});
  return names;
}

}  // namespace paraprint
