// Each issue from the smallest site that has it, and sites that have none.
#include "audit/site_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace paraprint {
namespace {

constexpr std::uint64_t kNearEmpty = 100;

// A site whose pages are added in any order. Pages of one cluster number have one text.
class Site {
 public:
  SitePage& page(const std::string& path, std::uint32_t cluster) {
    SitePage& page = add(path);
    page.status = 200;
    page.has_text = true;
    page.content_characters = 1000;
    page.text_characters = 1500;
    page.copy = PageCopy{cluster, 0, Verdict::kSame, 1};
    return page;
  }
  SitePage& redirect(const std::string& path, const std::string& target) {
    SitePage& page = add(path);
    page.status = 301;
    page.location = address(target);
    return page;
  }
  SitePage& error(const std::string& path, int status) {
    SitePage& page = add(path);
    page.status = status;
    return page;
  }

  static std::string address(const std::string& path) {
    return path.find("//") != std::string::npos ? path : "https://example.org" + path;
  }

  // "issue group address related", of each row.
  std::vector<std::string> check() {
    std::sort(pages_.begin(), pages_.end(), [](const SitePage& a, const SitePage& b) { return a.url < b.url; });
    std::vector<std::string> rows;
    for (const AuditRow& row : check_site(pages_, kNearEmpty)) {
      rows.push_back(std::string(audit_issue_name(row.issue)) + " " + std::to_string(row.group) + " " + path(row.url) +
                     (row.related_url.empty() ? "" : " " + path(row.related_url)));
    }
    return rows;
  }

  std::vector<SitePage>& pages() { return pages_; }

 private:
  SitePage& add(const std::string& path) {
    pages_.reserve(100);  // references stay valid
    SitePage& page = pages_.emplace_back();
    page.url = address(path);
    page.shape = "example.org/#";
    return page;
  }
  static std::string path(const std::string& url) {
    return url.starts_with("https://example.org") ? url.substr(19) : url;
  }

