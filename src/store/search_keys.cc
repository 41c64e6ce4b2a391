// Nearly all texts collected for a sketch share a single key with it by chance. The two bitmaps filled by add() drop
// these without sorting: a text is kept only if its bit was set at least twice. Other texts that share the bit are
// removed by the exact count.
#include "store/search_keys.h"

#include <algorithm>

namespace paraprint::inline store {

void SketchHits::end_table(std::uint32_t weight, std::size_t key_count, std::vector<TableHit>& hits) {
  // Drop texts whose bit was seen once, before anything is sorted.
  std::erase_if(texts_, [&](std::uint64_t text) { return (seen_twice_[text / 64 % kWords] >> text % 64 & 1) == 0; });
  std::sort(texts_.begin(), texts_.end());
  for (std::size_t begin = 0, end = 0; begin < texts_.size(); begin = end) {
    while (end < texts_.size() && texts_[end] == texts_[begin]) ++end;
    if (end - begin < 2) continue;
    hits.push_back(
        {texts_[begin], static_cast<std::uint32_t>(std::uint64_t{weight} * (end - begin) / key_count), true});
  }
}

static_assert(std::endian::native == std::endian::little);

void encode_summary(const Fingerprint128& summary, char* bytes) {
  std::memcpy(bytes, &summary.low, sizeof summary.low);
  std::memcpy(bytes + sizeof summary.low, &summary.high, sizeof summary.high);
}

}  // namespace paraprint::inline store
