// Fuzzes the decoders of an index's files: search segments, manifest, site templates and records. Any bytes are
// rejected or can be searched without harm. Checksums are corrected first, so that the code behind them is reached.
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "online/candidate_search.h"
#include "online/page_algorithm.h"
#include "store/index_manifest.h"
#include "store/index_records.h"
#include "store/search_segment.h"
#include "store/site_templates.h"

namespace {

using namespace paraprint;

std::uint64_t checksum(const char* bytes, std::size_t size) {
  return XXH3_64bits(bytes, size);
}

// Corrects the checksums of a segment as far as its footer can be read.
void mend_segment(char* bytes, std::size_t size) {
  constexpr std::size_t kHeader = 64;
  constexpr std::size_t kEntry = 48;
  constexpr std::size_t kColumnEntry = 16;
  constexpr std::size_t kVersionAt = 24;
  if (size < kHeader) return;
  const std::size_t columns = bytes[kVersionAt] == kSummarySegmentFormatVersion ? 2 : 1;
  const std::size_t footer_bytes = kSearchTables * kEntry + columns * kColumnEntry + 8;
  if (size < kHeader + footer_bytes) return;
  char* footer = bytes + size - footer_bytes;
  const std::size_t limit = size - footer_bytes;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    char* entry = footer + table * kEntry;
    PackedTableShape shape;
    std::uint64_t offsets[2];
    std::memcpy(&shape.count, entry, 8);
    shape.key_bits = static_cast<std::uint8_t>(entry[8]);
    shape.value_bits = static_cast<std::uint8_t>(entry[9]);
    shape.bucket_bits = static_cast<std::uint8_t>(entry[10]);
    std::memcpy(offsets, entry + 16, sizeof offsets);
    if (!shape.is_valid()) continue;
    const auto rounded_up = [](std::uint64_t size_bytes) { return (size_bytes + 7) / 8 * 8; };
    const std::uint64_t sizes[2] = {rounded_up(shape.pairs_bytes()), rounded_up(shape.directory_bytes())};
    for (int part = 0; part < 2; ++part) {
      if (offsets[part] > limit || sizes[part] > limit - offsets[part]) continue;
      const std::uint64_t sum = checksum(bytes + offsets[part], sizes[part]);
      std::memcpy(entry + 32 + 8 * part, &sum, 8);
    }
  }
  // The columns are the last sections: each ends where the next one begins.
  std::uint64_t end = limit;
  for (std::size_t column = columns; column > 0; --column) {
    char* entry = footer + kSearchTables * kEntry + (column - 1) * kColumnEntry;
    std::uint64_t offset = 0;
    std::memcpy(&offset, entry, 8);
    if (offset > end) continue;
    const std::uint64_t sum = checksum(bytes + offset, end - offset);
    std::memcpy(entry + 8, &sum, 8);
    end = offset;
  }
  std::string summed(bytes, kHeader);
  summed.append(footer, footer_bytes - 8);
  const std::uint64_t sum = checksum(summed.data(), summed.size());
  std::memcpy(footer + footer_bytes - 8, &sum, 8);
}

void try_segment(const std::string& bytes) {
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  char* copy = reinterpret_cast<char*>(aligned.data());
  std::memcpy(copy, bytes.data(), bytes.size());
  mend_segment(copy, bytes.size());
  const auto segment = SearchSegment::read({copy, bytes.size()}, "fuzz");
  if (!segment) return;
  HitCollector collector;
  for (const std::uint64_t key : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abc1234}}) {
    (*segment)->find_exact(std::vector<ExactQuery>{{key, 1}, {~key, 1}}, collector);
    (*segment)->find_near(std::vector<NearQuery>{{{key, ~key}, 1}, {{~key, key}, 1}}, collector);
    const auto low = static_cast<std::uint16_t>(key);
    (*segment)->find_sketch(std::vector<std::uint32_t>{low, std::uint32_t{1} << 16 | low, (1u << kShortKeyBits) - 1},
                            collector);
  }
  for (std::uint64_t text = (*segment)->texts().first; text < (*segment)->texts().end; ++text) {
    static_cast<void>((*segment)->least_characters(text));
    if ((*segment)->summary(text).has_value() != (*segment)->has_summaries()) std::abort();
  }
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    PackedTable::Cursor cursor((*segment)->table(table));
    std::uint64_t count = 0;
    for (PackedPair pair; cursor.next(pair);) ++count;
    if (count != (*segment)->table(table).size()) std::abort();
  }
}

// One algorithm for each kind of fingerprint that an index stores: bits, a sketch and weighted features.
const std::vector<const PageAlgorithm*>& page_algorithms() {
  static const std::vector<const PageAlgorithm*>* const algorithms = [] {
    auto* all = new std::vector<const PageAlgorithm*>();
    for (const char* name : {"simhash-64", "minhash", "keyword-position"}) {
      Result<std::unique_ptr<const PageAlgorithm>> algorithm = PageAlgorithm::create(name);
      if (!algorithm) std::abort();
      all->push_back(algorithm->release());
    }
    return all;
  }();
  return *algorithms;
}

// Replaces the last eight bytes by a checksum of the rest.
std::string with_checksum(std::string bytes) {
  if (bytes.size() < 8) return bytes;
  const std::uint64_t sum = checksum(bytes.data(), bytes.size() - 8);
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_segment(bytes);
  const std::string summed = with_checksum(bytes);
  if (const Result<IndexManifest> manifest = decode_manifest(summed);
      manifest && encode_manifest(*manifest) != summed) {
    std::abort();
  }
  SiteTemplates templates;
  std::uint64_t covered = 0;
  static_cast<void>(templates.decode(summed, covered));
  PageRecord page;
  static_cast<void>(decode_page_record(bytes, page));
  TextRecord text;
  static_cast<void>(decode_text_record(bytes, text));
  TextKeys keys;
  static_cast<void>(read_text_keys(bytes, nullptr, keys));
  for (const PageAlgorithm* algorithm : page_algorithms()) {
    keys = TextKeys();
    static_cast<void>(read_text_keys(bytes, algorithm, keys));
  }
  IndexCounts counts;
  static_cast<void>(decode_index_counts(bytes, counts));
  std::vector<ProfileGeneration> generations;
  if (decode_profile_generations(bytes, generations) && encode_profile_generations(generations) != bytes) std::abort();
  return 0;
}
