// Fuzzes the decoder of HTTP messages with any bytes: no decoded body exceeds the
// limit, whatever its encodings expand to.
#include "archive/http_payload.h"

#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paraprint::RawRecord record;
  record.kind = paraprint::RecordKind::kPage;
  record.is_http = true;
  record.payload.assign(reinterpret_cast<const char*>(data), size);
  paraprint::ReadOptions options;
  options.max_body_bytes = 1 << 20;
  const paraprint::DecodedRecord decoded = paraprint::decode_page(std::move(record), options, "input");
  if (decoded.page.body.size() > options.max_body_bytes) std::abort();
  return 0;
}
