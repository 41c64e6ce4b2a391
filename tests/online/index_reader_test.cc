// Readers of an index that another process changes: their answers are those of the writer at the moment of the
// snapshot, they follow newer snapshots while they answer, they write nothing, and the writer removes no snapshot that
// one of them has open.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "failing_files.h"
#include "online/generated_profiles.h"
#include "online/killed_child.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

IndexOptions writer_options(std::uint32_t snapshots = 0) {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  options.snapshots = snapshots;
  return options;
}

IndexOptions reader_options() {
  IndexOptions options;
  options.identity = "test";
  options.read_only = true;
  return options;
}

// Every third page is an edited copy of an earlier one, and all of a site share a frame.
Profile profile_of(std::uint64_t page) {
  ArticleGenerator generator(page % 3 == 2 ? page / 2 : page);
  ArticleGenerator::Article article = generator.article(4);
  if (page % 3 == 2) article = generator.edited(article, 1);
  ArticleGenerator of_site(1'000'000 + page % 5);
  const ArticleGenerator::Article frame = of_site.article(2);
  article.paragraphs.insert(article.paragraphs.end(), frame.paragraphs.begin(), frame.paragraphs.end());
  return ArticleGenerator::profile_of(article);
}

std::string url_of(std::uint64_t page) {
  return fmt::format("http://site{}.example/{}", page % 5, page);
}

void add(PageIndex& index, std::uint64_t page) {
  const std::string url = url_of(page);
  const Profile profile = profile_of(page);
  IndexPageInput input;
  input.url = url;
  input.seen_at_seconds = 1000 + page;
  input.profile = &profile;
  const Result<AddOutcome> added = index.lookup_or_add(input, {});
  ASSERT_TRUE(added) << added.error().message;
}

std::string answer_of(const PageIndex& index, std::uint64_t page) {
  const std::string url = fmt::format("http://site{}.example/asked", page % 5);
  const Profile profile = profile_of(page);
  IndexPageInput input;
  input.url = url;
  input.profile = &profile;
  LookupOptions options;
  options.evidence = true;
  options.all = true;
  const Result<LookupOutcome> answer = index.lookup(input, options);
  return answer ? lookup_json(input, *answer) : answer.error().message;
}

std::vector<std::string> answers_of(const PageIndex& index, std::uint64_t pages) {
  std::vector<std::string> answers;
  for (std::uint64_t page = 0; page < pages; ++page) answers.push_back(answer_of(index, page));
  return answers;
}

std::set<std::string> snapshots_in(const std::string& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/snapshots")) {
    if (entry.is_directory()) names.insert(entry.path().filename());
  }
  return names;
}

class IndexReaderTest : public ::testing::Test {
 protected:
  void open_writer(std::uint32_t snapshots = 0) {
    auto opened = PageIndex::open(known_, writer_options(snapshots));
    ASSERT_TRUE(opened) << opened.error().message;
    writer_ = std::move(*opened);
  }
  std::unique_ptr<PageIndex> open_reader() const {
    auto opened = PageIndex::open(known_, reader_options());
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }

  TemporaryFolder folder_;
  std::string known_ = folder_ / "known";
  std::unique_ptr<PageIndex> writer_;
};

TEST_F(IndexReaderTest, AnswersAreThoseOfTheWriter) {
  open_writer();
  for (std::uint64_t page = 0; page < 200; ++page) add(*writer_, page);
  for (std::uint64_t page = 0; page < 200; page += 7) ASSERT_TRUE(*writer_->remove(url_of(page)));
  ASSERT_TRUE(writer_->snapshot());
  const auto one = open_reader();
  const auto other = open_reader();
  ASSERT_TRUE(one && other);
  const std::vector<std::string> answers = answers_of(*writer_, 230);
  EXPECT_EQ(answers_of(*one, 230), answers);
  EXPECT_EQ(answers_of(*other, 230), answers);
  EXPECT_EQ(one->get(url_of(3))->last_seen_seconds, 1003U);
  EXPECT_EQ(one->find_by_url(url_of(3))->id, url_of(3));
  EXPECT_EQ(one->get_cluster(url_of(3), 10)->size(), writer_->get_cluster(url_of(3), 10)->size());
  EXPECT_EQ(*one->ids_after("", 500), *writer_->ids_after("", 500));
  EXPECT_TRUE(one->verify(true)->is_clean());
  // The snapshot stays as it is.
  for (std::uint64_t page = 200; page < 400; ++page) add(*writer_, page);
  ASSERT_TRUE(writer_->compact());
  EXPECT_EQ(answers_of(*one, 230), answers);
}

