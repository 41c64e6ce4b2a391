// The state of a crawl on disk: commits, queues compared with a simple model, and walks over tables.
#include "crawl/crawl_state.h"

#include <gtest/gtest.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/write_batch.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../temporary_folder.h"

namespace paraprint {
namespace {

QueueEntry entry(std::string url) {
  QueueEntry queued;
  queued.url = std::move(url);
  return queued;
}

// They were in the table of pages.
TEST(CrawlState, FindsSitemapsOfEarlierVersions) {
  const TemporaryFolder folder;
  const auto state = CrawlState::open(folder.path()).value();
  UrlRecord record;
  record.kind = UrlKind::kSitemap;
  record.depth = 1;
  rocksdb::WriteBatch earlier;
  for (const char* const key : {"uhttp://a/1", "uhttp://a/2"}) earlier.Put(key, record.encode());
  ASSERT_TRUE(state->apply(earlier.Data()));
  EXPECT_FALSE(state->url("http://a/1").value());
  EXPECT_EQ(state->url("http://a/1", UrlKind::kSitemap).value()->depth, 1);
  StateBatch batch;
  record.depth = 2;
  batch.put_url("http://a/1", record);
  batch.put_url("http://a/2", UrlRecord{});
  ASSERT_TRUE(state->apply(batch.bytes()));
  std::vector<std::string> found;
  ASSERT_TRUE(state->for_each_url([&](std::string_view url, const UrlRecord& known) -> Status {
    found.push_back(std::string(url) + (known.kind == UrlKind::kPage ? " page " : " sitemap ") +
                    std::to_string(known.depth));
    return {};
  }));
  EXPECT_EQ(found, (std::vector<std::string>{"http://a/2 page 0", "http://a/1 sitemap 2"}));
  EXPECT_TRUE(state->url("http://a/2").value());
}

TEST(CrawlState, KeepsCommittedChanges) {
  const TemporaryFolder folder;
  {
    const auto state = CrawlState::open(folder.path()).value();
    StateBatch batch;
    UrlRecord record;
    record.etag = "e";
    batch.put_url("http://a/", record);
    batch.put_barren("a/#", 300);
    CrawlPosition position;
    position.warc_bytes = 77;
    batch.put_position(position);
    EXPECT_EQ(state->seeds().value(), "");
    batch.put_seeds("http://a/\n");
    ASSERT_TRUE(state->apply(batch.bytes()));
    ASSERT_TRUE(state->commit());
    batch.clear();
    batch.put_url("http://never/", record);
    ASSERT_TRUE(state->apply(batch.bytes()));
    EXPECT_TRUE(state->url("http://never/").value());
  }
  const auto state = CrawlState::open(folder.path()).value();
  EXPECT_EQ(state->url("http://a/").value()->etag, "e");
  EXPECT_FALSE(state->url("http://never/").value());
  EXPECT_FALSE(state->url("http://a").value());
  EXPECT_EQ(state->barren("a/#").value(), 300u);
  EXPECT_EQ(state->barren("other").value(), 0u);
  EXPECT_EQ(state->position().value()->warc_bytes, 77u);
  EXPECT_EQ(state->seeds().value(), "http://a/\n");
  EXPECT_FALSE(state->robots("http://a").value());
}

TEST(CrawlState, CanOnlyBeOpenedOnce) {
  const TemporaryFolder folder;
  const auto state = CrawlState::open(folder.path()).value();
  const auto second = CrawlState::open(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kInvalidArgument);
}

// A lock file that cannot be opened is not a lock that another crawl holds.
TEST(CrawlState, TellsALockFromABrokenLockFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "LOCK");
  const auto state = CrawlState::open(folder.path());
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code, ErrorCode::kInputOutput) << state.error().message;
}

// Compared with a map of maps: entries are ordered by priority, then by sequence, and never come from another host.
TEST(CrawlState, QueuesAreInOrder) {
  const TemporaryFolder folder;
  const auto state = CrawlState::open(folder.path()).value();
  std::map<std::string, std::map<QueuePlace, std::string>> model;
  const std::string hosts[] = {"a", "a.example", "b", "b\xFF"};
  std::mt19937_64 random(5);  // its output is fixed by the C++ standard
  for (std::uint64_t step = 0; step < 2000; ++step) {
    StateBatch batch;
    const std::string& host = hosts[random() % 4];
    auto& queue = model[host];
    if (random() % 3 != 0 || queue.empty()) {
      const QueuePlace place{static_cast<std::uint8_t>(random() % 4), step};
      const std::string url = "http://" + host + "/" + std::to_string(step);
      batch.put_queued(host, place, entry(url));
      queue[place] = url;
    } else {
      batch.remove_queued(host, queue.begin()->first);
      queue.erase(queue.begin());
    }
    ASSERT_TRUE(state->apply(batch.bytes()));
    if (random() % 10 == 0) {  // reads must not depend on what is committed
      ASSERT_TRUE(state->commit());
    }
    for (const std::string& each : hosts) {
      const QueuePlace from{static_cast<std::uint8_t>(random() % 3), random() % 2000};
      const auto found = state->next_queued(each, from).value();
      const auto expected = model[each].lower_bound(from);
      ASSERT_EQ(found.has_value(), expected != model[each].end());
      const auto end = static_cast<std::uint8_t>(random() % 5);
      const auto below_end = state->next_queued(each, from, end).value();
      EXPECT_EQ(below_end.has_value(), found && found->place.priority < end);
      if (!found) continue;
      EXPECT_EQ(found->place, expected->first);
      EXPECT_EQ(found->entry.url, expected->second);
      if (below_end) {
        EXPECT_EQ(below_end->place, found->place);
      }
    }
  }
}

