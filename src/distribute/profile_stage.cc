// First stage of a distributed run: inputs -> facts and profiles, with the reading stage of a run in one process. A
// file is read into an unnamed page log first and streamed from there batch by batch, so memory does not depend on its
// size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "distribute/batched_page.h"
#include "distribute/fingerprint_index.h"
#include "distribute/inputs/find_input.h"
#include "distribute/inputs/row_pages.h"
#include "distribute/page_weights.h"
#include "distribute/records.h"
#include "engine/read_stage.h"
#include "options/option_table.h"
#include "paraprint/distributed.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_conversions.h"
#include "profile/page_log.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "report/json_writer.h"

namespace paraprint {

using namespace distribute;

namespace {

// Broken records of a batch that are described; all are counted. Bounds the reports that the driver collects.
constexpr std::size_t kBrokenNamed = 20;

// Ids of a batch that are sampled. The ends of ranges need not be exact.
constexpr std::size_t kSampledIds = 4;

// Counters and defects of a batch as JSON, which the driver adds up without knowing their names.
std::string notes_of(const Counters& counters, const std::vector<Defect>& defects) {
  JsonWriter json;
  json.begin_object();
  json.key("counters");
  json.begin_object();
  for (const auto& [name, amount] : counters) json.member(name, amount);
  json.end_object();
  std::uint64_t broken = 0;
  for (const Defect& defect : defects) broken += defect.count;
  json.member("broken_records", broken);
  json.key("broken");
  json.begin_array();
  for (std::size_t i = 0; i < std::min(defects.size(), kBrokenNamed); ++i) json.value(describe(defects[i]));
  json.end_array();
  json.member("is_unreadable", std::any_of(defects.begin(), defects.end(), [](const Defect& defect) {
                return defect.kind == DefectKind::kUnreadableFile;
              }));
  json.end_object();
  return json.take();
}

// The options were checked: the algorithm exists.
bool is_page_level(const DedupOptions& options) {
  const Result<AlgorithmChoice> algorithm = choose_algorithm(options.profile.algorithm);
  return algorithm && !algorithm->is_paragraph_method();
}

// The ids with the smallest hashes.
class IdSample {
 public:
  void add(std::string_view id) {
    const std::uint64_t hash = hash64(id);
    if (ids_.size() == kSampledIds && hash >= ids_.back().first) return;
    if (ids_.size() == kSampledIds) ids_.pop_back();
    const auto place = std::upper_bound(ids_.begin(), ids_.end(), hash,
                                        [](std::uint64_t value, const auto& other) { return value < other.first; });
    ids_.emplace(place, hash, id);
  }

  std::vector<std::string> take() {
    std::vector<std::string> taken;
    for (auto& [hash, id] : std::exchange(ids_, {})) taken.push_back(std::move(id));
    return taken;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::string>> ids_;  // ascending
};

// Facts are kept apart from profiles: the driver reads the facts of all pages, and no profile.
// `text_hash` tells equal texts: that of the profile, or of the fingerprint under a page-level algorithm.
void add_facts(DriverPage page, const std::array<std::uint64_t, 2>& text_hash, std::uint32_t content_characters,
               ProfiledPages& pages) {
  page.text_hash = text_hash;
  page.content_characters = content_characters;
  ByteWriter out(pages.facts);
  write_page(page, out);
}

class ProfileStageImplementation : public ProfileStage {
 public:
  ProfileStageImplementation(const DedupOptions& options, std::string temporary_folder, PageWeights weights,
                             std::unique_ptr<PageProfiler> profiler)
      : options_(options),
        is_page_level_(is_page_level(options)),
        temporary_folder_(std::move(temporary_folder)),
        weights_(std::move(weights)),
        profiler_(std::move(profiler)) {}

  Status profile_file(const DistributedInput& given, std::uint32_t file_index,
                      const std::function<Status(ProfiledPages&&)>& visit, const RunControl& control) override;
  ProfiledPages profile_rows(std::span<const PageInputRow> rows) override;

 private:
  bool add_row(const PageInputRow& row, ProfiledPages& pages, Counters& counters, std::vector<Defect>& defects);

