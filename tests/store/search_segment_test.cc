// The search head and segments: all texts within 6 bits are found, before and after merging; every damaged byte is
// detected.
#include "store/search_segment.h"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "store/search_head.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class SearchTablesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("paraprint_segment_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  TextKeys random_keys(std::size_t fingerprints, std::size_t exact) {
    TextKeys keys;
    for (std::size_t i = 0; i < fingerprints; ++i) keys.fingerprints.push_back({random_(), random_()});
    for (std::size_t i = 0; i < exact; ++i) keys.exact.push_back(random_());
    for (std::uint32_t band = 0; band < kShortKeysMaximum; ++band) {
      keys.sketch.push_back(band << 16 | static_cast<std::uint16_t>(random_()));
    }
    return keys;
  }

  fs::path folder_;
  std::mt19937_64 random_{11};
};

std::vector<std::uint64_t> texts_of(const HitCollector& collector) {
  std::vector<std::uint64_t> texts;
  for (const TableHit& hit : collector.hits) texts.push_back(hit.text);
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

std::array<NearQuery, 1> near_query(const Fingerprint128& fingerprint) {
  return {{{fingerprint, 1}}};
}
std::array<ExactQuery, 1> exact_query(std::uint64_t key) {
  return {{{key, 1}}};
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream copied;
  copied << file.rdbuf();
  return copied.str();
}

Fingerprint128 with_flips(Fingerprint128 fingerprint, int flips, std::mt19937_64& random) {
  Fingerprint128 changed = fingerprint;
  while (std::popcount(changed.high ^ fingerprint.high) + std::popcount(changed.low ^ fingerprint.low) < flips) {
    const std::uint64_t bit = random() % 128;
    (bit < 64 ? changed.high : changed.low) |= 0;
    std::uint64_t& half = bit < 64 ? changed.high : changed.low;
    const std::uint64_t original = bit < 64 ? fingerprint.high : fingerprint.low;
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    half = (half & ~mask) | (~original & mask);
  }
  return changed;
}

TEST_F(SearchTablesTest, FindsEveryTextWithinSixBits) {
  constexpr std::uint64_t kFirst = 1000;
  SearchHead head(kFirst, 4096);
  std::vector<TextKeys> texts;
  for (std::uint64_t i = 0; i < 500; ++i) {
    texts.push_back(random_keys(1 + random_() % 6, random_() % 9));
    head.add(kFirst + i, texts.back());
  }
  ASSERT_TRUE(head.write_segment(path("a.tables"), kFirst + 500));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment) << segment.error().message;
  EXPECT_EQ((*segment)->texts().first, kFirst);
  EXPECT_EQ((*segment)->texts().end, kFirst + 500);
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    for (const Fingerprint128& fingerprint : texts[i].fingerprints) {
      for (int flips = 0; flips <= kSearchDistanceBits; ++flips) {
        HitCollector in_head;
        HitCollector in_segment;
        const Fingerprint128 query = with_flips(fingerprint, flips, random_);
        head.find_near(near_query(query), in_head);
        (*segment)->find_near(near_query(query), in_segment);
        EXPECT_THAT(texts_of(in_head), ::testing::ElementsAre(kFirst + i));
        EXPECT_THAT(texts_of(in_segment), ::testing::Contains(kFirst + i));
      }
      HitCollector beyond;
      head.find_near(near_query(with_flips(fingerprint, kSearchDistanceBits + 1, random_)), beyond);
      EXPECT_THAT(texts_of(beyond), ::testing::IsEmpty());
    }
    for (const std::uint64_t key : texts[i].exact) {
      HitCollector in_head;
      HitCollector in_segment;
      head.find_exact(exact_query(key), in_head);
      (*segment)->find_exact(exact_query(key), in_segment);
      EXPECT_THAT(texts_of(in_head), ::testing::ElementsAre(kFirst + i));
      EXPECT_EQ(texts_of(in_segment), texts_of(in_head));
    }
  }
}

