// The search tables of an index, in memory and on disk: pages whose keys and fingerprints were chosen to crowd them,
// and a page with the keys of all of them that is looked up.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>

#include "base/assert.h"
#include "input_kinds.h"
#include "online/search_tables.h"
#include "store/search_head.h"
#include "store/search_segment.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::size_t kKeysOfText = 16;
constexpr std::size_t kTextsMaximum = 1 << 14;
constexpr int kLookups = 20;  // so that making tables, whose smallest size is that of thousands of pages, counts little

void add_to_text(std::uint64_t key, TextKeys& text) {
  text.exact.push_back(key);
}
void add_to_text(const Fingerprint128& key, TextKeys& text) {
  text.fingerprints.push_back(key);
}

template <class Key>
void add_texts(std::span<const Key> keys, std::uint64_t first_text, SearchHead& head) {
  for (std::uint64_t text = first_text; !keys.empty(); ++text) {
    TextKeys of_text;
    const std::span<const Key> added = keys.first(std::min(kKeysOfText, keys.size()));
    for (const Key& key : added) add_to_text(key, of_text);
    head.add(text, of_text);
    keys = keys.subspan(added.size());
  }
}

// The first half of the texts is in a segment, the others in the head.
template <class Key>
SearchView tables_of(std::span<const Key> keys) {
  static const TemporaryFolder folder;
  const std::size_t written_texts = keys.size() / kKeysOfText / 2;
  const std::span<const Key> written_keys = keys.first(written_texts * kKeysOfText);
  SearchView view;
  if (written_texts > 0) {
    SearchHead written(0, kTextsMaximum);
    add_texts(written_keys, 0, written);
    const std::string path = folder / "tables";
    const Status status = written.write_segment(path, written_texts);
    auto segment = SearchSegment::open(path, SegmentMemory::kReadIfSmall);
    PARAPRINT_ASSERT(status && segment);
    view.segments.push_back(*segment);
  }
  view.head = std::make_shared<SearchHead>(written_texts, kTextsMaximum);
  add_texts(keys.subspan(written_keys.size()), written_texts, *view.head);
  return view;
}

template <class Key>
std::vector<Key> keys_of(std::string_view bytes) {
  std::vector<Key> keys(std::min(bytes.size() / sizeof(Key), kKeysOfText * kTextsMaximum));
  if (!keys.empty()) std::memcpy(keys.data(), bytes.data(), keys.size() * sizeof(Key));
  return keys;
}

// As the keys of a page that is looked up are.
template <class Key>
std::vector<Key> distinct(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void find_exact_keys(std::string_view bytes) {
  static HitCollector collector;
  const std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(bytes);
  const SearchView view = tables_of<std::uint64_t>(keys);
  std::vector<ExactQuery> queries;
  for (const std::uint64_t key : distinct(keys)) queries.push_back({key, 1});
  for (int lookup = 0; lookup < kLookups; ++lookup) {
    collector.hits.clear();
    view.find_exact(queries, collector);
  }
}

void find_fingerprints(std::string_view bytes) {
  static HitCollector collector;
  const std::vector<Fingerprint128> keys = keys_of<Fingerprint128>(bytes);
  const SearchView view = tables_of<Fingerprint128>(keys);
  std::vector<NearQuery> queries;
  for (const Fingerprint128& key : distinct(keys)) queries.push_back({key, 1});
  for (int lookup = 0; lookup < kLookups; ++lookup) {
    collector.hits.clear();
    view.find_near(queries, collector);
  }
}

using Random = std::mt19937_64;

// As many keys as fit, each made by `make(random, number)`.
template <class Make>
std::function<std::string(std::size_t)> made_by(Make make) {
  return [make](std::size_t size_bytes) {
    Random random(1);
    std::string bytes;
    for (std::uint64_t number = 0; bytes.size() < size_bytes; ++number) {
      const auto key = make(random, number);
      bytes.append(reinterpret_cast<const char*>(&key), sizeof key);
    }
    return bytes;
  };
}

Fingerprint128 flipped(Fingerprint128 fingerprint, Random& random) {
  for (std::uint64_t flips = random() % 4; flips > 0; --flips)
    (random() % 2 == 0 ? fingerprint.low : fingerprint.high) ^= std::uint64_t{1} << random() % 64;
  return fingerprint;
}

std::uint64_t any_key(Random& random, std::uint64_t) {
  return random();
}
// Versions of pages: each paragraph occurs in 40 of them, a little changed.
Fingerprint128 fingerprint_of_version(Random& random, std::uint64_t number) {
  constexpr std::uint64_t kVersions = 40;
  Random of_paragraph(number / kKeysOfText / kVersions * kKeysOfText + number % kKeysOfText);
  return flipped({of_paragraph(), of_paragraph()}, random);
}

// Keys that agree in the leading bits, which would choose a place in a table.
std::uint64_t key_that_begins_alike(Random& random, std::uint64_t) {
  return random() >> 20;
}
std::uint64_t one_key(Random&, std::uint64_t) {
  return 1;
}

Fingerprint128 fingerprint_of_one_block(Random& random, std::uint64_t) {
  return {random() >> 32, random()};
}
// Within one bit of it in a block.
Fingerprint128 fingerprint_around_one_block(Random& random, std::uint64_t number) {
  return {random() >> 32 | std::uint64_t{1} << (32 + number % 32), random()};
}
Fingerprint128 near_fingerprint(Random& random, std::uint64_t) {
  return flipped({}, random);
}
Fingerprint128 one_fingerprint(Random&, std::uint64_t) {
  return {};
}

}  // namespace

void add_search_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back({"search_keys",
                   '\n',
                   of_size(made_by(any_key)),
                   find_exact_keys,
                   {
                       {"begin_alike", made_by(key_that_begins_alike)},
                       {"one", made_by(one_key)},
                   }});
  kinds.push_back({"search_fingerprints",
                   '\n',
                   of_size(made_by(fingerprint_of_version)),
                   find_fingerprints,
                   {
                       {"of_one_block", made_by(fingerprint_of_one_block)},
                       {"around_one_block", made_by(fingerprint_around_one_block)},
                       {"near", made_by(near_fingerprint)},
                       {"one", made_by(one_fingerprint)},
                   }});
}

}  // namespace paraprint
