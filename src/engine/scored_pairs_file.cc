// The stored form of ScoredPairs (docs/formats/scored-pairs.md). Written and read in checksummed blocks, so that
// neither side holds the file in memory and damage is found before its values are used. An empty block marks the end:
// without it a file cut between two blocks would look complete.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "engine/match_stage.h"

namespace paraprint::inline engine {
namespace {

constexpr std::string_view kScoredPairsMagic = "paraprint scored pairs\n";  // persisted
constexpr std::uint8_t kFormatVersion = 2;                                  // persisted
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;                  // a block is flushed at this size
constexpr std::size_t kLargestBlockBytes = std::size_t{1} << 20;  // accepted when reading: room for a long identity

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// Rows are buffered and written as blocks with a hash in front.
class BlockWriter {
 public:
  explicit BlockWriter(AtomicFile& file) : file_(file) {}

  // Calls `write(ByteWriter&)`. A row never spans blocks, so readers can decode it from one buffer.
  template <class Write>
  Status row(Write&& write) {
    ByteWriter writer(block_);
    write(writer);
    return block_.size() < kBlockBytes ? Status{} : flush();
  }

  // Writes the last block, and the empty one that marks the end.
  Status finish() {
    if (!block_.empty()) {
      PARAPRINT_TRY(flush());
    }
    return flush();
  }

 private:
  Status flush() {
    std::string head;
    ByteWriter writer(head);
    writer.fixed(static_cast<std::uint32_t>(block_.size()));
    writer.fixed(hash64(block_));
    Status written = file_.write(head);
    if (written) written = file_.write(block_);
    block_.clear();
    return written;
  }

  AtomicFile& file_;
  std::string block_;
};

// Gives access to one row at a time; row() loads the next block when the present one is used up.
class PairBlockReader {
 public:
  explicit PairBlockReader(std::ifstream& file) : file_(file) {}

  // A reader positioned at the next row. After damage it is empty and not ok().
  ByteReader& row() {
    if (reader_.ok() && reader_.at_end()) next_block();
    return reader_;
  }

  bool ok() const { return reader_.ok(); }

  // Whether only the empty block is left.
  bool at_end() {
    if (!ok() || !reader_.at_end()) return false;
    std::uint64_t hash = 0;
    return read_head(hash) && block_.empty() && hash == hash64({}) && file_.peek() == std::ifstream::traits_type::eof();
  }

 private:
  // Reads a block's size and hash. The limit keeps a damaged size from allocating memory.
  bool read_head(std::uint64_t& hash) {
    std::string head(sizeof(std::uint32_t) + sizeof(std::uint64_t), '\0');
    if (!file_.read(head.data(), static_cast<std::streamsize>(head.size()))) return false;
    ByteReader reader(head);
    const auto size = reader.fixed<std::uint32_t>();
    hash = reader.fixed<std::uint64_t>();
    if (size > kLargestBlockBytes) return false;
    block_.resize(size);
    return true;
  }

  // Rows of a damaged block are never seen: the reader is replaced only after the hash is right.
  void next_block() {
    std::uint64_t hash = 0;
    const bool is_good = read_head(hash) && !block_.empty() &&
                         file_.read(block_.data(), static_cast<std::streamsize>(block_.size())) &&
                         hash64(block_) == hash;
    reader_ = ByteReader(is_good ? std::string_view(block_) : std::string_view());
    if (!is_good) reader_.fail();
  }

  std::ifstream& file_;
  std::string block_;
  ByteReader reader_{{}};
};

// Floats are stored as bits, and the verdict only for readers of the file: runs decide it again from the scores.
void write_match(const Match& match, ByteWriter& writer) {
  writer.fixed(match.page_a);
  writer.fixed(match.page_b);
  writer.fixed(static_cast<std::uint8_t>(match.verdict));
  writer.fixed(bits_of(match.resemblance));
  writer.fixed(bits_of(match.containment_a));
  writer.fixed(bits_of(match.containment_b));
  writer.fixed(bits_of(match.matched_characters));
}

Match read_match(ByteReader& reader) {
  Match match;
  match.page_a = reader.fixed<std::uint32_t>();
  match.page_b = reader.fixed<std::uint32_t>();
  const auto verdict = reader.fixed<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(Verdict::kOverlap)) reader.fail();
  match.verdict = static_cast<Verdict>(verdict);
  match.resemblance = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  match.containment_a = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  match.containment_b = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  match.matched_characters = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  return match;
}

bool is_score(float value) {
  return std::isfinite(value) && value >= 0;
}

// Whether the pairs are those of pages that represent themselves, each once, in order: what reads them takes page
// numbers for indexes.
bool is_next(const Match& match, const Match* last, const SpillArray<std::uint32_t>& representatives) {
  if (match.page_a >= match.page_b || match.page_b >= representatives.size()) return false;
  if (representatives[match.page_a] != match.page_a || representatives[match.page_b] != match.page_b) return false;
  for (const float score : {match.resemblance, match.containment_a, match.containment_b, match.matched_characters}) {
    if (!is_score(score)) return false;
  }
  return last == nullptr || std::pair(last->page_a, last->page_b) < std::pair(match.page_a, match.page_b);
}

}  // namespace

