// Inputs that a source reads give what files with the same bytes give, and failures of the source are kept apart.
#include "paraprint/byte_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "paraprint/distributed.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"
#include "zip_bytes.h"

namespace paraprint {
namespace {

// Gives at most `piece_bytes` at a time, and fails from some offset on.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string bytes, std::size_t piece_bytes) : bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}

  Result<std::size_t> read_at(std::uint64_t offset_bytes, char* target, std::size_t size) override {
    if (offset_bytes >= fails_from_bytes) return failure(ErrorCode::kInputOutput, "memory: out of order");
    if (offset_bytes >= bytes_.size()) return std::size_t{0};
    const std::size_t count = std::min({size, piece_bytes_, bytes_.size() - static_cast<std::size_t>(offset_bytes)});
    bytes_read += count;
    std::copy_n(bytes_.data() + offset_bytes, count, target);
    return count;
  }
  std::uint64_t size_bytes() const override { return bytes_.size(); }

  std::uint64_t fails_from_bytes = ~std::uint64_t{0};
  std::uint64_t bytes_read = 0;

 private:
  const std::string bytes_;
  const std::size_t piece_bytes_;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// What the profiles of an input are stored as.
std::string profiles_of(const DistributedInput& input, const std::string& folder) {
  const auto stage = ProfileStage::create(DedupOptions{}, folder, {}).value();
  std::string all;
  const auto visit = [&](ProfiledPages&& pages) -> Status {
    all += pages.facts + pages.profiles + pages.notes;
    return {};
  };
  EXPECT_TRUE(stage->profile_file(input, 3, visit, {}));
  return all;
}

class ByteSourceTest : public ::testing::TestWithParam<const char*> {
 protected:
  // An archive of the demo crawl, and a path of its name that does not exist.
  const std::string path_ = std::string(PARAPRINT_SOURCE_ROOT "/examples/demo-crawl/") + GetParam();
  const std::string uri_ = std::string("store://crawl/") + GetParam();

  std::string profiled(const DistributedInput& input) {
    return replaced(profiles_of(input, folder_.path()), path_, uri_);
  }

