// Whatever is true of an address follows from a hash of the seed and the address, so that nothing has to be stored.
#include "crawl/simulated_web.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/hash.h"

namespace paraprint {
namespace {

constexpr std::size_t kFamilies = 5;  // of texts that many pages have
constexpr std::size_t kTextsOfFamily = 3;
constexpr std::size_t kShortText = 0;
constexpr std::uint64_t kUniqueTexts = 1'000'000;
constexpr std::uint64_t kMissingTexts = 2'000'000;

// What a site does about missing pages, of kMissingKinds: these, or an error.
constexpr std::uint64_t kMissingKinds = 12;
constexpr std::uint64_t kAllAlike = 0;       // no page is missing: all have one text
constexpr std::uint64_t kPageOfNoindex = 1;  // a page, like up to kLastPage
constexpr std::uint64_t kLastPage = 4;
constexpr std::uint64_t kToFront = 5;  // a redirect
constexpr std::uint64_t kToPage = 6;
constexpr std::uint64_t kToLanguage = 7;  // a redirect, and there a page
constexpr std::uint64_t kLastLanguage = 8;

// Letters without vowels: an address that the crawler has made up.
bool is_made_up(std::string_view url) {
  constexpr std::size_t kLetters = 24;
  const std::string_view name = url.substr(url.rfind('/') + 1);
  return name.size() == kLetters && name.find_first_not_of("bcdfghjklmnpqrstvwxz") == std::string_view::npos;
}

std::string host_of(const std::string& url) {
  const std::size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find_first_of("/:", begin) - begin);
}

std::string origin_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3));
}

void set_header(FetchResult& fetch, int status, std::string_view fields) {
  fetch.http_status = status;
  fetch.response_header = fmt::format("HTTP/1.1 {} Simulated\r\n{}\r\n", status, fields);
}

}  // namespace

SimulatedWeb::SimulatedWeb(std::uint64_t seed, Kind kind) : seed_(seed), kind_(kind) {}

std::uint64_t SimulatedWeb::fact(std::string_view about, const std::string& url) const {
  return hash64(fmt::format("{} {} {}", seed_, about, url));
}

// Nine of ten answers stay as they are from version to version.
std::uint64_t SimulatedWeb::changing_fact(std::string_view about, const std::string& url) const {
  std::uint64_t last = 0;
  for (std::uint64_t version = 1; version <= version_; ++version) {
    if (fact(fmt::format("change {}", version), url) % 10 == 0) last = version;
  }
  return fact(fmt::format("{} {}", about, last), url);
}

std::string SimulatedWeb::address(std::uint64_t choice) const {
  constexpr std::array<std::string_view, 6> kHosts = {"http://a.example", "http://a.example",     "https://a.example",
                                                      "http://b.example", "http://www.c.example", "http://d.example"};
  std::string url(kHosts[choice % kHosts.size()]);
  choice /= kHosts.size();
  if (choice % 8 == 0) url = fmt::format("http://w{}.c.example", choice / 8 % 9);  // a wildcard domain
  if (kind_.has_oddities && choice % 13 == 0) url += '.';
  if (kind_.has_oddities && choice % 5 == 0)
    url += fmt::format(":{}", choice % 9 == 0 ? 6667 : 8000 + choice / 45 % 12);
  choice /= 100;
  const std::uint64_t kind = choice % 20;
  choice /= 20;
  if (kind < 9) return fmt::format("{}/p{}", url, choice % 30);
  if (kind < 13) return fmt::format("{}/cal/{}", url, choice % 1000);
  if (kind < 15) return fmt::format("{}/s?n={}&PHPSESSID={:08x}", url, choice % 4, choice / 4 % 5);
  if (kind < 16) return fmt::format("{}/private/p{}", url, choice % 4);
  if (kind < 17) return fmt::format("{}/excluded/p{}", url, choice % 3);
  if (kind < 18) return fmt::format("{}/x/x/x/x{}", url, choice % 2 == 0 ? "" : "/p1");
  if (kind < 19) return fmt::format("{}/r{}", url, choice % 6);
  return url + "/";
}

std::vector<std::string> SimulatedWeb::seeds(std::mt19937_64& random) const {
  std::vector<std::string> seeds;
  for (const std::string_view seed :
       {"http://a.example/", "http://www.c.example/", "http://b.example/p1", "https://a.example/r1"}) {
    if (seeds.size() < 2 || random() % 3 == 0) seeds.emplace_back(seed);
  }
  return seeds;
}