// One thread does everything: looking for the next entry must not take longer and longer.
TEST(CrawlState, DeletedEntriesElsewhereCostNothing) {
  const TemporaryFolder folder;
  const auto state = CrawlState::open(folder.path()).value();
  constexpr std::uint64_t kEntries = 1000;
  StateBatch put;
  StateBatch remove;
  for (const char* const host : {"a", "b"}) {
    for (std::uint8_t priority = 0; priority < 4; ++priority) {
      for (std::uint64_t sequence = 0; sequence < kEntries; ++sequence) {
        put.put_queued(host, {priority, sequence}, entry("http://a/"));
        if (priority != 3 || *host == 'b') remove.remove_queued(host, {priority, sequence});
      }
    }
  }
  ProbeRecord probe;
  put.put_probe("http://a", probe);
  for (const StateBatch* const batch : {&put, &remove}) {
    ASSERT_TRUE(state->apply(batch->bytes()));
    ASSERT_TRUE(state->commit());
  }
  const auto stepped_over = [](const auto& look) {
    rocksdb::get_perf_context()->Reset();
    look();
    return rocksdb::get_perf_context()->internal_delete_skipped_count;
  };
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  EXPECT_LT(stepped_over([&] { EXPECT_FALSE(state->next_queued("a", {1, kEntries}, 2).value()); }), 3U);
  EXPECT_LT(stepped_over([&] { EXPECT_TRUE(state->next_queued("a", {3, 0}).value()); }), 3U);
  EXPECT_LT(stepped_over([&] { EXPECT_FALSE(state->next_queued("a", {3, kEntries}).value()); }), 3U);
  EXPECT_LT(stepped_over([&] { EXPECT_FALSE(state->next_queued("A", {}).value()); }), 3U);
  EXPECT_LT(stepped_over([&] {
              EXPECT_TRUE(state->for_each_probe([](std::string_view, const ProbeRecord&) -> Status { return {}; }));
            }),
            3U);
  EXPECT_GE(stepped_over([&] { EXPECT_TRUE(state->next_queued("a", {}).value()); }), 3 * kEntries);
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
}

TEST(CrawlState, VisitsTables) {
  const TemporaryFolder folder;
  const auto state = CrawlState::open(folder.path()).value();
  StateBatch batch;
  for (const char* name : {"b", "a", "c"}) {
    batch.put_host(name, HostRecord{});
    batch.put_cluster(std::string("http://") + name, ClusterRecord{});
    batch.put_url(std::string("http://") + name, UrlRecord{});
    ProbeRecord probe;
    probe.matches = 7;
    batch.put_probe(std::string("http://") + name, probe);
  }
  ASSERT_TRUE(state->apply(batch.bytes()));
  std::string seen;
  const auto see = [&](std::string_view host, const HostRecord&) -> Status {
    seen += host;
    return {};
  };
  ASSERT_TRUE(state->for_each_host(see));
  ASSERT_TRUE(state->commit());
  ASSERT_TRUE(state->for_each_host(see));
  EXPECT_EQ(seen, "abcabc");
  EXPECT_EQ(state->apply("no batch").error().code, ErrorCode::kCorruptData);
  std::size_t clusters = 0;
  ASSERT_TRUE(state->for_each_cluster([&](std::string_view, const ClusterRecord&) -> Status {
    ++clusters;
    return {};
  }));
  EXPECT_EQ(clusters, 3u);
  std::string origins;
  ASSERT_TRUE(state->for_each_probe([&](std::string_view origin, const ProbeRecord& record) -> Status {
    origins += std::string(origin) + " " + std::to_string(record.matches) + "\n";
    return {};
  }));
  EXPECT_EQ(origins, "http://a 7\nhttp://b 7\nhttp://c 7\n");
  EXPECT_EQ(state->probe("http://b").value()->matches, 7u);
  EXPECT_FALSE(state->probe("http://d").value());
  const Status stopped = state->for_each_url(
      [&](std::string_view, const UrlRecord&) -> Status { return failure(ErrorCode::kCancelled, "enough"); });
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace paraprint