  std::vector<SitePage> pages_;
};

using Rows = std::vector<std::string>;

TEST(SiteChecks, DifferentPagesAreNoIssue) {
  Site site;
  site.page("/a", 1);
  site.page("/b", 2).canonical = Site::address("/b");
  EXPECT_EQ(site.check(), Rows{});
}

TEST(SiteChecks, CopiesThatNameOneOfThemAreNoIssue) {
  Site site;
  site.page("/a", 1);
  site.page("/b", 1).canonical = Site::address("/a");
  site.page("/c", 1).canonical = Site::address("/a");
  site.page("/d", 1).is_noindex = true;
  EXPECT_EQ(site.check(), Rows{});
}

TEST(SiteChecks, CopiesWithoutACanonicalAddressAreNamed) {
  Site site;
  site.page("/long-name", 1);
  site.page("/b", 1);
  site.page("/c", 1).canonical = Site::address("/b");
  EXPECT_EQ(site.check(), (Rows{"duplicates 1 /b /b", "duplicates 1 /long-name /b"}));
}

TEST(SiteChecks, TheSuggestedOriginalIsTheOneThatTheSitePrefers) {
  const auto suggested = [](auto prepare) {
    Site site;
    site.page("/a", 1);
    SitePage& other = site.page("/longer", 1);
    prepare(site, other);
    return site.check().front();
  };
  EXPECT_EQ(suggested([](Site&, SitePage&) {}), "duplicates 1 /a /a");
  EXPECT_EQ(suggested([](Site&, SitePage& other) { other.linking_pages = 3; }), "duplicates 1 /a /longer");
  EXPECT_EQ(suggested([](Site&, SitePage& other) { other.is_in_sitemap = true; }), "duplicates 1 /a /longer");
  EXPECT_EQ(suggested([](Site& site, SitePage&) { site.page("/x", 1).canonical = Site::address("/longer"); }),
            "duplicates 1 /a /longer");
}

TEST(SiteChecks, DuplicatesAreNamedByWhatTheirAddressesDifferIn) {
  Site site;
  site.page("/list?sort=a", 1);
  site.page("/list?sort=b", 1);
  site.page("/A/index.html", 2);
  site.page("http://www.example.org/a", 2);
  site.page("/series/1", 3).is_paginated = true;
  site.page("/series/2", 3).is_paginated = true;
  EXPECT_EQ(
      site.check(),
      (Rows{"parameter-duplicates 1 /list?sort=a /list?sort=a", "parameter-duplicates 1 /list?sort=b /list?sort=a",
            "address-duplicates 1 http://www.example.org/a http://www.example.org/a",
            "address-duplicates 1 /A/index.html http://www.example.org/a",
            "pagination-duplicates 1 /series/1 /series/1", "pagination-duplicates 1 /series/2 /series/1"}));
}

TEST(SiteChecks, PartsOfPagesAreNoDuplicates) {
  Site site;
  site.page("/a", 1);
  site.page("/b", 1).copy->verdict = Verdict::kContained;
  EXPECT_EQ(site.check(), Rows{});
}

TEST(SiteChecks, PagesWithTheTextOfAnErrorAreErrors) {
  Site site;
  SitePage& error = site.error("/missing", 404);
  error.has_text = true;
  error.copy = PageCopy{1, 0, Verdict::kSame, 1};
  site.page("/gone-1", 1);
  site.page("/gone-2", 1);
  EXPECT_EQ(site.check(), (Rows{"soft-404 1 /gone-1 /missing", "soft-404 1 /gone-2 /missing"}));
}

TEST(SiteChecks, CanonicalAddressesAreFollowed) {
  Site site;
  site.page("/other-text", 1).canonical = Site::address("/b");
  site.page("/b", 2);
  site.page("/to-error", 3).canonical = Site::address("/missing");
  site.error("/missing", 410);
  site.page("/to-redirect", 4).canonical = Site::address("/moved");
  site.redirect("/moved", "/b");
  site.page("/to-noindex", 5).canonical = Site::address("/hidden");
  site.page("/hidden", 5).is_noindex = true;
  site.page("/chain-1", 6).canonical = Site::address("/chain-2");
  site.page("/chain-2", 6).canonical = Site::address("/chain-3");
  site.page("/chain-3", 6);
  site.page("/loop-1", 7).canonical = Site::address("/loop-2");
  site.page("/loop-2", 7).canonical = Site::address("/loop-1");
  site.page("/unknown", 8).canonical = Site::address("/never-crawled");
  site.page("/elsewhere", 9).canonical = "https://other.example/";
  SitePage& both = site.page("/both", 2);
  both.is_noindex = true;
  both.canonical = Site::address("/b");
  EXPECT_EQ(site.check(),
            (Rows{"canonical-to-other-text 1 /other-text /b", "canonical-to-error 1 /to-error /missing",
                  "canonical-to-error 2 /to-redirect /moved", "canonical-to-noindex 1 /to-noindex /hidden",
                  "canonical-chain 1 /chain-1 /chain-3", "canonical-loop 1 /loop-1 /loop-2",
                  "canonical-loop 2 /loop-2 /loop-1", "canonical-not-crawled 1 /unknown /never-crawled",
                  "noindex-with-canonical 1 /both /b"}));
}

TEST(SiteChecks, AlternatesMustAnswerAndBeTranslated) {
  Site site;
  const auto alternates = [](SitePage& page, std::vector<LanguageAlternate> list) {
    page.alternates = std::move(list);
  };
  const std::vector<LanguageAlternate> three = {
      {"en", Site::address("/en")}, {"en-gb", Site::address("/gb")}, {"de", Site::address("/de")}};
  alternates(site.page("/en", 1), three);
  alternates(site.page("/gb", 1), three);
  alternates(site.page("/de", 2), three);
  EXPECT_EQ(site.check(), Rows{});  // one text for two countries of one language is no issue

  alternates(site.page("/fr", 3), {{"fr", Site::address("/fr")}, {"en", Site::address("/en")}});
  const std::vector<LanguageAlternate> pair = {{"zh-hans", Site::address("/zh")}, {"ja", Site::address("/ja")}};
  alternates(site.page("/zh", 4), pair);
  alternates(site.page("/ja", 4), pair);
  alternates(site.page("/ru", 5), {{"be", Site::address("/missing")}, {"uk", Site::address("/uk")}});
  site.error("/missing", 404);
  site.page("/uk", 6).canonical = Site::address("/uk-new");
  site.page("/uk-new", 6);
  EXPECT_EQ(site.check(), (Rows{"alternate-without-return 1 /fr /en", "alternate-to-error 1 /ru /missing",
                                "alternate-not-canonical 1 /ru /uk", "alternate-same-text 1 /ja /ja",
                                "alternate-same-text 1 /zh /ja"}));
}

// A page may name the same alternate again and again; the first one with a language says what it is for.
TEST(SiteChecks, AlternatesMayBeRepeated) {
  constexpr std::size_t kRepeats = 10'000;
  Site site;
  site.page("/a", 1).alternates.assign(kRepeats, {"de", Site::address("/b")});
  site.page("/b", 2).alternates.assign(kRepeats, {"en", Site::address("/elsewhere")});
  EXPECT_EQ(site.check().size(), kRepeats);  // none is answered

  Site languages;
  for (const char* const path : {"/a", "/c"}) {
    languages.page(path, 1).alternates = {{"x-default", Site::address("/c")},
                                          {"fr", Site::address("/c")},
                                          {"nl", Site::address("/c")},
                                          {"it", Site::address("/a")}};
  }
  EXPECT_EQ(languages.check(), (Rows{"alternate-same-text 1 /a /c", "alternate-same-text 1 /c /c"}));
}

TEST(SiteChecks, RedirectsAreFollowed) {
  Site site;
  site.page("/a", 1);
  site.redirect("/good", "/a");
  site.redirect("/chain", "/good");
  site.redirect("/loop-1", "/loop-2");
  site.redirect("/loop-2", "/loop-1");
  site.redirect("/broken", "/missing");
  site.error("/missing", 404);
  site.redirect("/away", "https://other.example/");
  EXPECT_EQ(site.check(), (Rows{"redirect-chain 1 /chain /a", "redirect-loop 1 /loop-1 /loop-2",
                                "redirect-loop 2 /loop-2 /loop-1", "redirect-to-error 1 /broken /missing"}));
}

TEST(SiteChecks, LinksAndSitemapsShouldNamePages) {
  Site site;
  site.page("/a", 1);
  const auto listed = [](SitePage& page) {
    page.linking_pages = 2;
    page.linking_example = Site::address("/a");
    page.is_in_sitemap = true;
  };
  listed(site.redirect("/moved", "/a"));
  listed(site.error("/missing", 404));
  SitePage& copy = site.page("/copy", 1);
  copy.canonical = Site::address("/a");
  listed(copy);
  SitePage& hidden = site.page("/hidden", 2);
  hidden.is_noindex = true;
  hidden.is_in_sitemap = true;
  EXPECT_EQ(site.check(),
            (Rows{"link-to-redirect 1 /moved /a", "link-to-error 1 /missing", "link-to-duplicate 1 /copy /a",
                  "sitemap-not-indexable 1 /hidden", "sitemap-not-indexable 2 /missing",
                  "sitemap-not-indexable 3 /moved /a", "sitemap-not-canonical 1 /copy /a"}));
}

TEST(SiteChecks, ShortPagesAreNearEmpty) {
  Site site;
  site.page("/short", 1).content_characters = kNearEmpty - 1;
  site.page("/enough", 2).content_characters = kNearEmpty;
  site.page("/blank", 3).copy.reset();
  site.pages().back().content_characters = 0;
  EXPECT_EQ(site.check(), (Rows{"near-empty 1 /blank", "near-empty 2 /short"}));
}

TEST(SiteChecks, PageTypesAreCountedByShape) {
  Site site;
  for (int i = 0; i < 3; ++i) site.page("/n/" + std::to_string(i), 1).shape = "example.org/n/#";
  site.page("/about", 2).shape = "example.org/about";
  site.pages()[0].copy->kept_page = 0;
  const std::vector<AuditPageType> types = page_types_of(site.pages());
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0].shape, "example.org/n/#");
  EXPECT_EQ(types[0].pages, 3U);
  EXPECT_EQ(types[0].copies, 2U);
  EXPECT_DOUBLE_EQ(types[0].content_characters, 1000);
  EXPECT_DOUBLE_EQ(types[0].template_share, 1 - 1000.0 / 1500);
  EXPECT_EQ(types[0].example_url, "https://example.org/n/0");
}

// Whatever pages say of each other, the checks come to an end, and name addresses that exist.
TEST(SiteChecks, AnyStatementsCanBeChecked) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Site site;
    const auto some_path = [&] { return "/" + std::to_string(random() % 12); };
    for (int i = 0; i < 10; ++i) {
      const std::string path = "/" + std::to_string(i);
      if (random() % 5 == 0) {
        site.redirect(path, some_path());
      } else if (random() % 6 == 0) {
        site.error(path, 404);
      } else {
        SitePage& page = site.page(path, random() % 4);
        if (random() % 2 == 0) page.canonical = Site::address(some_path());
        if (random() % 4 == 0) page.is_noindex = true;
        for (std::uint32_t a = 0; a < random() % 3; ++a) page.alternates.push_back({"l", Site::address(some_path())});
        page.copy->verdict = random() % 3 == 0 ? Verdict::kContained : Verdict::kNear;
        page.linking_pages = random() % 3;
      }
    }
    const Rows rows = site.check();
    EXPECT_TRUE(std::is_sorted(site.pages().begin(), site.pages().end(),
                               [](const SitePage& a, const SitePage& b) { return a.url < b.url; }));
    EXPECT_EQ(rows, site.check());
  }
}

}  // namespace
}  // namespace paraprint
