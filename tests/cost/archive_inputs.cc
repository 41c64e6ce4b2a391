// What is in archives: WARC and ARC records, JSON lines, HTTP messages and their codings.
#include <zlib.h>

#include <string>

#include "archive/http_payload.h"
#include "compressed.h"
#include "http/content_coding.h"
#include "input_kinds.h"
#include "read_file.h"
#include "repeated_text.h"

namespace paraprint {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

void read_archive(std::string_view bytes) {
  static const ScratchFile file("");
  read_file(file, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

HostileKind warc() {
  return {
      "warc",
      '\n',
      items_of_text(
          "",
          "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
          "WARC-Target-URI: http://a.example/\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n"
          "<p>ten bytes\r\n\r\n\r\n",
          ""),
      read_archive,
      {
          {"tiny_records", repeated("", "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")},
          {"tiny_pages", repeated("", "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\na\r\n\r\n")},
          {"records_of_any_length", repeated("", "WARC/1.0\r\nContent-Length: 99999999\r\n\r\n")},
          {"records_of_wrong_length", repeated("", "WARC/1.0\r\nContent-Length: 5\r\n\r\nabcdefghij\r\n\r\n")},
          {"records_of_no_length", repeated("", "WARC/1.0\r\nA: b\r\n\r\n")},
          {"records_without_fields", repeated("", "WARC/1.0\r\n\r\n")},
          {"records_without_known_fields", repeated("", "WARC/1.0\r\n@: b\r\nContent-Length: 0\r\n\r\nX")},
          {"headers_unterminated", repeated("", "WARC/1.0\r\nA:\r\n")},
          {"headers_unterminated_at_all", repeated("", "WARC/1.0\r\n")},
          {"versions", repeated("", "WARC/")},
          {"header_of_fields", repeated("WARC/1.0\r\n", "A:\r\n", "Content-Length: 0\r\n\r\n")},
          {"header_of_one_field", repeated("WARC/1.0\r\nA: ", "a", "\r\nContent-Length: 0\r\n\r\n")},
          {"header_of_folds", repeated("WARC/1.0\r\nA: a\r\n", " b\r\n", "Content-Length: 0\r\n\r\n")},
          {"header_of_companions",
           repeated("WARC/1.0\r\n", "WARC-Concurrent-To: <{n}>\r\n", "Content-Length: 0\r\n\r\n")},
          {"date", repeated("WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: ", "1", "\r\nContent-Length: 0\r\n\r\n")},
          {"garbage", repeated("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "a")},
          {"blank_lines", repeated("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "\r\n")},
          {"garbage_between", repeated("", "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\nX")},
      }};
}

HostileKind arc() {
  constexpr std::string_view kHead = "filedesc://a.arc 0.0.0.0 20240501100000 text/plain 20\n1 0 Archive\nURL IP\n\n";
  return {"arc",
          '\n',
          items_of_text(kHead, "http://a.example/x 192.0.2.1 20240501100000 text/html 14\n<p>ten bytes\r\n\n", ""),
          read_archive,
          {
              {"tiny_records", repeated(kHead, "aa:b 1.1 20240501100000 c 0\n\n")},
              {"records_of_any_length", repeated(kHead, "aa:b 1.1 20240501100000 c 99999999\n")},
              {"records_of_wrong_length", repeated(kHead, "aa:b 1.1 20240501100000 c 5\nabcdefghij\n")},
              {"words", repeated(std::string(kHead) + "aa:", " a")},
              {"addresses_and_dates", repeated(std::string(kHead) + "aa:b", " 1.1 20240501100000")},
              {"lines_like_records", repeated(kHead, "aa:b c d\n")},
              {"schemes", repeated(kHead, "aa:")},
              {"garbage", repeated(kHead, "a\n")},
          }};
}

void read_json_lines(std::string_view bytes) {
  static const ScratchFile file(".jsonl");
  read_file(file, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

HostileKind json_lines() {
  constexpr std::string_view kEnd = "}\n";
  return {"json_lines",
          ',',
          items_of_text("{\"id\":\"a\",\"url\":\"http://a.example/\",\"html\":\"<p>a\"", ",\"field{n}\":\"{text}\"",
                        kEnd, ' ', 400),
          read_json_lines,
          {
              {"tiny_lines", repeated("", "{}\n")},
              {"broken_lines", repeated("", "{\n")},
              {"short_pages", repeated("", "{\"text\":\"a\"}\n")},
              {"lines_of_arrays", repeated("", "[]\n")},
              {"blank_lines", repeated("{}\n", "\n")},
              {"members", repeated("{\"a\":0", ",\"a{n}\":0", kEnd)},
              {"members_repeated", repeated("{\"id\":0", ",\"id\":0", kEnd)},
              {"members_without_names", repeated("{\"\":0", ",\"\":0", kEnd)},
              {"names_of_one_beginning", repeated("{\"a\":0", ",\"idididid{n}\":0", kEnd)},
              {"depth_of_arrays", repeated("{\"a\":", "[", "\n")},
              {"depth_of_objects", repeated("", "{\"a\":", "\n")},
              {"numbers", repeated("{\"a\":[1", ",1", "]}\n")},
              {"long_number", repeated("{\"id\":1", "0", kEnd)},
              {"long_fraction", repeated("{\"id\":0.", "1", kEnd)},
              {"fractions", repeated("{\"a\":[1", ",1.7976931348623157e308", "]}\n")},
              {"fractions_hard_to_round", repeated("{\"a\":[1", ",9007199254740993.0000000000000000000000001", "]}\n")},
              {"id_of_objects", repeated("{\"text\":\"a\",\"id\":[0", ",0", "]}\n")},
              {"one_string", repeated("{\"text\":\"", "a", "\"}\n")},
              {"escapes", repeated("{\"text\":\"", "\\n", "\"}\n")},
              {"numbered_escapes", repeated("{\"text\":\"", "\\u00e4", "\"}\n")},
              {"surrogates", repeated("{\"text\":\"", "\\ud83d\\ude00", "\"}\n")},
              {"backslashes", repeated("{\"text\":\"", "\\\\", "\"}\n")},
              {"invalid_bytes", repeated("{\"text\":\"", "\xFF", "\"}\n")},
              {"spaces", repeated("{", " ", kEnd)},
              {"date", repeated("{\"text\":\"a\",\"date\":\"", "1", "\"}\n")},
          }};
}

void read_http(std::string_view bytes) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.is_http = true;
  record.payload = bytes;
  (void)decode_page(std::move(record), ReadOptions{}, "input");
}

HostileKind http_message() {
  constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
  constexpr std::string_view kChunked =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
  return {"http_message",
          '\n',
          items_of_text(kHead, "X-Field-{n}: {text}\r\n", "\r\n<p>a", '-', 60),
          read_http,
          {
              {"fields", repeated(kHead, "a:\r\n", "\r\n<p>a")},
              {"lines_without_names", repeated(kHead, "a\n", "\n<p>a")},
              {"folds", repeated(kHead, " b\r\n", "\r\n<p>a")},
              {"status_line", repeated("HTTP/1.1 200 ", "a", "\r\n\r\n<p>a")},
              {"status_lines", repeated("", "HTTP/1.1 100 a\r\n\r\n")},
              {"blank_lines", repeated("", "\r\n")},
              {"codings", repeated(kHead, "Content-Encoding: identity\r\n", "\r\n<p>a")},
              {"codings_in_one_field",
               repeated(std::string(kHead) + "Content-Encoding: identity", ",identity", "\r\n\r\n<p>a")},
              {"commas", repeated(std::string(kHead) + "Content-Encoding: ", ",", "\r\n\r\n<p>a")},
              {"types", repeated("HTTP/1.1 200 OK\r\nContent-Type: text/html", ",text/html", "\r\n\r\n<p>a")},
              {"type_of_spaces", repeated("HTTP/1.1 200 OK\r\nContent-Type:", " ", "text/html\r\n\r\n<p>a")},
              {"chunks_of_one_byte", repeated(kChunked, "1\r\na\r\n", "0\r\n\r\n")},
              {"chunks_of_one_byte_without_ends", repeated(kChunked, "1\na", "0\n\n")},
              {"chunk_extensions", repeated(kChunked, "1;a=b\r\na\r\n", "0\r\n\r\n")},
              {"chunk_extension", repeated(std::string(kChunked) + "1;", "a", "\r\na\r\n0\r\n\r\n")},
              {"chunk_of_spaces", repeated(kChunked, " ", "1\r\na\r\n0\r\n\r\n")},
              {"chunks_of_zeros", repeated(kChunked, "000000000000001\r\na\r\n", "0\r\n\r\n")},
              {"chunks_broken", repeated(kChunked, "1\r\na\r\nx")},
              {"trailers", repeated(std::string(kChunked) + "0\r\n", "a: b\r\n", "\r\n")},
              {"body_of_white_space", repeated(std::string(kHead) + "\r\n", " ")},
          }};
}

// A gzip member whose content is `content`, without compression.
std::string gzip_member(std::string_view content) {
  return gzip(content, Z_NO_COMPRESSION);
}

constexpr std::string_view kGzipHead = "\x1f\x8b\x08\0\0\0\0\0\0\x03"sv;
constexpr std::string_view kStoredNothing = "\0\0\0\xFF\xFF"sv;
constexpr std::string_view kFixedNothing = "\x02\0"sv;  // with the end of block, up to a byte's end
constexpr std::string_view kZstdNothing = "\x28\xB5\x2F\xFD\x20\0\x01\0\0"sv;
constexpr std::string_view kZstdSkipped = "\x50\x2A\x4D\x18\0\0\0\0"sv;

void read_gzip(std::string_view bytes) {
  constexpr std::uint64_t kLimitBytes = std::uint64_t{64} << 20;
  (void)decode_content(ContentCoding::kGzip, bytes, kLimitBytes);
}
void read_zstd(std::string_view bytes) {
  constexpr std::uint64_t kLimitBytes = std::uint64_t{64} << 20;
  (void)decode_content(ContentCoding::kZstd, bytes, kLimitBytes);
}

std::vector<InputFamily> gzip_families() {
  static const std::string empty = gzip_member("");
  static const std::string one_byte = gzip_member("a");
  return {
      {"empty_members", repeated("", empty)},
      {"members_of_one_byte", repeated("", one_byte)},
      {"members_and_garbage", repeated(one_byte, "x")},
      {"heads", repeated("", kGzipHead)},
      {"magic_numbers", repeated("", "\x1f\x8b")},
      {"magic_numbers_with_method", repeated("", "\x1f\x8b\x08")},
      {"heads_with_names", repeated("", "\x1f\x8b\x08\x08\0\0\0\0\0\x03"sv)},
      {"name", repeated("\x1f\x8b\x08\x08\0\0\0\0\0\x03"sv, "a")},
      {"blocks_of_nothing", repeated(kGzipHead, kStoredNothing)},
      {"fixed_blocks_of_nothing", repeated(kGzipHead, kFixedNothing)},
      {"members_in_members",
       [](std::size_t size) {
         std::string bytes = "a";
         while (bytes.size() < size) bytes = gzip_member(bytes);
         return bytes;
       }},
  };
}

// A member with the content of an article.
std::string gzip_prose(std::size_t size_bytes) {
  Sequence sequence(1);
  return gzip_member(words_of(size_bytes, ' ', sequence));
}

// Compressed bodies. The harmless one is one member: as many members as the hostile one has would be hostile.
HostileKind gzip_body() {
  return {"gzip_body", '\0', of_size(gzip_prose), read_gzip, gzip_families()};
}

// A frame with blocks that are not compressed.
std::string zstd_prose(std::size_t size_bytes) {
  constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
  Sequence sequence(1);
  std::string frame = "\x28\xB5\x2F\xFD\0\x58"s;
  for (bool is_last = false; !is_last;) {
    const std::string block = words_of(std::min(kBlockBytes / 2, size_bytes), ' ', sequence);
    is_last = frame.size() + block.size() >= size_bytes;
    const auto head = static_cast<std::uint32_t>(block.size() << 3 | (is_last ? 1 : 0));
    for (int shift = 0; shift < 24; shift += 8) frame += static_cast<char>(head >> shift);
    frame += block;
  }
  return frame;
}

HostileKind zstd_body() {
  return {"zstd_body",
          '\0',
          of_size(zstd_prose),
          read_zstd,
          {
              {"empty_frames", repeated("", kZstdNothing)},
              {"skipped_frames", repeated("", kZstdSkipped)},
          }};
}

HostileKind packed_archive() {
  return {"packed_archive", '\0', of_size(gzip_prose), read_archive, gzip_families()};
}

}  // namespace

void add_archive_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back(warc());
  kinds.push_back(arc());
  kinds.push_back(json_lines());
  kinds.push_back(http_message());
  for (HostileKind kind : {gzip_body(), zstd_body(), packed_archive()}) kinds.push_back(std::move(kind));
}

}  // namespace paraprint
