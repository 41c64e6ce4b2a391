// Decodes the body of an answer: undoes chunking and content encodings, within limits. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "archive/http_payload.h"
#include "crawl/fetcher.h"
#include "paraprint/crawl.h"

namespace paraprint::inline crawler {

// The page in an answer of status 200, with its URL as id, or the reason why it is not a page.
DecodedRecord decode_fetched_page(const FetchResult& fetch, const CrawlOptions& options);

struct FetchedFile {
  std::string body;         // a blank one is ""
  bool is_partial = false;  // it could only be decoded up to some place
};

// The body of an answer of any type; empty optional if it cannot be decoded or grows beyond `limit_bytes`.
std::optional<FetchedFile> decode_fetched_file(const FetchResult& fetch, std::uint64_t limit_bytes);

// Equal for two answers only if their bodies are equal byte for byte, as received, and are to be decoded alike.
std::string digest_of_body(const FetchResult& fetch);

// Whether the body is in HTTP/1.1 chunks.
bool is_chunked(const FetchResult& fetch);

}  // namespace paraprint::inline crawler
