// The outcome of an address and its reason. One table gives the names for log and summary and the words for the report.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/assert.h"

namespace paraprint::inline crawler {

// Outcome of an address. Persisted: never renumber.
enum class UrlStatus : std::uint8_t {
  kQueued = 0,
  kStored = 1,     // a page with new text, or without text
  kCopy = 2,       // a page whose text was seen before
  kUnchanged = 3,  // requested again and unchanged
  kRedirect = 4,
  kRefused = 5,  // answered, but not with a page that is wanted
  kFailed = 6,   // no usable answer after all retries
  kSkipped = 7,  // not requested
};
inline constexpr std::size_t kUrlStatusCount = 8;

// Stable.
inline std::string_view url_status_name(UrlStatus status) {
  constexpr std::array<std::string_view, kUrlStatusCount> kNames = {"queued",   "stored",  "copy",   "unchanged",
                                                                    "redirect", "refused", "failed", "skipped"};
  return kNames.at(static_cast<std::size_t>(status));
}

// Persisted: never renumber. Reasons below kHttpStatus belong to skipped addresses, those below kPrivateAddress to
// refused ones, those below kNotIndexed to failed ones. It belongs to pages, which are counted by their status as well.
enum class CrawlReason : std::uint8_t {
  kNone = 0,
  // Skipped
  kRobots = 1,
  kRobotsUnreachable = 2,
  kDepth = 3,
  kHostPages = 4,
  kExcluded = 5,
  kBarrenShape = 6,
  kRepeatingPath = 7,
  kTooManyRedirects = 8,
  kSitemapLimit = 9,
  kDomainHosts = 10,
  kInvalidUrl = 11,
  kBadPort = 12,
  kHostPorts = 13,
  // Refused
  kHttpStatus = 20,
  kContentType = 21,
  kBodyTooLarge = 22,
  kExpandsTooMuch = 23,
  kHeaderTooLarge = 24,
  kNotText = 25,
  kBrokenEncoding = 26,
  kBadRedirect = 27,
  kNoindex = 28,
  kSoft404 = 29,
  kAdvert = 30,
  kRedirectLimit = 31,
  // Failed
  kPrivateAddress = 40,
  kNameResolution = 41,
  kConnection = 42,
  kTimeout = 43,
  kStalled = 44,
  kTruncated = 45,
  kTls = 46,
  kProtocol = 47,
  kServerError = 48,
  // Stored or unchanged
  kNotIndexed = 60,
};

struct CrawlReasonInfo {
  CrawlReason reason;
  std::string_view name;   // "robots", stable
  std::string_view words;  // for people
};

inline constexpr std::array kCrawlReasons = {
    CrawlReasonInfo{CrawlReason::kNone, "none", ""},
    CrawlReasonInfo{CrawlReason::kRobots, "robots", "disallowed by robots.txt"},
    CrawlReasonInfo{CrawlReason::kRobotsUnreachable, "robots-unreachable",
                    "robots.txt could not be fetched, so crawling is disallowed"},
    CrawlReasonInfo{CrawlReason::kDepth, "depth", "more links away from a seed than allowed"},
    CrawlReasonInfo{CrawlReason::kHostPages, "host-pages", "the page limit of its host is reached"},
    CrawlReasonInfo{CrawlReason::kExcluded, "excluded", "excluded by a pattern"},
    CrawlReasonInfo{CrawlReason::kBarrenShape, "barren-shape",
                    "many addresses of this shape in a row gave nothing new"},
    CrawlReasonInfo{CrawlReason::kRepeatingPath, "repeating-path", "its path repeats itself"},
    CrawlReasonInfo{CrawlReason::kTooManyRedirects, "too-many-redirects",
                    "an earlier version reached it through too many redirects"},
    CrawlReasonInfo{CrawlReason::kSitemapLimit, "sitemap-limit", "more sitemaps than are read per host"},
    CrawlReasonInfo{CrawlReason::kDomainHosts, "domain-hosts", "on a host beyond the limit of its domain"},
    CrawlReasonInfo{CrawlReason::kInvalidUrl, "invalid-url", "not a valid URL, although an earlier version queued it"},
    CrawlReasonInfo{CrawlReason::kBadPort, "bad-port", "on a port of another service than the web"},
    CrawlReasonInfo{CrawlReason::kHostPorts, "host-ports", "on a port beyond the limit of its host"},
    CrawlReasonInfo{CrawlReason::kHttpStatus, "http-status", "answered with an HTTP error"},
    CrawlReasonInfo{CrawlReason::kContentType, "content-type", "not an accepted content type"},
    CrawlReasonInfo{CrawlReason::kBodyTooLarge, "body-too-large", "larger than allowed"},
    CrawlReasonInfo{CrawlReason::kExpandsTooMuch, "expands-too-much", "larger than allowed when decompressed"},
    CrawlReasonInfo{CrawlReason::kHeaderTooLarge, "header-too-large", "header larger than allowed"},
    CrawlReasonInfo{CrawlReason::kNotText, "not-text", "declared as text, but is not text"},
    CrawlReasonInfo{CrawlReason::kBrokenEncoding, "broken-encoding", "cannot be decoded as its header says"},
    CrawlReasonInfo{CrawlReason::kBadRedirect, "bad-redirect", "redirected to an invalid address"},
    CrawlReasonInfo{CrawlReason::kNoindex, "noindex", "asks not to be indexed"},
    CrawlReasonInfo{CrawlReason::kSoft404, "soft-404", "answered like an address that does not exist"},
    CrawlReasonInfo{CrawlReason::kAdvert, "advert", "advertising and nothing else"},
    CrawlReasonInfo{CrawlReason::kRedirectLimit, "redirect-limit", "redirected on, after ten redirects in a row"},
    CrawlReasonInfo{CrawlReason::kPrivateAddress, "private-address", "at an address that is not public"},
    CrawlReasonInfo{CrawlReason::kNameResolution, "name-resolution", "its host name could not be resolved"},
    CrawlReasonInfo{CrawlReason::kConnection, "connection", "no connection, or the connection broke"},
    CrawlReasonInfo{CrawlReason::kTimeout, "timeout", "no complete answer in time"},
    CrawlReasonInfo{CrawlReason::kStalled, "stalled", "transferred too slowly"},
    CrawlReasonInfo{CrawlReason::kTruncated, "truncated", "ended before the announced length"},
    CrawlReasonInfo{CrawlReason::kTls, "tls", "no trustworthy TLS connection"},
    CrawlReasonInfo{CrawlReason::kProtocol, "protocol", "not a valid HTTP answer"},
    CrawlReasonInfo{CrawlReason::kServerError, "server-error", "the server could not answer or asked to wait"},
    CrawlReasonInfo{CrawlReason::kNotIndexed, "not-indexed", "in the archive, but too much text for the index"},
};

inline const CrawlReasonInfo& crawl_reason_info(CrawlReason reason) {
  const auto* found = std::find_if(kCrawlReasons.begin(), kCrawlReasons.end(),
                                   [&](const CrawlReasonInfo& info) { return info.reason == reason; });
  PARAPRINT_ASSERT(found != kCrawlReasons.end());
  return *found;
}

}  // namespace paraprint::inline crawler
