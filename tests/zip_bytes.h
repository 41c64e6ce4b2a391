// ZIP files of any kind, byte by byte, as the format's definition (APPNOTE.TXT 6.3) has them. For tests only: no
// library writes the damaged ones.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compressed.h"

namespace paraprint {

struct ZipBytesOptions {
  bool is_deflated = false;
  bool is_zip64 = false;        // the sizes and the offset are in an extra field
  bool has_descriptor = false;  // the header before the content has neither checksum nor sizes
  std::optional<std::uint32_t> checksum = {};
  std::optional<std::uint32_t> content_bytes = {};
  std::optional<std::uint32_t> header_offset = {};  // in the directory
  std::optional<std::uint16_t> method = {};
  std::uint16_t flags = 0;
};

class ZipBytes {
 public:
  ZipBytes& add(std::string_view name, std::string_view content, const ZipBytesOptions& options = {}) {
    const std::string stored = options.is_deflated ? raw_deflate(content) : std::string(content);
    Fields fields;
    fields.flags = static_cast<std::uint16_t>(options.flags | (options.has_descriptor ? 8 : 0));
    fields.method = options.method.value_or(options.is_deflated ? 8 : 0);
    fields.checksum = options.checksum.value_or(checksum_of(content));
    fields.stored_bytes = static_cast<std::uint32_t>(stored.size());
    fields.content_bytes = options.content_bytes.value_or(static_cast<std::uint32_t>(content.size()));
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    Fields local = fields;
    if (options.has_descriptor) local.checksum = local.stored_bytes = local.content_bytes = 0;
    bytes_ += "PK\x03\x04";
    put_common(bytes_, local, name, 0, false);
    bytes_ += name;
    bytes_ += stored;
    if (options.has_descriptor) {
      bytes_ += "PK\x07\x08";
      for (const std::uint32_t value : {fields.checksum, fields.stored_bytes, fields.content_bytes})
        put(bytes_, value, 4);
    }
    directory_ += "PK\x01\x02";
    put(directory_, 45, 2);
    put_common(directory_, fields, name, options.is_zip64 ? 28 : 0, options.is_zip64);
    for (int i = 0; i < 3; ++i) put(directory_, 0, 2);  // comment, disk, internal attributes
    put(directory_, 0, 4);
    put(directory_, options.is_zip64 ? 0xffffffff : options.header_offset.value_or(offset), 4);
    directory_ += name;
    if (options.is_zip64) {
      put(directory_, 1, 2);
      put(directory_, 24, 2);
      for (const std::uint64_t value : {std::uint64_t{fields.content_bytes}, std::uint64_t{fields.stored_bytes},
                                        std::uint64_t{options.header_offset.value_or(offset)}}) {
        put(directory_, value, 8);
      }
    }
    is_zip64_ = is_zip64_ || options.is_zip64;
    ++count_;
    return *this;
  }

  // With the directory, which may claim another number of members.
  std::string bytes(std::optional<std::uint32_t> count = {}) const {
    std::string all = bytes_ + directory_;
    const std::uint64_t members = count.value_or(count_);
    if (is_zip64_) {
      const std::uint64_t end = all.size();
      all += "PK\x06\x06";
      put(all, 44, 8);
      put(all, 45, 2);
      put(all, 45, 2);
      put(all, 0, 8);  // disks
      for (const std::uint64_t value :
           {members, members, std::uint64_t{directory_.size()}, std::uint64_t{bytes_.size()}}) {
        put(all, value, 8);
      }
      all += "PK\x06\x07";
      put(all, 0, 4);
      put(all, end, 8);
      put(all, 1, 4);
    }
    all += "PK\x05\x06";
    put(all, 0, 4);  // disks
    put(all, is_zip64_ ? 0xffff : members, 2);
    put(all, is_zip64_ ? 0xffff : members, 2);
    put(all, directory_.size(), 4);
    put(all, is_zip64_ ? 0xffffffff : bytes_.size(), 4);
    put(all, 0, 2);
    return all;
  }

  // The members without their directory: a file whose end is missing.
  const std::string& members() const { return bytes_; }

  static std::uint32_t checksum_of(std::string_view content) {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  }

  // gzip has the same bytes between a header of 10 bytes and a trailer of 8.
  static std::string raw_deflate(std::string_view content) {
    const std::string member = gzip(content);
    return member.substr(10, member.size() - 18);
  }

 private:
  struct Fields {
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t content_bytes = 0;
  };

  static void put(std::string& to, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
  }

  // What headers and directory have in common, from the version needed to the length of the extra field.
  static void put_common(std::string& to, const Fields& fields, std::string_view name, std::uint16_t extra_bytes,
                         bool is_zip64) {
    put(to, 45, 2);
    put(to, fields.flags, 2);
    put(to, fields.method, 2);
    put(to, 0x00210000, 4);  // 1 January 1980, 00:00
    put(to, fields.checksum, 4);
    put(to, is_zip64 ? 0xffffffff : fields.stored_bytes, 4);
    put(to, is_zip64 ? 0xffffffff : fields.content_bytes, 4);
    put(to, name.size(), 2);
    put(to, extra_bytes, 2);
  }

  std::string bytes_;
  std::string directory_;
  std::uint64_t count_ = 0;
  bool is_zip64_ = false;
};

}  // namespace paraprint
