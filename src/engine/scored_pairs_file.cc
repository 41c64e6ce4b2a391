// The stored form of ScoredPairs: docs/formats/scored-pairs.md.
#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/system_error.h"
#include "engine/match_stage.h"

namespace paraprint {
namespace {

constexpr std::string_view kMagic = "paraprint scored pairs\n";  // persisted
constexpr std::uint8_t kFormatVersion = 1;                       // persisted
constexpr std::size_t kChecksumBytes = 8;

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

Result<std::string> read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return failure(ErrorCode::kNotFound, fmt::format("{}: not there", path));
    return tl::unexpected<Error>(system_error("open", path, errno));
  }
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (file.bad()) return tl::unexpected<Error>(system_error("read", path, errno));
  return std::move(bytes).str();
}

}  // namespace

Status write_scored_pairs(const std::string& path, std::string_view identity, const ScoredPairs& pairs) {
  std::string bytes(kMagic);
  ByteWriter writer(bytes);
  writer.fixed(kFormatVersion);
  writer.text(identity);
  writer.variable(pairs.counters.size());
  for (const auto& [name, amount] : pairs.counters) {
    writer.text(name);
    writer.variable(amount);
  }
  writer.variable(pairs.representatives.size());
  for (std::size_t page = 0; page < pairs.representatives.size(); ++page) {
    writer.variable(page - pairs.representatives[page]);  // 0 for most
  }
  writer.variable(pairs.matches.size());
  for (const Match& match : pairs.matches) {
    writer.fixed(match.page_a);
    writer.fixed(match.page_b);
    writer.fixed(static_cast<std::uint8_t>(match.verdict));
    writer.fixed(bits_of(match.resemblance));
    writer.fixed(bits_of(match.containment_a));
    writer.fixed(bits_of(match.containment_b));
    writer.fixed(bits_of(match.matched_characters));
  }
  writer.fixed(hash64(bytes));
  return write_file_atomically(path, bytes);
}

Result<ScoredPairs> read_scored_pairs(const std::string& path, std::string_view identity) {
  const Result<std::string> file = read_whole_file(path);
  if (!file) return tl::unexpected<Error>(file.error());
  const auto damaged = [&path] { return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged", path)); };
  const std::string_view bytes = *file;
  if (bytes.size() < kMagic.size() + kChecksumBytes || !bytes.starts_with(kMagic)) return damaged();
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (ByteReader(bytes.substr(checked.size())).fixed<std::uint64_t>() != hash64(checked)) return damaged();
  ByteReader reader(checked.substr(kMagic.size()));
  if (reader.fixed<std::uint8_t>() != kFormatVersion) {
    return failure(ErrorCode::kUnsupported, fmt::format("{}: written by another version of paraprint", path));
  }
  if (reader.text() != identity) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: made with other inputs or settings", path));
  }
  ScoredPairs pairs;
  for (std::uint64_t left = reader.variable(); left > 0 && reader.ok(); --left) {
    const std::string_view name = reader.text();
    count(pairs.counters, name, reader.variable());
  }
  const std::uint64_t pages = reader.variable();
  for (std::uint64_t page = 0; page < pages && reader.ok(); ++page) {
    pairs.representatives.push_back(static_cast<std::uint32_t>(page - reader.variable_below(page + 1)));
  }
  const std::uint64_t matches = reader.variable();
  for (std::uint64_t i = 0; i < matches && reader.ok(); ++i) {
    Match match;
    match.page_a = reader.fixed<std::uint32_t>();
    match.page_b = reader.fixed<std::uint32_t>();
    match.verdict = static_cast<Verdict>(reader.fixed<std::uint8_t>());
    match.resemblance = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    match.containment_a = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    match.containment_b = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    match.matched_characters = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    pairs.matches.push_back(match);
  }
  if (!reader.ok() || !reader.at_end()) return damaged();
  return pairs;
}

}  // namespace paraprint
