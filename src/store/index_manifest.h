// The list of an index's search table files and the range of texts that each covers (docs/formats/index.md). It is
// always replaced as a whole; files it does not list are not part of the index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "store/search_segment.h"

namespace paraprint::inline store {

inline constexpr std::uint32_t kIndexManifestFormatVersion = 1;  // persisted

struct ManifestSegment {
  std::uint64_t file = 0;
  TextRange texts;
};

struct IndexManifest {
  std::uint64_t next_file = 1;            // higher than every file number used so far
  std::uint64_t templates_file = 0;       // 0: none
  std::vector<ManifestSegment> segments;  // adjacent ascending ranges, starting at text 0

  // The first text that is in no segment.
  std::uint64_t end_text() const { return segments.empty() ? 0 : segments.back().texts.end; }
};

std::string encode_manifest(const IndexManifest& manifest);
// Errors: kCorruptData; kUnsupported for another format version.
Result<IndexManifest> decode_manifest(std::string_view bytes);

// File names such as "00000042.tables" and "00000042.templates".
std::string segment_file_name(std::uint64_t file);
std::string templates_file_name(std::uint64_t file);

}  // namespace paraprint::inline store
