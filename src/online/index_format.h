// The format of an index folder: one number for all its parts, in the file "format" (docs/formats/index.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"
#include "profile/fingerprint_codec.h"
#include "profile/profile_codec.h"
#include "provenance/origin_record.h"
#include "store/index_manifest.h"
#include "store/index_records.h"
#include "store/search_segment.h"
#include "store/site_templates.h"

namespace paraprint::inline online {

// A version of the folder, and the versions of its parts that belong to it. A part of another version is in no folder
// of this format, except search tables and site templates of an older one, which are rebuilt when it is opened.
struct IndexFormat {
  std::uint32_t version = 0;
  std::string_view release;  // the first one that reads it; empty: only programs from before the first release
  std::uint32_t settings = 0;
  std::uint32_t records = 0;
  std::uint32_t profiles = 0;
  std::uint32_t fingerprints = 0;
  std::uint32_t manifest = 0;
  std::uint32_t search_tables = 0;
  std::uint32_t summary_tables = 0;  // search tables with summaries
  std::uint32_t site_templates = 0;
  std::uint32_t origins = 0;  // 0: none are kept
};

// Every format that can be migrated to the newest one, which is the last. Never change a row that was released: a part
// with a new version takes a new row here, and a step in index_migration.cc.
inline constexpr std::array kIndexFormats = {
    IndexFormat{.version = 4,
                .release = "",
                .settings = 0,
                .records = 1,
                .profiles = 5,
                .fingerprints = 2,
                .manifest = 1,
                .search_tables = 4,
                .summary_tables = 5,
                .site_templates = 2},
    IndexFormat{.version = 5,
                .release = "",
                .settings = 1,
                .records = 1,
                .profiles = 5,
                .fingerprints = 2,
                .manifest = 1,
                .search_tables = 4,
                .summary_tables = 5,
                .site_templates = 2},
    IndexFormat{.version = 6,
                .release = "0.1.0",
                .settings = 1,
                .records = 1,
                .profiles = 5,
                .fingerprints = 2,
                .manifest = 1,
                .search_tables = 4,
                .summary_tables = 5,
                .site_templates = 2,
                .origins = 1},
};
inline constexpr const IndexFormat& kIndexFormat = kIndexFormats.back();
inline constexpr std::uint32_t kOldestIndexFormat = kIndexFormats.front().version;

static_assert(kIndexFormat.settings == kIndexSettingsFormatVersion && kIndexFormat.records == kIndexRecordFormatVersion,
              "a part of the index has a new version: add a row to kIndexFormats and a step to index_migration.cc");
static_assert(kIndexFormat.profiles == kProfileFormatVersion && kIndexFormat.fingerprints == kFingerprintFormatVersion,
              "a part of the index has a new version: add a row to kIndexFormats and a step to index_migration.cc");
static_assert(kIndexFormat.manifest == kIndexManifestFormatVersion &&
                  kIndexFormat.search_tables == kSegmentFormatVersion &&
                  kIndexFormat.summary_tables == kSummarySegmentFormatVersion &&
                  kIndexFormat.site_templates == kSiteTemplatesFormatVersion &&
                  kIndexFormat.origins == kOriginFormatVersion,
              "a part of the index has a new version: add a row to kIndexFormats and a step to index_migration.cc");

// The version of the index in `folder`, older or newer ones included. Errors: kNotFound if there is no index,
// kUnsupported if its file "format" is not one.
Result<std::uint32_t> read_index_format(const std::string& folder);

// Makes the folder one of this version, which is one of kIndexFormats. Atomic and durable.
Status write_index_format(const std::string& folder, std::uint32_t version);

// Whether this build can open the index. Errors: those of read_index_format(); kUnsupported with what to do, for an
// older or a newer version.
Status check_index_format(const std::string& folder);

}  // namespace paraprint::inline online