Verdict SimulatedWeb::verdict(std::size_t asked, std::size_t known) {
  if (asked == kShortText || known == kShortText) return Verdict::kDistinct;
  if (asked == known) return Verdict::kSame;
  const bool are_related = asked < kFamilies * kTextsOfFamily && asked / kTextsOfFamily == known / kTextsOfFamily;
  if (!are_related) return Verdict::kDistinct;
  if (asked % kTextsOfFamily == 2) return Verdict::kContained;
  return known % kTextsOfFamily == 2 ? Verdict::kContains : Verdict::kNear;
}

std::uint32_t SimulatedWeb::characters(std::size_t text) {
  return text == kShortText ? 20 : 500;
}

// Failures that pass, and those that do not. Servers of host "d" are in trouble often, others in some versions.
bool SimulatedWeb::fails(SimulatedAnswer& answer, const std::string& host, std::mt19937_64& random) const {
  const std::uint64_t trouble = host == "d.example" ? 2 : changing_fact("trouble", host) % 4 == 0 ? 6 : 60;
  if (random() % trouble != 0) return false;
  FetchResult& fetch = answer.fetch;
  constexpr std::array kReasons = {CrawlReason::kConnection,    CrawlReason::kTimeout, CrawlReason::kNameResolution,
                                   CrawlReason::kStalled,       CrawlReason::kTls,     CrawlReason::kProtocol,
                                   CrawlReason::kPrivateAddress};
  const std::uint64_t kind = random() % (kReasons.size() + 4);
  if (kind < kReasons.size()) {
    fetch.failure = kReasons[kind];
    fetch.failure_words = "simulated";
    return true;
  }
  constexpr std::array kStatuses = {429, 500, 503, 408};
  set_header(fetch, kStatuses[kind - kReasons.size()], "");
  if (random() % 2 == 0) fetch.retry_after_seconds = static_cast<double>(random() % 5000);
  return true;
}

// Some redirects, in the body that they announce. Without a target that is a failure like any other.
void SimulatedWeb::break_off(FetchResult& fetch) const {
  const bool has_target = fetch.response_header.find("Location") != std::string::npos;
  if (!kind_.has_oddities || !has_target || changing_fact("broken", fetch.request.url) % 3 != 0) return;
  fetch.failure = CrawlReason::kTruncated;
  fetch.body = "moved";
}

void SimulatedWeb::answer_robots(SimulatedAnswer& answer, const std::string& origin) const {
  FetchResult& fetch = answer.fetch;
  const std::uint64_t kind = changing_fact("robots", origin) % 24;
  const bool is_moved = fetch.request.url.ends_with("/robots.txt") && kind < 3;
  if (is_moved) {
    std::string target = kind == 0 ? "/robots2" : kind == 1 ? "http://[" : "http://b.example/robots.txt";
    if (kind == 2 && kind_.has_oddities && fact("port", origin) % 2 == 0) target = "http://b.example:8003/robots.txt";
    set_header(fetch, 301, fmt::format("Location: {}\r\n", target));
    return break_off(fetch);
  }
  if (kind < 6) return set_header(fetch, 404, "");
  if (kind < 7) return set_header(fetch, 503, "");
  if (kind < 8) {
    set_header(fetch, 200, "Content-Encoding: gzip\r\n");
    fetch.body = "not compressed";
    return;
  }
  if (kind < 10 && kind_.has_oddities) {
    set_header(fetch, 200, "Transfer-Encoding: chunked\r\n");
    fetch.body = "1a\r\nUser-agent: *\nDisallow: /";
    return;
  }
  set_header(fetch, 200, "Content-Type: text/plain\r\n");
  fetch.body = "User-agent: *\nDisallow: /private/\n";
  const std::uint64_t detail = changing_fact("rules", origin);
  if (detail % 16 == 0) fetch.body += "Disallow: /\n";
  // What the crawler makes up may begin with one of these letters, or is redirected to the folder.
  if (kind_.has_soft_404s && detail % 16 == 3)
    fetch.body += "Disallow: /b\nDisallow: /d\nDisallow: /f\nDisallow: /en\n";
  if (detail % 4 == 1) fetch.body += fmt::format("Crawl-delay: {}\n", detail / 8 % 20);
  for (std::uint64_t i = 0; i < detail / 256 % 4; ++i)
    fetch.body += fmt::format("Sitemap: {}/sitemap{}.xml\n", origin, i);
  if (kind_.has_pages_as_sitemaps) fetch.body += fmt::format("Sitemap: {}\n", address(detail / 65536));
  if (detail / 1024 % 4 == 0) {
    fetch.body += fmt::format("Sitemap: http://w{}.c.example/sitemap1.xml\nSitemap: http://[/\n", detail / 4096 % 9);
  }
}

