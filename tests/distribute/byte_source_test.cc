// Inputs that a source reads give what files with the same bytes give, and failures of the source are kept apart.
#include "paraprint/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "paraprint/distributed.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

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
    std::copy_n(bytes_.data() + offset_bytes, count, target);
    return count;
  }
  std::uint64_t size_bytes() const override { return bytes_.size(); }

  std::uint64_t fails_from_bytes = ~std::uint64_t{0};

 private:
  const std::string bytes_;
  const std::size_t piece_bytes_;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class ByteSourceTest : public ::testing::TestWithParam<const char*> {
 protected:
  // An archive of the demo crawl, and a path of its name that does not exist.
  const std::string path_ = std::string(PARAPRINT_SOURCE_ROOT "/examples/demo-crawl/") + GetParam();
  const std::string uri_ = std::string("store://crawl/") + GetParam();

  std::string profiled(const DistributedInput& input) {
    const auto stage = ProfileStage::create(DedupOptions{}, folder_.path(), {}).value();
    std::string all;
    const auto visit = [&](ProfiledPages&& pages) -> Status {
      all += pages.facts + pages.profiles + pages.notes;
      return {};
    };
    EXPECT_TRUE(stage->profile_file(input, 3, visit, {}));
    for (std::size_t at = all.find(path_); at != std::string::npos; at = all.find(path_)) {
      all.replace(at, path_.size(), uri_);
    }
    return all;
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

TEST(ByteSourceKindsTest, RejectsWaczFiles) {
  const TemporaryFolder folder;
  const auto source = std::make_shared<MemorySource>(std::string("PK\x03\x04 and more"), 2000);
  const auto written = write_distributed_records({}, {"store://a.wacz", source}, {}, false, folder.path() + "/none");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(written.error().message, ::testing::StartsWith("store://a.wacz: WACZ files are read from folders"));
}

}  // namespace
}  // namespace paraprint
