// The choice of originals against an oracle that looks at all captures of a payload at once.
#include "payloads/choose_originals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "archive/revisit_target.h"

namespace paraprint {
namespace {

constexpr std::int64_t kDay = 24 * 60 * 60;

// Dates are days in 1970, so that a place names one of a few addresses on one of a few days.
struct TestCapture {
  unsigned payload = 0;
  unsigned day = 0;
  unsigned address = 0;
  std::uint64_t file = 0;  // kListed for an entry of a list
  std::uint64_t ordinal = 0;
  bool is_removed = false;
};

std::string url_of(const TestCapture& capture) {
  return "http://" + std::to_string(capture.address) + ".example/";
}

std::string date_of(const TestCapture& capture) {
  const std::string day = std::to_string(capture.day + 1);
  return "1970-01-" + std::string(2 - day.size(), '0') + day + "T00:00:00Z";
}

std::string id_of(const TestCapture& capture) {
  return std::to_string(capture.file) + "/" + std::to_string(capture.ordinal);
}

RawRecord record_of(const TestCapture& capture) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.id = id_of(capture);
  record.url = url_of(capture);
  record.date = date_of(capture);
  record.payload = std::to_string(capture.payload);
  return record;
}

CaptureRow row_of(const TestCapture& capture, CaptureBatch& batch) {
  const RawRecord record = record_of(capture);
  RevisitTarget target = target_of(record);
  CaptureRow row;
  row.key =
      capture.file == kListed ? listed_key(target.payload_sha1) : payload_key(record, target, PayloadDigest::kSha1);
  row.seconds = *seconds_of(record.date);
  row.file = capture.file;
  row.ordinal = capture.ordinal;
  row.is_removed = capture.is_removed ? 1 : 0;
  row.place = place_of(record.url, record.date);
  row.payload_bytes = record.payload.size();
  row.text = batch.texts.size();
  CaptureText{record.url, target.encode(), 0}.append_to(batch.texts);
  return row;
}

using Originals = std::map<std::string, std::string>;  // id of a copy -> id of its original

struct TestCase {
  std::vector<TestCapture> captures;
  std::set<std::string> referred_to;  // ids
  std::optional<unsigned> max_age_days;
};

Originals chosen(const TestCase& test, std::uint64_t memory_bytes, std::mt19937& random) {
  CaptureCollector collector({memory_bytes, testing::TempDir()}, nullptr);
  std::vector<TestCapture> captures = test.captures;
  std::shuffle(captures.begin(), captures.end(), random);
  for (std::size_t begin = 0; begin < captures.size();) {
    CaptureBatch batch;
    for (const std::size_t end = std::min(captures.size(), begin + 1 + random() % 5); begin < end; ++begin) {
      const TestCapture& capture = captures[begin];
      batch.captures.push_back(row_of(capture, batch));
      batch.places.push_back({batch.captures.back().place, batch.captures.back().key.words[0]});
      if (test.referred_to.contains(id_of(capture))) {
        batch.claims.push_back(names_of(id_of(capture), "", "", "")[0]);
      }
    }
    EXPECT_TRUE(collector.add(batch));
  }
  EXPECT_TRUE(collector.finish());
  std::optional<std::int64_t> age;
  if (test.max_age_days) age = *test.max_age_days * kDay;
  Counters counters;
  Result<ReplacementSorter> replacements =
      choose_originals(collector, age, {memory_bytes, testing::TempDir()}, counters);
  EXPECT_TRUE(replacements);
  Originals originals;
  Replacement row;
  while (replacements->next(row)) {
    const RevisitTarget copy = RevisitTarget::decode(collector.text(row.copy_text).target);
    const RevisitTarget original = RevisitTarget::decode(collector.text(row.original_text).target);
    EXPECT_EQ(original.payload_sha1, copy.payload_sha1);
    EXPECT_EQ(original.coding, copy.coding);
    originals[copy.id] = original.id;
  }
  EXPECT_EQ(originals.size(), counters["revisits_to_input"] + counters["revisits_to_list"]);
  return originals;
}

Originals expected(const TestCase& test) {
  std::vector<TestCapture> captures = test.captures;
  std::sort(captures.begin(), captures.end(), [](const TestCapture& a, const TestCapture& b) {
    return std::tie(a.is_removed, a.day, a.file, a.ordinal) < std::tie(b.is_removed, b.day, b.file, b.ordinal);
  });
  const auto same_place = [](const TestCapture& a, const TestCapture& b) {
    return a.day == b.day && a.address == b.address;
  };
  const auto is_ambiguous = [&](const TestCapture& capture) {
    return std::any_of(captures.begin(), captures.end(), [&](const TestCapture& other) {
      return same_place(other, capture) && other.payload != capture.payload;
    });
  };
  Originals originals;
  std::map<unsigned, TestCapture> stored;  // by payload
  for (const TestCapture& copy : captures) {
    if (copy.file == kListed) continue;
    const auto in_time = [&](const TestCapture& original) {
      if (copy.is_removed) return true;
      return original.day <= copy.day && (!test.max_age_days || copy.day - original.day <= *test.max_age_days);
    };
    std::optional<TestCapture> original;
    if (const auto found = stored.find(copy.payload); found != stored.end() && in_time(found->second)) {
      original = found->second;
    } else {
      for (const TestCapture& listed : captures) {
        if (listed.file != kListed || listed.payload != copy.payload || !in_time(listed)) continue;
        if (is_ambiguous(listed) || is_ambiguous(copy)) continue;
        original = listed;
        break;
      }
    }
    if (!original) {
      if (!copy.is_removed && !is_ambiguous(copy)) stored[copy.payload] = copy;
    } else if (!same_place(*original, copy) && (copy.is_removed || !test.referred_to.contains(id_of(copy)))) {
      originals[id_of(copy)] = id_of(*original);
    }
  }
  return originals;
}

TestCase random_case(std::mt19937& random) {
  TestCase test;
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const unsigned payloads = 1 + below(4);
  const unsigned days = 1 + below(31);
  const unsigned addresses = 1 + below(20);
  const unsigned listed = below(3) * 5;
  for (unsigned i = 0; i < 40; ++i) {
    TestCapture capture{below(payloads), below(days), below(addresses), below(3), i};
    if (i < listed) {
      capture.file = kListed;
    } else {
      capture.is_removed = below(6) == 0;
    }
    test.captures.push_back(capture);
    if (below(10) == 0) test.referred_to.insert(id_of(capture));
  }
  if (below(2) == 0) test.max_age_days = below(days);
  return test;
}

TEST(ChooseOriginals, AgreesWithLookingAtAllCaptures) {
  std::mt19937 random(1);
  std::size_t copies = 0;
  for (int i = 0; i < 3000; ++i) {
    const TestCase test = random_case(random);
    const Originals wanted = expected(test);
    ASSERT_EQ(chosen(test, 1 << 20, random), wanted) << i;
    ASSERT_EQ(chosen(test, 0, random), wanted) << i << ", sorted in files";
    copies += wanted.size();
  }
  EXPECT_GT(copies, 10'000U);
}

}  // namespace
}  // namespace paraprint