TEST_F(IndexReaderTest, ReadersFollowTheWriter) {
  open_writer();
  add(*writer_, 0);
  ASSERT_TRUE(writer_->snapshot());
  const auto reader = open_reader();
  ASSERT_TRUE(reader);
  EXPECT_FALSE(*reader->refresh());
  for (std::uint64_t page = 1; page < 300; ++page) {
    add(*writer_, page);
    if (page % 50 != 0) continue;
    EXPECT_FALSE(*reader->refresh()) << "nothing was published";
    ASSERT_TRUE(writer_->snapshot());
    EXPECT_NE(reader->statistics()->pages, writer_->statistics()->pages);
    const Result<bool> refreshed = reader->refresh();
    ASSERT_TRUE(refreshed) << refreshed.error().message;
    EXPECT_TRUE(*refreshed);
    EXPECT_EQ(reader->statistics()->pages, writer_->statistics()->pages);
    EXPECT_EQ(answers_of(*reader, page + 10), answers_of(*writer_, page + 10));
  }
  // Without a change there is no further snapshot.
  const std::uint64_t number = writer_->statistics()->snapshot;
  ASSERT_TRUE(writer_->snapshot());
  add(*writer_, 300);
  ASSERT_TRUE(writer_->snapshot());
  ASSERT_TRUE(writer_->snapshot());
  EXPECT_EQ(writer_->statistics()->snapshot, number + 2);  // page 299 was not published either
}

TEST_F(IndexReaderTest, ManyThreadsAnswerWhileTheIndexIsReplaced) {
  open_writer();
  for (std::uint64_t page = 0; page < 100; ++page) add(*writer_, page);
  ASSERT_TRUE(writer_->snapshot());
  const auto reader = open_reader();
  ASSERT_TRUE(reader);
  const std::vector<std::string> first = answers_of(*reader, 20);
  std::atomic<bool> is_over = false;
  std::atomic<std::uint64_t> answered = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      while (!is_over) {
        // Pages are only added, so what was found once is found in every snapshot.
        const Profile profile = profile_of(answered % 20);
        IndexPageInput input;
        input.profile = &profile;
        const Result<LookupOutcome> answer = reader->lookup(input, {});
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->verdict, Verdict::kSame);
        ++answered;
      }
    });
  }
  for (std::uint64_t page = 100; page < 400; ++page) {
    add(*writer_, page);
    if (page % 20 != 0) continue;
    ASSERT_TRUE(writer_->snapshot());
    ASSERT_TRUE(reader->refresh());
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(answered, 0U);
  ASSERT_TRUE(writer_->snapshot());
  ASSERT_TRUE(reader->refresh());
  EXPECT_EQ(answers_of(*reader, 400), answers_of(*writer_, 400));
}

TEST_F(IndexReaderTest, NothingIsWritten) {
  open_writer();
  for (std::uint64_t page = 0; page < 150; ++page) add(*writer_, page);
  ASSERT_TRUE(writer_->snapshot());
  for (const bool is_open : {true, false}) {  // by the writer
    if (!is_open) writer_.reset();
    for (const FileWork work : {FileWork::kWrite, FileWork::kSync, FileWork::kMake}) {
      FileFault any;
      any.work = work;
      // An open writer, which is in this process, may still write tables of its own.
      any.path_part = is_open ? known_ + "/snapshots" : known_;
      any.error = EROFS;
      const FailingFiles fault(any);
      const auto reader = open_reader();
      ASSERT_TRUE(reader);
      EXPECT_EQ(answers_of(*reader, 20).size(), 20U);
      EXPECT_TRUE(reader->verify(true)->is_clean());
      EXPECT_TRUE(reader->sync());
      EXPECT_EQ(fault.calls(), 0U) << static_cast<int>(work);
    }
    fs::remove_all(known_ + "/snapshots");  // then the index itself is read
    if (is_open) {
      ASSERT_EQ(PageIndex::open(known_, reader_options()).error().code, ErrorCode::kInvalidArgument);
    }
  }
}

