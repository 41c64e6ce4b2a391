// A batch run against an index: pages known from an earlier crawl are removed, pages that the run keeps are added.
//
// Pages are looked up before any page of the run is added, and the pipeline stores the answers with the run, so a
// resumed run does not find its own pages. A restarted run is told which pages it had added, and passes over them.
// Adding is idempotent: an interrupted run simply adds everything again.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "api/collection_run.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/added_pages.h"
#include "engine/cluster_stage.h"
#include "engine/pipeline.h"
#include "memory/spill_hash_table.h"
#include "options/option_table.h"
#include "paraprint/index.h"
#include "paraprint/memory_pages.h"
#include "paraprint/read_options.h"
#include "profile/page_table.h"
#include "profile/profile_codec.h"

namespace paraprint {
namespace {

class IndexOfKnownPages : public KnownPagesSource {
 public:
  IndexOfKnownPages(std::string folder, const DedupOptions& options, const RunControl& control,
                    ProgressReporter& progress)
      : folder_(std::move(folder)), options_(options), control_(control), progress_(progress) {}

  std::string name() const override {
    const std::filesystem::path path = canonical_path(folder_);
    // A folder that does not exist yet keeps its trailing slash.
    return (path.has_filename() ? path : path.parent_path()).string();
  }

  std::string settings() const override {
    return fmt::format("remove-contained={}{}{}", options_.survivors.remove_contained,
                       identity_of(candidate_option_rows(), options_.candidates, kStageIdentity),
                       identity_of(match_option_rows(), options_.match, kStageIdentity));
  }

  // Closes the index again so that other processes can use it while pages are read.
  Status check(const std::string& identity) override {
    // A missing index is created later; until then the folder stays untouched.
    Status opened = open(identity, false);
    index_.reset();
    return opened || opened.error().code == ErrorCode::kNotFound ? Status{} : opened;
  }

  Result<KnownPages> find(const std::string& identity, const PageLog& log, const PageTable& pages,
                          const AddedPages& own) override {
    PARAPRINT_TRY(open(identity));
    KnownPages known(pages.budget());
    // Pages of equal text share one answer, whatever their site: its number in `known`, or kUnknownText.
    SpillHashTable<std::array<std::uint64_t, 2>, std::uint32_t> answers(pages.budget());
    progress_.begin("known", pages.size(), "pages");
    LookupOptions lookup;
    lookup.matches = kKnownMatchesLookedAt;
    // The equal text may be the run's own, and a page of an earlier crawl come after it.
    lookup.all = !own.empty();
    PARAPRINT_TRY(for_each_text(log, [&](std::uint32_t page, const Profile& profile, std::string_view) -> Status {
      progress_.update(page + 1);
      PARAPRINT_ASSIGN(std::uint32_t* const answer, answers.find_or_add(profile.text_hash, kNewText));
      // Mirrors of a text looked up before reuse its answer; a crawl may have 100,000 of them.
      if (*answer == kUnknownText) return {};
      if (*answer != kNewText) return known.add_like(page, *answer - kFirstAnswer);
      IndexPageInput input = input_of(pages, page, profile);
      if (input.id.size() > kPageNameBytesMaximum) input.id = {};  // no index has a page of this id
      PARAPRINT_ASSIGN(const LookupOutcome found, index_->lookup(input, lookup));
      const std::optional<KnownPage> removal = removal_of(found, own);
      *answer = removal ? kFirstAnswer + static_cast<std::uint32_t>(known.size()) : kUnknownText;
      return removal ? known.add(page, *removal) : Status{};
    }));
    progress_.end();
    return known;
  }

  Result<IndexAdditions> add_kept(const std::string& identity, const PageLog& log, const PageTable& pages,
                                  const Decisions& decisions) override {
    PARAPRINT_TRY(open(identity));
    IndexAdditions additions;
    progress_.begin("add", pages.size(), "pages");
    PARAPRINT_TRY(
        for_each_text(log, [&](std::uint32_t page, const Profile& profile, std::string_view origin) -> Status {
          if (!is_kept(decisions, page)) return {};
          IndexPageInput input = input_of(pages, page, profile);
          const std::string id = index_id(input.id, pages.row(page).has_id_of_place, input.url, profile.text_hash);
          input.id = id;
          input.origin = origin;
          PARAPRINT_TRY(add(input, additions));
          progress_.update(page + 1);
          return {};
        }));
    progress_.end();
    PARAPRINT_TRY(index_->sync());
    return additions;
  }

