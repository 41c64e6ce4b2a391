// The body of an answer as it was meant: chunks and encodings undone, under limits. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "archive/http_payload.h"
#include "crawl/fetcher.h"
#include "paraprint/crawl.h"

namespace paraprint {

// The page in an answer of status 200, with its URL as id; or why it is none.
DecodedRecord decode_fetched_page(const FetchResult& fetch, const CrawlOptions& options);

// The body of an answer of any type; nothing if it can't be decoded or grows beyond `limit_bytes`. A blank one is "".
std::optional<std::string> decode_fetched_file(const FetchResult& fetch, std::uint64_t limit_bytes);

// Whether the body is as HTTP/1.1 chunks.
bool is_chunked(const FetchResult& fetch);

}  // namespace paraprint
