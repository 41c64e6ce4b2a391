// Migrating an index, step by step, from the format it has to the newest one.
//
// A step adds to the database what the next format needs, and takes nothing away that the format before it reads; what
// it writes is synced before the file "format" names the next one. So whenever the call is killed, the older build or
// this one opens the index, and the step is simply made again. What a later format no longer needs may be removed by
// the step after, or stay. Search tables and site templates are not part of a step: opening the index rebuilds what is
// older.
//
// To add a format: a row in kIndexFormats (index_format.h), a step here, and an index made by the last release with the
// older one in tests/cli/data (docs/formats/index.md#versions).
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/folder_lock.h"
#include "online/index_format.h"
#include "online/published_snapshots.h"
#include "paraprint/index.h"
#include "profile/profile_versions.h"
#include "store/index_database.h"

namespace paraprint::inline online {
namespace {

struct MigrationStep {
  std::uint32_t from = 0;  // to the next version
  std::string_view what;
  // Whether this index can be converted. May be null.
  Status (*check)(const IndexDatabase& database);
  // Adds the changes that make the step.
  Status (*convert)(const IndexDatabase& database, IndexBatch& batch);
};

Result<std::string> stored_identity(const IndexDatabase& database) {
  std::string identity;
  PARAPRINT_ASSIGN(const bool is_there, database.get_setting("identity", identity));
  if (is_there) return identity;
  return failure(ErrorCode::kCorruptData,
                 "the index has lost its settings; restore a backup ('paraprint index restore')");
}

// Format 4 was kept when the hashes of texts became others, and then refused the profiles for their identity.
Status check_profiles_of_format_4(const IndexDatabase& database) {
  PARAPRINT_ASSIGN(const std::string identity, stored_identity(database));
  const std::uint32_t version = profile_format_of(identity);
  if (version == 0 || version == kIndexFormat.profiles) return {};
  return failure(ErrorCode::kUnsupported,
                 fmt::format("its profiles have format {}, from before the first release. Their hashes of texts are "
                             "others, and can only be made again from the pages: add them to a new index with "
                             "'paraprint index add'",
                             version));
}

// The rules under which these profiles were made have no number, so they count as others than those of any release.
Status add_first_generation(const IndexDatabase& database, IndexBatch& batch) {
  PARAPRINT_ASSIGN(const std::string identity, stored_identity(database));
  database.put_setting(batch, "generations", encode_profile_generations({{0, identity}}));
  return {};
}

Status add_nothing(const IndexDatabase&, IndexBatch&) {
  return {};
}

constexpr std::array kSteps = {
    MigrationStep{4, "note in the database which version of the rules its profiles were made under",
                  check_profiles_of_format_4, add_first_generation},
    // Opening the database has added it.
    MigrationStep{5, "add a table for what pages state of their publication", nullptr, add_nothing},
};

constexpr bool leads_to_newest() {
  if (kSteps.size() + 1 != kIndexFormats.size()) return false;
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    if (kSteps[i].from != kIndexFormats[i].version || kIndexFormats[i + 1].version != kSteps[i].from + 1) return false;
  }
  return true;
}
static_assert(leads_to_newest(), "every format before the newest one needs a step");

// The steps from the format of the index on. Errors: those of check_index_format() for one without a way.
Result<std::vector<const MigrationStep*>> steps_of(const std::string& folder, std::uint32_t from) {
  std::vector<const MigrationStep*> steps;
  if (from < kOldestIndexFormat || from > kIndexFormat.version) {
    PARAPRINT_TRY(check_index_format(folder));
  }
  for (const MigrationStep& step : kSteps) {
    if (step.from >= from) steps.push_back(&step);
  }
  return steps;
}

tl::unexpected<Error> not_migrated(const std::string& folder, const Error& error) {
  return failure(error.code, fmt::format("the index {} cannot be migrated: {}", folder, error.message));
}

// Requires the lock. With kRead, only checks whether the steps can be made.
Status walk(const std::string& folder, const std::vector<const MigrationStep*>& steps, DatabaseAccess access) {
  if (steps.empty()) return {};
  PARAPRINT_ASSIGN(const std::unique_ptr<IndexDatabase> database, IndexDatabase::open(folder + "/database", access));
  for (const MigrationStep* step : steps) {
    PARAPRINT_TRY(check_stop());
    if (step->check != nullptr) PARAPRINT_TRY(step->check(*database));
    if (access == DatabaseAccess::kRead) continue;
    IndexBatch batch;
    PARAPRINT_TRY(step->convert(*database, batch));
    PARAPRINT_TRY(database->write(batch));
    PARAPRINT_TRY(database->sync());
    PARAPRINT_TRY(write_index_format(folder, step->from + 1));
  }
  return {};
}

Result<IndexMigration> migrate(const std::string& folder, DatabaseAccess access) {
  // Before anything is locked: a folder that is not an index stays untouched.
  PARAPRINT_TRY(read_index_format(folder));
  PARAPRINT_ASSIGN(const FolderLock lock,
                   access == DatabaseAccess::kRead ? FolderLock::shared(folder) : FolderLock::exclusive(folder));
  IndexMigration migration;
  migration.to = kIndexFormat.version;
  PARAPRINT_ASSIGN(migration.from, read_index_format(folder));
  PARAPRINT_ASSIGN(const std::vector<const MigrationStep*> steps, steps_of(folder, migration.from));
  for (const MigrationStep* step : steps) {
    migration.steps.push_back(fmt::format("format {} to {}: {}", step->from, step->from + 1, step->what));
  }
  if (Status walked = walk(folder, steps, access); !walked) return not_migrated(folder, walked.error());
  return migration;
}

}  // namespace
}  // namespace paraprint::inline online

namespace paraprint {

Result<IndexMigration> plan_index_migration(const std::string& folder) {
  return migrate(folder, DatabaseAccess::kRead);
}

Result<IndexMigration> migrate_index(const std::string& folder, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(IndexMigration migration, migrate(folder, DatabaseAccess::kChange));
  IndexOptions options;
  options.create_if_missing = false;
  PARAPRINT_ASSIGN(const std::unique_ptr<PageIndex> index, PageIndex::open(folder, options, control));
  // Readers of this build need a snapshot of this format.
  PARAPRINT_ASSIGN(const std::optional<PublishedSnapshot> published, read_published_snapshot(folder));
  if (published) PARAPRINT_TRY(index->snapshot(control));
  return migration;
}

}  // namespace paraprint