TEST_F(SearchTablesTest, MergeKeepsLivingTexts) {
  std::vector<TextKeys> texts;
  std::vector<std::shared_ptr<const SearchSegment>> segments;
  for (int part = 0; part < 3; ++part) {
    const std::uint64_t first = texts.size();
    SearchHead head(first, 4096);
    for (int i = 0; i < 100; ++i) {
      head.add(texts.size(), random_keys(3, 4));
      texts.emplace_back();
    }
    const std::string name = path(std::to_string(part) + ".tables");
    ASSERT_TRUE(head.write_segment(name, texts.size()));
    segments.push_back(*SearchSegment::open(name, SegmentMemory::kReadIfSmall));
  }
  const auto is_alive = [](std::uint64_t text) { return text % 3 != 0; };
  ASSERT_TRUE(merge_search_segments(path("merged.tables"), segments, is_alive));
  const auto merged = SearchSegment::open(path("merged.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(merged) << merged.error().message;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    std::vector<PackedPair> expected;
    for (const auto& segment : segments) {
      PackedTable::Cursor cursor(segment->table(table));
      for (PackedPair pair; cursor.next(pair);) {
        pair.value += static_cast<std::uint32_t>(segment->texts().first);
        if (is_alive(pair.value)) expected.push_back(pair);
      }
    }
    std::sort(expected.begin(), expected.end());
    PackedTable::Cursor cursor((*merged)->table(table));
    std::vector<PackedPair> found;
    for (PackedPair pair; cursor.next(pair);) found.push_back(pair);
    EXPECT_EQ(found, expected);
  }
}

TEST_F(SearchTablesTest, KeepsSummaries) {
  TextKeys keys = random_keys(1, 1);
  const auto summary_of = [](std::uint64_t text) { return Fingerprint128{text, ~text}; };
  std::vector<std::shared_ptr<const SearchSegment>> segments;
  for (const std::uint64_t first : {100U, 110U}) {
    SearchHead head(first, 64, true);
    for (const std::uint64_t text : {first, first + 1, first + 5}) {
      keys.summary = summary_of(text);
      head.add(text, keys);
    }
    EXPECT_EQ(head.summary(first + 5), summary_of(first + 5));
    EXPECT_EQ(head.summary(first + 3), std::nullopt);  // never added
    EXPECT_EQ(head.summary(first + 6), std::nullopt);
    const std::string name = path(std::to_string(first) + ".tables");
    ASSERT_TRUE(head.write_segment(name, first + 10));
    const auto segment = SearchSegment::open(name, SegmentMemory::kMapped);
    ASSERT_TRUE(segment) << segment.error().message;
    EXPECT_TRUE((*segment)->has_summaries());
    EXPECT_EQ((*segment)->summary(first + 1), summary_of(first + 1));
    EXPECT_EQ((*segment)->summary(first + 9), Fingerprint128());
    segments.push_back(*segment);
  }
  ASSERT_TRUE(merge_search_segments(path("merged.tables"), segments, [](std::uint64_t) { return true; }));
  const auto merged = SearchSegment::open(path("merged.tables"), SegmentMemory::kReadIfSmall);
  ASSERT_TRUE(merged) << merged.error().message;
  for (const std::uint64_t text : {100U, 101U, 105U, 110U, 115U}) EXPECT_EQ((*merged)->summary(text), summary_of(text));
}

TEST_F(SearchTablesTest, TablesWithoutSummariesHaveTheOlderFormat) {
  SearchHead head(0, 64);
  head.add(0, random_keys(1, 1));
  EXPECT_EQ(head.summary(0), std::nullopt);
  ASSERT_TRUE(head.write_segment(path("a.tables"), 1));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment) << segment.error().message;
  EXPECT_FALSE((*segment)->has_summaries());
  EXPECT_EQ((*segment)->summary(0), std::nullopt);
  EXPECT_EQ(bytes_of(path("a.tables"))[24], 4);
}

class DamagedTablesTest : public SearchTablesTest, public ::testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(WithSummaries, DamagedTablesTest, ::testing::Bool());