void SimulatedWeb::answer_sitemap(SimulatedAnswer& answer) const {
  FetchResult& fetch = answer.fetch;
  const std::uint64_t kind = changing_fact("sitemap", fetch.request.url) % 8;
  if (kind == 0) return set_header(fetch, 404, "");
  if (kind == 1) {
    set_header(fetch, 200, "Content-Encoding: gzip\r\n");
    fetch.body = "not compressed";
    return;
  }
  if (kind == 2 && kind_.has_oddities) {
    const std::uint64_t choice = changing_fact("sitemap target", fetch.request.url);
    const std::uint64_t number = choice / 64 % 6;
    const std::string other = fmt::format("{}/sitemap{}.xml", origin_of(address(choice / 512)), number);
    const std::string near = fmt::format("/sitemap{}.xml", number);
    const std::string target = choice % 8 == 0   ? "http://["
                               : choice % 8 == 1 ? "https://" + host_of(fetch.request.url) + near
                               : choice % 8 < 4  ? other
                                                 : near;
    set_header(fetch, 301, fmt::format("Location: {}\r\n", target));
    return break_off(fetch);
  }
  set_header(fetch, 200, "Content-Type: text/xml\r\n");
  const bool is_index = kind < 4;
  fetch.body = is_index ? "<sitemapindex>" : "<urlset>";
  for (std::uint64_t i = 0; i < kind; ++i) {
    const std::uint64_t choice = changing_fact(fmt::format("entry {}", i), fetch.request.url);
    const std::string other = address(choice);
    const bool is_own = kind_.has_pages_as_sitemaps && choice % 5 != 0;
    const std::string_view site = is_own ? fetch.request.url : other;
    const std::string entry =
        is_index ? fmt::format("{}/sitemap{}.xml", origin_of(std::string(site)), choice / 64 % 6) : other;
    fetch.body += fmt::format("<{0}><loc>{1}</loc></{0}>", is_index ? "sitemap" : "url", i == 6 ? "no:url" : entry);
  }
  fetch.body += is_index ? "</sitemapindex>" : "</urlset>";
}

void SimulatedWeb::answer_redirect(SimulatedAnswer& answer) const {
  const std::string& url = answer.fetch.request.url;
  const std::uint64_t choice = changing_fact("target", url);
  std::string target = address(choice / 8);
  if (choice % 8 == 0) target = url + "?PHPSESSID=1";
  if (choice % 8 == 1) target = fmt::format("/r{}", choice / 8 % 6);
  if (choice % 8 == 2) target = choice % 16 == 2 ? "http://[" : url;
  set_header(answer.fetch, choice % 3 == 0 ? 302 : 301, choice % 32 == 3 ? "" : "Location: " + target + "\r\n");
  break_off(answer.fetch);
}

// Addresses that the crawler has made up are, and some that are linked to.
bool SimulatedWeb::is_missing(const std::string& url, const std::string& origin) const {
  const std::uint64_t kind = changing_fact("missing", origin) % kMissingKinds;
  if (is_made_up(url) || (kind_.has_soft_404s && kind == kAllAlike)) return true;
  if (!kind_.has_soft_404s || kind > kLastLanguage) return false;
  return url != origin + "/" && url != origin + "/p1" && changing_fact("missing", url) % 3 == 0;
}

