// Measures the reading of archives as a run does it before parsing: records, HTTP headers, decoded bodies.
//
// usage: read_archives FILE...     prints seconds, pages, megabytes of decoded bodies
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "archive/http_payload.h"
#include "archive/record_reader.h"

int main(int argc, char** argv) {
  using namespace paraprint;
  ReadOptions options;
  options.status = {{100, 999}};  // all statuses, as the readers that it is compared with
  std::uint64_t pages = 0;
  std::uint64_t body_bytes = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i < argc; ++i) {
    InputFile input;
    input.path = argv[i];
    input.size_bytes = std::filesystem::file_size(input.path);
    auto reader = open_records(input, options, [](Defect) {});
    if (!reader) return 1;
    while (true) {
      Result<std::optional<RawRecord>> record = (*reader)->next();
      if (!record) return 1;
      if (!record->has_value()) break;
      if ((*record)->kind != RecordKind::kPage) continue;
      const DecodedRecord decoded = decode_page(std::move(**record), options, input.path);
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      ++pages;
      body_bytes += decoded.page.body.size();
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  constexpr double kBytesAMegabyte = 1e6;
  fmt::print("{:.3f} {} {:.1f}\n", seconds, pages, static_cast<double>(body_bytes) / kBytesAMegabyte);
  return 0;
}