TEST_P(DamagedTablesTest, DetectsEveryDamagedByte) {
  SearchHead head(0, 64, GetParam());
  for (std::uint64_t text = 0; text < 6; ++text) head.add(text, random_keys(2, 3));
  ASSERT_TRUE(head.write_segment(path("a.tables"), 6));
  const std::string whole = bytes_of(path("a.tables"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    std::ofstream(path("b.tables"), std::ios::binary) << damaged;
    for (const SegmentMemory memory : {SegmentMemory::kMapped, SegmentMemory::kReadIfSmall}) {
      const auto segment = SearchSegment::open(path("b.tables"), memory);
      ASSERT_FALSE(segment) << "byte " << at;
      EXPECT_THAT(segment.error().message, ::testing::HasSubstr("b.tables"));
    }
  }
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    std::ofstream(path("b.tables"), std::ios::binary) << whole.substr(0, size);
    EXPECT_FALSE(SearchSegment::open(path("b.tables"), SegmentMemory::kMapped)) << size;
    EXPECT_FALSE(SearchSegment::open(path("b.tables"), SegmentMemory::kReadIfSmall)) << size;
  }
}

TEST_F(SearchTablesTest, ReportsUnsupportedVersion) {
  SearchHead head(0, 64);
  head.add(0, random_keys(1, 1));
  ASSERT_TRUE(head.write_segment(path("a.tables"), 1));
  const auto open_as_version = [&](char version) {
    std::fstream file(path("a.tables"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(24);
    file.put(version);
    file.close();
    return SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  };
  const auto newer = open_as_version(kSummarySegmentFormatVersion + 1);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(newer.error().message, ::testing::HasSubstr("formats 4 and 5"));
  // An older one has to be rebuilt, as if it were damaged.
  const auto older = open_as_version(2);
  ASSERT_FALSE(older);
  EXPECT_EQ(older.error().code, ErrorCode::kCorruptData);
  EXPECT_THAT(older.error().message, ::testing::HasSubstr("older format 2"));
}

TEST_F(SearchTablesTest, GivesLowerBoundOfLength) {
  for (std::uint64_t characters = 0; characters < 0xFFFFFFFF; characters += 1 + characters / 3) {
    const auto exact = static_cast<std::uint32_t>(characters);
    const std::uint32_t least = least_characters_of(length_class_of(exact));
    EXPECT_LE(least, exact);
    EXPECT_GE(least, exact - exact / 8);
  }
  EXPECT_GT(least_characters_of(length_class_of(0xFFFFFFFF)), 0xE0000000);
  for (int any = 0; any < 256; ++any) {
    const std::uint32_t least = least_characters_of(static_cast<std::uint8_t>(any));
    EXPECT_TRUE(least == 0 || length_class_of(least) == any);
  }

  SearchHead head(10, 64);
  for (const std::uint64_t text : {10U, 11U, 15U}) {
    TextKeys keys = random_keys(1, 1);
    keys.content_characters = static_cast<std::uint32_t>(text) * 8;
    head.add(text, keys);
  }
  EXPECT_EQ(head.least_characters(15), 120U);
  EXPECT_EQ(head.least_characters(13), 0U);  // never added
  EXPECT_EQ(head.least_characters(16), 0U);
  ASSERT_TRUE(head.write_segment(path("a.tables"), 17));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment) << segment.error().message;
  EXPECT_EQ((*segment)->least_characters(10), 80U);
  EXPECT_EQ((*segment)->least_characters(13), 0U);
  EXPECT_EQ((*segment)->least_characters(15), 120U);
  EXPECT_EQ((*segment)->least_characters(16), 0U);
}

TEST_F(SearchTablesTest, CapsAndCountsFrequentKeys) {
  SearchHead head(0, 4096);
  TextKeys keys;
  keys.exact = {42};
  keys.fingerprints = {{1, 2}};
  for (std::uint64_t text = 0; text < 1000; ++text) head.add(text, keys);
  ASSERT_TRUE(head.write_segment(path("a.tables"), 1000));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment);
  HitCollector collector;
  collector.key_cap = 10;
  (*segment)->find_exact(exact_query(42), collector);
  EXPECT_EQ(collector.hits.size(), 10U);
  EXPECT_EQ(collector.hits.back().text, 9U);
  EXPECT_EQ(collector.keys_over_cap, 1U);
  collector.hits.clear();
  (*segment)->find_near(near_query({1, 2}), collector);
  EXPECT_EQ(texts_of(collector).size(), 10U);
}

// Near each other in all blocks, so that each key has hits in many lines.
Fingerprint128 near_zero(std::mt19937_64& random) {
  return with_flips({}, static_cast<int>(random() % 4), random);
}