TEST_F(IndexReaderTest, ChangesAreRefused) {
  open_writer();
  add(*writer_, 0);
  ASSERT_TRUE(writer_->snapshot());
  const auto reader = open_reader();
  ASSERT_TRUE(reader);
  const Profile profile = profile_of(1);
  IndexPageInput input;
  input.url = "http://site1.example/1";
  input.profile = &profile;
  const std::vector<Status> refusals = {
      reader->lookup_or_add(input, {}).map([](const AddOutcome&) {}),
      reader->add(input).map([](PageChange) {}),
      reader->remove(url_of(0)).map([](bool) {}),
      reader->expire(99).map([](std::uint64_t) {}),
      reader->compact(),
      reader->backup(folder_ / "backup"),
      reader->snapshot(),
      reader->check_writable(),
  };
  for (const Status& refused : refusals) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("open for reading only"));
  }
  EXPECT_EQ(writer_->refresh().error().code, ErrorCode::kInvalidArgument);
  IndexOptions both = reader_options();
  both.snapshots = 1;
  EXPECT_EQ(PageIndex::open(known_, both).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(IndexReaderTest, AnIndexThatNoProcessChangesIsReadItself) {
  EXPECT_EQ(PageIndex::open(known_, reader_options()).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(known_));
  open_writer();
  for (std::uint64_t page = 0; page < 150; ++page) add(*writer_, page);
  const std::vector<std::string> answers = answers_of(*writer_, 160);
  const auto busy = PageIndex::open(known_, reader_options());
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(busy.error().message, HasSubstr("with --snapshots"));
  writer_.reset();
  const auto one = open_reader();
  const auto other = open_reader();
  ASSERT_TRUE(one && other);
  EXPECT_EQ(answers_of(*one, 160), answers);
  EXPECT_FALSE(*one->refresh());
  const auto refused = PageIndex::open(known_, writer_options());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is being read by other processes"));
}

TEST_F(IndexReaderTest, BackupsAreRead) {
  open_writer();
  for (std::uint64_t page = 0; page < 10; ++page) add(*writer_, page);
  ASSERT_TRUE(writer_->backup(folder_ / "backup"));
  const auto reader = PageIndex::open(folder_ / "backup", reader_options());
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(answers_of(**reader, 12), answers_of(*writer_, 12));
}

TEST_F(IndexReaderTest, OlderSnapshotsAreRemovedUnlessTheyAreRead) {
  open_writer();
  const auto publish = [&](std::uint64_t page) {
    add(*writer_, page);
    ASSERT_TRUE(writer_->snapshot());
  };
  publish(0);
  auto reader = open_reader();
  for (std::uint64_t page = 1; page < 5; ++page) publish(page);
  EXPECT_THAT(snapshots_in(known_), ElementsAre("00000001", "00000004", "00000005"));
  EXPECT_EQ(reader->statistics()->pages, 1U);
  ASSERT_TRUE(*reader->refresh());
  EXPECT_EQ(reader->statistics()->pages, 5U);
  publish(5);
  EXPECT_THAT(snapshots_in(known_), ElementsAre("00000005", "00000006"));
  // Whatever happens to its files, a reader continues, and follows again once there is something to follow.
  fs::remove_all(known_ + "/snapshots");
  EXPECT_FALSE(*reader->refresh());
  EXPECT_EQ(answers_of(*reader, 5), answers_of(*writer_, 5));
  publish(6);
  EXPECT_TRUE(*reader->refresh());
}

TEST_F(IndexReaderTest, SnapshotsArePublishedAtIntervalsAndAtTheEnd) {
  open_writer(1);
  add(*writer_, 0);
  while (!fs::exists(known_ + "/snapshots/current")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto reader = open_reader();
  ASSERT_TRUE(reader);
  add(*writer_, 1);
  writer_.reset();
  EXPECT_TRUE(*reader->refresh());
  EXPECT_EQ(reader->statistics()->pages, 2U);
  // Also by a process that was not asked to: readers would otherwise miss what it adds.
  open_writer();
  EXPECT_EQ(writer_->statistics()->snapshot, reader->statistics()->snapshot);
  add(*writer_, 2);
  writer_.reset();
  EXPECT_TRUE(*reader->refresh());
  EXPECT_EQ(reader->statistics()->pages, 3U);
  open_writer();
  writer_.reset();
  EXPECT_FALSE(*reader->refresh()) << "nothing had changed";
}

TEST(PublishingChild, DISABLED_Publishes) {
  const KilledChild child;
  if (!child.is_here()) return;
  auto index = PageIndex::open(child.folder(), writer_options());
  if (index) add(**index, static_cast<std::uint64_t>(::getpid()));
  KilledChild::exit_with(index && (*index)->snapshot());
}

TEST_F(IndexReaderTest, AKilledWriterLeavesTheSnapshotBefore) {
  std::uint64_t published = 0;
  for (std::uint64_t after = 0;; after += 3) {
    const bool is_done =
        run_until_killed("PublishingChild.DISABLED_Publishes", known_, FileWork::kMake, "snapshots", after);
    ASSERT_FALSE(HasFailure());
    if (fs::exists(known_ + "/snapshots/current")) {
      const auto reader = open_reader();
      ASSERT_TRUE(reader);
      EXPECT_TRUE(reader->verify(true)->is_clean());
      EXPECT_GE(reader->statistics()->snapshot, published);
      published = reader->statistics()->snapshot;
    }
    if (is_done) break;
  }
  open_writer();
  ASSERT_TRUE(writer_->snapshot());
  add(*writer_, 1);
  ASSERT_TRUE(writer_->snapshot());
  EXPECT_LE(snapshots_in(known_).size(), 2U) << "remains of killed writers";
}

TEST_F(IndexReaderTest, DamageIsReportedAndNotRepaired) {
  open_writer();
  for (std::uint64_t page = 0; page < 200; ++page) add(*writer_, page);
  ASSERT_TRUE(writer_->snapshot());
  const std::string tables = known_ + "/snapshots/00000001/tables";
  fs::remove(tables + "/manifest");
  const auto without = PageIndex::open(known_, reader_options());
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kCorruptData);
  EXPECT_FALSE(fs::exists(tables + "/manifest"));
  std::ofstream(known_ + "/snapshots/current") << "nonsense";
  EXPECT_EQ(PageIndex::open(known_, reader_options()).error().code, ErrorCode::kCorruptData);
  ASSERT_TRUE(writer_->snapshot());  // although nothing has changed
  EXPECT_TRUE(open_reader());
  std::ofstream(known_ + "/snapshots/current") << "nonsense";
  writer_.reset();
  EXPECT_TRUE(open_reader());
}

}  // namespace
}  // namespace paraprint
