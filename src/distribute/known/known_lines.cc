// Keys are written with the most significant byte first, so that lines sort by them as bytes.
#include "distribute/known/known_lines.h"

#include <bit>

#include "base/assert.h"
#include "distribute/tables/table_records.h"

namespace paraprint::distribute::known {
namespace {

void append_text(const LineText& text, std::string& out) {
  tables::append_sortable(text.text, out);
  out += static_cast<char>(text.length_class);
}

}  // namespace

std::uint64_t key_of_line(std::string_view line) {
  return tables::unsorted_number<std::uint64_t>(line);
}

LineText text_of_line(std::string_view line) {
  const std::string_view end = line.substr(line.size() - kTextBytes);
  return {tables::unsorted_number<std::uint32_t>(end), static_cast<std::uint8_t>(end.back())};
}

// The blocks follow each other from that of the table on, and then from the first one.
void append_near_line(std::size_t table, const Fingerprint128& fingerprint, const LineText& text, std::string& out) {
  const auto blocks = blocks_of(fingerprint);
  const auto block = [&](std::size_t i) { return blocks[(table + i) % kBlockTables]; };
  tables::append_sortable(near_key(table, block(0)) | block(1) >> (kBlockBits - kNearRestBits), out);
  out += static_cast<char>(block(1) & ((1U << (kBlockBits - kNearRestBits)) - 1));
  tables::append_sortable(block(2), out);
  tables::append_sortable(block(3), out);
  append_text(text, out);
}

Fingerprint128 fingerprint_of_line(std::string_view near_line) {
  const std::uint64_t key = key_of_line(near_line);
  const std::size_t table = table_of_near_key(key);
  const auto low = static_cast<unsigned char>(near_line[kKeyBytes]);
  std::array<std::uint32_t, kBlockTables> blocks{};
  blocks[table] = static_cast<std::uint32_t>(key >> kNearRestBits);
  blocks[(table + 1) % kBlockTables] = static_cast<std::uint32_t>(key) << (kBlockBits - kNearRestBits) | low;
  blocks[(table + 2) % kBlockTables] = tables::unsorted_number<std::uint32_t>(near_line.substr(kKeyBytes + 1));
  blocks[(table + 3) % kBlockTables] =
      tables::unsorted_number<std::uint32_t>(near_line.substr(kKeyBytes + 1 + sizeof(std::uint32_t)));
  return {std::uint64_t{blocks[0]} << 32 | blocks[1], std::uint64_t{blocks[2]} << 32 | blocks[3]};
}

// The two low bits of each byte: they differ as often as any others.
ShortSketch short_sketch(SketchBytes bytes) {
  ShortSketch sketch{};
  for (std::size_t i = 0; i < bytes.size(); ++i) sketch[i / 32] |= std::uint64_t{bytes[i] & 3U} << (2 * (i % 32));
  return sketch;
}

ShortSketch sketch_of_line(std::string_view sketch_line) {
  ShortSketch sketch{};
  for (std::size_t i = 0; i < sketch.size(); ++i) {
    sketch[i] = tables::unsorted_number<std::uint64_t>(sketch_line.substr(kKeyBytes + i * sizeof sketch[i]));
  }
  return sketch;
}

std::size_t agreements(const ShortSketch& a, const ShortSketch& b) {
  constexpr std::uint64_t kLowOfEach = 0x5555555555555555;
  std::size_t differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t bits = a[i] ^ b[i];
    differing += static_cast<std::size_t>(std::popcount((bits | bits >> 1) & kLowOfEach));
  }
  return PageSketch::kPairHashes - differing;
}

void append_exact_line(std::uint64_t key, const LineText& text, std::string& out) {
  tables::append_sortable(key, out);
  append_text(text, out);
}

void append_sketch_line(std::size_t band, SketchBytes bytes, const LineText& text, std::string& out) {
  tables::append_sortable(sketch_key_of(band, sketch_band(bytes, band)), out);
  for (const std::uint64_t part : short_sketch(bytes)) tables::append_sortable(part, out);
  append_text(text, out);
}

void append_template_line(std::uint64_t site, std::uint64_t entry, std::string& out) {
  tables::append_sortable(site, out);
  tables::append_sortable(entry, out);
}

std::uint64_t entry_of_line(std::string_view template_line) {
  return tables::unsorted_number<std::uint64_t>(template_line.substr(kKeyBytes));
}

void append_renumbered(std::string_view line, std::uint32_t text, std::string& out) {
  out += line.substr(0, line.size() - kTextBytes);
  append_text({text, text_of_line(line).length_class}, out);
}

// The high part of key times tasks: the same share of the tasks as the key has of all numbers.
std::uint32_t task_of_hash(std::uint64_t key, std::uint32_t tasks) {
  const std::uint64_t high = (key >> 32) * tasks + ((key & 0xFFFFFFFF) * tasks >> 32);
  return static_cast<std::uint32_t>(high >> 32);
}

std::uint32_t task_of_sketch_key(std::uint64_t key, std::uint32_t tasks) {
  return static_cast<std::uint32_t>(key * tasks / (std::uint64_t{kSketchBands} << (8 * kSketchBandBytes)));
}

void collect_near_probes(const Fingerprint128& fingerprint, std::vector<std::uint64_t>& probes) {
  probes.clear();
  const auto blocks = blocks_of(fingerprint);
  for (std::size_t table = 0; table < kBlockTables; ++table) {
    probes.push_back(near_key(table, blocks[table]));
    if (table >= kFlippedTables) continue;
    for (int bit = 0; bit < kBlockBits; ++bit) {
      probes.push_back(near_key(table, blocks[table] ^ std::uint32_t{1} << bit));
    }
  }
}

std::size_t first_table_of(const Fingerprint128& asked, const Fingerprint128& known) {
  const auto a = blocks_of(asked);
  const auto b = blocks_of(known);
  for (std::size_t table = 0; table < kBlockTables; ++table) {
    if (std::popcount(a[table] ^ b[table]) <= (table < kFlippedTables ? 1 : 0)) return table;
  }
  return kBlockTables;
}

void BlockBox::add(std::uint64_t key, std::string_view bytes) {
  if (!block_.empty() && block_.size() + bytes.size() > block_bytes_) end();
  if (block_.empty()) first_ = key;
  PARAPRINT_ASSERT(key >= first_);
  last_ = key;
  block_ += bytes;
}

void BlockBox::end() {
  if (block_.empty()) return;
  ByteWriter out(box_.record_for(partition_));
  out.variable(first_);
  out.variable(last_);
  out.text(block_);
  block_.clear();
}

}  // namespace paraprint::distribute::known