// Two pages of thousands of paragraphs that are all near each other would have millions of hits.
TEST_F(SearchTablesTest, NearKeysOfALookupShareTheirHits) {
  constexpr std::uint64_t kTexts = 400;
  constexpr std::size_t kKeys = 5000;
  constexpr std::uint32_t kKeyCap = 40;
  SearchHead head(0, 4096);
  for (std::uint64_t text = 0; text < kTexts; ++text) {
    TextKeys keys;
    keys.fingerprints = {near_zero(random_)};
    head.add(text, keys);
  }
  ASSERT_TRUE(head.write_segment(path("a.tables"), kTexts));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment);
  std::vector<NearQuery> queries;
  for (std::size_t i = 0; i < kKeys; ++i) queries.push_back({near_zero(random_), 1});
  const auto hits_of = [&](const auto& tables, bool shares) {
    HitCollector collector;
    collector.key_cap = kKeyCap;
    if (shares) collector.begin_near_keys(kKeys);
    tables.find_near(queries, collector);
    EXPECT_GT(collector.keys_over_cap, kKeys);
    EXPECT_GE(collector.weight_over_cap, kKeys);
    return collector.hits.size();
  };
  constexpr std::size_t kLinesOfAKey = 4 * (1 + kBlockBits);  // of each block: its own, and those of one flipped bit
  constexpr std::size_t kShared = kKeyCap * kKeys;
  for (const std::size_t hits : {hits_of(head, true), hits_of(**segment, true)}) {
    EXPECT_GE(hits, kShared);
    EXPECT_LE(hits, kShared + kKeys * kLinesOfAKey * HitCollector::kNearHitsAlways);
  }
  EXPECT_GT(hits_of(head, false), 2 * hits_of(head, true));
  EXPECT_GT(hits_of(**segment, false), 2 * hits_of(**segment, true));
}

// Fingerprints that agree with a key in a block and differ elsewhere are no hits, but have to be compared.
TEST_F(SearchTablesTest, NearKeysOfALookupShareTheLinesOfAHead) {
  constexpr std::uint64_t kTexts = 50'000;
  SearchHead head(0, 1 << 16);
  const Fingerprint128 wanted = {1, 2};
  const auto add = [&](std::uint64_t text, const Fingerprint128& fingerprint) {
    TextKeys keys;
    keys.fingerprints = {fingerprint};
    head.add(text, keys);
  };
  for (std::uint64_t text = 0; text < kTexts; ++text)
    add(text, text == kTexts / 2 ? wanted : Fingerprint128{1, random_() | 0xFFFF'FFFF});
  const auto found_by = [&](std::size_t keys) {
    const std::vector<NearQuery> queries(keys, NearQuery{wanted, 3});
    HitCollector collector;
    collector.begin_near_keys(keys);
    head.find_near(queries, collector);
    // The first keys use up what all have together; the others are counted.
    if (collector.keys_over_cap > 0) {
      EXPECT_GT(collector.weight_over_cap, 0U);
      EXPECT_GT(collector.keys_over_cap, keys / 2);
    }
    EXPECT_EQ(texts_of(collector), std::vector<std::uint64_t>{kTexts / 2});
    return collector.keys_over_cap;
  };
  EXPECT_EQ(found_by(1), 0U);
  EXPECT_GT(found_by(2000), 0U);
}

// Anyone can make texts with the 28 bits of a key that a table has: a few of them must not hide the text itself.
TEST_F(SearchTablesTest, FollowsManyTextsWithTheKeyOfAWholeText) {
  constexpr std::uint64_t kTexts = HitCollector::kTextKeyCap + 100;
  SearchHead head(0, kTexts);
  TextKeys keys;
  keys.exact = {42};
  for (std::uint64_t text = 0; text < kTexts; ++text) head.add(text, keys);
  ASSERT_TRUE(head.write_segment(path("a.tables"), kTexts));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment);
  const auto check = [&](const auto& tables) {
    HitCollector collector;
    collector.key_cap = 10;
    tables.find_exact(std::array{ExactQuery{42, 1, /*prefers_youngest=*/true}}, collector);
    EXPECT_EQ(collector.keys_over_cap, 1U);
    const std::vector<std::uint64_t> texts = texts_of(collector);
    ASSERT_EQ(texts.size(), HitCollector::kTextKeyCap);
    EXPECT_EQ(std::ranges::min(texts), 100U) << "the youngest texts";
    EXPECT_EQ(std::ranges::max(texts), kTexts - 1);
  };
  check(head);
  check(**segment);
}

// Of 1,000 texts, 125 have a key of three bits by chance, and 31 one of five bits.
TEST_F(SearchTablesTest, TheCapAllowsForShortKeysThatAgreeByChance) {
  SearchHead head(0, 4096);
  TextKeys keys;
  keys.exact = {42};
  for (std::uint64_t text = 0; text < 1000; ++text) head.add(text, keys);
  ASSERT_TRUE(head.write_segment(path("a.tables"), 1000));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment);
  const auto hits_of = [&](const auto& tables, int key_bits) {
    HitCollector collector;
    collector.key_cap = 10;
    const std::array<ExactQuery, 1> query = {{{42, 1, false, key_bits}}};
    tables.find_exact(query, collector);
    return collector.hits.size();
  };
  for (const auto& [key_bits, hits] : {std::pair(64, 10), std::pair(63, 10), std::pair(5, 135), std::pair(3, 510)}) {
    EXPECT_EQ(hits_of(head, key_bits), hits) << key_bits;
    EXPECT_EQ(hits_of(**segment, key_bits), hits) << key_bits;
  }
}

