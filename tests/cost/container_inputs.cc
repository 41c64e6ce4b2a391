// Files that list or hold captures: HTTP archives (HAR), indexes of web archives (CDX), and WACZ files.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "cdx/cdx_reader.h"
#include "input_kinds.h"
#include "read_batches.h"
#include "read_file.h"
#include "repeated_text.h"
#include "zip_bytes.h"

namespace paraprint {
namespace {

void read_har(std::string_view bytes) {
  static const ScratchFile file(".har");
  read_file(file, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

HostileKind har() {
  constexpr std::string_view kHead = "{\"log\":{\"entries\":[{}";
  constexpr std::string_view kTail = "]}}";
  constexpr std::string_view kPageHead =
      "{\"log\":{\"entries\":[{\"request\":{\"url\":\"http://a.example/\"},\"response\":{";
  constexpr std::string_view kPageTail = "}}]}}";
  return {
      "har",
      ',',
      items_of_text(kHead, ",{\"request\":{\"url\":\"http://a.example/{text}\"}}", kTail, '-', 400),
      read_har,
      {
          {"tiny_entries", repeated(kHead, ",{}", kTail)},
          {"entries_that_are_numbers", repeated(kHead, ",0", kTail)},
          {"entries_that_are_arrays", repeated(kHead, ",[]", kTail)},
          {"entries_that_are_missing", repeated(kHead, ",", kTail)},
          {"broken_entries", repeated(kHead, ",{\"a\"}", kTail)},
          {"tiny_pages", repeated(kHead, ",{\"response\":{\"content\":{\"text\":\"a\"}}}", kTail)},
          {"entries_without_end", repeated(kHead, ",{")},
          {"depth_of_entries", repeated(kHead, ",[")},
          {"depth_in_entry", repeated(std::string(kHead) + ",{\"a\":", "[")},
          {"depth_before_entries", repeated("{\"log\":{\"a\":", "[")},
          {"members_before_log", repeated("{\"a\":0", ",\"a{n}\":0", ",\"log\":{\"entries\":[]}}")},
          {"members_before_entries", repeated("{\"log\":{\"a\":0", ",\"a{n}\":0", ",\"entries\":[]}}")},
          {"logs", repeated("{\"log\":{}", ",\"log\":{\"entries\":[]}", "}")},
          {"logs_with_entries", repeated("{\"log\":{\"entries\":[{}]}", ",\"log\":{\"entries\":[{}]}", "}")},
          {"members_after_entries", repeated(std::string(kHead) + "]", ",\"a{n}\":0", "}}")},
          {"members_of_entry", repeated(std::string(kHead) + ",{\"a\":0", ",\"a{n}\":0", "}]}}")},
          {"header_fields", repeated(std::string(kPageHead) + "\"headers\":[{}", ",{\"name\":\"a\",\"value\":\"b\"}",
                                     "],\"content\":{\"text\":\"a\"}" + std::string(kPageTail))},
          {"content",
           repeated(std::string(kPageHead) + "\"content\":{\"text\":\"", "a", "\"}" + std::string(kPageTail))},
          {"content_escaped",
           repeated(std::string(kPageHead) + "\"content\":{\"text\":\"", "\\n", "\"}" + std::string(kPageTail))},
          {"content_in_base64", repeated(std::string(kPageHead) + "\"content\":{\"encoding\":\"base64\",\"text\":\"",
                                         "PHA+", "\"}" + std::string(kPageTail))},
          {"one_string", repeated("{\"", "a")},
          {"backslashes", repeated("{\"", "\\\\")},
          {"white_space", repeated(kHead, " ", kTail)},
          {"after_the_document", repeated(std::string(kHead) + std::string(kTail), "{}")},
      }};
}

void read_index(std::string_view bytes) {
  static const ScratchFile file(".cdx");
  file.write(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const auto reader = CdxReader::open(file.path(), [](const Defect&) {});
  PARAPRINT_ASSERT(reader.has_value());
  CdxEntry entry;
  for (bool has_more = true; has_more;) {
    const Result<bool> more = (*reader)->next(entry);
    PARAPRINT_ASSERT(more.has_value());
    has_more = *more;
  }
}

HostileKind archive_index() {
  return {
      "archive_index",
      '\n',
      items_of_text("", "com,example)/{n} 20240501100000 {\"url\":\"http://example.com/{text}\",\"status\":\"200\"}\n",
                    "", '-', 200),
      read_index,
      {
          {"tiny_lines", repeated("", "a\n")},
          {"blank_lines", repeated("", "\n")},
          {"comments", repeated("", "#\n")},
          {"tiny_objects", repeated("", "a 20240501100000 {}\n")},
          {"broken_objects", repeated("", "a 20240501100000 {\n")},
          {"headings", repeated("", " CDX N b\n")},
          {"heading_of_fields", repeated(" CDX", " a", "\n")},
          {"lines_of_nine_fields", repeated("", "a b c d e f g h i\n")},
          {"lines_of_fields_without_values", repeated("", "- - - - - - - - - - -\n")},
          {"fields", repeated("", " a", "\n")},
          {"spaces", repeated("a", " ", "\n")},
          {"members", repeated("a 20240501100000 {\"a\":0", ",\"a{n}\":0", "}\n")},
          {"members_repeated", repeated("a 20240501100000 {\"url\":0", ",\"url\":\"a\"", "}\n")},
          {"depth", repeated("a 20240501100000 {\"a\":", "[", "\n")},
          {"timestamp", repeated("a ", "1", " {}\n")},
          {"one_line", repeated("", "a")},
      }};
}

// Lists what is in it and reads its archives.
void read_wacz(std::string_view bytes) {
  static const ScratchFile file(".wacz");
  read_batches(file, bytes);
}

// Members named by `name`, in which "{n}" stands for their number. With options, those of each.
std::function<std::string(std::size_t)> members_named(std::string_view name, const ZipBytesOptions& options = {}) {
  return [=](std::size_t size_bytes) {
    ZipBytes zip;
    std::size_t named_bytes = 0;
    for (std::size_t member = 0; named_bytes < size_bytes; ++member) {
      std::string numbered;
      append_unit(name, member, numbered);
      zip.add(numbered, "", options);
      named_bytes = zip.members().size() * 2;  // the directory has as many
    }
    return zip.bytes();
  };
}

// A member of one name with content that is made of units.
std::function<std::string(std::size_t)> one_member(std::string_view name, std::string_view head, std::string_view unit,
                                                   std::string_view tail) {
  return [name, content = repeated(head, unit, tail)](std::size_t size_bytes) {
    return ZipBytes().add(name, content(size_bytes)).bytes();
  };
}

// The directory says that its only member has an extra field, which reaches far beyond the end of the file.
std::string extra_behind_end(std::size_t size_bytes) {
  std::string input = ZipBytes().add("archive/a.warc", std::string(size_bytes, 'a')).bytes();
  constexpr std::size_t kExtraLengthAt = 30;
  const std::size_t entry = input.rfind("PK\x01\x02");
  input[entry + kExtraLengthAt] = input[entry + kExtraLengthAt + 1] = '\xFF';
  return input;
}

HostileKind wacz() {
  constexpr std::string_view kRecord =
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
      "WARC-Target-URI: http://a.example/\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<p>ten "
      "bytes\r\n\r\n\r\n";
  ZipBytesOptions in_one_place;
  in_one_place.header_offset = 0;
  return {"wacz",
          '\0',
          of_size(one_member("archive/a.warc", "", kRecord, "")),
          read_wacz,
          {
              {"archives", members_named("archive/{n}.warc")},
              {"archives_of_one_name", members_named("archive/a.warc")},
              {"archives_in_folders", members_named("archive/../{n}.warc")},
              {"other_members", members_named("{n}")},
              {"page_lists", members_named("pages/pages.jsonl")},
              {"archives_in_one_place", members_named("archive/a.warc", in_one_place)},
              {"extra_behind_end", extra_behind_end},
              {"without_directory", repeated("", ZipBytes().add("archive/a.warc", "").members())},
              {"ends_of_directories",
               repeated("PK\x03\x04", std::string_view("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22))},
              {"listed_resources", one_member("datapackage.json", "{\"resources\":[{}", ",{\"path\":\"a{n}\"}", "]}")},
              {"listed_archives",
               one_member("datapackage.json", "{\"resources\":[{}", ",{\"path\":\"archive/{n}.warc\"}", "]}")},
              {"package_of_numbers", one_member("datapackage.json", "{\"resources\":[0", ",0", "]}")},
              {"package_of_depth", one_member("datapackage.json", "", "[", "")},
              {"tiny_records", one_member("archive/a.warc", "", "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "")},
          }};
}

}  // namespace

void add_container_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back(har());
  kinds.push_back(archive_index());
  kinds.push_back(wacz());
}

}  // namespace paraprint
