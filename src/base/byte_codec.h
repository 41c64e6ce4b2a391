// Little-endian and variable-length integers in byte strings: the building blocks of every stored format.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace paraprint::inline base {

// Appends to a string. Never fails.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <class Integer>
  void fixed(Integer value) {
    static_assert(std::is_unsigned_v<Integer>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }

  // LEB128: seven bits per byte, lowest first.
  void variable(std::uint64_t value) {
    while (value >= 0x80) {
      out_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    out_.push_back(static_cast<char>(value));
  }

  void text(std::string_view bytes) {
    variable(bytes.size());
    out_.append(bytes);
  }

 private:
  std::string& out_;
};

// Reads untrusted bytes. After the first read past the end or of a malformed number, every read returns 0 or an empty
// view, and ok() is false. A decoder therefore checks ok() only before it acts on a value, and at its end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return left_.empty(); }
  std::size_t left_bytes() const { return left_.size(); }
  void fail() {
    ok_ = false;
    left_ = {};
  }

  template <class Integer>
  Integer fixed() {
    Integer value = 0;
    if (left_.size() < sizeof value) {
      fail();
      return 0;
    }
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }

  std::uint64_t variable() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;  // more than 64 bits
      if (byte == 0 && shift > 0) break;   // not the shortest form; encodings are unique
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  // A variable-length number; fails unless it is below `limit`.
  std::uint64_t variable_below(std::uint64_t limit) {
    const std::uint64_t value = variable();
    if (value >= limit) fail();
    return ok_ ? value : 0;
  }

  std::string_view text() { return bytes(variable()); }

  std::string_view bytes(std::uint64_t size) {
    if (size > left_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }

 private:
  std::string_view left_;
  bool ok_ = true;
};

}  // namespace paraprint::inline base
