// Keys equal those of the Python package surt, whose answers are in a table, and keep their form on any bytes.
#include "cdx/surt.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "cdx/surt_text.h"

namespace paraprint {
namespace {

// "\xNN" stands for a byte.
std::string bytes_of(std::string_view printed) {
  std::string bytes;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (printed.substr(i, 2) == "\\x") {
      bytes += static_cast<char>(std::stoi(std::string(printed.substr(i + 2, 2)), nullptr, 16));
      i += 3;
    } else {
      bytes += printed[i];
    }
  }
  return bytes;
}

TEST(Surt, EqualsTheTable) {
  std::ifstream table(PARAPRINT_SURT_TABLE);
  ASSERT_TRUE(table.is_open());
  std::size_t rows = 0;
  for (std::string line; std::getline(table, line); ++rows) {
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    const std::string url = bytes_of(line.substr(0, tab));
    const std::string key = bytes_of(line.substr(tab + 1));
    // Of an address without a key, the package keeps even line ends.
    EXPECT_EQ(surt_key(url), key == url ? escape_breaks(key) : key) << line.substr(0, 200);
  }
  EXPECT_GT(rows, 1000U);
}

TEST(Surt, AddressesWithoutKeyForgeNoLines) {
  EXPECT_EQ(surt_key("http://e.org:99999/?a=\nforged 2024"), "http://e.org:99999/?a=%0Aforged%202024");
  EXPECT_EQ(surt_key("filedesc:x\r\n\t\x7f"), "filedesc:x%0D%0A%09%7F");
}

RC_GTEST_PROP(Surt, NoKeyHasBreaks, (const std::string& text)) {
  const auto url = *rc::gen::elementOf(std::vector<std::string>{text, "http://e:x/" + text, "filedesc" + text});
  for (const char c : surt_key(url)) RC_ASSERT(static_cast<unsigned char>(c) > ' ' && c != '\x7f');
}

TEST(SurtText, NamesAreFields) {
  EXPECT_EQ(field_of_name("a/b-1%41.warc.gz"), "a/b-1%41.warc.gz");
  EXPECT_EQ(field_of_name("my file%20\n.warc"), "my%20file%2520%0A.warc");
  EXPECT_EQ(name_of_field("my%20file%2520%0a.warc"), "my file%20\n.warc");
}

RC_GTEST_PROP(SurtText, NamesAreTheSameAgain, ()) {
  const auto name = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("%%%250aA \n\x7f")));
  const std::string field = field_of_name(name);
  RC_ASSERT(name_of_field(field) == name);
  RC_ASSERT(field == escape_breaks(field));
}

TEST(Surt, LongHostsKeepTheirBytes) {
  const std::string label = "\xC3\xBC.";
  std::string host;
  while (host.size() <= kInternationalHostBytesMaximum) host += label;
  EXPECT_EQ(surt_key("http://" + host.substr(0, kInternationalHostBytesMaximum - 1) + "/").substr(0, 9), "xn--tda,x");
  EXPECT_EQ(surt_key("http://" + host + "org/").substr(0, 17), "org,%c3%bc,%c3%bc");
}

RC_GTEST_PROP(Surt, UnescapingEndsAndEscapingIsUndone, (const std::string& text)) {
  const std::string plain = unescape_repeatedly(text);
  RC_ASSERT(unescape_repeatedly(plain) == plain);
  RC_ASSERT(unescape_repeatedly(escape_once(plain)) == plain);
}

// One pass per level of escapes, as the package does it.
std::string unescape_slowly(std::string text) {
  while (true) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string digits = text.substr(i + 1, 2);
      if (text[i] == '%' && digits.size() == 2 &&
          digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
        out += static_cast<char>(std::stoi(digits, nullptr, 16));
        i += 2;
      } else {
        out += text[i];
      }
    }
    if (out == text) return out;
    text = out;
  }
}

RC_GTEST_PROP(Surt, UnescapingInOnePassEqualsManyPasses, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("%%%%2345a")));
  RC_ASSERT(unescape_repeatedly(text) == unescape_slowly(text));
}

RC_GTEST_PROP(Surt, KeysOfAddressesAreLowerCaseAscii, (const std::string& host, const std::string& rest)) {
  const std::string key = surt_key("http://a" + host + ".example/" + rest);
  const bool has_no_key = key.starts_with("http://");  // other letters are kept then
  RC_ASSERT(has_no_key || std::all_of(key.begin(), key.end(), [](char c) {
              return c > ' ' && c <= '~' && !(c >= 'A' && c <= 'Z') && c != '#';
            }));
}

}  // namespace
}  // namespace paraprint
