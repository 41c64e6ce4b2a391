// Fuzzes the decoders of a crawl's state: any bytes are rejected, or decode to a record that encodes and decodes to
// itself, with statuses and reasons that have names.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "crawl/crawl_records.h"

namespace {

using namespace paraprint;

template <class Record>
void try_as(std::string_view bytes) {
  const std::optional<Record> record = Record::decode(bytes);
  if (!record) return;
  const std::string encoded = record->encode();
  const std::optional<Record> again = Record::decode(encoded);
  if (!again || again->encode() != encoded) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_as<UrlRecord>(bytes);
  try_as<QueueEntry>(bytes);
  try_as<RobotsRecord>(bytes);
  try_as<HostRecord>(bytes);
  try_as<ProbeRecord>(bytes);
  try_as<ClusterRecord>(bytes);
  try_as<CrawlPosition>(bytes);
  if (const auto url = UrlRecord::decode(bytes)) {
    if (url_status_name(url->status).empty() || crawl_reason_info(url->reason).name.empty()) std::abort();
  }
  return 0;
}