  TemporaryFolder folder_;
};

TEST_P(ByteSourceTest, GivesTheProfilesOfTheFile) {
  const std::string expected = profiled({path_});
  EXPECT_EQ(profiled({uri_, std::make_shared<MemorySource>(read_file(path_), 1000)}), expected);
  EXPECT_EQ(profiled({uri_, std::make_shared<MemorySource>(read_file(path_), std::size_t{1} << 30)}), expected);
}

// Ranges are copied in a second window, and parts of members are decoded in a third one.
TEST_P(ByteSourceTest, GivesTheRecordsOfTheFile) {
  const std::string local = folder_.path() + "/local";
  const std::string remote = folder_.path() + "/remote";
  ASSERT_TRUE(write_distributed_records({}, {path_}, {}, false, local));
  ASSERT_TRUE(
      write_distributed_records({}, {uri_, std::make_shared<MemorySource>(read_file(path_), 999)}, {}, false, remote));
  EXPECT_EQ(read_file(remote), read_file(local));
  EXPECT_GT(read_file(remote).size(), 1000U);
}

TEST_P(ByteSourceTest, EndsTheInputWhereTheSourceFails) {
  const auto source = std::make_shared<MemorySource>(read_file(path_), 1000);
  source->fails_from_bytes = 3000;
  EXPECT_THAT(profiled({uri_, source}), ::testing::HasSubstr("\"is_unreadable\":true"));
  const auto written = write_distributed_records({}, {uri_, source}, {}, false, folder_.path() + "/cut");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "memory: out of order");
  source->fails_from_bytes = 0;
  EXPECT_FALSE(write_distributed_records({}, {uri_, source}, {}, false, folder_.path() + "/none"));
}

INSTANTIATE_TEST_SUITE_P(DemoCrawl, ByteSourceTest, ::testing::Values("first.warc.gz", "odd.warc.gz"),
                         [](const auto& tested) { return std::string(tested.param).substr(0, 3); });

// A WACZ file gives the inputs, profiles and records that it gives as a file of this machine.
TEST(WaczSourceTest, GivesWhatTheFileGives) {
  const TemporaryFolder folder;
  const std::string demo = std::string(PARAPRINT_SOURCE_ROOT) + "/examples/demo-crawl/";
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const std::string bytes = ZipBytes()
                                .add("archive/first.warc.gz", read_file(demo + "first.warc.gz"))
                                .add("archive/odd.warc.gz", read_file(demo + "odd.warc.gz"), deflated)
                                .add("pages/pages.jsonl", "{\"url\": 1}\n", deflated)
                                .bytes();
  const std::string local = folder.path() + "/a.wacz";
  std::ofstream(local, std::ios::binary) << bytes;
  const std::string uri = "store://crawl/a.wacz";
  for (const bool is_cut : {false, true}) {  // the directory is missing: the file is searched for records
    const std::string stored = is_cut ? bytes.substr(0, bytes.size() - 100) : bytes;
    std::ofstream(local, std::ios::binary) << stored;
    const auto source_of = [&] { return std::make_shared<MemorySource>(stored, 1000); };
    DedupOptions options;
    options.inputs = {local};
    const std::vector<std::string> paths = list_distributed_inputs(options).value();
    const std::vector<std::string> parts = list_distributed_parts({uri, source_of()}).value();
    ASSERT_EQ(parts.size(), is_cut ? 2U : 3U);
    for (std::size_t at = 0; at < parts.size(); ++at) {
      SCOPED_TRACE(parts[at]);
      EXPECT_EQ(parts[at], uri + paths[at].substr(local.size()));
      const DistributedInput part{parts[at], source_of(), uri};
      EXPECT_EQ(profiles_of(part, folder.path()), replaced(profiles_of({paths[at]}, folder.path()), local, uri));
      const std::string here = folder.path() + "/here.wacz";
      const std::string there = folder.path() + "/there.wacz";
      ASSERT_TRUE(write_distributed_records({}, {paths[at]}, {}, false, here));
      ASSERT_TRUE(write_distributed_records({}, part, {}, false, there));
      const std::string list = parts[at] == uri && !is_cut ? "/pages/pages.jsonl" : "";
      EXPECT_EQ(read_file(there + list), read_file(here + list));
      std::filesystem::remove_all(here);
      std::filesystem::remove_all(there);
    }
  }
  const auto missing = write_distributed_records(
      {}, {uri + "/archive/none.warc.gz", std::make_shared<MemorySource>(bytes, 1000), uri}, {}, false, "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, uri + "/archive/none.warc.gz: not an input");
  const auto failing = std::make_shared<MemorySource>(bytes, 1000);
  failing->fails_from_bytes = bytes.size() - 500;
  const auto failed = list_distributed_parts({uri, failing});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "memory: out of order");
}

std::string warc_of(const std::string& page) {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
      "WARC-Target-URI: http://a.example/\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      page.size(), page);
}

// Archives of one page each.
std::string wacz_of_pages(int members) {
  ZipBytes file;
  for (int page = 0; page < members; ++page) {
    file.add(fmt::format("archive/{}.warc", page),
             warc_of(fmt::format("<p>The text of page {}, which is short", page)));
  }
  return file.bytes();
}

// A task reads the parts of a WACZ file one after another: a listing for each would be the square of their number.
TEST(WaczSourceTest, IsListedOnceForAllOfItsParts) {
  const TemporaryFolder folder;
  const std::string uri = "store://crawl/many.wacz";
  const auto bytes_read_of = [&](int members, const std::string& version) {
    const auto source = std::make_shared<MemorySource>(wacz_of_pages(members), 1000);
    for (int page = 0; page < members; ++page) {
      const std::string part = fmt::format("{}/archive/{}.warc", uri, page);
      EXPECT_TRUE(write_distributed_records({}, {part, source, uri, version}, {}, false, folder.path() + "/part"));
      const std::string own = fmt::format("The text of page {},", page);
      EXPECT_THAT(read_file(folder.path() + "/part"), ::testing::HasSubstr(own));
    }
    return source->bytes_read / wacz_of_pages(members).size();
  };
  EXPECT_LE(bytes_read_of(200, "first"), 12U);  // each member is read through buffers larger than itself
  EXPECT_LE(bytes_read_of(400, "second"), 12U);
  EXPECT_GT(bytes_read_of(200, ""), 40U);  // nothing tells whether it is what it was
}

TEST(WaczSourceTest, IsListedAgainAfterAChange) {
  const TemporaryFolder folder;
  const std::string local = folder.path() + "/a.wacz";
  const auto page_of = [&](const DistributedInput& part) {
    return write_distributed_records({}, part, {}, false, folder.path() + "/part") ? read_file(folder.path() + "/part")
                                                                                   : std::string("none");
  };
  const std::string before = ZipBytes().add("archive/a.warc", warc_of("<p>Before")).bytes();
  const std::string after =
      ZipBytes().add("archive/0.warc", warc_of("<p>Other")).add("archive/a.warc", warc_of("<p>Later on")).bytes();
  const DistributedInput here{local + "/archive/a.warc"};
  std::ofstream(local, std::ios::binary) << before;
  EXPECT_EQ(page_of(here), warc_of("<p>Before"));
  std::ofstream(local, std::ios::binary) << after;
  EXPECT_EQ(page_of(here), warc_of("<p>Later on"));
  EXPECT_EQ(page_of({local + "/archive/none.warc"}), "none");
  std::filesystem::remove(local);
  EXPECT_EQ(page_of(here), "none");

  const std::string uri = "store://crawl/a.wacz";
  const auto stored = [&](const std::string& bytes, const std::string& version) -> DistributedInput {
    return {uri + "/archive/a.warc", std::make_shared<MemorySource>(bytes, 1000), uri, version};
  };
  EXPECT_EQ(page_of(stored(before, "1")), warc_of("<p>Before"));
  EXPECT_EQ(page_of(stored(after, "2")), warc_of("<p>Later on"));
  EXPECT_EQ(page_of(stored(before, "")), warc_of("<p>Before"));
}

}  // namespace
}  // namespace paraprint