  DedupOptions options_;
  const bool is_page_level_;
  std::string temporary_folder_;
  PageWeights weights_;
  std::unique_ptr<PageProfiler> profiler_;
};

// Languages are identified for the counters alone. A page-level algorithm does without: it would take longer than all
// the rest of its profiles. The stage sees a single input with index 0; the file's number in the run is put into the
// facts afterwards.
Status ProfileStageImplementation::profile_file(const DistributedInput& given, std::uint32_t file_index,
                                                const std::function<Status(ProfiledPages&&)>& visit,
                                                const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(InputFile input, inputs::find_input(given, options_.reading));
  const std::vector<InputFile> inputs{std::move(input)};
  PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, PageLog::create_nameless(temporary_folder_));
  // One thread: parallelism comes from running many tasks.
  ProgressReporter progress(control);
  Status read = read_and_profile(inputs, options_, 1, weights_.get(), !is_page_level_, *log, progress);
  if (!read) return read;
  // Originals are looked for in the same file.
  PARAPRINT_TRY(leave_out_conversions(*log, nullptr));
  ProfiledPages pages;
  IdSample sample;
  return log->read(
      [&](const LoggedPage& page) -> Status {
        Profile head;
        PARAPRINT_TRY(decode_profile_head(page.profile, head));
        PageFingerprint fingerprint;
        if (is_page_level_) PARAPRINT_TRY(decode_fingerprint(page.fingerprint, fingerprint));
        RecordLocation location = page.location;
        location.file_index = file_index;
        DriverPage facts{location, page.format, page.language, page.id, page.url, page.date};
        facts.has_id_of_place = page.has_id_of_place;
        add_facts(facts, is_page_level_ ? fingerprint.text_hash : head.text_hash, head.content_characters, pages);
        write_batched_page({page.profile, page.fingerprint}, pages.profiles);
        sample.add(page.id);
        ++pages.pages;
        return {};
      },
      [&](const PageBatch& batch) -> Status {
        pages.notes = notes_of(batch.counters, batch.defects);
        pages.sampled_ids = sample.take();
        return visit(std::exchange(pages, {}));
      });
}

// Counts and profiles as the reading stage does for records, so that a table and an archive give the same counters.
bool ProfileStageImplementation::add_row(const PageInputRow& row, ProfiledPages& pages, Counters& counters,
                                         std::vector<Defect>& defects) {
  DecodedRecord decoded = inputs::decode_row(row, options_.reading, counters);
  for (Defect& defect : decoded.defects) defects.push_back(std::move(defect));
  count(counters, fmt::format("pages_{}", page_outcome_name(decoded.outcome)));
  if (decoded.outcome != PageOutcome::kAccepted) return false;
  const Page& page = decoded.page;
  const Profile& profile = profiler_->profile(page);
  LanguageCode language;
  if (!is_page_level_) {
    language = profiler_->language();
    count(counters, fmt::format("language_{}", language.text()));
  }
  const PageFingerprint& fingerprint = profiler_->page_fingerprint();
  add_facts({page.location, page.format, language, page.id, page.url, page.date},
            is_page_level_ ? fingerprint.text_hash : profile.text_hash, profile.content_characters, pages);
  std::string encoded;
  encode_profile(profile, encoded);
  std::string encoded_fingerprint;
  if (is_page_level_) encode_fingerprint(fingerprint, encoded_fingerprint);
  write_batched_page({encoded, encoded_fingerprint}, pages.profiles);
  ++pages.pages;
  return true;
}

// The rows of one call are one batch, with one set of counters.
ProfiledPages ProfileStageImplementation::profile_rows(std::span<const PageInputRow> rows) {
  ProfiledPages pages;
  Counters counters;
  std::vector<Defect> defects;
  IdSample sample;
  for (const PageInputRow& row : rows) {
    if (add_row(row, pages, counters, defects)) sample.add(row.id);
  }
  pages.notes = notes_of(counters, defects);
  pages.sampled_ids = sample.take();
  return pages;
}

}  // namespace

// Inputs and output folder may come later or from elsewhere (a table), so validation gets placeholders. The settings
// identity is computed because that loads synonym lists and models, and so reports unreadable ones early.
Status check_distributed(const DedupOptions& options) {
  DedupOptions checked = options;
  if (checked.inputs.empty()) checked.inputs = {"table"};
  if (checked.output.out.empty()) checked.output.out = "out";
  checked.output.report = false;  // a divided run writes none
  PARAPRINT_TRY(checked.validate());
  PARAPRINT_TRY(page_level_index(options));
  if (options.output.payloads) {
    return failure(ErrorCode::kUnsupported,
                   "payloads is on, but a distributed run reads pages only; run `paraprint payloads` on its records");
  }
  if (options.output.cdx != CdxForm::kNone) {
    return failure(ErrorCode::kUnsupported,
                   "cdx is set, but a distributed run writes no index; run `paraprint cdx` on its records");
  }
  if (!options.survivors.score_field().empty() || ranks_statements(options)) {
    return failure(ErrorCode::kUnsupported, fmt::format("keep is '{}', but a distributed run reads no scores and dates",
                                                        options.survivors.keep));
  }
  if (!options.survivors.languages.empty()) {
    return failure(ErrorCode::kUnsupported,
                   "languages is set, but a distributed run compares all pages; filter them before, by the language "
                   "that `paraprint extract` prints");
  }
  if (!options.survivors.never.empty() || !options.survivors.always.empty()) {
    return failure(ErrorCode::kUnsupported, "never or always is set, but a distributed run knows pages by number only");
  }
  if (options.output.annotate) {
    return failure(ErrorCode::kUnsupported,
                   "annotate is on, but a distributed run removes pages; join clusters.tsv and removed.jsonl by id");
  }
  if (options.output.trim) {
    return failure(ErrorCode::kUnsupported, "trim is on, but the tasks of a distributed run have no page texts");
  }
  if (options.output.provenance) {
    return failure(ErrorCode::kUnsupported,
                   "provenance is on, but the tasks of a distributed run keep nothing of what pages state");
  }
  if (options.match.align_words) {
    return failure(ErrorCode::kUnsupported, "align_words is on, but the tasks of a distributed run have no page texts");
  }
  PARAPRINT_TRY(settings_identity(options.profile, WordWeights::bundled()));
  return {};
}

// Unreadable lists and models were reported by check_distributed(), so the identity is available here.
std::string distributed_identity(const DedupOptions& options) {
  return fmt::format("distributed/{} {}{}{}{}", kDistributedFormatVersion,
                     settings_identity(options.profile, WordWeights::bundled()).value_or(std::string()),
                     identity_of(candidate_option_rows(), options.candidates, kStageIdentity),
                     identity_of(match_option_rows(), options.match, kStageIdentity),
                     identity_of(survivor_option_rows(), options.survivors, kStageIdentity));
}

Result<std::string> distributed_settings_identity(const DedupOptions& options, std::string_view words) {
  PARAPRINT_ASSIGN(const PageWeights weights, PageWeights::read(options.profile, words));
  return settings_identity(options.profile, weights.get());
}

Result<std::unique_ptr<ProfileStage>> ProfileStage::create(const DedupOptions& options, std::string temporary_folder,
                                                           std::string_view words) {
  PARAPRINT_TRY(check_distributed(options));
  PARAPRINT_ASSIGN(PageWeights weights, PageWeights::read(options.profile, words));
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(options.profile, weights.get()));
  return std::make_unique<ProfileStageImplementation>(options, std::move(temporary_folder), std::move(weights),
                                                      std::move(profiler));
}

// Every quantile of the sample begins a range. Ranges may be empty, if an id is sampled several times.
std::vector<std::string> id_ranges(std::vector<std::string> sampled_ids, std::uint32_t ranges) {
  std::sort(sampled_ids.begin(), sampled_ids.end());
  std::vector<std::string> first;
  for (std::uint32_t range = 1; range < ranges && !sampled_ids.empty(); ++range) {
    first.push_back(sampled_ids[sampled_ids.size() * range / ranges]);
  }
  return first;
}

}  // namespace paraprint
