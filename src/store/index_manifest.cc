// Encoding of the manifest, with a checksum at the end. The version is checked before the checksum, so that a manifest
// of a newer version is reported as such rather than as damaged.
#include "store/index_manifest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <limits>

#include "base/byte_codec.h"

namespace paraprint::inline store {
namespace {

constexpr std::string_view kManifestMagic = "paraprint index manifest\n";

}  // namespace

// Fixed-size fields: the manifest is small, and a reader can check the number of segments against the size.
std::string encode_manifest(const IndexManifest& manifest) {
  std::string bytes(kManifestMagic);
  ByteWriter writer(bytes);
  writer.fixed(kIndexManifestFormatVersion);
  writer.fixed(manifest.next_file);
  writer.fixed(manifest.templates_file);
  writer.fixed(static_cast<std::uint32_t>(manifest.segments.size()));
  for (const ManifestSegment& segment : manifest.segments) {
    writer.fixed(segment.file);
    writer.fixed(segment.texts.first);
    writer.fixed(segment.texts.end);
  }
  writer.fixed(std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
  return bytes;
}

Result<IndexManifest> decode_manifest(std::string_view bytes) {
  constexpr std::size_t kSumBytes = sizeof(std::uint64_t);
  constexpr std::size_t kSegmentBytes = 24;
  const auto damaged = [] { return failure(ErrorCode::kCorruptData, "the list of search tables is damaged"); };
  if (!bytes.starts_with(kManifestMagic) || bytes.size() < kManifestMagic.size() + kSumBytes) return damaged();
  ByteReader sum(bytes.substr(bytes.size() - kSumBytes));
  bytes.remove_suffix(kSumBytes);
  ByteReader reader(bytes.substr(kManifestMagic.size()));
  const auto version = reader.fixed<std::uint32_t>();
  if (reader.ok() && version != kIndexManifestFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("unsupported format {} of the list of search tables; this build reads format {}",
                               version, kIndexManifestFormatVersion));
  }
  if (sum.fixed<std::uint64_t>() != XXH3_64bits(bytes.data(), bytes.size())) return damaged();
  IndexManifest manifest;
  manifest.next_file = reader.fixed<std::uint64_t>();
  manifest.templates_file = reader.fixed<std::uint64_t>();
  const auto count = reader.fixed<std::uint32_t>();
  if (count > reader.left_bytes() / kSegmentBytes) return damaged();  // bounds the loop for any input
  for (std::uint32_t i = 0; i < count; ++i) {
    ManifestSegment segment;
    segment.file = reader.fixed<std::uint64_t>();
    segment.texts.first = reader.fixed<std::uint64_t>();
    segment.texts.end = reader.fixed<std::uint64_t>();
    // A gap would silently hide texts from lookups, and values in a segment must fit 32 bits.
    const bool adjoins = segment.texts.first == manifest.end_text() && segment.texts.end > segment.texts.first &&
                         segment.texts.size() < std::numeric_limits<std::uint32_t>::max();
    if (!adjoins || segment.file >= manifest.next_file) return damaged();
    manifest.segments.push_back(segment);
  }
  if (!reader.ok() || !reader.at_end() || manifest.templates_file >= manifest.next_file) return damaged();
  return manifest;
}

// File numbers are never reused, so a file that an old manifest names is never mistaken for a new one. The zeros only
// make listings sort in order.
std::string segment_file_name(std::uint64_t file) {
  return fmt::format("{:08}.tables", file);
}

std::string templates_file_name(std::uint64_t file) {
  return fmt::format("{:08}.templates", file);
}

}  // namespace paraprint::inline store
