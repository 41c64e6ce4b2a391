// Pages of other sites that a page links to.
#include "corpus/linked_addresses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace paraprint {
namespace {

std::vector<std::uint64_t> links_of(const std::string& html) {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html).has_value());
  std::vector<std::uint64_t> hashes = {1, 2, 3};  // of an earlier page
  StopCheck never;
  LinkedAddressReader().read(document, "https://www.own.example/a", hashes, never);
  return hashes;
}

TEST(LinkedAddresses, HasOtherHostsOnce) {
  const std::vector<std::uint64_t> links =
      links_of(R"(<a href="http://b.example/1">b</a><p><a href="https://www.b.example/1/#x">b again</a>
                  <a href="//c.example/2">c</a><a href="/local">own</a><a href="http://own.example/3">own</a>
                  <a href="mailto:x@d.example">d</a><a href="javascript://e.example/">e</a><a>f</a>)");
  EXPECT_EQ(links.size(), 2U);
  EXPECT_TRUE(std::is_sorted(links.begin(), links.end()));
  for (const char* url : {"https://b.example/1", "http://c.example/2/"}) {
    EXPECT_TRUE(std::binary_search(links.begin(), links.end(), address_hash(url))) << url;
  }
}

TEST(LinkedAddresses, AreBounded) {
  std::string html;
  for (int i = 0; i < 1000; ++i) html += "<a href=\"http://b.example/" + std::to_string(i) + "\">b</a>";
  EXPECT_EQ(links_of(html).size(), kLinkedAddressesMaximum);
  EXPECT_TRUE(links_of("").empty());
}

}  // namespace
}  // namespace paraprint
