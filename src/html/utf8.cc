#include "html/utf8.h"

#include <simdjson.h>

#include <algorithm>

namespace paraprint {
namespace {

struct Sequence {
  std::size_t size = 1;  // bytes to take or to drop, at least 1
  bool is_valid = false;
};

// The sequence at the start of `bytes`, which isn't ASCII: the table of well-formed sequences of the Unicode standard
// (3.9, table 3-7). An invalid one ends before the first byte that can't continue it.
Sequence read_sequence(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
  const unsigned lead = at(0);
  std::size_t size = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    size = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    size = 3;
    if (lead == 0xE0) low = 0xA0;   // shorter forms exist
    if (lead == 0xED) high = 0x9F;  // surrogates
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    size = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;  // beyond U+10FFFF
  } else {
    return {};
  }
  for (std::size_t i = 1; i < size; ++i) {
    if (at(i) < low || at(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {size, true};
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

void append_utf8(std::uint32_t code_point, std::string& out) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU)); };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    const char bytes[] = {static_cast<char>(0xC0U | (code_point >> 6)), tail(0)};
    out.append(bytes, sizeof(bytes));
  } else if (code_point < 0x10000) {
    const char bytes[] = {static_cast<char>(0xE0U | (code_point >> 12)), tail(6), tail(0)};
    out.append(bytes, sizeof(bytes));
  } else {
    const char bytes[] = {static_cast<char>(0xF0U | (code_point >> 18)), tail(12), tail(6), tail(0)};
    out.append(bytes, sizeof(bytes));
  }
}

Utf8Repair repair_utf8(std::string_view bytes, std::string* out) {
  Utf8Repair repair;
  std::size_t begin = 0;  // of the valid stretch not yet copied
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (static_cast<unsigned char>(bytes[i]) < 0x80) {
      ++i;
      continue;
    }
    const Sequence sequence = read_sequence(bytes.substr(i));
    if (sequence.is_valid) {
      ++repair.multibyte_characters;
    } else {
      ++repair.dropped_sequences;
      if (out != nullptr) out->append(bytes, begin, i - begin);
      begin = i + sequence.size;
    }
    i += sequence.size;
  }
  if (out != nullptr) out->append(bytes, begin, bytes.size() - begin);
  return repair;
}

}  // namespace paraprint
