// Backups: a copy of the files as of one moment. The search tables are copied first, so the database, which is copied
// after them, contains every text they contain. Texts that only the database has are replayed when the copy is opened.
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"
#include "online/index_copy.h"
#include "online/index_format.h"
#include "online/page_index_state.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> file_failure(std::string_view action, const std::string& path, const std::error_code& failed) {
  return tl::unexpected<Error>(system_error(action, path, failed.value()));
}

// Table files are never modified after they were written, so a hard link is as good as a copy and costs no space until
// the index replaces the file. Linking fails across file systems.
Status link_or_copy(const std::string& from, const std::string& to) {
  std::error_code failed;
  fs::create_hard_link(from, to, failed);
  if (!failed) return {};
  fs::copy_file(from, to, failed);
  if (failed) return file_failure("copy to", to, failed);
  return {};
}

Status copy_files(const std::string& from, const std::vector<std::string>& names, const std::string& to) {
  for (const std::string& name : names) {
    // Copying one file cannot be interrupted, so a stop takes effect between two files.
    PARAPRINT_TRY(check_stop());
    const std::string copy = fmt::format("{}/{}", to, name);
    std::error_code failed;
    fs::copy_file(fmt::format("{}/{}", from, name), copy, failed);
    if (failed) return file_failure("copy to", copy, failed);
  }
  return {};
}

Status copy_folder(const std::string& from, const std::string& to) {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(from));
  return copy_files(from, names, to);
}

// The error for a restored copy that fails its check. The copy has the backup's bytes and will be removed, so the
// message names the backup's files instead of the copy's. A stop request says nothing about the backup.
tl::unexpected<Error> damaged_backup(const Error& error, const std::string& partial, const std::string& backup) {
  if (error.code == ErrorCode::kCancelled) return tl::unexpected<Error>(error);
  std::string message = error.message;
  for (std::size_t at = message.find(partial); at != std::string::npos; at = message.find(partial, at)) {
    message.replace(at, partial.size(), backup);
    at += backup.size();
  }
  return failure(error.code, fmt::format("the backup {} cannot be used: {}", backup, message));
}

}  // namespace

Status PageIndex::Implementation::backup(const std::string& folder) const {
  PARAPRINT_ASSIGN(IndexCopy copy, IndexCopy::start(folder));
  const std::string& partial = copy.path();
  // The checkpoint is taken while the table files are held still. Writers continue: a checkpoint taken later than the
  // tables only has more texts.
  Status copied = tables_->with_files([&](const std::vector<std::string>& names) -> Status {
    PARAPRINT_TRY(create_folders(partial + "/tables"));
    for (const std::string& file : names) {
      const std::string from = fmt::format("{}/tables/{}", folder_, file);
      PARAPRINT_ASSIGN(const bool exists, path_exists(from));
      if (!exists) continue;  // no manifest yet
      PARAPRINT_TRY(check_stop());
      PARAPRINT_TRY(link_or_copy(from, fmt::format("{}/tables/{}", partial, file)));
    }
    return database_->checkpoint(partial + "/database");
  });
  // Readers of the copy lock this file, which they may not be allowed to create.
  if (copied) copied = write_file_atomically(partial + "/lock", "");
  if (copied) copied = write_index_format(partial, kIndexFormat.version);
  return copy.finish(copied);
}

// Copies instead of linking: the restored index must not share files with its backup. Opening and verifying the copy
// reads every byte of it, so damage in the backup is reported here and not weeks later.
Status restore_index(const std::string& backup, const std::string& folder, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(plan_index_migration(backup));
  PARAPRINT_ASSIGN(IndexCopy copy, IndexCopy::start(folder));
  const std::string& partial = copy.path();
  Status copied = copy_files(backup, {"format"}, partial);
  for (const char* part : {"/database", "/tables"}) {
    if (copied) copied = create_folders(partial + part);
    if (copied) copied = copy_folder(backup + part, partial + part);
  }
  if (copied) {
    Result<IndexMigration> migrated = migrate_index(partial);
    if (!migrated) copied = damaged_backup(migrated.error(), partial, backup);
  }
  if (copied) {
    IndexOptions options;
    options.create_if_missing = false;
    Result<std::unique_ptr<PageIndex>> index = PageIndex::open(partial, options);
    if (!index) {
      copied = damaged_backup(index.error(), partial, backup);
    } else if (Result<VerifyOutcome> verified = (*index)->verify(false); !verified) {
      copied = damaged_backup(verified.error(), partial, backup);
    } else if (!verified->is_clean()) {
      copied = damaged_backup({ErrorCode::kCorruptData, verified->findings.front().what}, partial, backup);
    }
  }
  return copy.finish(copied);
}

}  // namespace paraprint
