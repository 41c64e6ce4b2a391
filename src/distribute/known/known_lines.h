// The tables that find known texts: sorted lines of bytes, each with a key in front, in blocks. A task looks up the
// keys of its pages in the blocks that may have them, and reads no others.
//
//   table    key                                            then
//   exact    the key of a sentence, paragraph or text       text, length class
//   near     table of the search (2 bits), then the rest    the other bits of the fingerprint, text, length class
//            of the fingerprint beginning with its block
//   sketch   band and its bytes                             two bits of each byte of the sketch, text, length class
//   templates  site                                         entry of SiteBoilerplate
//
// "near" has a line for each of the four search tables of store/search_keys.h, which find fingerprints within
// kSearchDistanceBits; "sketch" one for each band (index/sketch_rule.h). Both have what tells nearly all of the texts
// that the key finds by chance from those that are similar.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "distribute/records.h"
#include "index/sketch_rule.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "store/search_keys.h"

namespace paraprint::distribute::known {

// What every line ends with.
struct LineText {
  std::uint32_t text = 0;         // number in its run
  std::uint8_t length_class = 0;  // store/search_keys.h
};

inline constexpr std::size_t kKeyBytes = 8;
inline constexpr std::size_t kTextBytes = 5;
inline constexpr std::size_t kExactLineBytes = kKeyBytes + kTextBytes;
// The key has the first 62 bits of the fingerprint, beginning with the block of the table.
inline constexpr std::size_t kNearRestBytes = 9;
inline constexpr std::size_t kNearLineBytes = kKeyBytes + kNearRestBytes + kTextBytes;
using ShortSketch = std::array<std::uint64_t, 4>;
inline constexpr std::size_t kSketchLineBytes = kKeyBytes + sizeof(ShortSketch) + kTextBytes;
inline constexpr std::size_t kTemplateLineBytes = 2 * kKeyBytes;

// A table, and the parcels that its lines arrive in.
struct LineTable {
  std::string_view name;
  std::string_view parcels;  // of unsorted lines
  std::string_view blocks;   // of sorted ones
  std::size_t line_bytes = 0;
};
inline constexpr LineTable kExactLines{"exact", "exact-lines", "known/exact", kExactLineBytes};
inline constexpr LineTable kNearLines{"near", "near-lines", "known/near", kNearLineBytes};
inline constexpr LineTable kSketchLines{"sketch", "sketch-lines", "known/sketch", kSketchLineBytes};
inline constexpr LineTable kTemplateLines{"templates", "template-lines", "known/templates", kTemplateLineBytes};
inline constexpr std::array kLineTables = {kExactLines, kNearLines, kSketchLines, kTemplateLines};
// Its place among them.
constexpr std::size_t place_of(const LineTable& table) {
  std::size_t place = 0;
  while (kLineTables[place].name != table.name) ++place;
  return place;
}
inline constexpr std::string_view kTextsTable = "texts";
inline constexpr std::string_view kTextBlocks = "known/texts";

// The key of a line.
std::uint64_t key_of_line(std::string_view line);
LineText text_of_line(std::string_view line);

// Of a "near" key, the table and the block have to be equal; below them are the next bits of the fingerprint.
inline constexpr int kNearTableShift = 62;
inline constexpr int kNearRestBits = kNearTableShift - kBlockBits;
inline constexpr std::uint64_t kNearKeyMask = ~std::uint64_t{0} << kNearRestBits;
inline std::uint64_t near_key(std::size_t table, std::uint32_t block) {
  return std::uint64_t{table} << kNearTableShift | std::uint64_t{block} << kNearRestBits;
}
inline std::size_t table_of_near_key(std::uint64_t key) {
  return static_cast<std::size_t>(key >> kNearTableShift);
}
Fingerprint128 fingerprint_of_line(std::string_view near_line);

inline std::uint64_t sketch_key_of(std::size_t band, std::uint32_t bytes) {
  return std::uint64_t{band} << (8 * kSketchBandBytes) | bytes;
}
ShortSketch short_sketch(SketchBytes bytes);
ShortSketch sketch_of_line(std::string_view sketch_line);
// At least the number of bytes in which the sketches agree.
std::size_t agreements(const ShortSketch& a, const ShortSketch& b);

void append_exact_line(std::uint64_t key, const LineText& text, std::string& out);
void append_near_line(std::size_t table, const Fingerprint128& fingerprint, const LineText& text, std::string& out);
void append_sketch_line(std::size_t band, SketchBytes bytes, const LineText& text, std::string& out);
void append_template_line(std::uint64_t site, std::uint64_t entry, std::string& out);
std::uint64_t entry_of_line(std::string_view template_line);
// A line of another table, with another number for its text.
void append_renumbered(std::string_view line, std::uint32_t text, std::string& out);

// The task of a key, so that keys of a table are divided evenly and in ascending order.
std::uint32_t task_of_hash(std::uint64_t key, std::uint32_t tasks);  // exact, near, templates
std::uint32_t task_of_sketch_key(std::uint64_t key, std::uint32_t tasks);

// All keys by which a text with a fingerprint within kSearchDistanceBits is found in "near": at most kNearProbes.
inline constexpr std::size_t kNearProbes = kFlippedTables * (1 + kBlockBits) + 1;
void collect_near_probes(const Fingerprint128& fingerprint, std::vector<std::uint64_t>& probes);
// The first table in which the one finds the other; kBlockTables if none does.
std::size_t first_table_of(const Fingerprint128& asked, const Fingerprint128& known);

// About so many bytes are a block. A crawl of some thousand pages asks for lines in most blocks, and a block costs more
// to find than to read; of texts it wants few, and each block has some dozen.
inline constexpr std::size_t kLineBlockBytes = 256 << 10;
inline constexpr std::size_t kTextBlockBytes = 32 << 10;

// Lines or records of a table, with the least and the greatest key in them.
class BlockBox {
 public:
  BlockBox(ParcelBox& box, std::uint32_t partition, std::size_t block_bytes)
      : box_(box), partition_(partition), block_bytes_(block_bytes) {}

  // Keys must not descend.
  void add(std::uint64_t key, std::string_view bytes);
  // After the last line.
  void end();

 private:
  ParcelBox& box_;
  std::uint32_t partition_;
  std::size_t block_bytes_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::string block_;
};

// Calls visit(line) for each line of a block. kCorruptData if the block is not made of lines of this size.
template <class Visit>
Status for_each_line(std::string_view block, const LineTable& table, Visit&& visit) {
  if (block.size() % table.line_bytes != 0) return corrupt(table.blocks);
  for (; !block.empty(); block.remove_prefix(table.line_bytes)) PARAPRINT_TRY(visit(block.substr(0, table.line_bytes)));
  return {};
}

}  // namespace paraprint::distribute::known