TEST_F(SearchTablesTest, FindsTextsSharingTwoSketchKeys) {
  constexpr std::uint64_t kFirst = 70'000;
  constexpr std::uint64_t kTexts = 4000;
  const auto random_sketch = [&] {
    std::vector<std::uint32_t> keys;
    // Few values, so that texts share keys by chance, and share bits in SketchHits.
    for (std::uint32_t band = 0; band < kShortKeysMaximum; ++band)
      keys.push_back(band << 16 | static_cast<std::uint32_t>(random_() % 60) << 8);
    return keys;
  };
  SearchHead head(kFirst, 70'000);
  std::vector<std::pair<std::uint64_t, TextKeys>> texts;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    TextKeys keys;
    if (i % 5 != 0) keys.sketch = random_sketch();
    texts.emplace_back(kFirst + (i < kTexts / 2 ? i : i + 65'536 - kTexts / 2), keys);
    head.add(texts.back().first, keys);
  }
  ASSERT_TRUE(head.write_segment(path("a.tables"), head.texts().end));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment) << segment.error().message;
  for (int query = 0; query < 100; ++query) {
    const std::vector<std::uint32_t> asked = random_sketch();
    const std::uint64_t first_text = query % 3 == 0 ? kFirst + random_() % 70'000 : 0;
    std::map<std::uint64_t, std::uint32_t> expected;
    for (const auto& [text, keys] : texts) {
      std::uint32_t equal = 0;
      for (std::size_t i = 0; i < keys.sketch.size(); ++i) equal += keys.sketch[i] == asked[i] ? 1 : 0;
      if (equal >= 2 && text >= first_text) expected[text] = equal;
    }
    const auto found_in = [&](const auto& table) {
      HitCollector collector;
      collector.weight = kShortKeysMaximum;  // makes a hit's weight its number of keys
      collector.first_text = first_text;
      table.find_sketch(asked, collector);
      std::map<std::uint64_t, std::uint32_t> found;
      for (const TableHit& hit : collector.hits) found[hit.text] = hit.weight;
      EXPECT_EQ(found.size(), collector.hits.size());
      return found;
    };
    EXPECT_EQ(found_in(head), expected);
    EXPECT_EQ(found_in(**segment), expected);
  }
}

TEST_F(SearchTablesTest, CapsAndCountsFrequentSketchKeys) {
  SearchHead head(0, 4096);
  TextKeys keys;
  for (std::uint32_t band = 0; band < kShortKeysMaximum; ++band) keys.sketch.push_back(band << 16);
  for (std::uint64_t text = 0; text < 1000; ++text) head.add(text, keys);
  ASSERT_TRUE(head.write_segment(path("a.tables"), 1000));
  const auto segment = SearchSegment::open(path("a.tables"), SegmentMemory::kMapped);
  ASSERT_TRUE(segment);
  HitCollector collector;
  collector.key_cap = 10;
  (*segment)->find_sketch(keys.sketch, collector);
  EXPECT_THAT(texts_of(collector), ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(collector.keys_over_cap, kShortKeysMaximum);
}

}  // namespace
}  // namespace paraprint
