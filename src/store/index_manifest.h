// Which files of an index folder hold which texts' search tables. Replaced as a whole; what it does not name is no part
// of the index. docs/formats/index.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "store/search_segment.h"

namespace paraprint {

inline constexpr std::uint32_t kIndexManifestFormatVersion = 1;  // persisted

struct ManifestSegment {
  std::uint64_t file = 0;
  TextRange texts;
};

struct IndexManifest {
  std::uint64_t next_file = 1;            // greater than every file number used so far
  std::uint64_t templates_file = 0;       // 0: none
  std::vector<ManifestSegment> segments;  // adjoining ranges, ascending, from text 0

  // The first text that no segment holds.
  std::uint64_t end_text() const { return segments.empty() ? 0 : segments.back().texts.end; }
};

std::string encode_manifest(const IndexManifest& manifest);
// kCorruptData, kUnsupported.
Result<IndexManifest> decode_manifest(std::string_view bytes);

// "00000042.tables", "00000042.templates"
std::string segment_file_name(std::uint64_t file);
std::string templates_file_name(std::uint64_t file);

}  // namespace paraprint