void SimulatedWeb::answer_missing(SimulatedAnswer& answer, const std::string& origin, std::mt19937_64& random) const {
  FetchResult& fetch = answer.fetch;
  const std::string& url = fetch.request.url;
  const std::uint64_t kind = changing_fact("missing", origin) % kMissingKinds;
  if (!kind_.has_soft_404s || kind > kLastLanguage) return set_header(fetch, kind % 2 == 0 ? 404 : 403, "");
  if (kind == kToFront || kind == kToPage) {
    set_header(fetch, 302, kind == kToFront ? "Location: /\r\n" : "Location: /p1\r\n");
    return break_off(fetch);
  }
  if (kind >= kToLanguage && !url.starts_with(origin + "/en/")) {
    const std::string path = url.substr(origin.size());
    const bool needs_log_in = fact("log-in", origin) % 3 == 0;
    return set_header(fetch, 302, fmt::format("Location: {}{}\r\n", needs_log_in ? "/p1?next=" : "/en", path));
  }
  answer.page.text = kMissingTexts + changing_fact("text", origin) % 1000;
  answer.page.is_noindex = kind == kPageOfNoindex;
  answer.page.links = {origin + "/", address(changing_fact("missing link", url))};
  fetch.body = fmt::format("missing {}", changing_fact("varies", url) % 3);
  set_header(fetch, 200, fmt::format("Content-Type: text/html\r\nETag: \"{:x}\"\r\n", hash64(fetch.body)));
  if (random() % 10 == 0) fetch.failure = CrawlReason::kTruncated;
}

void SimulatedWeb::answer_page(SimulatedAnswer& answer, std::mt19937_64& random) const {
  FetchResult& fetch = answer.fetch;
  SimulatedPage& page = answer.page;
  const std::string& url = fetch.request.url;
  const std::uint64_t kind = changing_fact("kind", url) % 100;
  if (kind < 6) return set_header(fetch, kind < 4 ? 404 : kind < 5 ? 304 : 500, "");
  if (kind < 9) {
    fetch.failure = kind < 8 ? CrawlReason::kContentType : CrawlReason::kBodyTooLarge;
    return set_header(fetch, 200, "Content-Type: image/png\r\n");
  }
  const std::uint64_t detail = changing_fact("page", url);
  const bool is_trap = url.find("/cal/") != std::string::npos;
  page.text =
      is_trap || detail % 5 < 2 ? detail / 8 % (kFamilies * kTextsOfFamily) : kUniqueTexts + detail / 8 % 100'000;
  if (kind < 11) page.refusal = kind < 10 ? CrawlReason::kNotText : CrawlReason::kBrokenEncoding;
  page.is_noindex = detail / 1024 % 12 == 0;
  for (std::uint64_t i = 0; i < 2 + detail / 4096 % 6; ++i) {
    page.links.push_back(address(changing_fact(fmt::format("link {}", i), url)));
  }
  if (is_trap) page.links.push_back(fmt::format("{}/cal/{}", origin_of(url), detail / 64 % 1000));
  if (kind_.has_pages_as_sitemaps && detail % 11 == 0) {
    page.links.push_back(fmt::format("{}/sitemap{}.xml", origin_of(address(detail / 128)), detail / 16 % 4));
  }
  page.unusable_links = detail / 32 % 3;
  // Bodies of copies are equal or not.
  fetch.body = fmt::format("text {} of {}", page.text, detail % 3 == 0 ? "many" : url);
  const std::string tag = fmt::format("\"{:x}\"", hash64(fetch.body));
  if (detail % 2 == 0 && tag == fetch.request.if_none_match && random() % 4 != 0) {
    fetch.body.clear();
    page = {};
    return set_header(fetch, 304, "");
  }
  set_header(fetch, 200, "Content-Type: text/html\r\n" + (detail % 2 == 0 ? "ETag: " + tag + "\r\n" : std::string()));
  if (random() % 40 == 0) {
    fetch.failure = CrawlReason::kTruncated;
    fetch.body.resize(fetch.body.size() - 1);
    page.text = kUniqueTexts + hash64(fetch.body) % 100'000;
  }
}

SimulatedAnswer SimulatedWeb::answer(const FetchRequest& request, std::mt19937_64& random) const {
  SimulatedAnswer answer;
  answer.fetch.request = request;
  answer.fetch.request_header = fmt::format("GET {} HTTP/1.1\r\n\r\n", request.url);
  answer.fetch.address = "192.0.2.1";
  const std::string& url = request.url;
  const std::string origin = origin_of(url);
  const std::string_view target = std::string_view(url).substr(origin.size());
  if (fails(answer, host_of(url), random)) return answer;
  if (target.starts_with("/robots")) {
    answer_robots(answer, origin);
  } else if (target.starts_with("/sitemap")) {
    answer_sitemap(answer);
  } else if (is_missing(url, origin)) {
    answer_missing(answer, origin, random);
  } else if (target.starts_with("/r")) {
    answer_redirect(answer);
  } else {
    answer_page(answer, random);
  }
  return answer;
}

}  // namespace paraprint
