// A small web made up from a seed: hosts with robots.txt files, sitemaps, redirects, traps, copies, missing pages,
// and servers that are slow or fail. It answers requests as the crawler's fetcher would, without sockets.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "crawl/fetcher.h"
#include "paraprint/model.h"

namespace paraprint {

// What the body of an answer says, which a page would have to be parsed for.
struct SimulatedPage {
  CrawlReason refusal = CrawlReason::kNone;  // it cannot be read as a page
  std::size_t text = 0;                      // see SimulatedWeb::verdict()
  std::vector<std::string> links;
  std::size_t unusable_links = 0;
  bool is_noindex = false;
};

struct SimulatedAnswer {
  FetchResult fetch;
  SimulatedPage page;
};

class SimulatedWeb {
 public:
  struct Kind {
    bool has_soft_404s = false;  // some sites do not answer requests for missing pages with an error
    // Sites name any address as a sitemap, and link to sitemaps as if they were pages.
    bool has_pages_as_sitemaps = false;
    // Files are damaged or have moved, redirects break off, hosts have dots at their ends and many ports.
    bool has_oddities = false;
  };
  SimulatedWeb(std::uint64_t seed, Kind kind);

  // Complete but for the times.
  SimulatedAnswer answer(const FetchRequest& request, std::mt19937_64& random) const;
  // Some pages, files and servers are different from now on.
  void change() { ++version_; }

  std::vector<std::string> seeds(std::mt19937_64& random) const;

  // How a page with text `asked` relates to one with text `known`. Texts are numbered in families of near copies.
  static Verdict verdict(std::size_t asked, std::size_t known);
  // Letters and digits of the text.
  static std::uint32_t characters(std::size_t text);

 private:
  std::uint64_t fact(std::string_view about, const std::string& url) const;
  std::uint64_t changing_fact(std::string_view about, const std::string& url) const;
  std::string address(std::uint64_t choice) const;
  void break_off(FetchResult& fetch) const;
  void answer_robots(SimulatedAnswer& answer, const std::string& origin) const;
  void answer_sitemap(SimulatedAnswer& answer) const;
  void answer_redirect(SimulatedAnswer& answer) const;
  void answer_page(SimulatedAnswer& answer, std::mt19937_64& random) const;
  bool is_missing(const std::string& url, const std::string& origin) const;
  void answer_missing(SimulatedAnswer& answer, const std::string& origin, std::mt19937_64& random) const;
  bool fails(SimulatedAnswer& answer, const std::string& host, std::mt19937_64& random) const;

  std::uint64_t seed_;
  Kind kind_;
  std::uint64_t version_ = 0;
};

}  // namespace paraprint
