// Why an address ended as it did. One table: names in the log and the summary, words in the report.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace paraprint {

// How an address stands. Persisted: never renumber.
enum class UrlStatus : std::uint8_t {
  kQueued = 0,
  kStored = 1,     // a page with a text not seen before, or one without text
  kCopy = 2,       // a page whose text was seen before
  kUnchanged = 3,  // asked for again, and the same as before
  kRedirect = 4,
  kRefused = 5,  // answered, but with something that is no page for us
  kFailed = 6,   // no usable answer after all retries
  kSkipped = 7,  // not asked for
};
inline constexpr std::size_t kUrlStatusCount = 8;

// "queued", "stored", ...; stable.
std::string_view url_status_name(UrlStatus status);

// Persisted: never renumber.
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
};

struct CrawlReasonInfo {
  CrawlReason reason;
  std::string_view name;   // "robots", stable
  std::string_view words;  // for a person
};

inline constexpr std::array kCrawlReasons = {
    CrawlReasonInfo{CrawlReason::kNone, "none", ""},
    CrawlReasonInfo{CrawlReason::kRobots, "robots", "robots.txt asks crawlers to stay away"},
    CrawlReasonInfo{CrawlReason::kRobotsUnreachable, "robots-unreachable",
                    "robots.txt could not be had, which means: stay away"},
    CrawlReasonInfo{CrawlReason::kDepth, "depth", "more links away from a seed than asked for"},
    CrawlReasonInfo{CrawlReason::kHostPages, "host-pages", "its host has given as many pages as asked for"},
    CrawlReasonInfo{CrawlReason::kExcluded, "excluded", "left out by a pattern"},
    CrawlReasonInfo{CrawlReason::kBarrenShape, "barren-shape",
                    "addresses of this shape gave nothing new many times in a row"},
    CrawlReasonInfo{CrawlReason::kRepeatingPath, "repeating-path", "its path repeats itself"},
    CrawlReasonInfo{CrawlReason::kTooManyRedirects, "too-many-redirects", "at the end of too many redirects"},
    CrawlReasonInfo{CrawlReason::kSitemapLimit, "sitemap-limit", "more sitemaps than are read of one host"},
    CrawlReasonInfo{CrawlReason::kHttpStatus, "http-status", "answered with an error"},
    CrawlReasonInfo{CrawlReason::kContentType, "content-type", "not a type of content that was asked for"},
    CrawlReasonInfo{CrawlReason::kBodyTooLarge, "body-too-large", "larger than allowed"},
    CrawlReasonInfo{CrawlReason::kExpandsTooMuch, "expands-too-much", "larger than allowed when decompressed"},
    CrawlReasonInfo{CrawlReason::kHeaderTooLarge, "header-too-large", "with a header larger than allowed"},
    CrawlReasonInfo{CrawlReason::kNotText, "not-text", "called text, but it is not"},
    CrawlReasonInfo{CrawlReason::kBrokenEncoding, "broken-encoding", "not readable as its header says it is packed"},
    CrawlReasonInfo{CrawlReason::kBadRedirect, "bad-redirect", "redirected to something that is no address"},
    CrawlReasonInfo{CrawlReason::kNoindex, "noindex", "asks not to be indexed"},
    CrawlReasonInfo{CrawlReason::kPrivateAddress, "private-address", "at an address that is not public"},
    CrawlReasonInfo{CrawlReason::kNameResolution, "name-resolution", "its host has no address"},
    CrawlReasonInfo{CrawlReason::kConnection, "connection", "no connection, or one that broke"},
    CrawlReasonInfo{CrawlReason::kTimeout, "timeout", "no complete answer in time"},
    CrawlReasonInfo{CrawlReason::kStalled, "stalled", "came too slowly"},
    CrawlReasonInfo{CrawlReason::kTruncated, "truncated", "ended before the length that was promised"},
    CrawlReasonInfo{CrawlReason::kTls, "tls", "no trustworthy encryption"},
    CrawlReasonInfo{CrawlReason::kProtocol, "protocol", "not an answer in HTTP"},
    CrawlReasonInfo{CrawlReason::kServerError, "server-error",
                    "the server could not answer, or asked to be left alone"},
};

const CrawlReasonInfo& crawl_reason_info(CrawlReason reason);

}  // namespace paraprint
