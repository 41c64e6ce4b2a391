#include "engine/known_pages.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"

namespace paraprint {
namespace {

constexpr std::string_view kMagic = "paraprint known pages\n";
constexpr std::size_t kSumBytes = 8;
constexpr std::uint64_t kPageLimit = std::uint64_t{1} << 32;

}  // namespace

Status write_known_pages(const std::string& path, const StoredKnownPages& stored) {
  std::string bytes(kMagic);
  ByteWriter writer(bytes);
  writer.fixed(kKnownPagesFormatVersion);
  writer.fixed(stored.log_bytes);
  writer.text(stored.source);
  writer.variable(stored.pages.size());
  for (const auto& [page, known] : stored.pages) {
    writer.variable(page);
    writer.text(known.id);
    writer.text(known.url);
    writer.fixed(static_cast<std::uint8_t>(known.verdict));
    for (const float score : {known.resemblance, known.containment, known.containment_known}) {
      writer.fixed(std::bit_cast<std::uint32_t>(score));
    }
  }
  writer.fixed(hash64(bytes));
  return write_file_atomically(path, bytes);
}

Result<StoredKnownPages> read_known_pages(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(ErrorCode::kNotFound, fmt::format("{} is not there", path));
  std::ostringstream content;
  content << file.rdbuf();
  const std::string all = std::move(content).str();
  const auto damaged = [&] { return failure(ErrorCode::kCorruptData, fmt::format("{} is damaged", path)); };
  std::string_view bytes = all;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kSumBytes) return damaged();
  ByteReader sum(bytes.substr(bytes.size() - kSumBytes));
  bytes.remove_suffix(kSumBytes);
  ByteReader reader(bytes.substr(kMagic.size()));
  const auto version = reader.fixed<std::uint32_t>();
  if (reader.ok() && version != kKnownPagesFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("{}: format {}; this build reads format {}", path, version, kKnownPagesFormatVersion));
  }
  if (sum.fixed<std::uint64_t>() != hash64(bytes)) return damaged();
  StoredKnownPages stored;
  stored.log_bytes = reader.fixed<std::uint64_t>();
  stored.source = reader.text();
  const std::uint64_t count = reader.variable();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const auto page = static_cast<std::uint32_t>(reader.variable_below(kPageLimit));
    KnownPage known;
    known.id = reader.text();
    known.url = reader.text();
    const auto verdict = reader.fixed<std::uint8_t>();
    if (verdict > static_cast<std::uint8_t>(Verdict::kOverlap)) reader.fail();
    known.verdict = static_cast<Verdict>(verdict);
    for (float* score : {&known.resemblance, &known.containment, &known.containment_known}) {
      *score = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    }
    stored.pages.emplace(page, std::move(known));
  }
  if (!reader.ok() || !reader.at_end()) return damaged();
  return stored;
}

}  // namespace paraprint
