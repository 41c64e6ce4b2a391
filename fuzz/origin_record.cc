// Fuzzes the decoder of what an index and a run keep of a page's publication: any bytes are rejected, leaving the
// record empty, or decode to a value that encodes and decodes to itself, and that tracing takes.
#include "provenance/origin_record.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "provenance/trace_copies.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace paraprint;
  OriginRecord record;
  if (!decode_origin({reinterpret_cast<const char*>(data), size}, record)) {
    if (!record.marks.empty() || !record.stated.linked.links.empty()) std::abort();
    return 0;
  }
  std::string bytes;
  encode_origin(record, bytes);
  OriginRecord again;
  std::string bytes_again;
  if (!decode_origin(bytes, again)) std::abort();
  encode_origin(again, bytes_again);
  if (bytes != bytes_again) std::abort();
  // Two pages with this statement, under different addresses.
  std::vector<TracedPage> pages(2);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    pages[page].id = pages[page].url = "http://a" + std::to_string(page) + ".example/";
    pages[page].stated = record.stated;
    pages[page].sentences = {{7, 100, record.marks.empty() ? SentenceMarks{} : record.marks.front()}};
  }
  const std::vector<TracedOrigin> traced = trace_copies(pages);
  if (traced[0].is_first == traced[1].is_first) std::abort();
  return 0;
}
