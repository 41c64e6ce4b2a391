// Names in punycode, numbers as IPv4 addresses.
#include "cdx/surt_host.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>

#include "cdx/surt.h"
#include "cdx/surt_text.h"
#include "text/icu_allocations.h"
#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

// Python refuses longer numbers, so that surt has no key for them.
constexpr std::size_t kNumberDigitsMaximum = 4300;
constexpr std::size_t kLabelBytesMaximum = 63;
// Marks in a row. Composing takes at most a few of them into the letter before them, so more do not fit into a label;
// ICU, which sorts them by insertion, need not find that out.
constexpr std::size_t kMarksMaximum = kLabelBytesMaximum + 8;

bool is_all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

// The dots of IDNA 2003.
bool is_dot(char16_t unit) {
  return unit == u'.' || unit == u'\u3002' || unit == u'\uFF0E' || unit == u'\uFF61';
}

bool has_too_many_marks(std::u16string_view label) {
  std::size_t marks = 0;
  for (std::size_t at = 0; at < label.size();) {
    UChar32 character = 0;
    U16_NEXT(label, at, label.size(), character);
    marks = u_getCombiningClass(character) == 0 ? 0 : marks + 1;
    if (marks > kMarksMaximum) return true;
  }
  return false;
}

// RFC 3490, ToASCII, for one label. ICU deprecates it in favour of the rules of IDNA 2008, which give other names to
// some labels; keys have been made by the old ones.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::optional<std::string> label_to_ascii(std::u16string_view label) {
  const IcuAllocations allocations;
  if (has_too_many_marks(label)) return std::nullopt;
  std::array<UChar, kLabelBytesMaximum + 1> ascii{};
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t size =
      uidna_toASCII(label.data(), static_cast<std::int32_t>(label.size()), ascii.data(),
                    static_cast<std::int32_t>(ascii.size()), UIDNA_ALLOW_UNASSIGNED, nullptr, &status);
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  allocations.check();
  if (U_FAILURE(status) || size <= 0 || static_cast<std::size_t>(size) > kLabelBytesMaximum) return std::nullopt;
  return std::string(ascii.begin(), ascii.begin() + size);
}
#pragma GCC diagnostic pop

// Only the labels but the last one must not be empty: the last one may be what follows a final dot.
std::optional<std::string> checked_ascii_name(std::string name) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::size_t size = end - begin;
    if (size > kLabelBytesMaximum || (size == 0 && end < name.size())) return std::nullopt;
    if (end == name.size()) return name;
    begin = end + 1;
  }
}

std::u16string utf16_of(std::string_view utf8) {
  std::u16string text(utf8.size(), u'\0');
  std::int32_t size = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(text.data(), static_cast<std::int32_t>(text.size()), &size, utf8.data(),
                static_cast<std::int32_t>(utf8.size()), &status);
  text.resize(U_FAILURE(status) ? 0 : static_cast<std::size_t>(size));
  return text;
}

// nullopt if the host has no such form. Bytes that are not UTF-8 are left out.
std::optional<std::string> name_to_ascii(std::string_view host) {
  if (host.size() > kInternationalHostBytesMaximum) return std::nullopt;
  std::string valid = sanitise(host).text;
  if (valid.empty()) return valid;
  if (std::all_of(valid.begin(), valid.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return checked_ascii_name(std::move(valid));
  }
  const std::u16string name = utf16_of(valid);
  std::string ascii;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const auto dot = std::find_if(name.begin() + static_cast<std::ptrdiff_t>(begin), name.end(), is_dot);
    const std::size_t end = static_cast<std::size_t>(dot - name.begin());
    if (end == name.size() && begin == end) break;  // after a final dot
    const std::optional<std::string> label = label_to_ascii(std::u16string_view(name).substr(begin, end - begin));
    if (!label) return std::nullopt;
    ascii += *label;
    if (end < name.size()) ascii += '.';
    begin = end + 1;
  }
  return ascii;
}

std::string dotted(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

// Octal if it starts with 0. nullopt if it is not a number, or more than 32 bits.
std::optional<std::uint32_t> part_of_address(std::string_view part) {
  const unsigned base = part.front() == '0' ? 8 : 10;
  std::uint64_t value = 0;
  for (const char c : part) {
    const auto digit = static_cast<unsigned>(c - '0');
    value = value * base + digit;
    if (digit >= base || value > 0xFFFFFFFF) return std::nullopt;
  }
  return static_cast<std::uint32_t>(value);
}

// "a.b.c.d", "a.b.c", "a.b" and "a": the last number fills what the others leave. As system libraries read addresses.
std::optional<std::string> as_address(std::string_view host) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= host.size();) {
    const std::size_t end = std::min(host.find('.', begin), host.size());
    parts.push_back(host.substr(begin, end - begin));
    if (parts.size() > 4 || !is_all_digits(parts.back())) return std::nullopt;
    begin = end + 1;
  }
  // After a first part with a leading 0, surt takes all parts for octal numbers.
  const bool is_octal = parts.front().front() == '0';
  std::uint32_t address = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<std::uint32_t> value = part_of_address(parts[i]);
    if (!value || (is_octal && parts[i].find_first_of("89") != std::string_view::npos)) return std::nullopt;
    const std::size_t bits = i + 1 < parts.size() ? 8 : 8 * (5 - parts.size());
    if (bits < 32 && *value >> bits != 0) return std::nullopt;
    address = bits == 32 ? *value : address << bits | *value;
  }
  return dotted(address);
}

// Each pair of dots becomes one, from left to right, so three become two.
std::string with_pairs_of_dots_joined(std::string_view host) {
  std::string out;
  for (std::size_t i = 0; i < host.size(); ++i) {
    out += host[i];
    if (host[i] == '.' && i + 1 < host.size() && host[i + 1] == '.') ++i;
  }
  return out;
}

}  // namespace

std::optional<std::string> canonical_host(std::string_view host) {
  if (host.empty()) return std::string();
  std::string name = unescape_repeatedly(host);
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::all_of(name.begin(), name.end(), is_ascii)) {
    if (std::optional<std::string> ascii = name_to_ascii(name)) name = std::move(*ascii);
  }
  name = with_pairs_of_dots_joined(name);
  const std::size_t first = name.find_first_not_of('.');
  name = first == std::string::npos ? "" : name.substr(first, name.find_last_not_of('.') - first + 1);
  if (is_all_digits(name)) {
    if (name.size() > kNumberDigitsMaximum) return std::nullopt;
    std::uint32_t address = 0;
    for (const char c : name) address = address * 10 + static_cast<std::uint32_t>(c - '0');  // the lowest 32 bits
    return dotted(address);
  }
  if (std::optional<std::string> address = as_address(name)) return address;
  return lower_ascii(escape_once(lower_ascii(std::move(name))));
}

std::string_view without_www(std::string_view host) {
  if (!host.starts_with("www")) return host;
  const std::size_t end = host.find_first_not_of("0123456789", 3);
  return end == std::string_view::npos || host[end] != '.' ? host : host.substr(end + 1);
}

std::string reversed_host(std::string_view host) {
  std::string out;
  out.reserve(host.size());
  std::size_t end = host.size();
  while (true) {
    const std::size_t dot = end == 0 ? std::string_view::npos : host.rfind('.', end - 1);
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    out.append(host.substr(begin, end - begin));
    if (dot == std::string_view::npos) return out;
    out += ',';
    end = dot;
  }
}

}  // namespace paraprint::inline cdx
