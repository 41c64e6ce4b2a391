// Fuzzes the reader of provenance.jsonl, and what the explorer makes of such a file of a run: a line is refused with a
// reason, or has values within their ranges; sources never form a circle; and every cluster can be drawn. In an input,
// "@" stands for the id of a page of the run and its cluster, so that lines are not all foreign.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "temporary_folder.h"
#include "view/copies/origin_json.h"
#include "view/copies/run_origins.h"

namespace {

using namespace paraprint;

constexpr std::uint32_t kFuzzPages = 12;
constexpr std::uint32_t kPagesPerCluster = 4;

// Pages "p0" to "p11" in clusters 1 to 3.
class FuzzedRun {
 public:
  FuzzedRun() {
    for (std::uint32_t page = 0; page < kFuzzPages; ++page) {
      LoggedPage logged;
      const std::string id = "p" + std::to_string(page);
      logged.id = id;
      logged.url = "http://h.example/<b>";
      if (!pages_.add(logged, 100) || !clusters_.push_back(1 + page / kPagesPerCluster)) std::abort();
    }
    if (!pages_.finish()) std::abort();
  }

  std::string path() const { return folder_ / "provenance.jsonl"; }
  const PageTable& pages() const { return pages_; }
  const SpillArray<std::uint32_t>& clusters() const { return clusters_; }

 private:
  TemporaryFolder folder_;
  PageTable pages_;
  SpillArray<std::uint32_t> clusters_;
};

// Each "@" becomes the begin of an object about the next page.
std::string with_pages(std::string_view input) {
  std::string text;
  std::uint32_t page = 0;
  for (const char c : input) {
    if (c != '@') {
      text += c;
      continue;
    }
    const std::uint32_t number = page++ % kFuzzPages;
    text += "{\"id\":\"p" + std::to_string(number) + "\",\"cluster\":" + std::to_string(1 + number / kPagesPerCluster);
  }
  return text;
}

void check_origin(const OriginLine& origin) {
  if (!(origin.confidence >= 0 && origin.confidence <= 1)) std::abort();
  if (!(origin.first_confidence >= 0 && origin.first_confidence <= 1)) std::abort();
  if (origin.copied_from && (!origin.is_traced || *origin.copied_from == origin.id)) std::abort();
  for (const auto* names : {&origin.reasons, &origin.against, &origin.problems}) {
    if (names->size() > kOriginNamesMaximum) std::abort();
  }
  const std::string_view day = published_day(origin);
  if (!day.empty() && day.size() != 10) std::abort();
}

void check_explorer(const FuzzedRun& run, const RunOrigins& origins) {
  ProvenanceParser parser;
  OriginLine origin;
  for (std::uint32_t page = 0; page < kFuzzPages; ++page) {
    std::uint32_t way = page;
    for (std::uint32_t steps = 0; origins.find(way) != nullptr && origins.find(way)->copied_from != kNoPage; ++steps) {
      if (steps > kFuzzPages) std::abort();
      way = origins.find(way)->copied_from;
    }
    if (origins.find(page) != nullptr && !origins.read(page, parser, origin)) std::abort();
  }
  for (std::uint32_t begin = 0; begin < kFuzzPages; begin += kPagesPerCluster) {
    const std::uint32_t members[] = {begin, begin + 1, begin + 2, begin + 3};
    JsonWriter json;
    json.begin_object();
    write_copy_graph(origins, run.pages(), members, std::nullopt, 0, json);
    write_copy_graph(origins, run.pages(), members, begin + 1, 1, json);
    json.end_object();
    if (json.take().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const FuzzedRun run;
  const std::string text = with_pages({reinterpret_cast<const char*>(data), size});
  std::ofstream(run.path(), std::ios::binary) << text;
  const Result<ProvenanceFile> file = ProvenanceFile::open(run.path());
  if (!file) std::abort();
  std::uint64_t lines = 0;
  const Status read = file->read(
      [&](const ProvenancePlace& place, OriginLine& origin) -> Status {
        if (place.offset_bytes + place.size_bytes > text.size()) std::abort();
        ++lines;
        check_origin(origin);
        return {};
      },
      [&](const ProvenancePlace&, const std::string& reason) -> Status {
        if (reason.empty()) std::abort();
        return {};
      });
  if (!read) std::abort();
  RunOrigins origins(run.pages());
  const RunControl silent;
  ProgressReporter progress(silent);
  if (!origins.load(run.path(), run.clusters(), progress) || !origins.is_there()) std::abort();
  if (origins.lines() > lines) std::abort();
  check_explorer(run, origins);
  return 0;
}