 private:
  // Values of the table of answers: 0 would mean absent, kFirstAnswer + n is the n-th known page.
  static constexpr std::uint32_t kNewText = 1;
  static constexpr std::uint32_t kUnknownText = 2;
  static constexpr std::uint32_t kFirstAnswer = 3;

  Status open(const std::string& identity, bool create_if_missing = true) {
    if (index_) return {};
    IndexOptions options;
    options.create_if_missing = create_if_missing;
    options.identity = identity;
    options.match = options_.match;
    options.candidates = known_search_options(options_);
    // An interrupted run adds its pages again, so one sync at the end is enough.
    options.sync = SyncMode::kNone;
    PARAPRINT_ASSIGN(std::unique_ptr<PageIndex> index, PageIndex::open(folder_, options, control_));
    index_ = std::move(index);
    return {};
  }

  // A page that no index takes is no reason to do without all others.
  Status add(const IndexPageInput& page, IndexAdditions& additions) {
    const Result<PageChange> change = index_->add(page);
    if (!change && index_->is_about_page(change.error())) {
      progress_.warn(change.error().message);
      ++additions.left_out;
      return {};
    }
    PARAPRINT_TRY(change);
    additions.replaced += *change == PageChange::kChanged ? 1 : 0;
    return {};
  }

  // Visits the pages that have text, in the order of the log. EMPTY pages are counted but never looked up or added, nor
  // are those that the run does not compare. `origin`: empty unless the run keeps it (OutputOptions::provenance).
  using TextVisitor = std::function<Status(std::uint32_t page, const Profile& profile, std::string_view origin)>;
  static Status for_each_text(const PageLog& log, const TextVisitor& visit) {
    Profile profile;
    std::uint32_t page = 0;
    return log.read(
        [&](const LoggedPage& logged) -> Status {
          const std::uint32_t number = page++;
          if (!logged.is_compared) return {};
          PARAPRINT_TRY(decode_profile(logged.profile, profile));
          return profile.content_characters == 0 ? Status{} : visit(number, profile, logged.origin);
        },
        [](const PageBatch&) -> Status { return {}; });
  }

  static IndexPageInput input_of(const PageTable& pages, std::uint32_t page, const Profile& profile) {
    IndexPageInput input;
    input.id = pages.id(page);
    input.url = pages.url(page);
    input.date = pages.date(page);
    input.profile = &profile;
    return input;
  }

  // The known page that replaces this one, if any; not one of `own`. Its strings are views into `answer`.
  std::optional<KnownPage> removal_of(const LookupOutcome& answer, const AddedPages& own) const {
    for (const IndexMatch& match : answer.matches) {
      if (!is_replaced_by_known(match.verdict, options_.survivors)) continue;
      if (!own.empty() && own.contains(match.page.id)) continue;
      return KnownPage{match.page.id,     match.page.url,          match.verdict,
                       match.resemblance, match.containment_asked, match.containment_known};
    }
    return {};
  }

  std::string folder_;
  const DedupOptions& options_;
  const RunControl& control_;
  ProgressReporter& progress_;
  std::unique_ptr<PageIndex> index_;
};

// Whatever the pages come from.
Result<DedupOutcome> run_with_index(const DedupOptions& options, const std::string& index_folder,
                                    const RunControl& control, const MemoryRun* memory) {
  if (options.profile.algorithm != "paragraph") {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("an index requires the paragraph method; '{}' cannot be used with one", options.profile.algorithm));
  }
  const StopScope scope(control.stop);
  ProgressReporter reporter(control);
  IndexOfKnownPages index(index_folder, options, control, reporter);
  return run_pipeline(options, RunMode::kResume, reporter, &index, memory);
}

}  // namespace

Result<DedupOutcome> deduplicate_with_index(const DedupOptions& options, const std::string& index_folder,
                                            const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  return run_with_index(options, index_folder, control, nullptr);
}

Result<DedupOutcome> deduplicate_with_index(const PageSequence& pages, const DedupOptions& options,
                                            const std::string& index_folder, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const CollectionRun run, CollectionRun::create(pages, options));
  return run_with_index(run.options, index_folder, control, &run.memory);
}

}  // namespace paraprint
