// Builders for small archives, and a helper that reads a file to its end. For tests only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../compressed.h"
#include "archive/http_payload.h"
#include "archive/record_reader.h"
#include "archive/warc_record.h"

namespace paraprint {

class ArchiveTest : public testing::Test {
 protected:
  ArchiveTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "archive_test.XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~ArchiveTest() override { std::filesystem::remove_all(folder_); }

  std::string name(const std::string& file) const { return (folder_ / file).string(); }

  std::string write(const std::string& file, std::string_view bytes) const {
    std::filesystem::create_directories(std::filesystem::path(name(file)).parent_path());
    std::ofstream(name(file), std::ios::binary) << bytes;
    return name(file);
  }

  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path folder_;
};

struct Reading {
  ArchiveFormat format = ArchiveFormat::kUnknown;
  std::vector<RawRecord> records;
  std::vector<Defect> defects;

  std::map<std::string, int> defect_counts() const {
    std::map<std::string, int> counts;
    for (const Defect& defect : defects) ++counts[std::string(defect_name(defect.kind))];
    return counts;
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const RawRecord& record : records) ids.push_back(record.id);
    return ids;
  }
};

using Counts = std::map<std::string, int>;

inline InputFile input_file(const std::string& path) {
  InputFile input;
  input.path = path;
  input.size_bytes = std::filesystem::exists(path) ? std::filesystem::file_size(path) : 0;
  return input;
}

inline Reading read_archive(const std::string& path, const ReadOptions& options = {}) {
  Reading reading;
  auto reader = open_records(input_file(path), options, [&](Defect defect) { reading.defects.push_back(defect); });
  EXPECT_TRUE(reader.has_value()) << (reader ? "" : reader.error().message);
  if (!reader) return reading;
  reading.format = (*reader)->format();
  while (true) {
    Result<std::optional<RawRecord>> record = (*reader)->next();
    EXPECT_TRUE(record.has_value()) << (record ? "" : record.error().message);
    if (!record || !record->has_value()) return reading;
    reading.records.push_back(std::move(**record));
  }
}

inline std::string record_id(int number) {
  return fmt::format("urn:uuid:00000000-0000-4000-8000-{:012}", number);
}

inline std::string http_response(std::string_view body, std::string_view more_fields = {}) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{}\r\n{}", more_fields, body);
}

// A response record "http://example.test/NUMBER" with a page about NUMBER.
inline std::string response_record(int number, std::string_view payload = {}) {
  const std::string page = http_response(fmt::format("<html><p>Page {}</p></html>", number));
  const std::string id = fmt::format("<{}>", record_id(number));
  const std::string url = fmt::format("http://example.test/{}", number);
  return make_warc_record("response",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", "2024-05-01T10:00:00Z"},
                           {"WARC-Target-URI", url},
                           {"Content-Type", "application/http; msgtype=response"}},
                          payload.empty() ? std::string_view(page) : payload);
}

inline std::string request_record(int number, int concurrent_to) {
  const std::string id = fmt::format("<{}>", record_id(number));
  const std::string other = fmt::format("<{}>", record_id(concurrent_to));
  return make_warc_record("request",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", "2024-05-01T10:00:00Z"},
                           {"WARC-Target-URI", "http://example.test/"},
                           {"WARC-Concurrent-To", other},
                           {"Content-Type", "application/http; msgtype=request"}},
                          "GET / HTTP/1.1\r\nHost: example.test\r\n\r\n");
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace paraprint
