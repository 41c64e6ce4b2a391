// Pages of other sites that a page links to, and its versions for other languages.
#include "corpus/linked_addresses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace paraprint {
namespace {

LinkedAddresses linked_of(const std::string& html, const std::string& url = "https://www.own.example/a") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html).has_value());
  LinkedAddresses linked{{1, 2, 3}, {4}};  // of an earlier page
  StopCheck never;
  LinkedAddressReader().read(document, url, linked, never);
  return linked;
}

std::vector<std::uint64_t> links_of(const std::string& html) {
  return linked_of(html).links;
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
  html.clear();
  for (int i = 0; i < 1000; ++i) html += "<link rel=alternate hreflang=de href=/" + std::to_string(i) + ">";
  EXPECT_EQ(linked_of(html).alternates.size(), kAlternateAddressesMaximum);
}

// Links of the page's own host count towards no number of links, but what is parsed for them is bounded.
TEST(LinkedAddresses, BytesOfAddressesAreBounded) {
  const std::string other = "<a href=//b.example/>b</a>";
  const std::string long_url = "https://www.own.example/" + std::string(1900, 'a') + "/";
  std::string links;
  std::string versions;
  for (int i = 0; i < 2000; ++i) {
    links += "<a href=x//>own</a>";
    versions += "<link rel=alternate hreflang=de href=>";  // the page itself
  }
  for (const std::string& own : {links, versions}) {
    EXPECT_EQ(linked_of(own + other).links.size(), 1U);
    EXPECT_EQ(linked_of(other + own, long_url).links.size(), 1U);
    EXPECT_EQ(linked_of(own + other, long_url).links.size(), 0U);
  }
}

TEST(LinkedAddresses, HasVersionsForOtherLanguages) {
  const std::vector<std::uint64_t> alternates =
      linked_of(
          R"(<link rel="alternate" hreflang="de" href="/de/a"><link rel="ALTERNATE" hreflang=fr href="//fr.example/a">
                   <link rel="alternate" hreflang="en" href="https://own.example/a/"><link rel="alternate" href="/feed">
                   <link rel="next" hreflang="de" href="/de/b"><a rel="alternate" hreflang="es" href="/es/a">es</a>)")
          .alternates;
  EXPECT_EQ(alternates.size(), 2U);
  for (const char* url : {"http://own.example/de/a", "http://fr.example/a"}) {
    EXPECT_TRUE(std::binary_search(alternates.begin(), alternates.end(), address_hash(url))) << url;
  }
}

}  // namespace
}  // namespace paraprint