// Representatives are stored as distances to the page number, which is 0 for most pages and then takes one byte.
Status write_scored_pairs(const std::string& path, std::string_view identity, const ScoredPairs& pairs) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  Status status = file.write(kScoredPairsMagic);
  if (status) status = file.write(std::string_view(reinterpret_cast<const char*>(&kFormatVersion), 1));
  BlockWriter blocks(file);
  if (status) {
    status = blocks.row([&](ByteWriter& writer) {
      writer.text(identity);
      writer.variable(pairs.counters.size());
      for (const auto& [name, amount] : pairs.counters) {
        writer.text(name);
        writer.variable(amount);
      }
      writer.variable(pairs.representatives.size());
      writer.variable(pairs.matches.size());
    });
  }
  for (std::size_t page = 0; page < pairs.representatives.size() && status; ++page) {
    tick(pairs.representatives.budget());
    status = blocks.row([&](ByteWriter& writer) { writer.variable(page - pairs.representatives[page]); });
  }
  for (std::size_t i = 0; i < pairs.matches.size() && status; ++i) {
    tick(pairs.matches.budget());
    status = blocks.row([&](ByteWriter& writer) { write_match(pairs.matches[i], writer); });
  }
  if (status) status = blocks.finish();
  return status ? file.commit() : status;
}

// Counts come from a checksummed block but are not trusted to allocate: arrays grow row by row, and a wrong count fails
// at the end of the blocks.
Result<ScoredPairs> read_scored_pairs(const std::string& path, std::string_view identity, MemoryBudget* budget) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return failure(ErrorCode::kNotFound, fmt::format("{}: does not exist", path));
    return tl::unexpected<Error>(system_error("open", path, errno));
  }
  const auto damaged = [&path] { return failure(ErrorCode::kCorruptData, fmt::format("{}: damaged file", path)); };
  std::string head(kScoredPairsMagic.size() + 1, '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size())) || !head.starts_with(kScoredPairsMagic))
    return damaged();
  if (static_cast<std::uint8_t>(head.back()) != kFormatVersion) {
    return failure(ErrorCode::kUnsupported, fmt::format("{}: written by another version of paraprint", path));
  }
  PairBlockReader blocks(file);
  ByteReader& first = blocks.row();
  const std::string_view found_identity = first.text();
  if (!first.ok()) return damaged();
  if (found_identity != identity) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: made with other inputs or settings", path));
  }
  ScoredPairs pairs(budget);
  for (std::uint64_t left = first.variable(); left > 0 && first.ok(); --left) {
    const std::string_view name = first.text();
    count(pairs.counters, name, first.variable());
  }
  const std::uint64_t pages = first.variable();
  const std::uint64_t matches = first.variable();
  Status status;
  for (std::uint64_t page = 0; page < pages && blocks.ok() && status; ++page) {
    const std::uint64_t behind = blocks.row().variable_below(page + 1);
    const auto representative = static_cast<std::uint32_t>(page - behind);
    if (blocks.ok() && behind > 0 && pairs.representatives[representative] != representative) return damaged();
    status = pairs.representatives.push_back(representative);
  }
  for (std::uint64_t i = 0; i < matches && blocks.ok() && status; ++i) {
    const Match match = read_match(blocks.row());
    const Match* const last = i == 0 ? nullptr : &pairs.matches[i - 1];
    if (blocks.ok() && !is_next(match, last, pairs.representatives)) return damaged();
    status = pairs.matches.push_back(match);
  }
  if (!status) return tl::unexpected<Error>(status.error());
  if (!blocks.at_end()) return damaged();
  return pairs;
}

}  // namespace paraprint::inline engine
