// What is written is read back, by the reader of foreign ZIP files. tests/cli/wacz_test.py has Python read it, too.
#include "zip/zip_writer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../temporary_folder.h"
#include "base/atomic_file.h"
#include "base/digest.h"
#include "zip/zip_directory.h"
#include "zip/zip_member.h"

namespace paraprint {
namespace {

class ZipWriterTest : public testing::Test {
 protected:
  std::string path() const { return folder_ / "a.zip"; }

  static ZipWritten add(ZipWriter& zip, const std::string& name, ZipMethod method,
                        const std::vector<std::string>& pieces) {
    EXPECT_TRUE(zip.begin(name, method).has_value());
    for (const std::string& piece : pieces) EXPECT_TRUE(zip.write(piece).has_value());
    return zip.end().value();
  }

  static std::string read(const std::string& path, const ZipPlace& place) {
    auto stream = ZipMemberStream::open(path, place, {std::uint64_t{1} << 30, 1000}).value();
    std::string content;
    std::string piece(1000, '\0');
    while (true) {
      const std::size_t got = stream->read(piece.data(), piece.size()).value();
      if (got == 0) break;
      content.append(piece, 0, got);
    }
    EXPECT_FALSE(stream->check().value().has_value());
    return content;
  }

  TemporaryFolder folder_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_F(ZipWriterTest, MembersAreReadBack) {
  const std::string large(3'000'000, 'x');
  auto zip = ZipWriter::create(path()).value();
  std::vector<ZipWritten> written;
  written.push_back(add(*zip, "archive/a.warc.gz", ZipMethod::kStore, {"one ", "two"}));
  written.push_back(add(*zip, "pages/\xC3\xA9.jsonl", ZipMethod::kDeflate, {large, "end"}));
  written.push_back(add(*zip, "empty", ZipMethod::kStore, {}));
  // Members can be read before the file is complete.
  EXPECT_EQ(read(zip->readable_path().value(), written[0].place), "one two");
  EXPECT_FALSE(std::ifstream(path()).is_open());
  const std::uint64_t size_bytes = zip->commit().value();
  EXPECT_EQ(size_bytes, bytes_of(path()).size());
  EXPECT_EQ(written[0].sha256, "8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2");

  auto directory = ZipDirectory::open(path()).value();
  for (const ZipWritten& expected : written) {
    auto member = directory.next().value();
    ASSERT_TRUE(member.has_value());
    ASSERT_TRUE(directory.locate(*member).has_value());
    EXPECT_EQ(member->problem, "");
    EXPECT_EQ(member->name, expected.name);
    EXPECT_EQ(member->place.offset_bytes, expected.place.offset_bytes);
    EXPECT_EQ(member->place.stored_bytes, expected.place.stored_bytes);
    EXPECT_EQ(member->place.content_bytes, expected.place.content_bytes);
    EXPECT_EQ(member->place.checksum, expected.place.checksum);
    EXPECT_EQ(member->place.is_deflated, expected.place.is_deflated);
  }
  EXPECT_FALSE(directory.next().value().has_value());
  EXPECT_EQ(read(path(), written[1].place), large + "end");
  EXPECT_EQ(read(path(), written[2].place), "");
}

TEST_F(ZipWriterTest, EqualMembersGiveEqualBytes) {
  const auto write_file = [&] {
    auto zip = ZipWriter::create(path()).value();
    add(*zip, "a", ZipMethod::kDeflate, {std::string(1000, 'a')});
    add(*zip, "b", ZipMethod::kStore, {"b"});
    EXPECT_TRUE(zip->commit().has_value());
    return bytes_of(path());
  };
  EXPECT_EQ(write_file(), write_file());
}

TEST_F(ZipWriterTest, LeavesNothingWithoutCommit) {
  {
    auto zip = ZipWriter::create(path()).value();
    EXPECT_TRUE(zip->begin("a", ZipMethod::kStore).has_value());
    EXPECT_TRUE(zip->write("x").has_value());
  }
  EXPECT_FALSE(std::ifstream(path()).is_open());
  EXPECT_FALSE(std::ifstream(partial_path(path())).is_open());
}

}  // namespace
}  // namespace paraprint
